/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/file.h>
#include <pt/image.h>

#include "test.h"

static struct images im;
static char root[64], said[1024];
static int n_said;

static void say(void *who, const char *what)
{
	snprintf(said, sizeof(said), "%s", what);
	n_said++;
}

/* A fresh file system, with its images. */
static void start(void)
{
	strcpy(root, "/tmp/pt-image-XXXXXX");
	OK(mkdtemp(root));
	im = (struct images){ .arena = &test_arena, .symfs = root, .say = say,
			      .any_file_is_code = true };
	n_said = 0;
	*said = 0;
}

static void end(void)
{
	char command[128];

	images_close(&im);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	OK(!system(command));
}

static const char *in_root(const char *path)
{
	static char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return full;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(in_root(path), "w");

	OK(f);
	EQ(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static bool reads(const char *path, const char *text)
{
	struct bytes b = dso_bytes(&im, dso_get(&im, path, NULL, 0), 0);

	return b.len == strlen(text) && !memcmp(b.at, text, b.len);
}

static struct space *map_file(const char *name, u64 start_at, u64 len, u64 pgoff)
{
	struct space *s = space_new(&im);

	space_mmap(&im, s, &(struct mapping){ 42, start_at, len, pgoff, 5, 2, name });
	return s;
}

TEST(what_is_not_elf_is_no_code_unless_the_command_line_says_so)
{
	struct space *s;

	start();
	im.any_file_is_code = false;
	write_text("/shadow", "root:*:20228:0:99999:7:::");
	write_text("/elf", "\177ELF and more");
	s = map_file("/shadow", 0x1000, 0x1000, 0);
	EQ(space_bytes(&im, s, 0x1000).len, 0);
	EQ(n_said, 0);		/* the trace may not go there */
	dso_say_missing(&im, space_find(s, 0x1000)->dso);
	dso_say_missing(&im, space_find(s, 0x1000)->dso);
	EQ(n_said, 1);
	s = map_file("/elf", 0x1000, 0x1000, 0);
	EQ(space_bytes(&im, s, 0x1000).len, 13);
	EQ(n_said, 1);
	end();
}

TEST(code_comes_from_the_file_by_its_offset)
{
	struct bytes b;
	struct space *s;

	start();
	write_text("/a", "0123456789abcdef");
	s = map_file("/a", 0x1000, 0x1000, 4);
	b = space_bytes(&im, s, 0x1002);
	EQ(b.len, 10);
	OK(!memcmp(b.at, "6789abcdef", 10));
	EQ(space_bytes(&im, s, 0x100c).len, 0);
	EQ(space_bytes(&im, s, 0xfff).len, 0);
	s = map_file("/a", 0x1000, 8, 0);
	EQ(space_bytes(&im, s, 0x1002).len, 6);
	EQ(n_said, 0);
	end();
}

TEST(a_piece_of_code_goes_on_into_the_next_map_of_the_same_file)
{
	struct space *s;

	start();
	write_text("/a", "0123456789abcdef");
	s = map_file("/a", 0x1000, 8, 0);
	space_mmap(&im, s, &(struct mapping){ 42, 0x1008, 4, 8, 7, 2, "/a" });
	EQ(space_bytes(&im, s, 0x1001).len, 11);
	space_mmap(&im, s, &(struct mapping){ 42, 0x100c, 4, 0, 7, 2, "/a" });
	EQ(space_bytes(&im, s, 0x1001).len, 11);
	end();
}

TEST(a_missing_file_is_said_once_with_its_build_id)
{
	static const u8 id[] = { 0xde, 0xad, 0xbe, 0xef };
	struct dso *dso;

	start();
	dso = dso_get(&im, "/usr/bin/gone", id, 4);
	EQ(dso_bytes(&im, dso, 0).len, 0);
	EQ(dso_bytes(&im, dso, 0).len, 0);
	OK(dso->missing);
	EQ(n_said, 1);
	STR_EQ(said, "cannot read /usr/bin/gone (build-id deadbeef): No such file or directory");
	end();
}

TEST(two_builds_under_one_name_are_two_dsos)
{
	static const u8 one[] = { 1, 1, 1 }, two[] = { 2, 2, 2 };
	struct dso *a, *b;

	start();
	a = dso_get(&im, "/a", one, 3);
	b = dso_get(&im, "/a", two, 3);
	OK(a != b);
	OK(dso_get(&im, "/a", one, 3) == a);
	OK(dso_get(&im, "/a", two, 3) == b);
	a = dso_get(&im, "/b", NULL, 0);
	OK(dso_get(&im, "/b", one, 3) == a);
	EQ(a->build_id_size, 3);
	end();
}

/* An ELF file of one note. */
static size_t make_elf(u8 *to, const char *id)
{
	memset(to, 0, 256);
	memcpy(to, "\x7f" "ELF\2\1\1", 7);
	set64(to + 32, 64);		/* e_phoff */
	set16(to + 56, 1);		/* e_phnum */
	set32(to + 64, 4);		/* PT_NOTE */
	set64(to + 64 + 8, 120);	/* p_offset */
	set64(to + 64 + 32, 16 + strlen(id));
	set32(to + 120, 4);
	set32(to + 124, strlen(id));
	set32(to + 128, 3);		/* NT_GNU_BUILD_ID */
	memcpy(to + 132, "GNU", 4);
	memcpy(to + 136, id, strlen(id));
	return 256;
}

TEST(another_build_than_the_one_recorded_is_said_and_used)
{
	u8 elf[256];

	start();
	write_file("/a", elf, make_elf(elf, "abcd"));
	EQ(dso_bytes(&im, dso_get(&im, "/a", (const u8 *)"abcd", 4), 0).len, 256);
	EQ(n_said, 0);
	EQ(dso_bytes(&im, dso_get(&im, "/a", (const u8 *)"abcx", 4), 0).len, 256);
	EQ(n_said, 1);
	STR_EQ(said, "/a is not the file that was recorded: build-id 61626364, "
	       "recorded 61626378");
	end();
}

TEST(a_build_id_is_found_in_both_classes)
{
	u8 elf[256];
	struct bytes id;

	make_elf(elf, "abcdefgh");
	id = note_build_id((struct bytes){ elf, sizeof(elf) });
	EQ(id.len, 8);
	OK(!memcmp(id.at, "abcdefgh", 8));
	EQ(note_build_id((struct bytes){ elf, 100 }).len, 0);
	memcpy(elf, "\x7f" "ELF\1\1\1", 7);
	set32(elf + 28, 64);		/* e_phoff */
	set16(elf + 44, 1);		/* e_phnum */
	set32(elf + 64 + 4, 120);
	set32(elf + 64 + 16, 24);
	id = note_build_id((struct bytes){ elf, sizeof(elf) });
	EQ(id.len, 8);
}

TEST(hostile_notes_are_not_followed)
{
	u8 notes[32] = { 0 };

	set32(notes, ~0u);
	set32(notes + 4, ~0u);
	set32(notes + 8, 3);
	EQ(note_find_build_id((struct bytes){ notes, sizeof(notes) }).len, 0);
	set32(notes, 4);
	memcpy(notes + 12, "GNU", 4);
	EQ(note_find_build_id((struct bytes){ notes, sizeof(notes) }).len, 0);
	set32(notes + 4, 16);
	EQ(note_find_build_id((struct bytes){ notes, sizeof(notes) }).len, 16);
}

TEST(no_path_leaves_the_root)
{
	start();
	write_text("/etc", "ours");
	OK(reads("/../etc", "ours"));
	OK(!reads("/./x/../etc", "ours"));
	OK(!symlink("/etc", in_root("/absolute")));
	OK(reads("/absolute", "ours"));
	OK(!mkdir(in_root("/d"), 0755));
	OK(!symlink("../../../../etc", in_root("/d/up")));
	OK(reads("/d/up", "ours"));
	OK(!symlink("d", in_root("/link")));
	OK(reads("/link/up", "ours"));
	OK(!symlink("/proc/self/root/etc/passwd", in_root("/proc")));
	n_said = 0;
	OK(!reads("/proc", "ours"));
	EQ(n_said, 1);
	end();
}

TEST(links_in_a_circle_and_long_paths_end)
{
	char path[9000];

	start();
	OK(!symlink("b", in_root("/a")));
	OK(!symlink("a", in_root("/b")));
	OK(!reads("/a", "x"));
	EQ(n_said, 1);
	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = 0;
	OK(!reads(path, "x"));
	memset(path, '/', sizeof(path) - 1);
	OK(!reads(path, "x"));
	end();
}

TEST(only_regular_files_with_something_in_them_are_read)
{
	start();
	OK(!mkfifo(in_root("/fifo"), 0644));
	OK(!mkdir(in_root("/dir"), 0755));
	write_text("/empty", "");
	OK(!dso_bytes(&im, dso_get(&im, "/fifo", NULL, 0), 0).len);
	OK(!dso_bytes(&im, dso_get(&im, "/dir", NULL, 0), 0).len);
	OK(!dso_bytes(&im, dso_get(&im, "/empty", NULL, 0), 0).len);
	OK(!dso_bytes(&im, dso_get(&im, "relative", NULL, 0), 0).len);
	OK(!dso_bytes(&im, dso_get(&im, "", NULL, 0), 0).len);
	EQ(n_said, 5);
	im.symfs = NULL;
	OK(!dso_bytes(&im, dso_get(&im, "/dev/null", NULL, 0), 0).len);
	end();
}

TEST(memory_without_a_file_is_the_map_of_a_jit_where_it_can_be_executed)
{
	struct space *s;
	const struct map *m;

	start();
	s = map_file("//anon", 0x1000, 0x1000, 0x77);
	STR_EQ(space_find(s, 0x1000)->dso->name, "/tmp/perf-42.map");
	EQ(space_find(s, 0x1000)->dso->kind, DSO_JIT);
	EQ(map_addr(&im, space_find(s, 0x1010), 0x1010), 0x1010);
	m = space_mmap(&im, s, &(struct mapping){ 42, 0x5000, 0x1000, 0, 3, 2, "[heap]" });
	STR_EQ(m->dso->name, "[heap]");
	m = space_mmap(&im, s, &(struct mapping){ 42, 0x5000, 0x1000, 0, 5, 0x40002, "/huge" });
	STR_EQ(m->dso->name, "/tmp/perf-42.map");
	EQ(space_bytes(&im, s, 0x1000).len, 0);
	m = space_mmap(&im, s, &(struct mapping){ 42, 0xffffffffff600000, 0x1000, 0, 5, 2,
		       "[vsyscall]" });
	STR_EQ(m->dso->name, "[vsyscall]");
	EQ(space_bytes(&im, s, 0xffffffffff600000).len, 0);
	EQ(n_said, 0);
	end();
}

TEST(symbols_of_a_jit_come_from_its_map_file)
{
	const struct symbol *s;
	struct dso *dso;

	start();
	OK(!mkdir(in_root("/tmp"), 0755));
	write_text("/tmp/perf-42.map",
		   "1000 10 first\nnonsense\n1010 20 LazyCompile:~f (x.js:1)\n"
		   "2000\n2000 10\n2000 10 \nffffffffffffffff ff wraps\n1030 8 cut");
	dso = dso_get(&im, "/tmp/perf-42.map", NULL, 0);
	OK(!dso_symbol(&im, dso, 0xfff));
	s = dso_symbol(&im, dso, 0x102f);
	OK(s);
	if (s) {
		STR_EQ(s->name, "LazyCompile:~f (x.js:1)");
		EQ(s->start, 0x1010);
		EQ(s->end, 0x1030);
	}
	OK(!dso_symbol(&im, dso, 0x1030));
	OK(!dso_symbol(&im, dso, 0x2000));
	end();
}

TEST(the_vdso_is_what_the_command_line_says)
{
	struct space *s;

	start();
	write_text("/vdso.so", "vdso code");
	im.vdso = in_root("/vdso.so");
	s = map_file("[vdso]", 0x7fff1000, 0x2000, 0x7fff1000);
	EQ(space_bytes(&im, s, 0x7fff1005).len, 4);
	OK(!memcmp(space_bytes(&im, s, 0x7fff1005).at, "code", 4));
	end();
}

TEST(the_vdso_of_this_process_serves_where_the_recording_was_made_here)
{
	struct space *s;

	start();
	s = map_file("[vdso]", 0x7fff1000, 0x2000, 0);
	EQ(dso_bytes(&im, space_find(s, 0x7fff1000)->dso, 0).len, 0);
	EQ(n_said, 1);
	images_close(&im);
	im = (struct images){ .arena = &test_arena, .say = say, .this_machine = true };
	s = map_file("[vdso]", 0x7fff1000, 0x1000, 0);
	if (!space_bytes(&im, s, 0x7fff1000).len) {
		end();
		SKIP("the kernel gives no vDSO");
	}
	OK(!memcmp(space_bytes(&im, s, 0x7fff1000).at, "\x7f" "ELF", 4));
	end();
}

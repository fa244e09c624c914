/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <test.h>
#include <unistd.h>
#include <pt/lines.h>

/* Opens a file of 'len' bytes, which is gone when it is closed. */
static void open_text(struct lines *l, const char *text, size_t len)
{
	char path[] = "/tmp/pt-lines-XXXXXX";
	int fd = mkstemp(path);

	EQ(write(fd, text, len), len);
	close(fd);
	EQ(lines_open(l, path), 0);
	unlink(path);
}

TEST(lines_come_without_their_ends)
{
	struct lines l;

	open_text(&l, "one\n\nlast", 9);
	STR_EQ(lines_next(&l), "one");
	STR_EQ(lines_next(&l), "");
	STR_EQ(lines_next(&l), "last");
	OK(!lines_next(&l));
	lines_close(&l);
}

TEST(lines_across_buffers_are_whole)
{
	static char text[60000];
	struct lines l;
	size_t i, n = 0;
	char *line;

	for (i = 0; i + 10 <= sizeof(text); i += 10)
		memcpy(text + i, "123456789\n", 10);
	open_text(&l, text, i);
	while ((line = lines_next(&l))) {
		STR_EQ(line, "123456789");
		n++;
	}
	EQ(n, i / 10);
	lines_close(&l);
}

TEST(a_line_longer_than_the_buffer_comes_in_parts)
{
	static char text[30000];
	struct lines l;
	size_t n = 0;
	char *line;

	memset(text, 'x', sizeof(text));
	open_text(&l, text, sizeof(text));
	while ((line = lines_next(&l)))
		n += strlen(line);
	EQ(n, sizeof(text));
	lines_close(&l);
}

TEST(a_file_that_is_not_there_is_an_error)
{
	struct lines l;

	EQ(lines_open(&l, "/nowhere/at/all"), -ENOENT);
}

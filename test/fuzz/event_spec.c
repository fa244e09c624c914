/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Texts of -e, on a machine without any PMU: a text that is not an event gives an error text.
 */
#include <pt/event_spec.h>

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n);

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct event_env env = { .arena = &arena, .sysfs = "/nowhere", .tracefs = "/nowhere" };
	struct event_list list = { 0 };
	struct event_error err;
	char *text = arena_strn(&arena, bytes, n);
	u32 i;

	if (event_spec_parse(&list, &env, text, &err)) {
		if (!err.what[0] || list.n || err.at < 0 || (size_t)err.at > strlen(text))
			__builtin_trap();
	}
	for (i = 0; i < list.n; i++)
		if (list.at[i].leader > i || !list.at[i].name || !list.at[i].members)
			__builtin_trap();
	arena_free(&arena);
	return 0;
}

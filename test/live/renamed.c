/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Gives itself another name.
 */
#include <sys/prctl.h>

int main(void)
{
	return prctl(PR_SET_NAME, "renamed");
}

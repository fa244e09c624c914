/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A 32-bit program without a libc: writes out its vDSO, by system calls through it.
 */
	.globl	_start
_start:
	mov	(%esp), %ecx
	lea	8(%esp,%ecx,4), %esi		/* envp */
1:	lodsl
	test	%eax, %eax
	jnz	1b
2:	lodsl					/* the auxiliary vector: type, value */
	mov	%eax, %ebx
	lodsl
	cmp	$32, %ebx			/* AT_SYSINFO */
	cmove	%eax, %edi
	cmp	$33, %ebx			/* AT_SYSINFO_EHDR */
	cmove	%eax, %ecx
	test	%ebx, %ebx
	jnz	2b
	mov	$4, %eax			/* write(1, ecx, 4096) */
	mov	$1, %ebx
	mov	$4096, %edx
	call	*%edi
	mov	$1, %eax			/* exit(9) */
	mov	$9, %ebx
	call	*%edi

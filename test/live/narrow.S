/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A 32-bit program without a libc: forms of instructions that 64-bit code lacks or does otherwise,
 * %gs, calls of the kernel in both ways, handlers of signals with both kinds of frames, a fault, a
 * child. Its status is 42, or the number of what went wrong. As the 32-bit vDSO's code it writes
 * nothing.
 */
	.section .note.GNU-stack, "", @progbits
	.text
	.globl	_start
_start:
	cld
	mov	(%esp), %ecx
	lea	8(%esp,%ecx,4), %esi		/* envp */
1:	lodsl
	test	%eax, %eax
	jnz	1b
2:	lodsl					/* the auxiliary vector: type, value */
	mov	%eax, %ebx
	lodsl
	cmp	$32, %ebx			/* AT_SYSINFO */
	jne	3f
	mov	%eax, vdso
3:	test	%ebx, %ebx
	jnz	2b

/* The stack. */
	movl	$1, step
	mov	%esp, %edi
	mov	$0x1234, %eax
	push	%eax
	push	$-2
	push	$0x7fffffff
	pushl	value
	push	%esp
	pop	%ebx
	lea	-16(%edi), %ecx
	cmp	%ecx, %ebx
	jne	wrong
	popl	other
	pop	%ecx
	pop	%edx
	pop	%ebp
	mov	other, %ebx
	cmp	value, %ebx
	jne	wrong
	lea	1(%ecx,%edx), %ecx		/* 0x7fffffff - 2 + 1 */
	cmp	$0x7ffffffe, %ecx
	jne	wrong
	pusha
	movl	$77, 16(%esp)			/* ebx */
	popa
	cmp	$77, %ebx
	jne	wrong
	pushw	$3
	pop	%cx
	pushl	$4
	popl	4(%esp)				/* with the new ESP */
	cmp	%edi, %esp
	jne	wrong
	enter	$32, $0
	mov	%esp, %ebx
	leave
	add	$36, %ebx
	cmp	%edi, %ebx
	jne	wrong
	cmp	%edi, %esp
	jne	wrong

/* Calls, jumps, loops. */
	movl	$2, step
	mov	$5, %ecx
	xor	%edx, %edx
1:	call	count
	mov	$count, %eax
	call	*%eax
	call	*pointer
	push	$9
	call	drop
	loop	1b
	cmp	$15, %edx
	jne	wrong
	jecxz	2f
	jmp	wrong
2:	mov	$3, %ecx
3:	jmp	*table-4(,%ecx,4)
case3:	inc	%edx
case2:	dec	%ecx
	jmp	3b
case1:	cmp	$16, %edx
	jne	wrong

/* Flags and one-byte forms. */
	movl	$3, step
	stc
	mov	$7, %eax
	inc	%eax
	dec	%ax
	jnc	wrong
	pushf
	pop	%ebx
	or	$0x400, %ebx
	push	%ebx
	popf
	pushf
	cld
	pop	%ecx
	test	$0x400, %ecx
	jz	wrong
	.byte	0x82, 0xc0, 1			/* add $1, %al */
	cmp	$8, %eax
	jne	wrong
	mov	$text, %esi
	mov	$buffer, %edi
	mov	$6, %ecx
	rep movsb
	mov	$text, %esi
	mov	$buffer, %edi
	mov	$6, %ecx
	repe cmpsb
	jne	wrong
	mov	$text, %ebx
	mov	$1, %al
	xlat
	cmp	text + 1, %al
	jne	wrong
	mov	$-4, %eax			/* addresses are modulo 2^32 */
	mov	value + 4(%eax), %ecx
	cmp	value, %ecx
	jne	wrong

/* %gs with offsets that are negative. */
	movl	$4, step
	mov	$243, %eax			/* set_thread_area() */
	mov	$area, %ebx
	int	$0x80
	test	%eax, %eax
	jnz	wrong
	mov	area, %eax
	lea	3(,%eax,8), %eax
	mov	%ax, %gs
	mov	%gs:-4, %eax
	cmp	value, %eax
	jne	wrong
	mov	$-4, %ecx
	mov	%gs:(%ecx), %edx
	cmp	%eax, %edx
	jne	wrong
	addl	$3, %gs:(,%ecx,1)
	mov	value, %edx
	sub	%eax, %edx
	cmp	$3, %edx
	jne	wrong
	push	%gs:-4
	pop	%ebx
	cmp	value, %ebx
	jne	wrong
	push	%gs
	pop	%ebx
	mov	%gs, %ecx
	cmp	%cx, %bx
	jne	wrong
	call	*%gs:0				/* count */
	mov	%fs, %edx			/* 0, as setcontext() has it */
	mov	%dx, %fs
	mov	%fs, %ecx
	cmp	%edx, %ecx
	jne	wrong

/* Calls of the kernel; arguments and other registers keep their values. */
	movl	$5, step
	mov	$20, %eax			/* getpid() */
	mov	$1, %ebx
	mov	$2, %ecx
	mov	$3, %edx
	mov	$4, %esi
	mov	$5, %edi
	mov	$6, %ebp
	int	$0x80
	mov	%eax, pid
	mov	$20, %eax
	cmpl	$0, vdso
	je	1f
	call	*vdso
	cmp	pid, %eax
	jne	wrong
1:	lea	(%ebx,%ecx), %eax
	add	%edx, %eax
	add	%esi, %eax
	add	%edi, %eax
	add	%ebp, %eax
	cmp	$21, %eax
	jne	wrong
	movl	$6, step
	mov	$192, %eax			/* mmap2(): six arguments */
	xor	%ebx, %ebx
	mov	$4096, %ecx
	mov	$3, %edx
	mov	$0x22, %esi
	mov	$-1, %edi
	xor	%ebp, %ebp
	call	kernel
	cmp	$-4096, %eax
	ja	wrong
	movl	$9, (%eax)

/* Handlers. */
	movl	$7, step
	mov	$174, %eax			/* rt_sigaction(SIGUSR1, siginfo) */
	mov	$10, %ebx
	mov	$action, %ecx
	mov	$old, %edx
	mov	$8, %esi
	call	kernel
	test	%eax, %eax
	jnz	wrong
	mov	$67, %eax			/* sigaction(SIGUSR2) */
	mov	$12, %ebx
	mov	$old_action, %ecx
	xor	%edx, %edx
	call	kernel
	test	%eax, %eax
	jnz	wrong
	mov	$10, %ecx
	call	raise
	cmpl	$10, seen
	jne	wrong
	movl	$8, step
	fldpi
	mov	$12, %ecx
	call	raise
	cmpl	$12, seen
	jne	wrong
	fldpi
	fcompp					/* the handler has emptied the x87 */
	fnstsw	%ax
	sahf
	jne	wrong

/* A fault: the handler continues elsewhere. */
	movl	$9, step
	mov	$174, %eax
	mov	$11, %ebx
	mov	$fault_action, %ecx
	xor	%edx, %edx
	mov	$8, %esi
	call	kernel
	mov	$0x55, %ebx
	push	%ebx
fault:	pushl	16
	jmp	wrong
after:	pop	%ecx
	cmp	%ecx, %ebx
	jne	wrong
	cmpl	$11, seen
	jne	wrong

/* A child. */
	movl	$10, step
	mov	$2, %eax			/* fork() */
	call	kernel
	test	%eax, %eax
	jz	child
	mov	%eax, %ebx
	mov	$7, %eax			/* waitpid() */
	mov	$status, %ecx
	xor	%edx, %edx
	call	kernel
	cmpl	$0x2100, status
	jne	wrong
	movl	$42, step
wrong:	mov	step, %ebx
	mov	$1, %eax
	int	$0x80
child:	mov	$33, %ebx
	mov	$1, %eax
	int	$0x80

count:	inc	%edx
	ret
drop:	ret	$4

kernel:	cmpl	$0, vdso
	je	1f
	jmp	*vdso
1:	int	$0x80
	ret

/* kill(pid, ecx) */
raise:	mov	$37, %eax
	mov	pid, %ebx
	jmp	kernel

/* Its arguments are on the stack, as is what it returns to. */
handler:
	mov	4(%esp), %eax
	mov	8(%esp), %ecx			/* siginfo */
	cmp	(%ecx), %eax
	jne	wrong
	mov	pid, %ebx
	cmp	%ebx, 12(%ecx)
	jne	wrong
	mov	%eax, seen
	ret
old_handler:
	push	%ebp
	mov	8(%esp), %eax
	mov	%eax, seen
	fninit
	pop	%ebp
	ret
fault_handler:
	mov	4(%esp), %eax
	mov	%eax, seen
	mov	8(%esp), %ecx
	cmpl	$16, 12(%ecx)			/* si_addr */
	jne	wrong
	mov	12(%esp), %ecx			/* ucontext */
	cmpl	$fault, 76(%ecx)		/* eip */
	jne	wrong
	movl	$after, 76(%ecx)
	ret
restorer:
	mov	$173, %eax			/* rt_sigreturn() */
	int	$0x80

	.data
step:	.long	0
vdso:	.long	0
pid:	.long	0
seen:	.long	0
status:	.long	0
value:	.long	0x10203040
base:	.long	count
other:	.long	0
pointer: .long	count
table:	.long	case1, case2, case3
text:	.ascii	"abcdef"
buffer:	.skip	6
	.balign	4
area:	.long	-1, base, 0xfffff, 0x51		/* 32-bit, limit in pages, usable */
action:	.long	handler, 4 | 0x04000000, restorer, 0, 0
old_action: .long old_handler, 0, 0, 0
fault_action: .long fault_handler, 4, 0, 0, 0
old:	.skip	20

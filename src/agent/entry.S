/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From the program to the agent and back. Registers are saved in the thread's slot, and the agent
 * runs on its own stack, which is in the slot. In a 32-bit program %fs has the place of %gs, and
 * the parts that end in _32 are used.
 *
 *	code in the cache --- agent_enter ---> agent_run() --- agent_go ---> code in the cache
 *	                                                   \-- agent_make_call --> the kernel
 *	the kernel ----------- agent_signal -> signals_take() ----- agent_go --> the handler
 */
#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_TRANSLATE_32.h>

#include "offsets.h"

	.section .head, "a"
agent_head:
	.long	0x74676174
	.long	agent_end - agent_head
	.long	agent_start - agent_head
	.long	agent_resume - agent_head
	.long	agent_locate - agent_head
	.long	agent_trap - agent_head
	.long	agent_opening - agent_head
	.long	agent_closing - agent_head
	.long	agent_dropping - agent_head
	.long	agent_make_call - agent_head
#if CONFIG_SOFT_TRANSLATE_32
	.long	agent_make_call_32 - agent_head
#else
	.long	0
#endif
agent_narrow:
	.long	0
	.long	agent_restored - agent_head
	.long	agent_left - agent_head
	.long	agent_giving - agent_head
#if CONFIG_SOFT_AGAIN
	.long	agent_undefer - agent_head
#endif

	.text
	.irp	name, text, enter, make_call, made_call, make_clone, signal, restorer, leaving, \
		restored, left
	.globl	agent_\name
	.hidden	agent_\name
	.endr
#if CONFIG_SOFT_TRANSLATE_32
	.irp	name, narrow, enter_32, make_call_32, made_call_32, make_clone_32
	.globl	agent_\name
	.hidden	agent_\name
	.endr
#endif
agent_text:

	.macro	save slot
	movl	$1, \slot:T_INSIDE
	mov	%rax, \slot:T_REGS
	mov	%rcx, \slot:T_REGS + 8
	mov	%rdx, \slot:T_REGS + 16
	mov	%rbx, \slot:T_REGS + 24
	mov	%rsp, \slot:T_REGS + 32
	mov	%rbp, \slot:T_REGS + 40
	mov	%rsi, \slot:T_REGS + 48
	mov	%rdi, \slot:T_REGS + 56
	.endm

/* Emitted code jumps here: r11 is the struct translate_exit, the pointer is in 'ring'. */
agent_enter:
	save	%gs
	mov	%r8, %gs:T_REGS + 64
	mov	%r9, %gs:T_REGS + 72
	mov	%r10, %gs:T_REGS + 80
	mov	%r12, %gs:T_REGS + 96
	mov	%r13, %gs:T_REGS + 104
	mov	%r14, %gs:T_REGS + 112
	mov	%r15, %gs:T_REGS + 120
	mov	%gs:T_R11, %rax
	mov	%rax, %gs:T_REGS + 88
	mov	%gs:T_SELF, %rbx
agent_entered:
	lea	AGENT_STACK(%rbx), %rsp
	pushfq
	pop	T_FLAGS(%rbx)
	pushq	$0x202
	popfq
	mov	%rbx, %rdi
	mov	%r11, %rsi
	call	agent_run
	jmp	agent_go

/* The thread, in rbx and rdi. */
own_thread:
#if CONFIG_SOFT_TRANSLATE_32
	cmpb	$0, agent_narrow(%rip)
	jne	2f
#endif
	mov	%gs:T_SELF, %rbx
1:	mov	%rbx, %rdi
	ret
#if CONFIG_SOFT_TRANSLATE_32
2:	mov	%fs:T_SELF, %rbx
	jmp	1b
#endif

agent_start:
	call	own_thread
	call	agent_begin
	jmp	agent_go

agent_resume:
	call	own_thread
	call	agent_continue
	jmp	agent_go

agent_locate:
	call	own_thread
	call	signals_locate
	jmp	1f

agent_opening:
	call	own_thread
	call	agent_open
	jmp	1f

agent_closing:
	call	own_thread
	call	agent_close
	jmp	1f

agent_dropping:
	call	own_thread
	call	agent_drop
	jmp	1f

agent_giving:
	call	own_thread
/* pt has requested the thread. */
agent_give:
	mov	%rbx, %rdi
	call	signals_give
1:	mov	$NR_FUTEX, %eax
	mov	%rbx, %rdi
	mov	$FUTEX_WAKE, %esi
	xor	%edx, %edx
	syscall
agent_trap:			/* pt did not take it */
	mov	%rbx, %rdi
	call	agent_back
	jmp	agent_go

/* Jump to rax with the program's registers from the slot. From agent_restored on the stack is the
 * program's, and a signal finds the program's registers in the slot. A signal that comes earlier is
 * deferred, and checked again. */
agent_go:
	call	own_thread
agent_leaving:
	lea	AGENT_STACK(%rbx), %rsp
	cmpl	$0, T_ASKED(%rbx)
	jne	agent_give
#if CONFIG_SOFT_TRANSLATE_32
	mov	T_FRAME(%rbx), %rcx
	test	%rcx, %rcx
	jnz	agent_return
#endif
	cmpl	$0, T_DEFERRED(%rbx)
	jne	agent_undefer
	mov	%rax, T_SPILL + 8(%rbx)
#if CONFIG_SOFT_TRANSLATE_32
	cmpb	$0, agent_narrow(%rip)
	je	2f
	mov	%rax, %rcx
	shr	$32, %rcx
	jz	1f
	lea	agent_far(%rip), %rax
1:	mov	%rax, T_SPILL + 24(%rbx)
	push	T_FLAGS(%rbx)
	popfq
	mov	T_REGS + 32(%rbx), %rsp
	jmp	agent_restored_32
#endif
2:	cmpl	$AGENT_OWN_GS, T_AWAY(%rbx)
	jne	1f
	mov	%rax, T_SPILL + 24(%rbx)
	lea	agent_own_gs(%rip), %rax
	mov	%rax, T_SPILL + 8(%rbx)
1:	push	T_FLAGS(%rbx)
	popfq
	mov	T_REGS + 32(%rbx), %rsp
agent_restored:
	mov	%rbx, %rax
	mov	T_REGS + 88(%rax), %r11
	mov	%r11, T_R11(%rax)
	mov	T_REGS + 8(%rax), %rcx
	mov	T_REGS + 16(%rax), %rdx
	mov	T_REGS + 24(%rax), %rbx
	mov	T_REGS + 40(%rax), %rbp
	mov	T_REGS + 48(%rax), %rsi
	mov	T_REGS + 56(%rax), %rdi
	mov	T_REGS + 64(%rax), %r8
	mov	T_REGS + 72(%rax), %r9
	mov	T_REGS + 80(%rax), %r10
	mov	T_REGS + 96(%rax), %r12
	mov	T_REGS + 104(%rax), %r13
	mov	T_REGS + 112(%rax), %r14
	mov	T_REGS + 120(%rax), %r15
	mov	T_NEXT_R11(%rax), %r11
	movl	$0, T_INSIDE(%rax)
	mov	T_REGS(%rax), %rax
	jmp	*%gs:T_SPILL + 8

/* The program's own code, with its own %gs. Below the red zone, its stack is free. */
agent_own_gs:
	lea	-128(%rsp), %rsp
	push	%gs:T_SPILL + 24
	push	%rax
	mov	%gs:T_GS, %rax
	wrgsbase %rax
	pop	%rax
	ret	$128

#if CONFIG_SOFT_TRANSLATE_32
agent_restored_32:
	mov	%rbx, %rax
	mov	T_REGS + 8(%rax), %ecx
	mov	T_REGS + 16(%rax), %edx
	mov	T_REGS + 24(%rax), %ebx
	mov	T_REGS + 40(%rax), %ebp
	mov	T_REGS + 48(%rax), %esi
	mov	T_REGS + 56(%rax), %edi
	mov	T_NEXT_R11(%rax), %r11
	movl	$0, T_INSIDE(%rax)
	mov	T_REGS(%rax), %eax
	jmp	*%fs:T_SPILL + 24
agent_far:			/* the program's own code: 32-bit code */
	ljmp	*%fs:T_SPILL + 8
#endif

/* Signals came while the agent was busy: they were queued again, and all signals are blocked.
 * Unblock them with the program's registers in place. */
agent_undefer:
	mov	%rax, T_SPILL + 8(%rbx)
	mov	T_REGS + 32(%rbx), %rsp
	mov	$NR_RT_SIGPROCMASK, %eax
	mov	$2, %edi
	lea	T_MASK(%rbx), %rsi
	xor	%edx, %edx
	mov	$8, %r10d
	syscall
	movl	$0, T_DEFERRED(%rbx)
	mov	T_SPILL + 8(%rbx), %rax
	jmp	agent_leaving
agent_left:

#if CONFIG_SOFT_TRANSLATE_32
/* Return from a handler by the frame that the agent has made. All signals are blocked; the kernel
 * restores the mask and the registers together. */
agent_return:
	movq	$0, T_FRAME(%rbx)
	movl	$0, T_DEFERRED(%rbx)
	movl	$0, T_INSIDE(%rbx)
	mov	%rcx, %rsp
	mov	$NR_RT_SIGRETURN, %eax
	syscall
	ud2
#endif

/* The program's system call. For a signal before or after it, and when the kernel restarts it, RIP
 * is here: agent_make_call is the address of the call, agent_made_call the address after it. */
agent_make_call:
	syscall
agent_made_call:
	mov	%r11, %gs:T_R11
	lea	made_call(%rip), %r11
	jmp	agent_enter

#if CONFIG_SOFT_TRANSLATE_32
agent_make_call_32:
	int	$0x80
agent_made_call_32:
	lea	made_call(%rip), %r11
agent_enter_32:
	save	%fs
	mov	%fs:T_SELF, %rbx
	jmp	agent_entered
#endif

	.section .rodata
	.balign	8
made_call:
	.skip	17		/* a struct translate_exit */
	.byte	EXIT_MADE_CALL, 0, 0
	.long	0
	.quad	0

	.text
/* A call that makes a thread or process: %gs is already the child's, for both, and all signals are
 * blocked. */
agent_make_clone:
	/* Read it before: afterwards the child may be gone, and its block another's. */
	mov	%gs:T_PARENT, %rbx
	syscall
	test	%rax, %rax
	jz	1f
	mov	%r11, T_REGS + 88(%rbx)
agent_cloned:
	mov	%rax, T_REGS(%rbx)
	lea	AGENT_STACK(%rbx), %rsp
	mov	%rbx, %rdi
	call	syscalls_cloned
	jmp	agent_go
1:	mov	%gs:T_SELF, %rbx
	mov	%r11, T_REGS + 88(%rbx)
agent_born:
	mov	%rax, T_REGS(%rbx)
	mov	%rsp, T_REGS + 32(%rbx)
	lea	AGENT_STACK(%rbx), %rsp
	mov	%rbx, %rdi
	call	syscalls_child
	jmp	agent_go

#if CONFIG_SOFT_TRANSLATE_32
agent_make_clone_32:
	mov	%fs:T_PARENT, %r12
	int	$0x80
	test	%rax, %rax
	mov	%r12, %rbx
	jnz	agent_cloned
	mov	%fs:T_SELF, %rbx
	jmp	agent_born
#endif

/* The handler: rdi is the signal, rsi its siginfo, rdx the ucontext. It runs on the agent's stack,
 * unless that may be in use. */
agent_signal:
	push	%rdx
	push	%rsi
	push	%rdi
	call	signals_thread
	pop	%rdi
	pop	%rsi
	pop	%rdx
	test	%rax, %rax
	jz	agent_signal_out
	mov	%rax, %rbx
	mov	%rsp, %rcx
	mov	168(%rdx), %rax
	lea	agent_text(%rip), %r8
	sub	%r8, %rax
	cmp	$agent_end - agent_text, %rax
	jae	2f
	cmp	$agent_make_call - agent_text, %rax
	je	2f
	cmp	$agent_made_call - agent_text, %rax
	je	2f
#if CONFIG_SOFT_TRANSLATE_32
	cmp	$agent_make_call_32 - agent_text, %rax
	je	2f
	cmp	$agent_made_call_32 - agent_text, %rax
	je	2f
#endif
	cmp	$agent_restored - agent_text, %rax
	jb	1f
	cmp	$agent_left - agent_text, %rax
	jb	2f
1:	mov	%rcx, %rbp
	and	$-16, %rsp
	mov	%rbx, %rcx
	call	signals_defer
	lea	8(%rbp), %rsp
	mov	$NR_RT_SIGRETURN, %eax
	syscall
2:	mov	%rcx, %rbp
	lea	AGENT_STACK(%rbx), %rsp
	mov	%rbx, %r8
	call	signals_take
	test	%rax, %rax
	jnz	agent_go
	lea	8(%rbp), %rsp
agent_restorer:
	mov	$NR_RT_SIGRETURN, %eax
	syscall

/* The thread runs the program's own code: so does its handler. */
agent_signal_out:
	push	%rdx
	push	%rsi
	push	%rdi
	call	signals_out
	pop	%rdi
	pop	%rsi
	pop	%rdx
	mov	%rax, %r11
	xor	%eax, %eax
	test	%r11, %r11
	jz	1f
#if CONFIG_SOFT_TRANSLATE_32
	cmpb	$0, agent_narrow(%rip)
	jne	2f
#endif
	jmp	*%r11
1:	ret

#if CONFIG_SOFT_TRANSLATE_32
2:	mov	%r11, %rsp		/* a far address, and the program's frame */
	mov	%edi, %eax
	mov	16(%rsp), %edx
	mov	20(%rsp), %ecx
	lretl
#endif

	.section .note.GNU-stack, "", @progbits

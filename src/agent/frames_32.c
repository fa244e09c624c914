/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Frames of signal handlers in 32-bit programs.
 *
 * The kernel makes a 64-bit frame, for the agent. It is replaced by the frame that a 32-bit program
 * would get, in which the vector registers stay where they are:
 *
 *	the kernel's      | ucontext | siginfo | registers of FPU and vectors |
 *	the program's  | frame, with siginfo | x87 | the same |
 *
 * To return from a handler, the agent makes a 64-bit frame in the thread's slot, and
 * rt_sigreturn() with it.
 *
 * Source: the kernel's <asm/sigcontext.h>, <asm/sigframe.h>, arch/x86/kernel/signal_32.c,
 * fpu/signal.c, fpu/regset.c and kernel/signal.c.
 */
#include "own.h"

enum { NR_SIGRETURN = 119, NR_RT_SIGRETURN_32 = 173, NR_SIGALTSTACK = 131 };
enum { SA_SIGINFO = 4, SA_RESTORER = 0x04000000 };
enum { SEGV = 11, SEGMENT_DATA = 0x2b };
enum { SI_USER = 0, SI_TIMER = -2, SI_SIGIO = -5, SI_KERNEL = 0x80 };
enum { SIGILL = 4, SIGTRAP = 5, SIGBUS = 7, SIGFPE = 8, SIGCHLD = 17, SIGIO = 29, SIGSYS = 31 };
enum { FRAME_SIZE = 512, X87_SIZE = 112, X87_ONLY = 0xffff };
enum { EXTENDED_SIZE = 468 };	/* of struct _fpx_sw_bytes, from FXSAVE */
enum { UC_XSTATE = 1, UC_SS = 2, UC_STRICT_SS = 4 };

struct context {			/* struct sigcontext_32 */
	u16 gs, gs_high, fs, fs_high, es, es_high, ds, ds_high;
	u32 edi, esi, ebp, esp, ebx, edx, ecx, eax, trap, error, eip;
	u16 cs, cs_high;
	u32 flags, esp_at_signal;
	u16 ss, ss_high;
	u32 fpstate, oldmask, cr2;
};

struct old_frame {			/* struct sigframe_ia32 */
	u32 restorer, sig;
	struct context context;
	u8 unused[624];
	u32 mask_high;
	u8 code[8];
};

struct frame {				/* struct rt_sigframe_ia32 */
	u32 restorer, sig, info_at, context_at;
	u32 info[32];
	u32 flags, link, stack[3];
	struct context context;
	u32 mask[2];
	u8 code[8];
};

struct x87 {				/* the start of struct _fpstate_32 */
	u32 control, status, tags, ip, cs, data, ds;
	u8 st[8][10];
	u16 status_again, magic;
};

struct fx {				/* FXSAVE */
	u16 control, status;
	u8 tags, fill;
	u16 op;
	u64 ip, data;
	u32 mxcsr[2];
	u8 st[8][16];
};

_Static_assert(sizeof(struct context) == 88, "context");
_Static_assert(sizeof(struct old_frame) == 732 && sizeof(struct x87) == X87_SIZE, "old_frame");
_Static_assert(offsetof(struct frame, context) == 164 && sizeof(struct frame) == 268, "frame");
_Static_assert(sizeof(struct ucontext) == 304, "ucontext");

/* To the program. */

/* The words after signo, errno and code. In 64 bits they are aligned, and addresses longer. */
static void narrow_info(u32 to[32], const struct siginfo *info)
{
	const u32 *from = (const u32 *)info;
	i32 code = info->code;
	u32 i, sig = code == SI_SIGIO ? SIGIO : info->signo;

	for (i = 0; i < 32; i++)
		to[i] = 0;
	to[0] = from[0];
	to[1] = from[1];
	to[2] = from[2];
	if (code == SI_TIMER) {			/* id, overrun, value */
		to[3] = from[4];
		to[4] = from[5];
		to[5] = from[6];
	} else if (code != SI_SIGIO && (code <= SI_USER || code >= SI_KERNEL)) {
		to[3] = from[4];		/* pid, uid, value */
		to[4] = from[5];
		to[5] = code < SI_USER ? from[6] : 0;
	} else if (sig == SIGCHLD) {		/* pid, uid, status, times */
		to[3] = from[4];
		to[4] = from[5];
		to[5] = from[6];
		to[6] = from[8];
		to[7] = from[10];
	} else if (sig == SIGSYS) {		/* address, number, architecture */
		to[3] = from[4];
		to[4] = from[6];
		to[5] = from[7];
	} else if (sig == SIGILL || sig == SIGTRAP || sig == SIGBUS || sig == SIGFPE ||
		   sig == SEGV) {
		to[3] = from[4];		/* address, its least bit, bounds or key */
		to[4] = from[6];
		to[5] = from[8];
		to[6] = from[10];
	} else {				/* SIGIO, or another set by F_SETSIG */
		to[3] = from[4];		/* band, descriptor */
		to[4] = from[6];
	}
}

static u16 segment_gs(void)
{
	u16 gs;

	asm volatile("mov %%gs, %0" : "=r"(gs));
	return gs;
}

static void make_context(struct context *c, const struct ucontext *uc)
{
	const u64 *g = uc->g;

	*c = (struct context){
		.gs = segment_gs(), .es = SEGMENT_DATA, .ds = SEGMENT_DATA, .ss = SEGMENT_DATA,
		.cs = CODE_32, .edi = g[G_RDI], .esi = g[G_RSI], .ebp = g[G_RBP],
		.esp = g[G_RSP], .esp_at_signal = g[G_RSP], .ebx = g[G_RBX], .edx = g[G_RDX],
		.ecx = g[G_RCX], .eax = g[G_RAX], .eip = g[G_RIP], .flags = g[G_FLAGS],
		.trap = g[G_TRAP], .error = g[G_ERROR], .cr2 = g[G_CR2], .oldmask = uc->mask,
	};
}

/* Two bits for each x87 register, in which 3 means empty. */
static u32 full_tags(const struct fx *fx)
{
	u32 i, top = fx->status >> 11 & 7, tags = 0;

	for (i = 0; i < 8; i++) {
		const u8 *st = fx->st[(i - top) & 7];
		u32 exponent = get16(st + 8) & 0x7fff, tag = 2;
		u64 number = get64(st);

		if (!(fx->tags >> i & 1))
			tag = 3;
		else if (exponent && exponent != 0x7fff)
			tag = number >> 63 ? 0 : 2;
		else if (!exponent && !number)
			tag = 1;
		tags |= tag << 2 * i;
	}
	return tags;
}

static void make_x87(struct x87 *to, const struct fx *fx)
{
	u32 i;

	to->control = fx->control | 0xffff0000;
	to->status = fx->status | 0xffff0000;
	to->tags = full_tags(fx) | 0xffff0000;
	to->ip = fx->ip;
	to->cs = CODE_32 | (u32)fx->op << 16;
	to->data = fx->data;
	to->ds = SEGMENT_DATA | 0xffff0000;
	for (i = 0; i < 8; i++)
		memcpy(to->st[i], fx->st[i], 10);
	to->status_again = fx->status;
	to->magic = 0;
}

/* The handler's frame ends at 'end'; its size is 'size'. On entry, ESP + 4 is a multiple of 16. */
static u64 place_for(u64 end, u64 size)
{
	return ((end - size + 4) & ~15ULL) - 4;
}

u64 frames_make(struct agent *a, const struct action *act, u32 sig, const struct siginfo *info,
		const struct ucontext *uc, u64 sp)
{
	static const u8 old_code[8] = { 0x58, 0xb8, NR_SIGRETURN, 0, 0, 0, 0xcd, 0x80 };
	static const u8 code[8] = { 0xb8, NR_RT_SIGRETURN_32, 0, 0, 0, 0xcd, 0x80 };
	u64 fx = uc->fpstate, end = fx ? fx - X87_SIZE : sp + sizeof(*uc) + 128;
	bool rt = act->flags & SA_SIGINFO;
	u64 at = place_for(end, rt ? sizeof(struct frame) : sizeof(struct old_frame));
	u32 restorer = rt ? a->shared->rt_sigreturn : a->shared->sigreturn;
	struct frame f = { .sig = sig, .flags = fx ? uc->flags & UC_XSTATE : 0 };
	struct old_frame *old = (struct old_frame *)at;

	/* They may be where the new frame will be. */
	narrow_info(f.info, info);
	make_context(&f.context, uc);
	f.context.fpstate = fx ? end : 0;
	f.stack[0] = uc->stack[0];
	f.stack[1] = uc->stack[1];
	f.stack[2] = uc->stack[2];
	f.mask[0] = uc->mask;
	f.mask[1] = uc->mask >> 32;
	if (fx)
		make_x87((struct x87 *)end, (const struct fx *)fx);
	if (f.flags)
		*(u32 *)(fx + EXTENDED_SIZE) += X87_SIZE;
	if (act->flags & SA_RESTORER)
		restorer = act->restorer;
	if (rt) {
		f.restorer = restorer ? restorer : at + offsetof(struct frame, code);
		f.info_at = at + offsetof(struct frame, info);
		f.context_at = at + offsetof(struct frame, flags);
		memcpy(f.code, code, 8);
		memcpy((void *)at, &f, sizeof(f));
		return at;
	}
	old->restorer = restorer ? restorer : at + offsetof(struct old_frame, code);
	old->sig = sig;
	old->context = f.context;
	old->mask_high = f.mask[1];
	memcpy(old->code, old_code, 8);
	return at;
}

/* And back. */

static void take_x87(struct fx *fx, const struct x87 *from)
{
	u32 i;

	fx->control = from->control;
	fx->status = from->status;
	fx->tags = 0;
	for (i = 0; i < 8; i++)
		fx->tags |= ((from->tags >> 2 * i & 3) != 3) << i;
	fx->op = from->cs >> 16;
	fx->ip = from->ip;
	fx->data = from->data;
	for (i = 0; i < 8; i++)
		memcpy(fx->st[i], from->st[i], 10);
}

/* The frame of the call, in parts. False: it cannot be read, or is unusual. */
static bool read_frame(const struct agent_thread *t, struct context *c, struct ucontext *uc)
{
	bool rt = t->call_nr == NR_RT_SIGRETURN_32;
	struct old_frame old;
	struct frame f;
	u64 sp = t->regs.r[RSP];

	if (rt) {
		if (!sys_read(&f, sp - 4, sizeof(f)))
			return false;
		*c = f.context;
		uc->mask = f.mask[0] | (u64)f.mask[1] << 32;
		uc->stack[0] = f.stack[0];
		uc->stack[1] = f.stack[1];
		uc->stack[2] = f.stack[2];
	} else {
		if (!sys_read(&old, sp - 8, sizeof(old)))
			return false;
		*c = old.context;
		uc->mask = c->oldmask | (u64)old.mask_high << 32;
		sys_call(NR_SIGALTSTACK, 0, (u64)uc->stack, 0, 0, 0, 0);
	}
	return (c->cs | 3) == CODE_32 && c->fs <= 3 && (c->gs | 3) == (segment_gs() | 3);
}

/* Merge its two descriptions of x87. */
static bool read_fpstate(const struct context *c)
{
	struct x87 x87;
	u64 at = c->fpstate;

	if (!at)
		return true;
	if ((at + X87_SIZE) % 64 || !sys_read(&x87, at, sizeof(x87)) || x87.magic == X87_ONLY)
		return false;
	take_x87((struct fx *)(at + X87_SIZE), &x87);
	return true;
}

static void take_context(struct ucontext *uc, const struct context *c)
{
	u64 *g = uc->g;

	g[G_RDI] = c->edi;
	g[G_RSI] = c->esi;
	g[G_RBP] = c->ebp;
	g[G_RSP] = c->esp;
	g[G_RBX] = c->ebx;
	g[G_RDX] = c->edx;
	g[G_RCX] = c->ecx;
	g[G_RAX] = c->eax;
	g[G_FLAGS] = c->flags;
	g[G_SEGMENTS] = CODE_64 | (u64)SEGMENT_DATA << 48;
	uc->fpstate = c->fpstate ? c->fpstate + X87_SIZE : 0;
	uc->flags = UC_SS | UC_STRICT_SS | UC_XSTATE;
}

/* sigreturn(), rt_sigreturn(). What is unusual is done by single steps. */
u64 frames_return(struct agent_thread *t, u64 ip)
{
	struct ucontext *uc = (struct ucontext *)((u8 *)t + AGENT_PAGES - FRAME_SIZE);
	struct context c;
	u64 to;

	if (!read_frame(t, &c, uc) || !read_fpstate(&c))
		return agent_refuse(t, ip, AGENT_ODD);
	ring_write(t, SLOW_OFF, ip, 0, 0);
	ring_write(t, SLOW_ON, c.eip, 0, 0);
	masks_block(t);
	to = agent_at(t, c.eip);
	take_context(uc, &c);
	uc->g[G_RIP] = (u32)to;
	uc->g[G_R11] = t->next_r11;
	t->segv_was = t->segv;
	t->segv = to >> 32 ? 0 : uc->mask & BIT(SEGV);
	uc->mask -= t->segv;
	if (to >> 32)
		set16((u8 *)&uc->g[G_SEGMENTS], CODE_32);
	t->frame = (u64)uc;
	t->call_ip = ip + 2;
	t->back_ip = c.eip;
	t->regs.ip = ip;
	return to;
}

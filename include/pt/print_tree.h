/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Write trees of call stacks, and sequences of calls, in the formats of other programs. Each format
 * has a file, print_NAME.c.
 */
#ifndef PT_PRINT_TREE_H
#define PT_PRINT_TREE_H

#include <pt/out.h>
#include <pt/spans.h>
#include <pt/tree.h>

/* A line for a stack, the outermost frame first: "comm;main;f 12". */
void print_folded(struct out *out, const struct tree_node *node, u64 weight);

/* After tree_layout(). A flame graph, as an SVG file. */
void print_svg(struct out *out, const struct tree *tree, enum tree_weight weight);

void print_speedscope(struct out *out, const struct tree *tree, enum tree_weight weight);
void print_callgrind(struct out *out, const struct tree *tree, enum tree_weight weight);

void print_drcov(struct out *out, const struct tree *tree, enum tree_weight weight);
void print_lcov(struct out *out, const struct tree *tree, enum tree_weight weight);
void print_pprof(struct out *out, const struct tree *tree, enum tree_weight weight);

/* With tree.blocks and tree.timeline. It spends the weights of the nodes. */
void print_html(struct out *out, const struct tree *tree, enum tree_weight weight);

/* A format for calls in the order of the trace. Output between begin() and end() is always
 * complete. */
struct print_spans {
	void (*begin)(struct out *out);
	void (*span)(struct out *out, const struct span *span);
	void (*end)(struct out *out);
};

extern const struct print_spans print_chrome, print_perfetto;

#endif

// The order of the operations of a graph's launch, for the graphs of both APIs: nodes follow each other along the edges only. A
// branch is a sequence of nodes, each of which depends on the one before, and is a stream for the other end; the other edges
// are events.
#ifndef PTXSAN_GRAPH_BRANCHES_H
#define PTXSAN_GRAPH_BRANCHES_H

#include "graph_order.h"
#include "wire.h"

// branches are those of a graph. A graph of one branch has no streams of its own: its nodes are in the stream that launches it,
// if that is of their device.
struct branches {
	uint32_t *streams, *devices; // each branch has one device
	size_t count;
	uint32_t event;  // the beginning or the end of a branch
	uint32_t within; // the stream of the latest launch
	int known, overlap; // they are known, and kernels of the graph may overlap
};

// branch_of finds the branch of a node: that of a dependency on its device after which no node has come yet, or a new one. After
// the beginning of a kernel a new branch begins: in a branch, a node may begin when the one before lets it, or has ended.
static size_t branch_of(const struct branches *b, const struct links *l, struct node *const *last) {
	for (size_t i = 0; i < l->ndeps; i++) {
		size_t branch = links_of(l->deps[i])->branch;
		if (last[branch] == l->deps[i] && b->devices[branch] == l->device && way_of(&l->edges[i]) <= LET)
			return branch;
	}
	return b->count;
}

// overlaps reports whether a node may begin before the end of the node before it in its branch: if it follows no other node of the
// branch, nor the end of that one.
static int overlaps(const struct links *l, const struct node *before) {
	int some = 0;
	for (size_t i = 0; i < l->ndeps; i++) {
		if (links_of(l->deps[i])->branch != l->branch)
			continue;
		if (l->deps[i] != before || way_of(&l->edges[i]) != LET)
			return 0;
		some = 1;
	}
	return some;
}

// find_branches finds the branches of nodes, which are in an order that keeps to their dependencies. The value is 0 without memory.
static int find_branches(struct branches *b, struct node *const *nodes, size_t count) {
	struct node **last = calloc(count + 1, sizeof *last);
	b->streams = calloc(count + 1, sizeof *b->streams);
	b->devices = calloc(count + 1, sizeof *b->devices);
	if (last == NULL || b->streams == NULL || b->devices == NULL) {
		free(last);
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		struct links *l = links_of(nodes[i]);
		l->branch = branch_of(b, l, last);
		l->overlaps = overlaps(l, last[l->branch]);
		last[l->branch] = nodes[i];
		if (l->branch == b->count)
			b->devices[b->count] = l->device, b->streams[b->count++] = wire_number();
		for (size_t k = 0; k < l->ndeps; k++) {
			struct links *before = links_of(l->deps[k]);
			enum way way = way_of(&l->edges[k]);
			if (before->branch != l->branch && before->at[way] == 0)
				before->at[way] = wire_number();
			b->overlap |= way != ENDED;
		}
	}
	b->event = wire_number(), b->within = WIRE_NO_STREAM, b->known = 1;
	free(last);
	return 1;
}

// enter begins the branches after what a stream has had so far.
static void enter(struct branches *b, uint32_t stream) {
	for (size_t i = 0; b->within != stream && i < b->count; i++)
		ON_DEVICE(b->devices[i], wire_order(ORDER_BRANCH, b->streams[i], stream));
	b->within = stream;
	wire_order(ORDER_RECORD, stream, b->event);
	for (size_t i = 0; i < b->count; i++)
		wire_order(ORDER_WAIT, b->streams[i], b->event);
}

// leave makes a stream wait for all branches.
static void leave(const struct branches *b, uint32_t stream) {
	for (size_t i = 0; i < b->count; i++) {
		wire_order(ORDER_RECORD, b->streams[i], b->event);
		wire_order(ORDER_WAIT, stream, b->event);
	}
}

// own_streams reports whether branches are streams of their own: a single one is the stream that launches the graph, of the same
// device.
static int own_streams(const struct branches *b) { return b->count > 1 || (b->count == 1 && b->devices[0] != wire_current_device()); }

// in_branches executes nodes, each in the stream of its branch, on its device. The launch is on the current device.
static int in_branches(struct branches *b, struct node *const *nodes, size_t count, uint32_t stream, int (*execute)(struct node *, uint32_t)) {
	if (!b->known && !find_branches(b, nodes, count))
		return WIRE_OUT_OF_MEMORY;
	static const enum wire_order recorded[WAYS] = {ORDER_RECORD, ORDER_RECORD_LET, ORDER_RECORD_STARTED, ORDER_RECORD_BEGUN};
	int error = WIRE_OK, several = own_streams(b);
	if (b->overlap)
		wire_order(ORDER_OVERLAPS, stream, 0);
	if (several)
		enter(b, stream);
	for (size_t i = 0; i < count && error == WIRE_OK; i++) {
		const struct links *l = links_of(nodes[i]);
		for (size_t k = 0; k < l->ndeps; k++) {
			const struct links *before = links_of(l->deps[k]);
			if (before->branch != l->branch)
				wire_order(ORDER_WAIT, b->streams[l->branch], before->at[way_of(&l->edges[k])]);
		}
		error = l->disabled ? WIRE_OK : ON_DEVICE(l->device, execute(nodes[i], several ? b->streams[l->branch] : stream));
		for (enum way way = 0; way < WAYS; way++)
			if (l->at[way] != 0)
				wire_order(recorded[way], b->streams[l->branch], l->at[way]);
	}
	if (several)
		leave(b, stream);
	return error;
}

// end_branches forgets the branches of a graph that is destroyed.
static void end_branches(struct branches *b, struct node *const *nodes, size_t count) {
	for (size_t i = 0; b->within != WIRE_NO_STREAM && i < b->count; i++)
		wire_order(ORDER_END, b->streams[i], 0);
	for (size_t i = 0; b->known && i < count; i++)
		for (enum way way = 0; way < WAYS; way++)
			if (links_of(nodes[i])->at[way] != 0)
				wire_order(ORDER_END_EVENT, 0, links_of(nodes[i])->at[way]);
	if (b->known)
		wire_order(ORDER_END_EVENT, 0, b->event);
	free(b->streams), free(b->devices);
}

// launches are those of an executable graph: each follows the one before, in whatever streams they are.
struct launches {
	uint32_t event, stream;
};

static void begin_launch(const struct launches *l, uint32_t stream) {
	if (l->event != 0 && l->stream != stream)
		wire_order(ORDER_WAIT, stream, l->event);
}

// end_launch ends a launch. What follows in its stream comes after the end of its last kernel.
static void end_launch(struct launches *l, uint32_t stream) {
	if (l->event == 0)
		l->event = wire_number();
	l->stream = stream;
	wire_order(ORDER_RECORD, stream, l->event);
	wire_order(ORDER_WAIT, stream, l->event);
}

// graph is one that an application makes, or that an executable graph has.
struct graph {
	struct node **nodes;
	size_t count, room;
	struct branches branches; // of an executable graph
	struct objects *objects;  // see graph_object.h
};

// exec is an executable graph, which is a copy.
struct exec {
	struct graph *graph;
	uint32_t epoch;
	struct launches launches;
	unsigned long long flags;
};

// What the files with a library's graphs share: a graph, the end of a node, and a node's copy in another graph.
struct graph *graph_new(void);
void graph_free_node(struct node *n);
struct node *graph_counterpart(const struct graph *g, const struct node *of);

// objects_drop releases a graph's references to objects of the application. objects_copy gives a copy of the graph some; 0 without memory.
void objects_drop(struct graph *g);
int objects_copy(struct graph *to, const struct graph *from);

#endif

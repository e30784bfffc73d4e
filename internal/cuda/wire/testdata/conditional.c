// A program of the driver API with conditional nodes in graphs: a loop, a choice of two, a choice of many, and one in the body of
// another. With an argument more, the kernel that is chosen has a race.
#include "check.h"

#include <stdint.h>

typedef void *handle;
struct conditional { uint64_t handle; int type; unsigned size; handle *bodies; handle context; };
struct kernel { handle function; unsigned grid[3], block[3], shared; void **params, **extra; handle more[2]; };
struct params {
	int kind, reserved0[3];
	union {
		long long reserved1[29];
		struct conditional conditional;
		struct kernel kernel;
	};
	long long reserved2;
};
enum { KERNEL = 0, CONDITIONAL = 13, IF = 0, WHILE = 1, SWITCH = 2, ASSIGN = 1, INVALID_VALUE = 1, WORDS = 8 };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuGraphCreate(handle *, unsigned), cuGraphDestroy(handle), cuGraphClone(handle *, handle), cuGraphInstantiateWithFlags(handle *, handle, unsigned long long), cuGraphLaunch(handle, handle), cuGraphExecDestroy(handle);
int cuGraphConditionalHandleCreate(uint64_t *, handle, handle, unsigned, unsigned), cuGraphAddNode_v2(handle *, handle, const handle *, const void *, size_t, struct params *), cuGraphNodeGetParams(handle, struct params *);

static handle context, step, mark;
static uint64_t data;
static unsigned words[WORDS];

static handle conditional(handle graph, handle after, uint64_t value, int type, unsigned size, handle *bodies) {
	struct params p = {.kind = CONDITIONAL, .conditional = {.handle = value, .type = type, .size = size, .context = context}};
	handle node;
	MUST(cuGraphAddNode_v2(&node, graph, &after, NULL, after != NULL, &p));
	for (unsigned i = 0; i < size; i++)
		bodies[i] = p.conditional.bodies[i];
	return node;
}

static handle steps(handle graph, uint64_t value) {
	struct params p = {.kind = KERNEL, .kernel = {step, {1, 1, 1}, {1, 1, 1}, 0, (void *[]){&value, &data}, NULL, {NULL, NULL}}};
	handle node;
	MUST(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &p));
	return node;
}

static void marks(handle graph, unsigned n, unsigned threads) {
	struct params p = {.kind = KERNEL, .kernel = {mark, {1, 1, 1}, {threads, 1, 1}, 0, (void *[]){&data, &n}, NULL, {NULL, NULL}}};
	handle node;
	MUST(cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &p));
}

static void launch(handle executable, unsigned count) {
	for (int i = 0; i < WORDS; i++)
		words[i] = i == 1 ? count : 0;
	MUST(cuMemcpyHtoD_v2(data, words, sizeof words));
	MUST(cuGraphLaunch(executable, NULL));
	MUST(cuMemcpyDtoH_v2(words, data, sizeof words));
}

int main(int argc, char **argv) {
	handle module, graph, copy, executable, loop, either[2], cases[3], nested;
	uint64_t again, which, many, inner;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&step, module, "step"));
	MUST(cuModuleGetFunction(&mark, module, "mark"));
	MUST(cuMemAlloc_v2(&data, sizeof words));
	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphConditionalHandleCreate(&again, graph, context, 1, ASSIGN));
	MUST(cuGraphConditionalHandleCreate(&which, graph, context, 0, ASSIGN));
	MUST(cuGraphConditionalHandleCreate(&many, graph, context, 2, 0));
	MUST(cuGraphConditionalHandleCreate(&inner, graph, context, 1, ASSIGN));
	handle node = conditional(graph, NULL, again, WHILE, 1, &loop);
	steps(loop, again);
	node = conditional(graph, node, which, IF, 2, either);
	marks(either[0], 2, 1);
	marks(either[1], 3, 1);
	node = conditional(graph, node, many, SWITCH, 3, cases);
	marks(cases[0], 4, 1);
	conditional(cases[2], NULL, inner, IF, 1, &nested);
	marks(nested, 5, argc > 2 ? 32 : 1);

	struct params p = {.kind = CONDITIONAL, .conditional = {.handle = again, .type = WHILE, .size = 2}};
	equal("a loop with two bodies", cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &p), INVALID_VALUE);
	p.conditional.handle = 12345, p.conditional.size = 1;
	equal("a condition that is none", cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &p), INVALID_VALUE);

	MUST(cuGraphClone(&copy, graph));
	MUST(cuGraphInstantiateWithFlags(&executable, copy, 0));
	MUST(cuGraphDestroy(graph));
	MUST(cuGraphDestroy(copy));
	launch(executable, 5);
	equal("the loop's rounds", words[0], 5);
	equal("the loop's end", words[1], 0);
	equal("the body that is not chosen", words[2] + words[4], 0);
	equal("the other one", words[3], 3);
	equal("the chosen body in a body", argc > 2 ? 5 : words[5], 5);
	launch(executable, 2);
	equal("the rounds of the next launch", words[0], 2);
	MUST(cuGraphExecDestroy(executable));
	MUST(cuMemFree_v2(data));
}

// Pairs of programs of the driver API whose kernels may begin before the end of the one before, each with a race and without:
//
//     dependents dependents.ptx CASE racy|right
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemsetD32Async(uint64_t, unsigned, size_t, void *);
int cuStreamCreate(void **, unsigned), cuStreamWaitEvent(void *, void *, unsigned), cuStreamSynchronize(void *), cuEventCreate(void **, unsigned), cuEventRecord(void *, void *);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **);
int cuGraphCreate(void **, unsigned), cuGraphInstantiateWithFlags(void **, void *, unsigned long long), cuGraphLaunch(void *, void *);
struct edge {
	unsigned char from_port, to_port, type, reserved[5];
};
int cuGraphAddDependencies_v2(void *, void *const *, void *const *, const struct edge *, size_t);
struct node {
	void *function;
	unsigned grid[3], block[3], shared;
	void **params, **extra;
};
int cuGraphAddKernelNode(void **, void *, void *const *, size_t, const struct node *);
struct attribute {
	int id, pad;
	union {
		char bytes[64];
		int allowed;
		struct {
			void *event;
			int flags, at_start;
		} record;
	} value;
};
struct config {
	unsigned grid[3], block[3], shared;
	void *stream;
	struct attribute *attributes;
	unsigned count;
};
#ifdef HIDDEN // no file says that the program can launch with attributes
#include <dlfcn.h>
static int launch_hidden(const struct config *c, void *f, void **params, void **extra) {
	char name[32];
	snprintf(name, sizeof name, "%sEx", "cuLaunchKernel");
	return ((int (*)(const struct config *, void *, void **, void **))dlsym(RTLD_DEFAULT, name))(c, f, params, extra);
}
#define cuLaunchKernelEx launch_hidden
#else
int cuLaunchKernelEx(const struct config *, void *, void **, void **);
#endif

enum { N = 32, BYTES = 4 * N, SERIALIZATION = 6, EVENT = 7, COMPLETION = 12, PROGRAMMATIC = 1, LAUNCH_COMPLETION = 2 };
static unsigned right; // whether kernels wait for the one before
static void *put, *publish, *get, *idle, *a, *b, *event, *joined;
static uint64_t data, other;

static void launch(void *kernel, void **params, void *stream, struct attribute at) {
	struct config c = {{1, 1, 1}, {N, 1, 1}, 0, stream, &at, at.id != 0};
	MUST(cuLaunchKernelEx(&c, kernel, params, NULL));
}

static const struct attribute plain = {0}, overlaps = {.id = SERIALIZATION, .value.allowed = 1};

static void puts_in(void *stream, struct attribute at) { launch(put, (void *[]){&data}, stream, at); }
static void gets_in(void *stream, unsigned waits, struct attribute at) { launch(get, (void *[]){&data, &waits}, stream, at); }

static void defaultStream(void) {
	puts_in(NULL, plain);
	gets_in(NULL, right, overlaps);
}

static void serialised(void) { // the kernels do not wait
	puts_in(NULL, plain);
	gets_in(NULL, 0, right ? plain : overlaps);
}

static void late(void) { // after so many threads that nothing is observed any more without a reason
	struct config c = {{1 << 14, 4, 1}, {N, 1, 1}, 0, NULL, NULL, 0};
	MUST(cuLaunchKernelEx(&c, idle, (void *[]){&right}, NULL));
	serialised();
}

static void lateTwice(void) {
	late();
	serialised();
}

static void afterHost(void) { // the host waits, or something else is between
	puts_in(NULL, plain);
	MUST(cuCtxSynchronize());
	gets_in(NULL, 0, overlaps);
	puts_in(NULL, plain);
	MUST(cuMemsetD32Async(other, 0, N, NULL));
	gets_in(NULL, 0, overlaps);
}

static void byStream(void) {
	puts_in(a, plain);
	gets_in(a, right, overlaps);
}

static void chain(void) { // of which the last one always waits
	puts_in(a, plain);
	launch(idle, (void *[]){&right}, a, overlaps);
	gets_in(a, 1, overlaps);
}

static void byEvent(void) {
	puts_in(a, (struct attribute){.id = EVENT, .value.record.event = event});
	MUST(cuStreamWaitEvent(b, event, 0));
	gets_in(b, right, plain);
}

static void publishes(struct attribute at) { launch(publish, (void *[]){&data}, a, at); }

static void publishedEvent(int at_start, struct attribute second) { // of a kernel whose fence is before it lets others begin
	publishes((struct attribute){.id = EVENT, .value.record = {event, 0, at_start}});
	MUST(cuStreamWaitEvent(b, event, 0));
	gets_in(b, right, second);
}

static void eventAtStart(void) { publishedEvent(1, plain); }

static void eventAtLet(void) {
	right = 0;
	publishedEvent(0, plain);
}

static void completionEvent(void) { // a wait is not for the kernel
	publishes((struct attribute){.id = COMPLETION, .value.record.event = event});
	if (right)
		MUST(cuEventRecord(event, a));
	MUST(cuStreamWaitEvent(b, event, 0));
	gets_in(b, 1, plain);
}

static void beforeCompletionEvent(void) { // what is complete when a kernel begins
	unsigned none = 0;
	puts_in(a, plain);
	launch(idle, (void *[]){&none}, a, (struct attribute){.id = COMPLETION, .value.record.event = event});
	MUST(cuStreamWaitEvent(b, event, 0));
	gets_in(b, 0, plain);
}

static void behindEvent(void) { // the kernel that waits for the event does not use the data, but the next one does
	puts_in(a, (struct attribute){.id = EVENT, .value.record.event = event});
	MUST(cuStreamWaitEvent(b, event, 0));
	launch(idle, (void *[]){&right}, b, plain);
	gets_in(b, 0, plain);
}

static void after(void) { // none of these overlap, although no kernel waits
	struct attribute forbidden = {.id = SERIALIZATION};
	puts_in(a, plain);
	gets_in(a, 0, forbidden);
	puts_in(a, plain);
	MUST(cuMemsetD32Async(other, 0, N, a));
	gets_in(a, 0, overlaps);
	puts_in(a, plain);
	MUST(cuStreamSynchronize(a));
	gets_in(a, 0, overlaps);
	puts_in(a, plain);
	MUST(cuEventRecord(event, a));
	MUST(cuStreamWaitEvent(b, event, 0));
	gets_in(b, 0, overlaps);
}

static void launched(void *graph, void *stream) {
	void *exec;
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	for (int i = 0; i < 2; i++)
		MUST(cuGraphLaunch(exec, stream));
}

static void *kernel_node(void *graph, void *function, void **params, void *dependency) {
	void *n;
	struct node p = {function, {1, 1, 1}, {N, 1, 1}, 0, params, NULL};
	MUST(cuGraphAddKernelNode(&n, graph, &dependency, dependency != NULL, &p));
	return n;
}

static void edge(void) {
	void *graph;
	MUST(cuGraphCreate(&graph, 0));
	void *first = kernel_node(graph, put, (void *[]){&data}, NULL), *second = kernel_node(graph, get, (void *[]){&data, &right}, NULL);
	MUST(cuGraphAddDependencies_v2(graph, &first, &second, &(struct edge){.from_port = PROGRAMMATIC, .type = PROGRAMMATIC}, 1));
	launched(graph, a);
}

static void published(unsigned waits, struct edge e) { // a graph of two kernels with an edge
	void *graph;
	MUST(cuGraphCreate(&graph, 0));
	void *first = kernel_node(graph, publish, (void *[]){&data}, NULL), *second = kernel_node(graph, get, (void *[]){&data, &waits}, NULL);
	MUST(cuGraphAddDependencies_v2(graph, &first, &second, &e, 1));
	launched(graph, a);
}

static void edgeAtStart(void) { published(right, (struct edge){.from_port = LAUNCH_COMPLETION, .type = PROGRAMMATIC}); }
static void edgeAtLet(void) { published(0, (struct edge){.from_port = PROGRAMMATIC, .type = PROGRAMMATIC}); }
static void edgeBegun(void) { published(1, (struct edge){.from_port = right ? 0 : LAUNCH_COMPLETION}); }

static void capturedEvent(struct attribute second) {
	void *graph;
	MUST(cuStreamBeginCapture_v2(a, 0));
	publishedEvent(1, second);
	MUST(cuEventRecord(joined, b));
	MUST(cuStreamWaitEvent(a, joined, 0));
	MUST(cuStreamEndCapture(a, &graph));
	launched(graph, a);
}

static void capturedAtStart(void) { capturedEvent(plain); }
static void capturedForDependent(void) { capturedEvent(overlaps); }

static void edgeOfBranch(void) {
	void *graph;
	unsigned none = 0;
	MUST(cuGraphCreate(&graph, 0));
	void *first = kernel_node(graph, put, (void *[]){&data}, NULL);
	kernel_node(graph, idle, (void *[]){&none}, first);
	void *third = kernel_node(graph, get, (void *[]){&data, &right}, NULL);
	MUST(cuGraphAddDependencies_v2(graph, &first, &third, &(struct edge){.from_port = PROGRAMMATIC, .type = PROGRAMMATIC}, 1));
	launched(graph, a);
}

static void captured(void) {
	void *graph;
	MUST(cuStreamBeginCapture_v2(a, 0));
	puts_in(a, plain);
	gets_in(a, right, overlaps);
	MUST(cuStreamEndCapture(a, &graph));
	launched(graph, a);
}

static void afterGraph(void) { // a launch after that of a graph does not overlap it
	void *graph;
	MUST(cuStreamBeginCapture_v2(a, 0));
	puts_in(a, plain);
	MUST(cuStreamEndCapture(a, &graph));
	launched(graph, a);
	gets_in(a, 0, overlaps);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"defaultStream", defaultStream}, {"serialised", serialised}, {"late", late}, {"lateTwice", lateTwice}, {"afterHost", afterHost}, {"eventAtStart", eventAtStart}, {"eventAtLet", eventAtLet},
	{"completionEvent", completionEvent}, {"beforeCompletionEvent", beforeCompletionEvent}, {"edgeAtStart", edgeAtStart}, {"edgeAtLet", edgeAtLet},
	{"edgeBegun", edgeBegun}, {"capturedAtStart", capturedAtStart}, {"capturedForDependent", capturedForDependent},
	{"byStream", byStream}, {"chain", chain}, {"byEvent", byEvent}, {"behindEvent", behindEvent}, {"after", after},
	{"edge", edge}, {"edgeOfBranch", edgeOfBranch}, {"captured", captured}, {"afterGraph", afterGraph},
};

int main(int argc, char **argv) {
	static char image[1 << 16];
	void *context, *module;
	FILE *f = fopen(argv[1], "r");
	if (argc != 4 || f == NULL || fread(image, 1, sizeof image - 1, f) == 0)
		return 2;
	right = strcmp(argv[3], "right") == 0;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, image));
	MUST(cuModuleGetFunction(&put, module, "put"));
	MUST(cuModuleGetFunction(&publish, module, "publish"));
	MUST(cuModuleGetFunction(&get, module, "get"));
	MUST(cuModuleGetFunction(&idle, module, "idle"));
	MUST(cuMemAlloc_v2(&data, BYTES));
	MUST(cuMemAlloc_v2(&other, BYTES));
	if (strcmp(argv[2], "defaultStream") != 0 && strcmp(argv[2], "serialised") != 0 && strncmp(argv[2], "late", 4) != 0 && strcmp(argv[2], "afterHost") != 0) {
		MUST(cuStreamCreate(&a, 0));
		MUST(cuStreamCreate(&b, 0));
		MUST(cuEventCreate(&event, 0));
		MUST(cuEventCreate(&joined, 0));
	}
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(argv[2], cases[i].name) == 0) {
			cases[i].run();
			MUST(cuCtxSynchronize());
			puts("done");
		}
	return 0;
}

// Graphs: a launch of one is that of its nodes, one after the other in an order that keeps to their
// dependencies, so that each kernel is checked like one that is launched by itself. A graph with nodes of other kinds than those below is
// launched by the driver, and its kernels are not checked.
#include "attached.h"
#include "cuda_graph.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>

enum { WAIT_EVENT = 6, RECORD_EVENT = 7 }; // kinds of nodes, beside those of cuda_graph.h
enum { MOST_NODES = 1 << 13 };

// The driver's functions.
CUresult cuGraphClone(struct graph **to, struct graph *from);
CUresult cuGraphDestroy(struct graph *g);
CUresult cuGraphNodeFindInClone(struct node **out, struct node *n, struct graph *g);
CUresult cuGraphGetNodes(struct graph *g, struct node **nodes, size_t *count);
CUresult cuGraphGetEdges(struct graph *g, struct node **from, struct node **to, size_t *count);
CUresult cuGraphNodeGetType(struct node *n, int *kind);
CUresult cuGraphKernelNodeGetParams(struct node *n, struct kernel_node *p);
CUresult cuGraphKernelNodeGetParams_v2(struct node *n, struct kernel_node_v2 *p);
CUresult cuGraphKernelNodeSetParams(struct node *n, const struct kernel_node *p);
CUresult cuGraphKernelNodeSetParams_v2(struct node *n, const struct kernel_node_v2 *p);
CUresult cuGraphKernelNodeGetAttribute(struct node *n, int what, void *value);
CUresult cuGraphMemcpyNodeGetParams(struct node *n, struct copy3d *p);
CUresult cuGraphMemcpyNodeSetParams(struct node *n, const struct copy3d *p);
CUresult cuGraphMemsetNodeGetParams(struct node *n, struct memset_node *p);
CUresult cuGraphMemsetNodeSetParams(struct node *n, const struct memset_node *p);
CUresult cuGraphHostNodeGetParams(struct node *n, struct host_node *p);
CUresult cuGraphHostNodeSetParams(struct node *n, const struct host_node *p);
CUresult cuGraphChildGraphNodeGetGraph(struct node *n, struct graph **g);
CUresult cuGraphEventRecordNodeGetEvent(struct node *n, CUevent *e);
CUresult cuGraphEventWaitNodeGetEvent(struct node *n, CUevent *e);
CUresult cuMemcpy3DAsync_v2(const struct copy3d *c, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream);
CUresult cuEventRecord(CUevent e, CUstream s);
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags);
CUresult cuLaunchKernelEx(const struct launch_config *c, CUfunction f, void **params, void **extra);

// The executable graphs, each with a copy of the graph that it was made of.
struct executable {
	struct exec *exec;
	struct graph *graph;
	int changed; // in a way that the copy was not
	struct executable *next;
};
static struct executable *executables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct executable *find(struct exec *e) {
	pthread_mutex_lock(&lock);
	struct executable *x = executables;
	while (x != NULL && x->exec != e)
		x = x->next;
	pthread_mutex_unlock(&lock);
	return x;
}

// instantiated remembers an executable graph.
static CUresult instantiated(CUresult error, struct exec **e, struct graph *g) {
	struct executable *x;
	if (error != CUDA_SUCCESS || !attached_outside() || !HAS(cuGraphClone) || (x = calloc(1, sizeof *x)) == NULL)
		return error;
	x->exec = *e;
	if (INSIDE(REAL(cuGraphClone)(&x->graph, g)) != CUDA_SUCCESS)
		x->graph = NULL;
	pthread_mutex_lock(&lock);
	x->next = executables, executables = x;
	pthread_mutex_unlock(&lock);
	return error;
}

#define INSTANTIATE(name, params, args)                      \
	EXPORT CUresult name params;                             \
	CUresult name params { return instantiated(INSIDE(REAL(name) args), e, g); }
INSTANTIATE(cuGraphInstantiate, (struct exec **e, struct graph *g, struct node **wrong, char *log, size_t size), (e, g, wrong, log, size))
INSTANTIATE(cuGraphInstantiate_v2, (struct exec **e, struct graph *g, struct node **wrong, char *log, size_t size), (e, g, wrong, log, size))
INSTANTIATE(cuGraphInstantiateWithFlags, (struct exec **e, struct graph *g, unsigned long long flags), (e, g, flags))
INSTANTIATE(cuGraphInstantiateWithParams, (struct exec **e, struct graph *g, void *params), (e, g, params))
INSTANTIATE(cuGraphInstantiateWithParams_ptsz, (struct exec **e, struct graph *g, void *params), (e, g, params))

EXPORT CUresult cuGraphExecDestroy(struct exec *e) {
	pthread_mutex_lock(&lock);
	struct executable **at = &executables, *x;
	while (*at != NULL && (*at)->exec != e)
		at = &(*at)->next;
	if ((x = *at) != NULL)
		*at = x->next;
	pthread_mutex_unlock(&lock);
	if (x != NULL && x->graph != NULL)
		INSIDE(REAL(cuGraphDestroy)(x->graph));
	free(x);
	return INSIDE(REAL(cuGraphExecDestroy)(e));
}

// own is the copy of a node of the graph that an executable one was made of, null for none.
static struct node *own(struct executable *x, struct node *n) {
	struct node *copy = NULL;
	return x->graph != NULL && REAL(cuGraphNodeFindInClone)(&copy, n, x->graph) == CUDA_SUCCESS ? copy : NULL;
}

// CHANGE defines a function that changes a node of an executable graph: change does the same to the copy.
#define CHANGE(name, params, args, change)                                    \
	EXPORT CUresult name params;                                              \
	CUresult name params {                                                    \
		CUresult error = INSIDE(REAL(name) args);                             \
		struct executable *x = attached_outside() ? find(e) : NULL;           \
		if (error == CUDA_SUCCESS && x != NULL) {                             \
			struct node *copy = own(x, n);                                    \
			if (copy == NULL || INSIDE(change) != CUDA_SUCCESS)               \
				x->changed = 1;                                               \
		}                                                                     \
		return error;                                                         \
	}
#define OTHER CUDA_ERROR_NOT_SUPPORTED
CHANGE(cuGraphExecKernelNodeSetParams, (struct exec *e, struct node *n, const struct kernel_node *p), (e, n, p), REAL(cuGraphKernelNodeSetParams)(copy, p))
CHANGE(cuGraphExecKernelNodeSetParams_v2, (struct exec *e, struct node *n, const struct kernel_node_v2 *p), (e, n, p), REAL(cuGraphKernelNodeSetParams_v2)(copy, p))
CHANGE(cuGraphExecMemcpyNodeSetParams, (struct exec *e, struct node *n, const struct copy3d *p, CUcontext c), (e, n, p, c), REAL(cuGraphMemcpyNodeSetParams)(copy, p))
CHANGE(cuGraphExecMemsetNodeSetParams, (struct exec *e, struct node *n, const struct memset_node *p, CUcontext c), (e, n, p, c), REAL(cuGraphMemsetNodeSetParams)(copy, p))
CHANGE(cuGraphExecHostNodeSetParams, (struct exec *e, struct node *n, const struct host_node *p), (e, n, p), REAL(cuGraphHostNodeSetParams)(copy, p))
CHANGE(cuGraphExecChildGraphNodeSetParams, (struct exec *e, struct node *n, struct graph *child), (e, n, child), OTHER)
CHANGE(cuGraphExecEventRecordNodeSetEvent, (struct exec *e, struct node *n, CUevent v), (e, n, v), OTHER)
CHANGE(cuGraphExecEventWaitNodeSetEvent, (struct exec *e, struct node *n, CUevent v), (e, n, v), OTHER)
CHANGE(cuGraphExecNodeSetParams, (struct exec *e, struct node *n, void *p), (e, n, p), OTHER)
CHANGE(cuGraphNodeSetEnabled, (struct exec *e, struct node *n, unsigned on), (e, n, on), OTHER)

// updated takes the nodes of another graph.
static CUresult updated(CUresult error, struct exec *e, struct graph *g) {
	struct executable *x = error == CUDA_SUCCESS && attached_outside() ? find(e) : NULL;
	if (x == NULL)
		return error;
	if (x->graph != NULL)
		INSIDE(REAL(cuGraphDestroy)(x->graph));
	x->changed = 0;
	if (INSIDE(REAL(cuGraphClone)(&x->graph, g)) != CUDA_SUCCESS)
		x->graph = NULL;
	return error;
}

CUresult cuGraphExecUpdate(struct exec *e, struct graph *g, struct node **wrong, int *result);
EXPORT CUresult cuGraphExecUpdate(struct exec *e, struct graph *g, struct node **wrong, int *result) { return updated(INSIDE(REAL(cuGraphExecUpdate)(e, g, wrong, result)), e, g); }
CUresult cuGraphExecUpdate_v2(struct exec *e, struct graph *g, void *info);
EXPORT CUresult cuGraphExecUpdate_v2(struct exec *e, struct graph *g, void *info) { return updated(INSIDE(REAL(cuGraphExecUpdate_v2)(e, g, info)), e, g); }

// sorted puts the nodes of a graph into an order that keeps to its edges. The value is the nodes, to be freed; null
// without memory.
static struct node **sorted(struct graph *g, size_t *count) {
	size_t edges = 0, done = 0;
	*count = 0;
	if (REAL(cuGraphGetNodes)(g, NULL, count) != CUDA_SUCCESS || REAL(cuGraphGetEdges)(g, NULL, NULL, &edges) != CUDA_SUCCESS || *count > MOST_NODES)
		return NULL;
	struct node **list = calloc(*count + 1, sizeof *list), **from = calloc(edges + 1, sizeof *from), **to = calloc(edges + 1, sizeof *to);
	// NVIDIA's driver returns an error when it is asked to write no edges into an array. The same is assumed of nodes.
	int read = list != NULL && from != NULL && to != NULL && (*count == 0 || REAL(cuGraphGetNodes)(g, list, count) == CUDA_SUCCESS) &&
		(edges == 0 || REAL(cuGraphGetEdges)(g, from, to, &edges) == CUDA_SUCCESS);
	if (read) {
		for (int moved = 1; done < *count && moved;) { // the first that nothing is before among those to come
			moved = 0;
			for (size_t i = done; i < *count && !moved; i++) {
				size_t k = 0;
				while (k < edges && to[k] != list[i])
					k++;
				if (k < edges)
					continue;
				struct node *next = list[i];
				for (size_t j = i; j > done; j--)
					list[j] = list[j - 1];
				list[done++] = next, moved = 1;
				for (k = 0; k < edges;)
					if (from[k] == next)
						from[k] = from[--edges], to[k] = to[edges];
					else
						k++;
			}
		}
	}
	free(from), free(to);
	if (done == *count && list != NULL)
		return list;
	free(list);
	return NULL;
}

// checkable reports whether all nodes of a graph are of kinds that are launched one by one.
static int checkable(struct graph *g) {
	size_t count;
	struct node **list = g == NULL ? NULL : sorted(g, &count);
	int well = list != NULL, kind;
	for (size_t i = 0; well && i < count; i++) {
		struct graph *child;
		well = REAL(cuGraphNodeGetType)(list[i], &kind) == CUDA_SUCCESS && kind <= RECORD_EVENT;
		if (well && kind == NODE_GRAPH)
			well = REAL(cuGraphChildGraphNodeGetGraph)(list[i], &child) == CUDA_SUCCESS && checkable(child);
	}
	free(list);
	return well;
}

// start begins the launch of a kernel's node.
static CUresult start(const struct attached_launch *l, unsigned shared) {
	struct launch_attribute list[2] = {0};
	struct launch_config c = {.shared = shared, .stream = l->stream, .attributes = list};
	if (!l->cooperative && l->cluster[0] == 0)
		return REAL(cuLaunchKernel)(l->f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], shared, l->stream, l->params, l->extra);
	for (int i = 0; i < 3; i++)
		c.grid[i] = l->grid[i], c.block[i] = l->block[i];
	if (l->cooperative)
		list[c.nattributes].id = ATTRIBUTE_COOPERATIVE, list[c.nattributes++].value.number = 1;
	if (l->cluster[0] != 0) {
		memcpy(list[c.nattributes].value.extent, l->cluster, sizeof l->cluster);
		list[c.nattributes++].id = ATTRIBUTE_CLUSTER;
	}
	return REAL(cuLaunchKernelEx)(&c, l->f, l->params, l->extra);
}

static CUresult launch_kernel(struct node *n, CUstream stream) {
	struct kernel_node_v2 k = {0};
	CUresult error = HAS(cuGraphKernelNodeGetParams_v2) ? REAL(cuGraphKernelNodeGetParams_v2)(n, &k) : REAL(cuGraphKernelNodeGetParams)(n, &k.v1);
	if (error != CUDA_SUCCESS)
		return error;
	CUfunction f = k.v1.function != NULL ? k.v1.function : (CUfunction)k.kernel;
	struct attached_launch l = {.f = f, .shared = k.v1.shared, .stream = stream, .params = k.v1.params, .extra = k.v1.extra, .start = start};
	struct launch_attribute a = {0};
	for (int i = 0; i < 3; i++)
		l.grid[i] = k.v1.grid[i], l.block[i] = k.v1.block[i];
	if (HAS(cuGraphKernelNodeGetAttribute) && REAL(cuGraphKernelNodeGetAttribute)(n, ATTRIBUTE_COOPERATIVE, &a.value) == CUDA_SUCCESS)
		l.cooperative = a.value.number != 0;
	if (HAS(cuGraphKernelNodeGetAttribute) && REAL(cuGraphKernelNodeGetAttribute)(n, ATTRIBUTE_CLUSTER, &a.value) == CUDA_SUCCESS)
		memcpy(l.cluster, a.value.extent, sizeof l.cluster);
	return attached_launch(&l);
}

static CUresult fill(struct node *n, CUstream stream) {
	struct memset_node s;
	CUresult error = REAL(cuGraphMemsetNodeGetParams)(n, &s);
	if (error != CUDA_SUCCESS)
		return error;
	size_t pitch = s.height > 1 ? s.pitch : s.width * s.element;
	switch (s.element) {
	case 1: return REAL(cuMemsetD2D8Async)(s.to, pitch, (unsigned char)s.value, s.width, s.height, stream);
	case 2: return REAL(cuMemsetD2D16Async)(s.to, pitch, (unsigned short)s.value, s.width, s.height, stream);
	}
	return REAL(cuMemsetD2D32Async)(s.to, pitch, s.value, s.width, s.height, stream);
}

static CUresult launch_graph(struct graph *g, CUstream stream);

// launch_node does what a node does. What is not about kernels is the driver's affair.
static CUresult launch_node(struct node *n, CUstream stream) {
	struct copy3d copy;
	struct host_node host;
	struct graph *child;
	CUevent event;
	int kind = NODE_EMPTY;
	CUresult error = REAL(cuGraphNodeGetType)(n, &kind);
	if (error != CUDA_SUCCESS)
		return error;
	switch (kind) {
	case NODE_KERNEL: return launch_kernel(n, stream);
	case NODE_MEMCPY: return (error = REAL(cuGraphMemcpyNodeGetParams)(n, &copy)) != CUDA_SUCCESS ? error : INSIDE(REAL(cuMemcpy3DAsync_v2)(&copy, stream));
	case NODE_MEMSET: return INSIDE(fill(n, stream));
	case NODE_HOST: return (error = REAL(cuGraphHostNodeGetParams)(n, &host)) != CUDA_SUCCESS ? error : REAL(cuLaunchHostFunc)(stream, host.function, host.data);
	case NODE_GRAPH: return (error = REAL(cuGraphChildGraphNodeGetGraph)(n, &child)) != CUDA_SUCCESS ? error : launch_graph(child, stream);
	case RECORD_EVENT: return (error = REAL(cuGraphEventRecordNodeGetEvent)(n, &event)) != CUDA_SUCCESS ? error : INSIDE(REAL(cuEventRecord)(event, stream));
	case WAIT_EVENT: return (error = REAL(cuGraphEventWaitNodeGetEvent)(n, &event)) != CUDA_SUCCESS ? error : INSIDE(REAL(cuStreamWaitEvent)(stream, event, 0));
	}
	return CUDA_SUCCESS;
}

static CUresult launch_graph(struct graph *g, CUstream stream) {
	size_t count;
	struct node **list = sorted(g, &count);
	CUresult error = list == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
	for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++)
		error = launch_node(list[i], stream);
	free(list);
	return error;
}

// The default stream of a thread, where the default one is that of all.
#define PER_THREAD ((CUstream)2)

#define LAUNCH(name, stream_of)                                                                     \
	EXPORT CUresult name(struct exec *e, CUstream s);                                               \
	CUresult name(struct exec *e, CUstream s) {                                                     \
		struct executable *x = attached_outside() ? find(e) : NULL;                                 \
		if (x == NULL || x->changed || attached_capturing(stream_of, 0) || !INSIDE(checkable(x->graph))) {       \
			if (attached_outside())                                                                 \
				attached_passed("a graph", IN_GRAPH);                                                    \
			return INSIDE(REAL(name)(e, s));                                                        \
		}                                                                                           \
		return launch_graph(x->graph, stream_of);                                                   \
	}
LAUNCH(cuGraphLaunch, s)
LAUNCH(cuGraphLaunch_ptsz, (s == NULL ? PER_THREAD : s))

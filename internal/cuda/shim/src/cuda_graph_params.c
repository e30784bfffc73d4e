// What the nodes of graphs of the driver API do.
#include "attribute_hints.h"
#include "cuda_graph_node.h"

#define API(name) cuGraph##name
#define EDGES 0
#define KERNEL struct kernel_node_v2
#include "graph_params.h"

// v1_of is the description of a kernel, which may be one of a library.
static struct kernel_node v1_of(const struct kernel_node_v2 *p) {
	struct kernel_node v1 = p->v1;
	if (v1.function == NULL)
		v1.function = p->kernel;
	return v1;
}

static int add_kernel(struct graph *g, const struct kernel_node_v2 *p) {
	struct kernel_node v1 = v1_of(p);
	return record_kernel(g, &v1);
}

static int change_kernel(struct node *n, const struct kernel_node_v2 *p) {
	struct kernel_node v1 = v1_of(p);
	return set_kernel(n, &v1);
}

static struct kernel_node_v2 kernel_described(const struct node *n) { return (struct kernel_node_v2){.v1 = n->kernel}; }

ADD(KernelNode, (const struct kernel_node *p), record_kernel(g, p))
ADD(KernelNode_v2, (const struct kernel_node_v2 *p), add_kernel(g, p))
ADD(MemcpyNode, (const struct copy3d *p, CUcontext c), ((void)c, record_copy(g, p)))
ADD(MemsetNode, (const struct memset_node *p, CUcontext c), ((void)c, record_fill(g, p)))
SAME_AS(cuGraphAddNode_v2) CUresult cuGraphAddNode_v3(struct node **, struct graph *, struct node *const *, const struct edge *, size_t, struct node_params *);
SAME_AS(cuGraphNodeSetParams) CUresult cuGraphNodeSetParams_v2(struct node *, const struct node_params *);

PARAMS(KernelNode, NODE_KERNEL, struct kernel_node, n->kernel, set_kernel(n, p))
EXEC_PARAMS(KernelNodeSetParams, struct kernel_node, ())
EXEC_PARAMS(MemcpyNodeSetParams, struct copy3d, (CUcontext c __attribute__((unused))))
EXEC_PARAMS(MemsetNodeSetParams, struct memset_node, (CUcontext c __attribute__((unused))))

EXPORT CUresult cuGraphKernelNodeGetParams_v2(struct node *n, struct kernel_node_v2 *p) {
	*p = (struct kernel_node_v2){0};
	return cuGraphKernelNodeGetParams(n, &p->v1);
}

EXPORT CUresult cuGraphKernelNodeSetParams_v2(struct node *n, const struct kernel_node_v2 *p) {
	struct kernel_node v1 = v1_of(p);
	return cuGraphKernelNodeSetParams(n, &v1);
}
EXEC_PARAMS(KernelNodeSetParams_v2, struct kernel_node_v2, ())

EXPORT CUresult cuGraphKernelNodeGetAttribute(struct node *n, int what, void *value) {
	(void)n, (void)what;
	return failed(no_attribute(value));
}

EXPORT CUresult cuGraphKernelNodeSetAttribute(struct node *n, int what, const void *value) {
	(void)n;
	return failed(attribute_hint(what, value, LIBRARY, "cuGraphKernelNodeSetAttribute"));
}

EXPORT CUresult cuGraphKernelNodeCopyAttributes(struct node *to, struct node *from) {
	(void)to, (void)from;
	return failed(wire_ready());
}

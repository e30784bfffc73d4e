// What the nodes of graphs of the runtime API do.
#include "attribute_hints.h"
#include "cudart_graph_node.h"

#define API(name) cudaGraph##name
#define EDGES (CUDA_MAJOR >= 13)
#define KERNEL struct kernel_params
#include "graph_params.h"

static int add_kernel(struct graph *g, const struct kernel_params *p) { return record_launch(g, p, 0); }
static int change_kernel(struct node *n, const struct kernel_params *p) { return set_kernel(n, p, n->cooperative); }
static struct kernel_params kernel_described(const struct node *n) { return n->kernel; }

ADD(KernelNode, (const struct kernel_params *p), add_kernel(g, p))
ADD(MemcpyNode, (const struct copy3d *c), record_copy(g, c))
ADD(MemsetNode, (const struct memset_node *p), record_fill(g, p))
PARAMS(KernelNode, NODE_KERNEL, struct kernel_params, n->kernel, change_kernel(n, p))
EXEC_PARAMS(KernelNodeSetParams, struct kernel_params, ())
EXEC_PARAMS(MemcpyNodeSetParams, struct copy3d, ())
EXEC_PARAMS(MemsetNodeSetParams, struct memset_node, ())

EXPORT cudaError_t cudaGraphAddMemcpyNode1D(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *to, const void *from, size_t size, int kind) {
	struct copy3d c = copy1d(to, from, size, kind);
	return added(out, g, deps, NULL, n, record_copy(g, &c));
}

// symbol1d describes a copy to or from a variable.
static cudaError_t symbol1d(struct copy3d *c, const void *symbol, size_t offset, void *other, size_t size, int kind, int to_symbol) {
	uint64_t address, room;
	cudaError_t error = variable_of(symbol, &address, &room);
	if (error == cudaSuccess && (offset > room || size > room - offset))
		error = cudaErrorInvalidValue;
	char *variable = (char *)address + offset;
	if (error == cudaSuccess)
		*c = to_symbol ? copy1d(variable, other, size, kind) : copy1d(other, variable, size, kind);
	return error;
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeToSymbol(struct node **out, struct graph *g, struct node *const *deps, size_t n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, (void *)from, size, kind, 1);
	return added(out, g, deps, NULL, n, error == cudaSuccess ? record_copy(g, &c) : error);
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeFromSymbol(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, to, size, kind, 0);
	return added(out, g, deps, NULL, n, error == cudaSuccess ? record_copy(g, &c) : error);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParams1D(struct node *n, void *to, const void *from, size_t size, int kind) {
	struct copy3d c = copy1d(to, from, size, kind);
	return cudaGraphMemcpyNodeSetParams(n, &c);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct exec *e, struct node *n, void *to, const void *from, size_t size, int kind) {
	return cudaGraphMemcpyNodeSetParams1D(in_exec(e, n), to, from, size, kind);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(struct node *n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, (void *)from, size, kind, 1);
	return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(n, &c) : failed(error);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(struct node *n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, to, size, kind, 0);
	return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(n, &c) : failed(error);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(struct exec *e, struct node *n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	return cudaGraphMemcpyNodeSetParamsToSymbol(in_exec(e, n), symbol, from, size, offset, kind);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(struct exec *e, struct node *n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	return cudaGraphMemcpyNodeSetParamsFromSymbol(in_exec(e, n), to, symbol, size, offset, kind);
}

EXPORT cudaError_t cudaGraphKernelNodeGetAttribute(struct node *n, int what, void *value) {
	enum { COOPERATIVE = 2 };
	cudaError_t error = no_attribute(value);
	if (error == cudaSuccess && what == COOPERATIVE)
		*(int *)value = n->cooperative;
	return failed(error);
}

EXPORT cudaError_t cudaGraphKernelNodeSetAttribute(struct node *n, int what, const void *value) {
	enum { COOPERATIVE = 2 };
	if (what == COOPERATIVE && value != NULL && n->kind == NODE_KERNEL) {
		n->cooperative = *(const int *)value;
		return cudaSuccess;
	}
	return failed(attribute_hint(what, value, LIBRARY, "cudaGraphKernelNodeSetAttribute"));
}

EXPORT cudaError_t cudaGraphKernelNodeCopyAttributes(struct node *to, struct node *from) {
	to->cooperative = from->cooperative;
	return cudaSuccess;
}

// An application of CUDA's driver API, which it declares as far as it uses it: app HOW IMAGE KERNEL
// loads an image and launches one of its kernels twice, in one of several ways, and prints a
// result and a variable of the module.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t address;
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxReset(int device);
int cuCtxSetCurrent(void *context);
int cuCtxCreate_v2(void **context, unsigned flags, int device);
int cuCtxDestroy_v2(void *context);
int cuCtxSynchronize(void);
int cuModuleLoad(void **module, const char *path);
int cuModuleLoadData(void **module, const void *image);
int cuModuleLoadFatBinary(void **module, const void *image);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetGlobal_v2(address *p, size_t *size, void *module, const char *name);
int cuLibraryLoadData(void **library, const void *image, int *, void **, unsigned, int *, void **, unsigned);
int cuLibraryLoadFromFile(void **library, const char *path, int *, void **, unsigned, int *, void **, unsigned);
int cuLibraryGetKernel(void **kernel, void *library, const char *name);
int cuLibraryGetModule(void **module, void *library);
int cuKernelGetFunction(void **function, void *kernel);
int cuLinkCreate_v2(unsigned count, int *options, void **values, void **link);
int cuLinkAddData_v2(void *link, int type, void *data, size_t size, const char *name, unsigned count, int *options, void **values);
int cuLinkComplete(void *link, void **image, size_t *size);
int cuLinkDestroy(void *link);
int cuMemAlloc_v2(address *p, size_t size);
int cuMemFree_v2(address p);
int cuMemcpyDtoH_v2(void *to, address from, size_t size);
int cuStreamCreate(void **stream, unsigned flags);
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra);
int cuLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params);
struct config {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned count;
};
int cuLaunchKernelEx(const struct config *c, void *f, void **params, void **extra);
int cuFuncSetBlockShape(void *f, int x, int y, int z);
int cuParamSetSize(void *f, unsigned size);
int cuParamSetv(void *f, int offset, void *p, unsigned size);
int cuLaunchGrid(void *f, int width, int height);
struct kernel_node {
  void *function;
  unsigned grid[3], block[3], shared;
  void **params, **extra, *kernel, *context;
};
int cuGraphCreate(void **graph, unsigned flags);
int cuGraphAddKernelNode_v2(void **node, void *graph, void **before, size_t count, const struct kernel_node *p);
int cuGraphAddEmptyNode(void **node, void *graph, void **before, size_t count);
int cuGraphAddChildGraphNode(void **node, void *graph, void **before, size_t count, void *child);
int cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long flags);
int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct kernel_node *p);
int cuGraphExecUpdate_v2(void *exec, void *graph, void *info);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphLaunch(void *exec, void *stream);
int cuGraphExecDestroy(void *exec);
int cuGraphDestroy(void *graph);
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status);

static void check(int error, const char *what) {
  if (error == 0)
    return;
  printf("%s: error %d\n", what, error);
  exit(2);
}
#define CHECK(call) check(call, #call)

static char *contents(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 20);
  if (f == NULL || text == NULL)
    exit(2);
  *size = fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  return text;
}

static int is(const char *how, const char *what) { return strcmp(how, what) == 0; }

static void load(const char *how, const char *path, const char *kernel, void **module, void **function) {
  size_t size;
  char *image = contents(path, &size);
  struct {
    int magic, version;
    const void *image;
    void *unused;
  } wrapper = {0x466243b1, 1, image, NULL};
  if (is(how, "library") || is(how, "libraryfile") || is(how, "elsewhere")) {
    void *library, *k;
    if (!is(how, "libraryfile"))
      CHECK(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
    else
      CHECK(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    CHECK(cuLibraryGetKernel(&k, library, kernel));
    if (is(how, "elsewhere")) {
      CHECK(cuCtxCreate_v2(module, 0, 0)); // which is not that of the load
      *function = k;
    } else {
      CHECK(cuKernelGetFunction(function, k));
    }
    CHECK(cuLibraryGetModule(module, library));
    return;
  }
  if (is(how, "fatbin")) {
    CHECK(cuModuleLoadFatBinary(module, image));
  } else if (is(how, "wrapper")) {
    CHECK(cuModuleLoadData(module, &wrapper));
  } else if (is(how, "link")) {
    void *link, *linked;
    CHECK(cuLinkCreate_v2(0, NULL, NULL, &link));
    CHECK(cuLinkAddData_v2(link, 1, image, size + 1, "kernels.ptx", 0, NULL, NULL));
    CHECK(cuLinkComplete(link, &linked, &size));
    CHECK(cuModuleLoadData(module, linked));
    CHECK(cuLinkDestroy(link));
  } else if (is(how, "data")) {
    CHECK(cuModuleLoadData(module, image));
  } else {
    CHECK(cuModuleLoad(module, path));
  }
  CHECK(cuModuleGetFunction(function, *module, kernel));
}

enum { GRID = 2, BLOCK = 64 };

// launch_graph launches a graph of one kernel: in the graph itself ("graph"), in a graph in it ("child"), as it is
// put there in place of another launch ("changed"), and with the graph in place of another one ("updated").
static int launch_graph(const char *how, void *f, void **params) {
  void *graph, *child, *first, *node, *exec;
  address nowhere = 0;
  void *others[] = {&nowhere};
  struct kernel_node k = {f, {GRID, 1, 1}, {BLOCK, 1, 1}, 0, params, NULL, NULL, NULL}, other = k;
  other.params = others;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphCreate(&child, 0));
  CHECK(cuGraphAddEmptyNode(&first, graph, NULL, 0));
  if (is(how, "child")) {
    CHECK(cuGraphAddKernelNode_v2(&node, child, NULL, 0, &k));
    CHECK(cuGraphAddChildGraphNode(&node, graph, &first, 1, child));
  } else {
    CHECK(cuGraphAddKernelNode_v2(&node, graph, &first, 1, is(how, "graph") ? &k : &other));
  }
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  if (is(how, "changed"))
    CHECK(cuGraphExecKernelNodeSetParams_v2(exec, node, &k));
  if (is(how, "updated")) {
    CHECK(cuGraphAddEmptyNode(&first, child, NULL, 0));
    CHECK(cuGraphAddKernelNode_v2(&node, child, &first, 1, &k));
    CHECK(cuGraphExecUpdate_v2(exec, child, NULL));
  }
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(child));
  int error = cuGraphLaunch(exec, NULL);
  CHECK(cuGraphExecDestroy(exec));
  return error;
}

// launch_captured launches what a stream has captured.
static int launch_captured(void *f, void **params) {
  void *stream, *graph, *exec;
  CHECK(cuStreamCreate(&stream, 0));
  CHECK(cuStreamBeginCapture_v2(stream, 0));
  CHECK(cuLaunchKernel(f, GRID, 1, 1, BLOCK, 1, 1, 0, stream, params, NULL));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  return cuGraphLaunch(exec, stream);
}

static int launch(const char *how, void *f, void **params) {
  if (is(how, "captured"))
    return launch_captured(f, params);
  if (is(how, "graph") || is(how, "child") || is(how, "changed") || is(how, "updated"))
    return launch_graph(how, f, params);
  if (is(how, "ex")) {
    struct config c = {{GRID, 1, 1}, {BLOCK, 1, 1}, 0, NULL, NULL, 0};
    CHECK(cuStreamCreate(&c.stream, 0));
    return cuLaunchKernelEx(&c, f, params, NULL);
  }
  if (is(how, "cooperative"))
    return cuLaunchCooperativeKernel(f, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, params);
  if (is(how, "extra")) {
    size_t size = 8;
    void *extra[] = {(void *)1, params[0], (void *)2, &size, (void *)0};
    return cuLaunchKernel(f, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, extra);
  }
  if (is(how, "grid")) {
    CHECK(cuFuncSetBlockShape(f, BLOCK, 1, 1));
    CHECK(cuParamSetv(f, 0, params[0], 8));
    CHECK(cuParamSetSize(f, 8));
    return cuLaunchGrid(f, GRID, 1);
  }
  if (is(how, "address")) {
    int (*found)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    CHECK(cuGetProcAddress_v2("cuLaunchKernel", (void **)&found, 12000, 0, NULL));
    return found(f, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, params, NULL);
  }
  return cuLaunchKernel(f, GRID, 1, 1, BLOCK, 1, 1, 0, NULL, params, NULL);
}

static void use(const char *how, const char *path, const char *kernel) {
  void *module, *function;
  address out, variable;
  size_t size;
  int result[128] = {0}, count = 0;
  load(how, path, kernel, &module, &function);
  if (is(how, "large"))
    CHECK(cuMemAlloc_v2(&out, 96 << 20)); // a detector's table of it is managed memory
  CHECK(cuMemAlloc_v2(&out, sizeof result));
  void *params[] = {&out};
  CHECK(launch(how, function, params));
  CHECK(cuCtxSynchronize());
  CHECK(launch(how, function, params));
  if (is(how, "exit"))
    _exit(7);
  CHECK(cuMemcpyDtoH_v2(result, out, sizeof result));
  CHECK(cuModuleGetGlobal_v2(&variable, &size, module, "bias"));
  CHECK(cuMemcpyDtoH_v2(&count, variable, sizeof count));
  printf("%s: %d and %d, and the variable is %d\n", kernel, result[1], result[127], count);
  CHECK(cuMemFree_v2(out));
  if (!is(how, "library") && !is(how, "libraryfile") && !is(how, "elsewhere"))
    CHECK(cuModuleUnload(module));
}

int main(int argc, char **argv) {
  int device;
  void *context;
  if (argc != 4)
    return 2;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  if (is(argv[1], "contexts")) {
    for (int i = 0; i < 2; i++) {
      CHECK(cuCtxCreate_v2(&context, 0, device));
      use(argv[1], argv[2], argv[3]);
      CHECK(cuCtxDestroy_v2(context));
    }
    return 0;
  }
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  use(argv[1], argv[2], argv[3]);
  if (is(argv[1], "reset"))
    CHECK(cuDevicePrimaryCtxReset(device));
  return 0;
}

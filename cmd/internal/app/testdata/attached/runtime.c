// A runtime of CUDA's for the tests of exec --device gpu: what a program of nvcc or clang asks of a runtime, as
// far as examples/apps/reduction.cu does, on the driver API. Like NVIDIA's it finds the driver when it
// runs, by cuGetProcAddress; and with PRIVATE it loads modules in ways of its own, which no library in front
// of the driver sees: here, by the driver's own functions. With LIBRARY it loads libraries and launches their kernels by
// the libraries' handles, as NVIDIA's does since CUDA 12.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t address;
static int (*get_address)(const char *name, void **function, int version, uint64_t flags, int *status);
static void *library, *driver;

static void *find(const char *name) {
  void *function = NULL;
  if (get_address(name, &function, 12000, 0, NULL) != 0 || function == NULL)
    abort();
  return function;
}

// loader is a function that loads modules.
static void *loader(const char *name) {
#ifdef PRIVATE
  return dlsym(driver, name);
#else
  return find(name);
#endif
}

struct wrapper {
  int magic, version;
  const void *image, *more;
};
static const struct wrapper *registered;
static void *module;
static struct {
  const void *key;
  const char *name;
  void *function;
} kernels[16];
static int count;

void **__cudaRegisterFatBinary(void *data) {
  registered = data;
  return (void **)&registered;
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

int __cudaRegisterFunction(void **handle, const void *key, char *device, const char *name) {
  (void)handle, (void)device;
  kernels[count].key = key, kernels[count++].name = name;
  return 0;
}

static int ready(void) {
  int (*init)(unsigned), (*get)(int *, int), (*retain)(void **, int), (*set)(void *), device;
  void *context;
  if (library != NULL)
    return 0;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  const char *path = getenv("PTXSAN_GPU_DRIVER");
  driver = path == NULL ? library : dlopen(path, RTLD_NOW);
  if (library == NULL || driver == NULL)
    return 100;
  get_address = (int (*)(const char *, void **, int, uint64_t, int *))dlsym(library, "cuGetProcAddress_v2");
  init = find("cuInit"), get = find("cuDeviceGet"), retain = find("cuDevicePrimaryCtxRetain"), set = find("cuCtxSetCurrent");
  int error = init(0);
  if (error == 0 && (error = get(&device, 0)) == 0 && (error = retain(&context, device)) == 0)
    error = set(context);
  return error;
}

#ifdef LIBRARY
#define GET "cuLibraryGetKernel"
static int load_registered(void) {
  int (*load)(void **, const void *, int *, void **, unsigned, int *, void **, unsigned) = loader("cuLibraryLoadData");
  return load(&module, registered, NULL, NULL, 0, NULL, NULL, 0);
}
#else
#define GET "cuModuleGetFunction"
static int load_registered(void) {
  int (*load)(void **, const void *) = loader("cuModuleLoadData");
  return load(&module, registered);
}
#endif

static struct {
  unsigned grid[3], block[3];
  size_t shared;
  void *stream;
} pushed;

unsigned __cudaPushCallConfiguration(uint64_t grid_xy, unsigned grid_z, uint64_t block_xy, unsigned block_z, size_t shared, void *stream) {
  pushed.grid[0] = grid_xy, pushed.grid[1] = grid_xy >> 32, pushed.grid[2] = grid_z;
  pushed.block[0] = block_xy, pushed.block[1] = block_xy >> 32, pushed.block[2] = block_z;
  pushed.shared = shared, pushed.stream = stream;
  return 0;
}

int __cudaPopCallConfiguration(unsigned *grid, unsigned *block, size_t *shared, void **stream) {
  for (int i = 0; i < 3; i++)
    grid[i] = pushed.grid[i], block[i] = pushed.block[i];
  *shared = pushed.shared, *stream = pushed.stream;
  return 0;
}

int cudaLaunchKernel(const void *key, uint64_t grid_xy, unsigned grid_z, uint64_t block_xy, unsigned block_z, void **args, size_t shared, void *stream) {
  int (*get)(void **, void *, const char *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int error = ready(), i = 0;
  if (error == 0 && module == NULL)
    error = load_registered();
  while (i < count && kernels[i].key != key)
    i++;
  if (error != 0 || i == count)
    return error != 0 ? error : 98;
  get = loader(GET), launch = find("cuLaunchKernel");
  if (kernels[i].function == NULL && (error = get(&kernels[i].function, module, kernels[i].name)) != 0)
    return error;
  return launch(kernels[i].function, grid_xy, grid_xy >> 32, grid_z, block_xy, block_xy >> 32, block_z, shared, stream, args, NULL);
}

int cudaMallocManaged(void **p, size_t size, unsigned flags) {
  int error = ready();
  return error != 0 ? error : ((int (*)(void **, size_t, unsigned))find("cuMemAllocManaged"))(p, size, flags);
}

int cudaFree(void *p) { return ((int (*)(address))find("cuMemFree"))((uintptr_t)p); }

int cudaDeviceSynchronize(void) { return ((int (*)(void))find("cuCtxSynchronize"))(); }

const char *cudaGetErrorString(int error) {
  static char text[32];
  snprintf(text, sizeof text, "error %d", error);
  return text;
}

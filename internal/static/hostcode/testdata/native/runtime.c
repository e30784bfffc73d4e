// The CUDA runtime for host code that a test executes without a device: allocations are memory of the host, copies are done at
// once or when the stream is synchronised, and each launch is printed. Kernel set(int *p) stores 64.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;

static struct { dim3 grid, block; size_t shared; void *stream; } config;
static struct { void *to; const void *from; size_t n; } pending[64];
static struct { void (*function)(void *); void *data; } callbacks[64];
static struct { char *p; size_t n; } allocations[4096];
static int copies, calls, allocated;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  config.grid = grid, config.block = block, config.shared = shared, config.stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  *grid = config.grid, *block = config.block, *shared = config.shared, *(void **)stream = config.stream;
  return 0;
}
static void print_pointer(const char *p) {
  for (int i = 0; i < allocated; i++)
    if (p >= allocations[i].p && p < allocations[i].p + allocations[i].n) {
      printf("%d %zu %td ", i, allocations[i].n, p - allocations[i].p);
      return;
    }
  printf("%d 0 0 ", p ? -1 : -2);
}
int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, void *stream) {
  Dl_info info;
  if (!dladdr(kernel, &info) || !info.dli_sname)
    abort();
  if (strstr(info.dli_sname, "set"))
    **(int **)args[0] = 64;
  else if (strstr(info.dli_sname, "exchange")) {
    for (int i = 0; i < 3; i++)
      print_pointer(*(char **)args[i]);
    printf("%d\n", *(int *)args[3]);
  } else
    printf("%u %u %d\n", grid.x, block.x, *(int *)args[1]);
  return 0;
}
static int finish(void) {
  for (int i = 0; i < copies; i++)
    memcpy(pending[i].to, pending[i].from, pending[i].n);
  for (int i = 0; i < calls; i++)
    callbacks[i].function(callbacks[i].data);
  copies = calls = 0;
  return 0;
}
int cudaMalloc(void **p, size_t n) {
  *p = calloc(1, n);
  if (allocated < 4096)
    allocations[allocated].p = *p, allocations[allocated++].n = n;
  return 0;
}
int cudaMallocManaged(void **p, size_t n, unsigned flags) { return *p = calloc(1, n), 0; }
int cudaMallocHost(void **p, size_t n) { return *p = calloc(1, n), 0; }
int cudaHostAlloc(void **p, size_t n, unsigned flags) { return *p = calloc(1, n), 0; }
int cudaHostRegister(void *p, size_t n, unsigned flags) { return 0; }
int cudaHostGetDevicePointer(void **device, void *host, unsigned flags) { return *device = host, 0; }
int cudaFree(void *p) { return 0; }
int cudaMemcpy(void *to, const void *from, size_t n, int kind) { return finish(), memcpy(to, from, n), 0; }
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *stream) {
  pending[copies].to = to, pending[copies].from = from, pending[copies++].n = n;
  return 0;
}
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind) {
  for (size_t i = 0; i < height; i++)
    memcpy((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
  return 0;
}
int cudaMemset(void *p, int byte, size_t n) { return memset(p, byte, n), 0; }
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  callbacks[calls].function = function, callbacks[calls++].data = data;
  return 0;
}
int cudaDeviceSynchronize(void) { return finish(); }
int cudaStreamSynchronize(void *stream) { return finish(); }
int cudaStreamCreate(void **stream) { return *stream = malloc(1), 0; }
int cudaGetLastError(void) { return 0; }

// Loads a kernel from a file of PTX by CUDA's driver API, which is declared here as far as it
// is used, and launches it: loader saxpy.ptx.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuModuleLoad(void **module, const char *path);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *p, size_t size);
int cuMemFree_v2(uint64_t p);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size);
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra);
int cuGetErrorString(int error, const char **text);
}

static void check(int error, const char *what) {
  const char *text = "?";
  if (error == 0)
    return;
  cuGetErrorString(error, &text);
  std::printf("%s: %s\n", what, text);
  std::exit(2);
}
#define CHECK(call) check(call, #call)

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: loader saxpy.ptx\n");
    return 2;
  }
  int device, n = 300;
  void *context, *module, *saxpy;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
  std::vector<float> x(n, 2), y(n, 1);
  uint64_t dx, dy;
  CHECK(cuMemAlloc_v2(&dx, n * sizeof(float)));
  CHECK(cuMemAlloc_v2(&dy, n * sizeof(float)));
  CHECK(cuMemcpyHtoD_v2(dx, x.data(), n * sizeof(float)));
  CHECK(cuMemcpyHtoD_v2(dy, y.data(), n * sizeof(float)));
  float a = 3;
  void *params[] = {&a, &dx, &dy, &n};
  CHECK(cuLaunchKernel(saxpy, (n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
  CHECK(cuMemcpyDtoH_v2(y.data(), dy, n * sizeof(float)));
  int wrong = 0;
  for (float v : y)
    wrong += v != 7;
  std::printf("saxpy of %d elements: %s\n", n, wrong == 0 ? "right" : "wrong");
  CHECK(cuMemFree_v2(dx));
  CHECK(cuMemFree_v2(dy));
  return wrong != 0;
}

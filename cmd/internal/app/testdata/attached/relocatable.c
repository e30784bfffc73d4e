// An application of the runtime API with relocatable device code: its kernel stores where a function of another
// image says, each thread to its own word ("own") or all to one ("same").
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  unsigned x, y, z;
} dim3;
void **__cudaRegisterFatBinary(void *data);
void __cudaRegisterFatBinaryEnd(void **handle);
int __cudaRegisterFunction(void **handle, const void *key, char *device, const char *name, int limit, void *tid, void *bid, void *bdim, void *gdim, int *warps);
int cudaMallocManaged(void **p, size_t size, unsigned flags), cudaDeviceSynchronize(void);
int cudaLaunchKernel(const void *key, dim3 grid, dim3 block, void **args, size_t shared, void *stream);

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char kernel[] = HEAD
  ".extern .func (.param .b32 at) place(.param .b32 thread);\n"
  ".visible .entry store(.param .u64 out)\n"
  "{\n"
  " .reg .b32 %r<3>;\n .reg .b64 %rd<3>;\n"
  " ld.param.u64 %rd1, [out];\n"
  " mov.u32 %r1, %tid.x;\n"
  " {\n .param .b32 thread;\n .param .b32 at;\n st.param.b32 [thread], %r1;\n call (at), place, (thread);\n ld.param.b32 %r2, [at];\n }\n"
  " mad.wide.u32 %rd2, %r2, 4, %rd1;\n"
  " st.global.u32 [%rd2], %r1;\n ret;\n}\n";
#define PLACE(value) HEAD ".visible .func (.param .b32 at) place(.param .b32 thread)\n{\n .reg .b32 %r<2>;\n ld.param.b32 %r1, [thread];\n" value " st.param.b32 [at], %r1;\n ret;\n}\n"
static const char own[] = PLACE(""), same[] = PLACE(" mov.u32 %r1, 0;\n");

int main(int argc, char **argv) {
  const void *images[] = {kernel, argc == 2 && strcmp(argv[1], "same") == 0 ? same : own, NULL};
  struct {
    int magic, version;
    const void *image;
    const void *const *images;
  } wrapper = {0x466243b1, 2, NULL, images};
  static char key;
  void *out, *args[] = {&out};
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &key, "store", "store", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFatBinaryEnd(handle);
  int error = cudaMallocManaged(&out, 256, 1);
  if (error == 0)
    error = cudaLaunchKernel(&key, (dim3){1, 1, 1}, (dim3){64, 1, 1}, args, 0, NULL);
  if (error == 0)
    error = cudaDeviceSynchronize();
  if (error != 0)
    printf("error %d\n", error);
  puts("done");
  return error;
}

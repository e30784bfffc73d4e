// Launches of child grids for the LDetector device library ("LDetector: A Low Overhead Race
// Detector For GPU Programs", WoDet 2014, section 5). They call the CUDA device runtime, which a
// program without the option spec need not be linked with.
//
// generate.sh compiles this file to the committed ldetector_launch.ptx.
#include "cuda_builtins.h"

extern "C" __device__ void *cudaGetParameterBuffer(uint64_t alignment, uint64_t size);
struct Dim {
  uint32_t x, y, z;
};
extern "C" __device__ int cudaLaunchDevice(void *kernel, void *parameters, Dim grid, Dim block, uint32_t shared, void *stream);

// A buffer for the parameters of a child grid; 0 when there is none.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_ldetector_parameters(uint32_t bytes) { return (uint64_t)cudaGetParameterBuffer(64, bytes); }

// A child grid of one block with as many threads and as much shared memory as this one. It
// returns whether it has been launched.
extern "C" __device__ __attribute__((used)) uint32_t __ptxsan_ldetector_launch(uint64_t kernel, uint64_t parameters) {
  uint32_t dynamic;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  Dim grid = {1, 1, 1}, block = {blockDim.x, blockDim.y, blockDim.z};
  return cudaLaunchDevice((void *)kernel, (void *)parameters, grid, block, dynamic, nullptr) == 0;
}

// Store buffering: two blocks, each of which stores to its word and loads that of the other one. Both loads return 0 in some runs
// under weak memory, and in none under sequential consistency.

#include <cstdio>

__global__ void store_buffering(unsigned *words, unsigned *loaded) {
  unsigned i = blockIdx.x, x;
  asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(words + i) : "memory");
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(words + 1 - i) : "memory");
  loaded[i] = x;
}

int main() {
  unsigned *words, *loaded, found[2];
  int weak = 0;
  cudaMalloc(&words, sizeof found);
  cudaMalloc(&loaded, sizeof found);
  for (int n = 0; n < 100; n++) {
    cudaMemset(words, 0, sizeof found);
    store_buffering<<<2, 1>>>(words, loaded);
    cudaMemcpy(found, loaded, sizeof found, cudaMemcpyDeviceToHost);
    weak += found[0] == 0 && found[1] == 0;
  }
  printf("%s\n", weak > 0 ? "weak" : "sequential");
  return cudaGetLastError();
}

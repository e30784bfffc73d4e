// Two buffers take turns: the result of one round is on its way to the host while that of the round before is reset, from the
// wrong one of the host's buffers.
#include <cstdio>

__global__ void count(int *n) { atomicAdd(n, 1); }

int main() {
  int *d[2], *h[2];
  cudaStream_t compute, reset;
  cudaEvent_t copied[2], was_reset[2];
  cudaStreamCreate(&compute);
  cudaStreamCreate(&reset);
  for (int i = 0; i < 2; i++) {
    cudaMalloc((void **)&d[i], sizeof(int));
    cudaMemset(d[i], 0, sizeof(int));
    cudaMallocHost((void **)&h[i], sizeof(int));
    *h[i] = 0;
    cudaEventCreate(&copied[i]);
    cudaEventCreate(&was_reset[i]);
  }
  cudaDeviceSynchronize();
  for (int round = 0; round < 4; round++) {
    int curr = round % 2, prev = 1 - curr;
    cudaStreamWaitEvent(compute, was_reset[curr], 0);
    count<<<1, 64, 0, compute>>>(d[curr]);
    cudaMemcpyAsync(h[curr], d[curr], sizeof(int), cudaMemcpyDeviceToHost, compute);
    cudaEventRecord(copied[curr], compute);
    if (round == 0)
      continue;
    cudaEventSynchronize(copied[prev]);
    printf("%d\n", *h[prev]);
    cudaEventSynchronize(was_reset[curr]);
    *h[prev] = 0;
#ifdef FIXED
    cudaMemcpyAsync(d[prev], h[prev], sizeof(int), cudaMemcpyHostToDevice, reset);
#else
    cudaMemcpyAsync(d[prev], h[curr], sizeof(int), cudaMemcpyHostToDevice, reset);
#endif
    cudaEventRecord(was_reset[prev], reset);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; i++) {
    cudaFree(d[i]);
    cudaFreeHost(h[i]);
    cudaEventDestroy(copied[i]);
    cudaEventDestroy(was_reset[i]);
  }
  cudaStreamDestroy(compute);
  cudaStreamDestroy(reset);
}

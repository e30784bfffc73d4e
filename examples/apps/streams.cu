// A pipeline over two streams: one makes numbers, the other sums them up, step by step. An event
// makes the second stream wait for the first, and another one keeps the first from going ahead.
// Compiled with -DRACY, the second stream does not wait.
#include "check.h"

enum { N = 128, STEPS = 4 };

__global__ void produce(int *numbers, int step) {
  int i = threadIdx.x;
  numbers[i] = i * step;
}

__global__ void consume(const int *numbers, int *sums) {
  int i = threadIdx.x;
  sums[i] += numbers[i];
}

int main() {
  cudaStream_t making, summing;
  cudaEvent_t made, summed;
  int *numbers, *sums, host[N];
  CHECK(cudaStreamCreateWithFlags(&making, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&summing, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&made));
  CHECK(cudaEventCreate(&summed));
  CHECK(cudaMalloc(&numbers, N * sizeof(int)));
  CHECK(cudaMalloc(&sums, N * sizeof(int)));
  CHECK(cudaMemsetAsync(sums, 0, N * sizeof(int), summing));
  for (int step = 1; step <= STEPS; step++) {
    produce<<<1, N, 0, making>>>(numbers, step);
    CHECK(cudaEventRecord(made, making));
#ifndef RACY
    CHECK(cudaStreamWaitEvent(summing, made, 0));
#endif
    consume<<<1, N, 0, summing>>>(numbers, sums);
    CHECK(cudaEventRecord(summed, summing));
    CHECK(cudaStreamWaitEvent(making, summed, 0));
  }
  CHECK(cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, summing));
  CHECK(cudaStreamSynchronize(summing));
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += host[i] != i * STEPS * (STEPS + 1) / 2;
  std::printf("pipeline of %d steps: %s\n", (int)STEPS, wrong == 0 ? "right" : "wrong");
  CHECK(cudaFree(numbers));
  CHECK(cudaFree(sums));
  CHECK(cudaStreamDestroy(making));
  CHECK(cudaStreamDestroy(summing));
  return wrong != 0;
}

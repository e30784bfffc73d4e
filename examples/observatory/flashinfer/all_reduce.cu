// The all-reduce of vLLM over two devices of one process, with flags in memory of peers: in one stage, or in two with
// the argument 2. The host waits for nothing before the last round has been launched.
#include <flashinfer/comm/vllm_custom_all_reduce.cuh>

#include <cstring>
#include <memory>

#include "../driver.cuh"

constexpr int ranks = 2, rounds = 3, n = 4096, threads = 128, blocks = 2;

__global__ void fill(float* data, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = value + i % 7;
}

struct Rank {
  Buffer<uint8_t> signal{sizeof(vllm::Signal) + n * sizeof(float)}, table{1024};  // sums of stage 1 behind the flags
  Buffer<float> input{n}, output{n};
  cudaStream_t stream;
  std::unique_ptr<vllm::CustomAllreduce> reduce;
};

int main(int argc, char** argv) {
  bool two_stages = argc > 1 && strcmp(argv[1], "2") == 0;
  std::unique_ptr<Rank> rank[ranks];
  vllm::Signal* signals[ranks];
  void* inputs[ranks];
  for (int r = 0; r < ranks; r++) {
    CHECK(cudaSetDevice(r));
    CHECK(cudaDeviceEnablePeerAccess(1 - r, 0));
    rank[r] = std::make_unique<Rank>();
    CHECK(cudaStreamCreateWithFlags(&rank[r]->stream, cudaStreamNonBlocking));
    CHECK(cudaDeviceSynchronize());
    signals[r] = reinterpret_cast<vllm::Signal*>(rank[r]->signal.data);
    inputs[r] = rank[r]->input.data;
  }
  for (int r = 0; r < ranks; r++) {
    CHECK(cudaSetDevice(r));
    Rank& own = *rank[r];
    own.reduce = std::make_unique<vllm::CustomAllreduce>(signals, own.table.data, own.table.size, r, ranks);
    own.reduce->register_buffer(inputs);
    CHECK(cudaDeviceSynchronize());
  }
  for (int round = 0; round < rounds; round++) {
    for (int r = 0; r < ranks; r++) {
      Rank& own = *rank[r];
      CHECK(cudaSetDevice(r));
      fill<<<n / threads, threads, 0, own.stream>>>(own.input, 10 * r + round);
      if (two_stages) {
        vllm::cross_device_reduce_2stage<float, ranks><<<blocks, threads, 0, own.stream>>>(
            reinterpret_cast<vllm::RankData*>(own.table.data), own.reduce->sg_, signals[r], own.output.data, r, n / 4);
      } else {
        own.reduce->allreduce<float>(own.stream, own.input, own.output, n, blocks, threads);
      }
      CHECK(cudaGetLastError());
    }
  }
  bool right = true;
  for (int r = 0; r < ranks; r++) {
    CHECK(cudaSetDevice(r));
    CHECK(cudaStreamSynchronize(rank[r]->stream));
    auto sum = rank[r]->output.host();
    for (int i = 0; i < n; i++) right &= sum[i] == 10 + 2 * (rounds - 1) + 2 * (i % 7);
  }
  return finish(two_stages ? "all_reduce_two_stage" : "all_reduce", right);
}

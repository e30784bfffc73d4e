// Two-shot all-reduce: each device sums half of the inputs of both, and then copies the other half of the sums.
//
//     two_shot           a barrier of the devices before each step
//     two_shot one       no barrier between the two steps
#include "devices.h"

constexpr int n = 256;

struct ranks {
  float *input[devices], *sum[devices];
  unsigned *arrived[devices]; // how often the other device has arrived
};

// barrier lets the devices, one block each, wait for each other.
__device__ void barrier(const ranks &r, int rank, unsigned times) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicAdd_system(r.arrived[1 - rank], 1);
    while (atomicAdd_system(r.arrived[rank], 0) < times)
      ;
    __threadfence_system();
  }
  __syncthreads();
}

__global__ void reduce(ranks r, int rank, bool between) {
  r.input[rank][threadIdx.x] = 1 + rank;
  r.input[rank][threadIdx.x + n / 2] = 1 + rank;
  barrier(r, rank, 1);
  int mine = threadIdx.x + rank * n / 2, other = threadIdx.x + (1 - rank) * n / 2;
  r.sum[rank][mine] = r.input[0][mine] + r.input[1][mine];
  if (between)
    barrier(r, rank, 2);
  r.sum[rank][other] = r.sum[1 - rank][other];
}

int main(int, char **argv) {
  connect();
  ranks r;
  for (int d = 0; d < devices; d++) {
    r.input[d] = array<float>(d, n);
    r.sum[d] = array<float>(d, n);
    r.arrived[d] = array<unsigned>(d, 1);
  }
  for (int d = 0; d < devices; d++) {
    use(d);
    reduce<<<1, n / 2>>>(r, d, !variant(argv, "one"));
    CHECK(cudaGetLastError());
  }
  synchronize();
  print("two-shot all-reduce", holds(0, r.sum[0], n, 3.f) && holds(1, r.sum[1], n, 3.f));
  return 0;
}

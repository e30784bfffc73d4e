// One-shot all-reduce: each device sums the inputs of both, when it knows that they are there. Flags count the rounds.
//
//     one_shot            flags with release and acquire at system scope
//     one_shot device     the same at device scope
//     one_shot unflagged  no flags
#include "devices.h"

constexpr int n = 256, blocks = 2, rounds = 3;

struct ranks {
  float *input[devices];
  unsigned *flags[devices]; // of each device, one for each block of the other
};

enum kind { right, device, unflagged };

template <kind k> __device__ void tell(unsigned *flag, unsigned value) {
  if (k == device)
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
  else
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

template <kind k> __device__ void await(unsigned *flag, unsigned value) {
  unsigned seen;
  do {
    if (k == device)
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    else
      asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (seen < value);
}

// barrier lets blocks of equal index on both devices wait for each other.
template <kind k> __device__ void barrier(const ranks &r, int rank, unsigned value) {
  __syncthreads();
  if (k != unflagged && threadIdx.x == 0) {
    tell<k>(&r.flags[1 - rank][blockIdx.x], value);
    await<k>(&r.flags[rank][blockIdx.x], value);
  }
  __syncthreads();
}

template <kind k> __global__ void reduce(ranks r, float *sum, int rank, unsigned round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  r.input[rank][i] = float(rank + round);
  barrier<k>(r, rank, 2 * round - 1);
  sum[i] = r.input[0][i] + r.input[1][i];
  barrier<k>(r, rank, 2 * round); // before the inputs of the next round
}

template <kind k> void run(const ranks &r, float *const *sum) {
  for (unsigned round = 1; round <= rounds; round++)
    for (int d = 0; d < devices; d++) {
      use(d);
      reduce<k><<<blocks, n / blocks>>>(r, sum[d], d, round);
      CHECK(cudaGetLastError());
    }
}

int main(int, char **argv) {
  connect();
  ranks r;
  float *sum[devices];
  for (int d = 0; d < devices; d++) {
    r.input[d] = array<float>(d, n);
    r.flags[d] = array<unsigned>(d, blocks);
    sum[d] = array<float>(d, n);
  }
  if (variant(argv, "device"))
    run<device>(r, sum);
  else if (variant(argv, "unflagged"))
    run<unflagged>(r, sum);
  else
    run<right>(r, sum);
  synchronize();
  print("one-shot all-reduce", holds(0, sum[0], n, 2.f * rounds + 1) && holds(1, sum[1], n, 2.f * rounds + 1));
  return 0;
}

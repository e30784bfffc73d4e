// Device 0 broadcasts through managed memory, in which device 1 polls a flag.
//
//     broadcast          the reader acquires
//     broadcast relaxed  the reader reads the flag without a fence
#include "devices.h"

constexpr int n = 64;

struct box {
  int data[n], flag;
};

__global__ void send(box *b) {
  b->data[threadIdx.x] = 5;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(&b->flag) : "memory");
}

template <bool acquires> __global__ void receive(box *b, int *out) {
  if (threadIdx.x == 0) {
    int seen;
    do {
      asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(seen) : "l"(&b->flag) : "memory");
    } while (seen == 0);
    if (acquires)
      __threadfence_system();
  }
  __syncthreads();
  out[threadIdx.x] = b->data[threadIdx.x];
}

int main(int, char **argv) {
  box *b;
  CHECK(cudaMallocManaged(&b, sizeof *b));
  memset(b, 0, sizeof *b);
  int *out = array<int>(1, n);
  use(1);
  if (variant(argv, "relaxed"))
    receive<false><<<1, n>>>(b, out);
  else
    receive<true><<<1, n>>>(b, out);
  CHECK(cudaGetLastError());
  use(0);
  send<<<1, n>>>(b);
  CHECK(cudaGetLastError());
  synchronize();
  print("broadcast", holds(1, out, n, 5));
  return 0;
}

// Kernels that together contain what rewriting must cope with: calls with
// parameters in memory, loops, switches, recursion, indirect calls, barriers,
// atomics, all state spaces, vectors and early exits.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))
typedef unsigned long long u64;
extern "C" __device__ void __syncthreads();
extern "C" __device__ int vprintf(const char *, void *);

struct pair { int a; float b; };
struct alignas(16) quad { int x, y, z, w; };

__device__ int table[4] = {1, 2, 3, -4};
__device__ int *pointers[2] = {table, table + 2};
__constant__ float weights[3] = {1.5f, -2.0f, 0.25f};
__device__ volatile int flag;
extern __shared__ int dynamic[];

NOINLINE __device__ int scale(int a, float b) { return a > 3 ? a * (int)b : a; }
NOINLINE __device__ pair swap(pair p) { pair q = {(int)p.b, (float)p.a}; return q; }
NOINLINE __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }

__global__ void loop(int *p, float *q, int n) {
  __shared__ int s[64];
  int t = __nvvm_read_ptx_sreg_tid_x();
  s[t] = p[t];
  __syncthreads();
  int acc = 0;
  for (int i = 0; i < n; i++)
    if (s[(i + t) & 63] > 4) acc += scale(i, q[i]);
    else acc ^= table[i & 3];
  p[t] = acc;
}

__global__ void choose(int *p, int k, quad *v) {
  int t = __nvvm_read_ptx_sreg_tid_x();
  if (t == 5) return;
  int acc = p[t];
  switch (k) {
    case 0: acc += 5; break;
    case 1: acc *= 3; break;
    case 2: acc = dynamic[t]; break;
    case 3: acc -= 77; break;
    case 4: acc = *pointers[1]; break;
    case 5: acc = (int)weights[t % 3]; break;
    default: flag = acc;
  }
  quad u = v[t];
  u.x += acc;
  u.w = u.y;
  v[t] = u;
}

__global__ void calls(int *p, int k) {
  int (*f)(int) = k & 1 ? twice : thrice;
  int t = __nvvm_read_ptx_sreg_tid_x();
  pair a = {f(t), 2.5f};
  pair b = swap(a);
  int local[8];
  for (int i = 0; i < 8; i++) local[i] = fib(i) + b.a;
  p[t] = local[p[t] & 7];
  int args[2] = {t, k};
  vprintf("thread %d of %d\n", args);
}

__global__ void spin(int *lock, int *data) {
  while (__nvvm_atom_cas_gen_i(lock, 0, 1) != 0) {}
  __nvvm_membar_gl();
  *data += 1;
  __nvvm_membar_gl();
  __nvvm_atom_xchg_gen_i(lock, 0);
  while (flag == 0) {}
}

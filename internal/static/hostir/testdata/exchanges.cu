// Pointers that change places, that an index or a branch chooses, and that lead into one allocation.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void step(const int *in, int *out, int n) { out[threadIdx.x] = in[n]; }
__global__ void wave(const int *old, const int *now, int *next) { next[threadIdx.x] = old[0] + now[0]; }

struct Pair {
  int *in, *out;
  void turn() {
    int *t = in;
    in = out;
    out = t;
  }
};

static void flip(int *&a, int *&b) {
  int *t = a;
  a = b;
  b = t;
}

static int *allocate(int bytes) {
  int *p = nullptr;
  cudaMalloc(&p, bytes);
  return p;
}

extern "C" int opaque(int v);

// Two orders: which one it is follows from the counter.
static void swaps(int *a, int *b, int n) {
  for (int i = 0; i < n; i++) {
    step<<<1, 32>>>(a, b, 1);
    flip(a, b);
  }
}

// Two orders, the second of which need not occur: its pointers are not followed.
static void swaps_sometimes(int *a, int *b, int n) {
  for (int i = 0; i < n; i++) {
    step<<<1, 32>>>(a, b, 2);
    if (i % 3 == 1)
      flip(a, b);
  }
}

// From the second iteration on, both pointers are the same.
static void assigns(int *a, int *b, int n) {
  for (int i = 2; i < n; i += 2) {
    step<<<1, 32>>>(a, b, 3);
    a = b;
  }
}

// Three orders of three pointers.
static void rotates(int *a, int *b, int *c, int n) {
  for (int i = 0; i < n; i++) {
    wave<<<1, 32>>>(a, b, c);
    int *t = a;
    a = b;
    b = c;
    c = t;
  }
}

// Elements of arrays: by a counter, by an index of its own, in a loop that fills it.
static void arrays(int n) {
  int *both[2], *all[3];
  both[0] = allocate(40);
  both[1] = allocate(44);
  for (int i = 0; i < 3; i++)
    cudaMalloc(&all[i], 48);
  int now = 0;
  for (int i = 0; i < n; i++) {
    step<<<1, 32>>>(both[i & 1], both[1 - (i & 1)], 4);
    step<<<1, 32>>>(both[now], both[now ^ 1], 5);
    wave<<<1, 32>>>(all[i % 3], all[(i + 1) % 3], all[(i + 2) % 3]);
    now ^= 1;
  }
}

// A branch whose condition is known, one whose condition is not, and one that a pointer decides.
static void branches(int *a, int *b, int n) {
  int *in = n > 5 ? a : b, *out = n > 5 ? b : a;
  step<<<1, 32>>>(in, out, 6);
  int *last = nullptr;
  if (n > 7)
    last = a;
  if (last)
    step<<<1, 32>>>(last, b, 7);
  if (opaque(n) * 0.5 > 1) {
    in = a;
    out = a;
  }
  step<<<1, 32>>>(in, out, 8);
}

// Parts of one allocation, and structs of pointers.
static void parts(int n) {
  int *base;
  cudaMalloc(&base, 2 * n * sizeof(int));
  Pair p = {base, base + n};
  for (int i = 0; i < 9; i++) {
    step<<<1, 32>>>(p.in, p.out, 9);
    p.turn();
  }
  Pair q = {allocate(52), allocate(56)}, *x = &p, *y = &q;
  for (int i = 0; i < n; i++) {
    step<<<1, 32>>>(x->in, y->in, 10);
    Pair *t = x;
    x = y;
    y = t;
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1)
    return 1;
  int *a = allocate(4), *b = allocate(8), *c = allocate(12);
  swaps(a, b, n);
  swaps_sometimes(a, b, n);
  assigns(a, b, n);
  rotates(a, b, c, n);
  arrays(n);
  branches(a, b, n);
  parts(n);
  return 0;
}

// The loops of kernels.cu for one core of this machine, on the same inputs.
//
//   native WORKLOAD SIZE REPETITIONS
//
// prints the least processor time of the repetitions in nanoseconds and a checksum
// of the output. Built with vectorisation off: one thread's work at a time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t u32;

// mix is the source of inputs; mix in workload.go is the same.
static u32 mix(u32 i) {
  i = (i + 1) * 2654435761u;
  i ^= i >> 15;
  i *= 2246822519u;
  return i ^ i >> 13;
}

static void *words(size_t n) { return calloc(n ? n : 1, 4); }

static u32 *integers(size_t n) {
  u32 *p = words(n);
  for (size_t i = 0; i < n; i++)
    p[i] = mix(i);
  return p;
}

static float *floats(size_t n) {
  float *p = words(n);
  for (size_t i = 0; i < n; i++)
    p[i] = mix(i) % 16;
  return p;
}

// A workload has inputs, reset before every repetition, and an output.
static u32 n;
static u32 *a, *b, *c, *out;
static float *fa, *fb, *fout;
static size_t outs;

static void saxpy(void) {
  for (u32 i = 0; i < n; i++)
    fout[i] = 2.0f * fa[i] + fout[i];
}
static void saxpy_in(void) {
  if (!fa) fa = floats(n), fout = words(n);
  for (u32 i = 0; i < n; i++)
    fout[i] = mix(i + 7) % 16;
  outs = n;
}

static void matrices(void) {
  if (!fa) fa = floats((size_t)n * n), fb = floats((size_t)n * n), fout = words((size_t)n * n);
  outs = (size_t)n * n;
}
static void matmul(void) {
  for (u32 row = 0; row < n; row++)
    for (u32 col = 0; col < n; col++) {
      float sum = 0;
      for (u32 k = 0; k < n; k++)
        sum += fa[row * n + k] * fb[k * n + col];
      fout[row * n + col] = sum;
    }
}

static void tile(u32 by, u32 bx) {
  float sa[16][16], sb[16][16], sum[16][16] = {{0}};
  for (u32 t = 0; t < n; t += 16) {
    for (u32 y = 0; y < 16; y++)
      for (u32 x = 0; x < 16; x++) {
        sa[y][x] = fa[(by + y) * n + t + x];
        sb[y][x] = fb[(t + y) * n + bx + x];
      }
    for (u32 y = 0; y < 16; y++)
      for (u32 x = 0; x < 16; x++) {
        float s = sum[y][x];
        for (u32 k = 0; k < 16; k++)
          s += sa[y][k] * sb[k][x];
        sum[y][x] = s;
      }
  }
  for (u32 y = 0; y < 16; y++)
    for (u32 x = 0; x < 16; x++)
      fout[(by + y) * n + bx + x] = sum[y][x];
}
static void tiled(void) {
  for (u32 y = 0; y < n; y += 16)
    for (u32 x = 0; x < n; x += 16)
      tile(y, x);
}

static void reduce_in(void) {
  if (!a) a = integers(n), out = words(n / 256);
  outs = n / 256;
}
static void reduce(void) {
  for (u32 block = 0; block < n / 256; block++) {
    u32 part[256];
    memcpy(part, a + block * 256, sizeof part);
    for (u32 half = 128; half > 0; half /= 2)
      for (u32 i = 0; i < half; i++)
        part[i] += part[i + half];
    out[block] = part[0];
  }
}

static void stencil_in(void) {
  if (!fa) fa = floats((size_t)n * n), fout = words((size_t)n * n);
  outs = (size_t)n * n;
}
static void stencil(void) {
  for (u32 y = 0; y < n; y++)
    for (u32 x = 0; x < n; x++) {
      u32 i = y * n + x;
      float v = fa[i];
      if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        v = 0.5f * v + 0.125f * (fa[i - 1] + fa[i + 1] + fa[i - n] + fa[i + n]);
      fout[i] = v;
    }
}

static void histogram_in(void) {
  if (!a) a = integers(n), out = words(256);
  memset(out, 0, 1024);
  outs = 256;
}
static void histogram(void) {
  for (u32 i = 0; i < n; i++)
    out[a[i] & 255]++;
}

static void plain_out(void) {
  if (!out) out = words(n);
  outs = n;
}
static void collatz(void) {
  for (u32 i = 0; i < n; i++) {
    u32 count = 0;
    for (u32 v = i + 1; v != 1; count++)
      v = v & 1 ? 3 * v + 1 : v / 2;
    out[i] = count;
  }
}

static void lock_in(void) {
  if (!out) a = words(1), out = words(1);
  a[0] = out[0] = 0;
  outs = 1;
}
static void spin_lock(void) {
  for (u32 i = 0; i < n; i++) {
    u32 idle = 0;
    while (!__atomic_compare_exchange_n(a, &idle, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      idle = 0;
    *(volatile u32 *)out += 1;
    __atomic_exchange_n(a, 0, __ATOMIC_SEQ_CST);
  }
}

static void spmv_in(void) {
  if (!a) {
    a = words(n + 1);
    for (u32 i = 0; i < n; i++)
      a[i + 1] = a[i] + 1 + mix(i) % 16;
    b = words(a[n]), fa = words(a[n]), fb = floats(n), fout = words(n);
    for (u32 k = 0; k < a[n]; k++)
      b[k] = mix(k) % n, fa[k] = mix(k + 5) % 4;
  }
  outs = n;
}
static void spmv(void) {
  for (u32 row = 0; row < n; row++) {
    float sum = 0;
    for (u32 k = a[row]; k < a[row + 1]; k++)
      sum += fa[k] * fb[b[k]];
    fout[row] = sum;
  }
}

static void bfs_in(void) {
  if (!a) {
    a = words(4 * (size_t)n), b = words(n), c = words(n), out = words(n);
    for (u32 k = 0; k < 4 * n; k++)
      a[k] = mix(k) % n;
  }
  memset(b, 0, 4 * (size_t)n), memset(c, 0, 4 * (size_t)n), memset(out, 255, 4 * (size_t)n);
  out[0] = 0, b[0] = 1;
  outs = n;
}
static void bfs(void) {
  u32 *here = b, *there = c, found = 1;
  for (u32 depth = 1; found; depth++) {
    found = 0;
    for (u32 v = 0; v < n; v++) {
      if (!here[v])
        continue;
      here[v] = 0;
      for (u32 k = 0; k < 4; k++) {
        u32 w = a[4 * v + k];
        if (out[w] == ~0u)
          out[w] = depth, there[w] = 1, found = 1;
      }
    }
    u32 *t = here;
    here = there, there = t;
  }
}

static void mandelbrot_in(void) {
  if (!out) out = words((size_t)n * n);
  outs = (size_t)n * n;
}
static void mandelbrot(void) {
#pragma clang fp contract(off)
  for (u32 py = 0; py < n; py++)
    for (u32 px = 0; px < n; px++) {
      float cx = (float)px * (3.0f / (float)n) - 2.25f, cy = (float)py * (3.0f / (float)n) - 1.5f;
      float x = 0, y = 0;
      u32 k = 0;
      for (; k < 256 && x * x + y * y < 4.0f; k++) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
      }
      out[py * n + px] = k;
    }
}

static void sort_in(void) {
  if (!out) out = words(n);
  for (u32 i = 0; i < n; i++)
    out[i] = mix(i);
  outs = n;
}
static void sort(void) {
  for (u32 span = 2; span <= n; span *= 2)
    for (u32 distance = span / 2; distance > 0; distance /= 2)
      for (u32 i = 0; i < n; i++) {
        u32 other = i ^ distance;
        if (other < i)
          continue;
        u32 x = out[i], y = out[other];
        if ((x > y) == ((i & span) == 0))
          out[i] = y, out[other] = x;
      }
}

static const struct {
  const char *name;
  void (*in)(void), (*run)(void);
} workloads[] = {
    {"saxpy", saxpy_in, saxpy},
    {"matmul", matrices, matmul},
    {"tiled", matrices, tiled},
    {"reduce", reduce_in, reduce},
    {"stencil", stencil_in, stencil},
    {"histogram-global", histogram_in, histogram},
    {"histogram-shared", histogram_in, histogram},
    {"collatz", plain_out, collatz},
    {"spin-lock", lock_in, spin_lock},
    {"spmv", spmv_in, spmv},
    {"bfs", bfs_in, bfs},
    {"mandelbrot", mandelbrot_in, mandelbrot},
    {"sort", sort_in, sort},
};

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

// checksum of the output; checksum in workload.go is the same.
static u32 checksum(const u32 *p) {
  u32 h = 1;
  for (size_t i = 0; i < outs; i++)
    h = h * 31 + p[i];
  return h;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return fprintf(stderr, "usage: native WORKLOAD SIZE REPETITIONS\n"), 2;
  n = strtoul(argv[2], 0, 10);
  for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
    if (strcmp(argv[1], workloads[w].name))
      continue;
    int64_t best = INT64_MAX;
    for (int r = atoi(argv[3]); r > 0; r--) {
      workloads[w].in();
      int64_t start = now();
      workloads[w].run();
      int64_t took = now() - start;
      if (took < best)
        best = took;
    }
    printf("%lld %u\n", (long long)best, checksum(out ? out : (u32 *)fout));
    return 0;
  }
  return fprintf(stderr, "native: no workload %s\n", argv[1]), 2;
}

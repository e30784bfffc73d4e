// Host code of which launches are read: constants in several kinds, what the program does without arguments, and what stays unknown.
__global__ void whole(int *p, const float *q, float x, int n) {}
__global__ void partly(int *p, int n) {}
__global__ void often(int *p, int n) {}

int atoi(const char *);

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  int *p;
  float *q;
  cudaMalloc(&p, n * sizeof(int));
  cudaMalloc(&q, 64);
  cudaMemset(p, 0, n * sizeof(int));
  whole<<<(n + 127) / 128, 128, 256>>>(p, q + 2, 0.5f, n);
  whole<<<(n + 127) / 128, 128, 256>>>(p, q + 2, 0.5f, n);
  for (int i = 1; i < n; i *= 3)
    partly<<<3, dim3(8, 8)>>>(p, i);
  often<<<1, 32>>>(p, 1);
  often<<<1, 32>>>(p, 2);
  often<<<1, 32>>>(p, 3);
  often<<<1, 32>>>(p, 4);
  often<<<1, 32>>>(p, 5);
}

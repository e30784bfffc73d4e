// A program whose kernels launch kernels, for nvcc -rdc=true. Each line that it prints says what is right.
// With an argument, the parent writes what its child reads, without an order between the two.
#include <cstdio>
#include <cstdlib>

__device__ int children;

__global__ void child(int *data, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i == 0)
		atomicAdd(&children, 1);
	if (i < n)
		data[i] = 2 * data[i] + 1;
}

__global__ void sum(const int *data, int n, int *out) {
	int total = 0;
	for (int i = 0; i < n; i++)
		total += data[i];
	*out = total;
}

// Each thread launches a child on a part, and one of the block sums up when all have ended.
__global__ void parent(int *data, int part, int racy, int *out) {
	cudaStream_t stream;
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	child<<<2, part / 2, 0, stream>>>(data + threadIdx.x * part, part);
	if (racy)
		data[threadIdx.x * part] = 7;
	cudaStreamDestroy(stream);
	cudaDeviceSynchronize();
	__syncthreads();
	if (threadIdx.x == 0)
		sum<<<1, 1>>>(data, part * blockDim.x, out);
}

__global__ void recursive(int depth, int *out) {
	atomicAdd(out, 1);
	if (depth > 1)
		recursive<<<1, 2>>>(depth - 1, out);
}

static void result(const char *what, bool right) { printf("%s: %s\n", what, right ? "right" : "WRONG"); }

int main(int argc, char **) {
	enum { PARTS = 3, PART = 64, ALL = PARTS * PART };
	int in[ALL], *data, *out, got = 0, n = 0, want = 0;
	for (int i = 0; i < ALL; i++)
		in[i] = i, want += 2 * i + 1;
	cudaMalloc(&data, sizeof in);
	cudaMalloc(&out, sizeof got);
	cudaMemcpy(data, in, sizeof in, cudaMemcpyHostToDevice);
	parent<<<1, PARTS>>>(data, PART, argc > 1, out);
	result("no error", cudaDeviceSynchronize() == cudaSuccess);
	cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
	cudaMemcpyFromSymbol(&n, children, sizeof n);
	result("sum of what children wrote", got == want || argc > 1);
	result("children", n == PARTS);
	cudaMemset(out, 0, sizeof got);
	recursive<<<1, 2>>>(4, out);
	cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
	result("recursive launches", got == 2 + 4 + 8 + 16);
	return 0;
}

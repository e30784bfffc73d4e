// A program of the runtime API: a kernel stays on the device and adds up what launches of another stream bring, which wait
// for its answers. With the argument "racy", these do not fence.
#include <cstdio>

__global__ void serve(int *in, volatile int *full, volatile int *taken, int *sum) {
	for (int n = 1, more = 1; more; n++) {
		while (*full != n)
			;
		__threadfence();
		more = *in;
		*sum += more;
		__threadfence();
		*taken = n;
	}
}

__global__ void bring(int *in, volatile int *full, volatile int *taken, int n, int value, bool fences) {
	while (*taken != n - 1)
		;
	__threadfence();
	*in = value;
	if (fences)
		__threadfence();
	*full = n;
}

int main(int argc, char **) {
	const int rounds = 20;
	int *m, sum = 0;
	cudaMalloc(&m, 64);
	cudaMemset(m, 0, 64);
	cudaStream_t server, client;
	cudaStreamCreateWithFlags(&server, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&client, cudaStreamNonBlocking);
	cudaDeviceSynchronize();
	serve<<<1, 1, 0, server>>>(m, m + 8, m + 9, m + 4);
	for (int n = 1; n <= rounds + 1; n++)
		bring<<<1, 1, 0, client>>>(m, m + 8, m + 9, n, n <= rounds ? n : 0, argc == 1);
	cudaMemcpyAsync(&sum, m + 4, sizeof sum, cudaMemcpyDeviceToHost, server);
	int error = cudaDeviceSynchronize();
	printf("sum: %s\n", error == 0 && sum == rounds * (rounds + 1) / 2 ? "right" : "wrong");
}

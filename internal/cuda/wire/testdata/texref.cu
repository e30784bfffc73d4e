// A program with the texture and surface references of CUDA 11, for nvcc. What kernels read is compared
// with what this program computes. Each line that it prints says what is right.
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace images {
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
}
static texture<float, 1> numbers;
static texture<float, 2> plane;
texture<float, 2> pyramid;
surface<void, 2> canvas;

__global__ void fetch(float *out) { out[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x); }
__global__ void sample(float *out) { out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D(plane, threadIdx.x + 0.75f, threadIdx.y + 0.5f); }
__global__ void colour(float *out) {
	float4 c = tex2D(images::colours, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
	out[threadIdx.y * blockDim.x + threadIdx.x] = c.x + 10 * c.y + 100 * c.z + 1000 * c.w;
}
__global__ void level(float *out) { out[threadIdx.x] = tex2DLod(pyramid, 0.5f, 0.5f, 0.5f * threadIdx.x); }
__global__ void paint() { surf2Dwrite(3.0f * threadIdx.x + threadIdx.y, canvas, threadIdx.x * 4, threadIdx.y); }

static void must(cudaError_t error, const char *what) {
	if (error != cudaSuccess) {
		printf("%s: %s\n", what, cudaGetErrorName(error));
		exit(9);
	}
}
#define MUST(call) must(call, #call)

static int wrong;

static void result(const char *what, bool right) {
	printf("%s: %s\n", what, right ? "right" : "WRONG");
	wrong |= !right;
}

static float out[64], *memory;

static void get(int n) { MUST(cudaMemcpy(out, memory, n * sizeof *out, cudaMemcpyDeviceToHost)); }

int main() {
	float in[32], *linear;
	unsigned char bytes[2][64], *pitched;
	cudaArray_t array;
	cudaMipmappedArray_t mipmap;
	size_t pitch;
	for (int i = 0; i < 32; i++)
		in[i] = 2 * i;
	MUST(cudaMalloc(&memory, sizeof out));

	MUST(cudaMalloc(&linear, sizeof in));
	MUST(cudaMemcpy(linear, in, sizeof in, cudaMemcpyHostToDevice));
	MUST(cudaBindTexture(NULL, numbers, linear, sizeof in));
	fetch<<<1, 40>>>(memory);
	get(40);
	bool right = true;
	for (int i = 0; i < 40; i++)
		right &= out[i] == (i < 32 ? 2 * i : 0);
	result("linear memory", right);
	MUST(cudaUnbindTexture(numbers));

	plane.filterMode = cudaFilterModeLinear;
	plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
	MUST(cudaMallocArray(&array, &plane.channelDesc, 8, 4));
	MUST(cudaMemcpy2DToArray(array, 0, 0, in, 32, 32, 4, cudaMemcpyHostToDevice));
	MUST(cudaBindTextureToArray(plane, array));
	sample<<<1, dim3(8, 4)>>>(memory);
	get(32);
	right = true;
	for (int i = 0; i < 32; i++)
		right &= out[i] == 2 * i + (i % 8 < 7 ? 0.5f : 0);
	result("array, filtered", right);

	for (int i = 0; i < 128; i++)
		bytes[0][i] = 2 * i;
	MUST(cudaMallocPitch(&pitched, &pitch, 20, 2));
	MUST(cudaMemcpy2D(pitched, pitch, bytes, 64, 20, 2, cudaMemcpyHostToDevice));
	MUST(cudaBindTexture2D(NULL, images::colours, pitched, 5, 2, pitch));
	colour<<<1, dim3(5, 2)>>>(memory);
	get(10);
	right = true;
	for (int y = 0; y < 2; y++)
		for (int x = 0; x < 5; x++) {
			float want = 0, times = 1;
			for (int c = 0; c < 4; c++, times *= 10)
				want += times * (bytes[y][4 * x + c] / 255.0f);
			right &= fabsf(out[5 * y + x] - want) < 0.001f;
		}
	result("pitched memory of fractions", right);

	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	MUST(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 4, 0), 3));
	for (int l = 0; l < 3; l++) {
		cudaArray_t one;
		for (int i = 0; i < 32; i++)
			in[i] = 10 * l + 1;
		MUST(cudaGetMipmappedArrayLevel(&one, mipmap, l));
		MUST(cudaMemcpy2DToArray(one, 0, 0, in, 4 * (8 >> l), 4 * (8 >> l), 4 >> l, cudaMemcpyHostToDevice));
	}
	pyramid.normalized = 1;
	pyramid.mipmapFilterMode = cudaFilterModeLinear;
	pyramid.maxMipmapLevelClamp = 1.5f;
	MUST(cudaBindTextureToMipmappedArray(pyramid, mipmap, format));
	level<<<1, 6>>>(memory);
	get(6);
	right = true;
	for (int i = 0; i < 6; i++)
		right &= out[i] == 1 + 10 * fminf(0.5f * i, 1.5f);
	result("mipmapped array", right);

	MUST(cudaBindSurfaceToArray(canvas, array));
	paint<<<1, dim3(8, 4)>>>();
	MUST(cudaMemcpy2DFromArray(out, 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
	right = true;
	for (int i = 0; i < 32; i++)
		right &= out[i] == 3 * (i % 8) + i / 8;
	result("surface", right);
	MUST(cudaFreeArray(array));
	MUST(cudaFreeMipmappedArray(mipmap));
	return wrong;
}

// A program that copies memory which nothing has written. The lines with the word "unwritten" and a number are
// reported with so many bytes, and no others.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
struct channel { int x, y, z, w, kind; };
struct extent { size_t width, height, depth; };
struct position { size_t x, y, z; };
struct pitched { void *ptr; size_t pitch, width, height; };
struct copy3d { handle from_array; struct position from_at; struct pitched from; handle to_array; struct position to_at; struct pitched to; struct extent extent; int kind; };

int cudaMalloc(void *, size_t), cudaFree(void *), cudaMallocHost(void *, size_t), cudaMallocManaged(void *, size_t, unsigned), cudaMallocPitch(void *, size_t *, size_t, size_t), cudaMalloc3D(struct pitched *, struct extent);
int cudaMallocArray(handle *, const struct channel *, size_t, size_t, unsigned), cudaMemcpy2DToArray(handle, size_t, size_t, const void *, size_t, size_t, size_t, int), cudaMemcpy2DFromArray(void *, size_t, handle, size_t, size_t, size_t, size_t, int);
int cudaMallocAsync(void *, size_t, handle), cudaFreeAsync(void *, handle), cudaStreamCreate(handle *), cudaStreamSynchronize(handle), cudaDeviceSynchronize(void);
int cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyAsync(void *, const void *, size_t, int, handle), cudaMemset(void *, int, size_t), cudaMemset2D(void *, size_t, int, size_t, size_t), cudaMemsetAsync(void *, int, size_t, handle);
int cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int), cudaMemcpy3D(const struct copy3d *), cudaMemcpyPeer(void *, int, const void *, int, size_t), cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *);
int cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaGraphInstantiate(handle *, handle, handle *, char *, size_t), cudaGraphLaunch(handle, handle);

enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3, DEFAULT = 4, SIZE = 4096 };
static char host[2 * SIZE];

static void *allocated(size_t size) {
	void *p;
	MUST(cudaMalloc(&p, size));
	return p;
}

static void plain(void) {
	char *p = allocated(SIZE), *q = allocated(SIZE), *r = allocated(SIZE);
	MUST(cudaMemset(p, 1, 1000));
	MUST(cudaMemcpy(host, p, 1000, TO_HOST));
	MUST(cudaMemcpy(host, p, 1004, TO_HOST)); // unwritten 4
	MUST(cudaMemcpy(p + 2000, host, 96, TO_DEVICE));
	for (int i = 0; i < 3; i++)
		MUST(cudaMemcpy(host, p + 1996, 104, TO_HOST)); // unwritten 24
	MUST(cudaMemcpy(q, p, 1000, ON_DEVICE));
	MUST(cudaMemcpy(host, q, 1000, DEFAULT));
	MUST(cudaMemcpy(host, q, 1001, DEFAULT)); // unwritten 1
	MUST(cudaMemcpyPeer(r, 0, p, 0, 1100)); // unwritten 100
	MUST(cudaMemcpy(host, r, 1100, TO_HOST));
	MUST(cudaFree(p));
	p = allocated(SIZE);
	MUST(cudaMemcpy(host, p, 8, TO_HOST)); // unwritten 8
}

static void rectangles(void) {
	struct pitched box;
	size_t pitch;
	char *p, *q = allocated(4 * SIZE);
	MUST(cudaMallocPitch(&p, &pitch, 100, 8));
	MUST(cudaMemset2D(p, pitch, 1, 100, 8));
	MUST(cudaMemcpy2D(host, 100, p, pitch, 100, 8, TO_HOST));
	MUST(cudaMemcpy(host, p, 8 * pitch, TO_HOST)); // with the bytes between the rows
	MUST(cudaMallocPitch(&p, &pitch, 100, 8));
	MUST(cudaMemset2D(p, pitch, 1, 96, 8));
	MUST(cudaMemcpy2D(host, 100, p, pitch, 100, 8, TO_HOST)); // unwritten 32
	MUST(cudaMemcpy(q, p, 8 * pitch, ON_DEVICE)); // unwritten 32
	MUST(cudaMalloc3D(&box, (struct extent){64, 4, 4}));
	MUST(cudaMemset(box.ptr, 1, box.pitch * 12));
	struct copy3d c = {.from = box, .to = {host, 64, 64, 4}, .extent = {64, 4, 4}, .kind = TO_HOST};
	MUST(cudaMemcpy3D(&c)); // unwritten 256
	handle array;
	struct channel words = {32, 0, 0, 0, 1};
	MUST(cudaMallocArray(&array, &words, 16, 16, 0));
	MUST(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 15, TO_DEVICE));
	MUST(cudaMemcpy2DFromArray(host, 64, array, 0, 0, 64, 15, TO_HOST));
	MUST(cudaMemcpy2DFromArray(host, 64, array, 0, 0, 64, 16, TO_HOST)); // unwritten 64
}

// What the host has written of memory that it shares with the device.
static void shared(void) {
	int *m, *pinned, *d = allocated(SIZE);
	MUST(cudaMallocManaged(&m, SIZE, 1));
	for (int i = 0; i < 1000; i++)
		m[i] = 0;
	MUST(cudaMemcpy(host, m, 4000, TO_HOST));
	MUST(cudaMemcpy(host, m, SIZE, TO_HOST)); // unwritten 96
	memset(m + 1000, 0, 96);
	MUST(cudaMemcpy(host, m, SIZE, TO_HOST));
	MUST(cudaMallocHost(&pinned, SIZE));
	memset(pinned, 7, 100);
	MUST(cudaMemcpy(d, pinned, 200, TO_DEVICE)); // what is not written of it is not written there
	MUST(cudaMemcpy(host, d, 100, TO_HOST));
	MUST(cudaMemcpy(host, d, 200, TO_HOST)); // unwritten 100
	MUST(cudaMemcpy(pinned, d, 400, TO_HOST)); // unwritten 300
	MUST(cudaHostRegister(host, sizeof host, 0));
	MUST(cudaMemcpy(d, host, SIZE, TO_DEVICE));
	MUST(cudaHostUnregister(host));
	MUST(cudaMemcpy(host, d, SIZE, TO_HOST));
}

static void pools(void) {
	handle stream, graph, launchable;
	char *p, *q;
	MUST(cudaStreamCreate(&stream));
	MUST(cudaMallocAsync(&p, 256, stream));
	MUST(cudaMemsetAsync(p, 1, 256, stream));
	MUST(cudaFreeAsync(p, stream));
	MUST(cudaMallocAsync(&p, 256, stream)); // the contents of freed memory of the pool are no longer there
	MUST(cudaMemcpyAsync(host, p, 256, TO_HOST, stream)); // unwritten 256
	MUST(cudaStreamSynchronize(stream));
	q = allocated(256);
	MUST(cudaStreamBeginCapture(stream, 0));
	MUST(cudaMallocAsync(&p, 256, stream));
	MUST(cudaMemcpyAsync(q, p, 16, ON_DEVICE, stream));
	MUST(cudaMemsetAsync(p, 1, 256, stream));
	MUST(cudaMemcpyAsync(q, p, 256, ON_DEVICE, stream));
	MUST(cudaFreeAsync(p, stream));
	MUST(cudaStreamEndCapture(stream, &graph));
	MUST(cudaGraphInstantiate(&launchable, graph, NULL, NULL, 0));
	for (int i = 0; i < 2; i++)
		MUST(cudaGraphLaunch(launchable, stream)); // unwritten 32
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemcpy(host, q, 256, TO_HOST));
}

int main(void) {
	plain();
	rectangles();
	shared();
	pools();
	return 0;
}

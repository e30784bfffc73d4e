// A program of the driver API with a kernel that stays on the device and answers requests of the host. Every
// line says that it is right. The second argument says how the host makes requests: through "pinned" memory,
// by "copies" in another stream, in a "thread" beside one that waits, by a "kernel" in another stream, or not at all ("never").
#include "check.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemHostAlloc(void **, size_t, unsigned), cuMemFreeHost(void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *), cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *), cuMemsetD8_v2(uint64_t, unsigned char, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuCtxSynchronize(void);
int cuStreamCreate(void **, unsigned), cuStreamQuery(void *), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned), cuStreamDestroy_v2(void *);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuEventQuery(void *), cuEventSynchronize(void *);

enum { NON_BLOCKING = 1, NOT_READY = 600, TIMEOUT = 702, REQUESTS = 20, SUM = REQUESTS * (REQUESTS + 1) / 2 };

// box is how host and kernel speak.
struct box {
	unsigned request, value, answer, sum;
};

static void *module, *kernels, *copies;

static void launch(const char *name, uint64_t data, void *stream) {
	void *f, *params[] = {&data};
	MUST(cuModuleGetFunction(&f, module, name));
	MUST(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
}

// ask makes a request through memory that both have. It makes no call of CUDA's.
static unsigned ask(struct box *b, unsigned value) {
	b->value = value;
	unsigned number = __atomic_add_fetch(&b->request, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&b->answer, __ATOMIC_ACQUIRE) != number)
		;
	return __atomic_load_n(&b->sum, __ATOMIC_RELAXED);
}

static struct box *start(void) {
	struct box *b;
	MUST(cuMemHostAlloc((void **)&b, sizeof *b, 0));
	memset(b, 0, sizeof *b);
	launch("serve", (uint64_t)b, kernels);
	return b;
}

static void pinned(void) {
	struct box *b = start();
	void *event, *earlier;
	unsigned sum = 0, word = 0;
	uint64_t other;
	MUST(cuEventCreate(&event, 0));
	MUST(cuEventCreate(&earlier, 0));
	MUST(cuEventRecord(event, kernels));
	MUST(cuEventRecord(earlier, copies));
	equal("a stream that runs", cuStreamQuery(kernels), NOT_READY);
	equal("an event to come", cuEventQuery(event), NOT_READY);
	equal("an event of another stream", cuEventQuery(earlier), 0);
	for (unsigned i = 1; i <= REQUESTS; i++)
		sum = ask(b, i);
	equal("sum", sum, SUM);
	MUST(cuMemAlloc_v2(&other, sizeof word));
	MUST(cuMemcpyHtoDAsync_v2(other, &sum, sizeof sum, copies));
	MUST(cuMemcpyDtoHAsync_v2(&word, other, sizeof word, copies));
	MUST(cuStreamSynchronize(copies));
	equal("copies meanwhile", word, SUM);
	equal("the stream still", cuStreamQuery(kernels), NOT_READY);
	MUST(cuStreamWaitEvent(copies, event, 0));
	equal("a stream behind it", cuStreamQuery(copies), NOT_READY);
	ask(b, 0);
	launch("twice", other, copies); // begins when the kernel has ended
	MUST(cuEventSynchronize(event));
	equal("a stream that has ended", cuStreamQuery(kernels), 0);
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH_v2(&word, other, sizeof word));
	equal("the next kernel", word, 2 * SUM);
	MUST(cuMemFree_v2(other));
	MUST(cuMemFreeHost(b));
}

static void by_copies(void) {
	struct box b = {0};
	uint64_t device;
	MUST(cuMemAlloc_v2(&device, sizeof b));
	MUST(cuMemsetD8_v2(device, 0, sizeof b));
	launch("serve", device, kernels);
	for (unsigned i = REQUESTS;; i--) {
		b.request++, b.value = i;
		MUST(cuMemcpyHtoDAsync_v2(device, &b, 2 * sizeof(unsigned), copies));
		while (b.answer != b.request) {
			int state = cuStreamQuery(kernels);
			if (state != NOT_READY && state != 0)
				must(state, "cuStreamQuery");
			MUST(cuMemcpyDtoHAsync_v2(&b, device, sizeof b, copies));
			MUST(cuStreamSynchronize(copies));
		}
		if (i == 0)
			break;
	}
	MUST(cuStreamSynchronize(kernels));
	equal("sum", b.sum, SUM);
}

static void *answers(void *box) {
	usleep(20000);
	for (unsigned i = REQUESTS; ask(box, i), i > 0; i--)
		;
	return NULL;
}

static void in_thread(void) {
	struct box *b = start();
	pthread_t thread;
	pthread_create(&thread, NULL, answers, b);
	MUST(cuStreamSynchronize(kernels));
	equal("sum", b->sum, SUM);
	pthread_join(thread, NULL);
}

// by_kernel launches a kernel in another stream that lets the first one end.
static void by_kernel(void) {
	struct box *b = start();
	launch("end", (uint64_t)b, copies);
	equal("a kernel that another ends", cuStreamSynchronize(kernels), 0);
	equal("the other one", cuStreamSynchronize(copies), 0);
	equal("the request", b->request, 1);
}

static void never(void) {
	start();
	equal("a kernel that nobody answers", cuStreamSynchronize(kernels), TIMEOUT);
	equal("afterwards", cuStreamQuery(kernels), 0);
}

int main(int argc, char **argv) {
	void *context;
	char ptx[8192] = {0};
	FILE *f = fopen(argv[1], "r");
	if (argc != 3 || f == NULL || fread(ptx, 1, sizeof ptx - 1, f) == 0)
		return 9;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuStreamCreate(&kernels, NON_BLOCKING));
	MUST(cuStreamCreate(&copies, NON_BLOCKING));
	if (strcmp(argv[2], "pinned") == 0)
		pinned();
	else if (strcmp(argv[2], "copies") == 0)
		by_copies();
	else if (strcmp(argv[2], "thread") == 0)
		in_thread();
	else if (strcmp(argv[2], "kernel") == 0)
		by_kernel();
	else
		never();
	return 0;
}

// A program of the driver API whose kernels wait for each other in different streams. Every line says that it is right. The
// second argument says how.
#include "check.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemsetD32_v2(uint64_t, unsigned, size_t), cuMemsetD32Async(uint64_t, unsigned, size_t, void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *), cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *), cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuCtxSynchronize(void);
int cuStreamCreate(void **, unsigned), cuStreamQuery(void *), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuEventQuery(void *);
int cuLaunchHostFunc(void *, void (*)(void *), void *), cuStreamWriteValue32_v2(void *, uint64_t, unsigned, unsigned), cuStreamWaitValue32_v2(void *, uint64_t, unsigned, unsigned);

enum { NON_BLOCKING = 1, NOT_READY = 600, TIMEOUT = 702, ILLEGAL = 700, GEQ = 0, REQUESTS = 30, SUM = REQUESTS * (REQUESTS + 1) / 2 };

static char image[16384];
static void *context, *module, *s[3];
static uint64_t words; // 16

#define WORD(i) (words + 4 * (i))

static void launch_of(void *module, void *stream, const char *name, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
	void *f, *params[] = {&a, &b, &c, &d};
	MUST(cuModuleGetFunction(&f, module, name));
	MUST(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
}

static void launch(void *stream, const char *name, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
	launch_of(module, stream, name, a, b, c, d);
}

static unsigned word(int i) {
	unsigned value;
	MUST(cuMemcpyDtoH_v2(&value, WORD(i), sizeof value));
	return value;
}

static void consume(void *stream) { launch(stream, "consume", WORD(0), WORD(8), WORD(4), 0); }

static void produce(void *stream) { launch(stream, "produce", WORD(0), WORD(8), 0, 0); }

// by_flag: the kernel that waits is first, and a copy behind it, for which the host waits.
static void by_flag(void) {
	unsigned value = 0;
	consume(s[0]);
	equal("a kernel that waits", cuStreamQuery(s[0]), NOT_READY);
	produce(s[1]);
	MUST(cuMemcpyDtoHAsync_v2(&value, WORD(4), sizeof value, s[0]));
	MUST(cuStreamSynchronize(s[0]));
	equal("result", value, 42);
}

// by_modules: the kernel that lets the first one go on is in a module that is loaded meanwhile.
static void by_modules(void) {
	void *other;
	consume(s[0]);
	MUST(cuModuleLoadData(&other, image));
	launch_of(other, s[1], "produce", WORD(0), WORD(8), 0, 0);
	MUST(cuStreamSynchronize(s[0]));
	equal("result", word(4), 42);
}

// behind: copies, fills, events and kernels behind one that waits do not hold the host up.
static void behind(void) {
	void *event;
	MUST(cuEventCreate(&event, 0));
	consume(s[0]);
	MUST(cuMemcpyDtoDAsync_v2(WORD(5), WORD(4), 4, s[0]));
	MUST(cuEventRecord(event, s[0]));
	MUST(cuStreamWaitEvent(s[1], event, 0));
	MUST(cuMemcpyDtoDAsync_v2(WORD(6), WORD(5), 4, s[1]));
	MUST(cuMemsetD32Async(WORD(7), 5, 1, s[1]));
	equal("an event behind it", cuEventQuery(event), NOT_READY);
	equal("a stream behind it", cuStreamQuery(s[1]), NOT_READY);
	produce(s[2]);
	MUST(cuCtxSynchronize());
	equal("an event that has occurred", cuEventQuery(event), 0);
	equal("a copy behind the event", word(6), 42);
	equal("a fill behind the event", word(7), 5);
}

// by_launches: a kernel stays on the device and is fed by launches, which wait for its answers.
static void by_launches(void) {
	launch(s[0], "work", WORD(0), WORD(8), WORD(9), WORD(4));
	for (uint64_t i = 1; i <= REQUESTS + 1; i++)
		launch(s[1], "feed", WORD(0), WORD(8), WORD(9), i | (i <= REQUESTS ? i : 0) << 32);
	MUST(cuCtxSynchronize());
	equal("sum", word(4), SUM);
}

// by_values: it is fed by copies and values that a stream writes and waits for.
static void by_values(void) {
	launch(s[0], "work", WORD(0), WORD(8), WORD(9), WORD(4));
	for (unsigned i = 1; i <= REQUESTS + 1; i++) {
		unsigned request = i <= REQUESTS ? i : 0;
		MUST(cuStreamWaitValue32_v2(s[1], WORD(9), i - 1, GEQ));
		MUST(cuMemcpyHtoDAsync_v2(WORD(0), &request, sizeof request, s[1]));
		MUST(cuStreamWriteValue32_v2(s[1], WORD(8), i, 0));
	}
	MUST(cuCtxSynchronize());
	equal("sum", word(4), SUM);
}

// deadlock: the kernel that would let the first one go on is behind it.
static void deadlock(void) {
	consume(s[0]);
	produce(s[0]);
	equal("a kernel that waits for one behind it", cuStreamSynchronize(s[0]), TIMEOUT);
	equal("the one behind it", cuStreamSynchronize(s[0]), 0);
	equal("its result", word(0), 42);
}

static int called;

static void calls(void *data) { called = *(int *)data; }

// functions: a host function behind a kernel that waits does not hold the host up, and what is behind it waits for it.
static void functions(void) {
	int data = 7;
	consume(s[0]);
	MUST(cuLaunchHostFunc(s[0], calls, &data));
	MUST(cuMemcpyDtoDAsync_v2(WORD(5), WORD(4), 4, s[0]));
	equal("a function behind it", called, 0);
	produce(s[1]);
	MUST(cuStreamSynchronize(s[0]));
	equal("the function", called, 7);
	equal("what is behind it", word(5), 42);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *waits(void *unused) {
	(void)unused;
	MUST(cuCtxSetCurrent(context));
	equal("a kernel that nobody lets go on", cuStreamSynchronize(s[0]), TIMEOUT);
	return NULL;
}

static void *sleeps(void *unused) {
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&never, &lock);
	return unused;
}

// threads: all threads wait for each other, and one for the kernel.
static void threads(void) {
	pthread_t thread, other;
	consume(s[0]);
	pthread_create(&other, NULL, sleeps, NULL);
	pthread_create(&thread, NULL, waits, NULL);
	pthread_join(thread, NULL);
}

static void *produces(void *unused) {
	(void)unused;
	usleep(100000);
	MUST(cuCtxSetCurrent(context));
	produce(s[1]);
	return NULL;
}

// late: a thread that sleeps lets the kernel go on.
static void late(void) {
	pthread_t thread;
	consume(s[0]);
	pthread_create(&thread, NULL, produces, NULL);
	MUST(cuStreamSynchronize(s[0]));
	equal("result", word(4), 42);
	pthread_join(thread, NULL);
}

static void *sets(void *unused) {
	usleep(5000);
	MUST(cuCtxSetCurrent(context));
	produce(s[1]);
	return unused;
}

// clock: a thread that runs lets a kernel go on that waits for a time, too, while another thread waits for the kernel.
static void by_clock(void) {
	pthread_t thread;
	launch(s[0], "patient", WORD(8), WORD(4), 0, 0);
	pthread_create(&thread, NULL, sets, NULL);
	MUST(cuStreamSynchronize(s[0]));
	equal("the flag", word(4), 1);
	pthread_join(thread, NULL);
}

// expires: nobody sets the flag, so that the time passes.
static void expires(void) {
	launch(s[0], "patient", WORD(8), WORD(4), 0, 0);
	MUST(cuStreamSynchronize(s[0]));
	equal("the flag", word(4), 0);
}

// fault: a kernel faults while another one waits.
static void fault(void) {
	consume(s[0]);
	launch(s[1], "wrong", 0, 0, 0, 0);
	equal("the stream that waits", cuStreamSynchronize(s[0]), ILLEGAL);
}

int main(int argc, char **argv) {
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {
		{"flag", by_flag}, {"modules", by_modules}, {"behind", behind}, {"launches", by_launches}, {"values", by_values},
		{"deadlock", deadlock}, {"threads", threads}, {"functions", functions}, {"late", late}, {"clock", by_clock}, {"expires", expires}, {"fault", fault},
	};
	FILE *f = fopen(argv[1], "r");
	if (argc != 3 || f == NULL || fread(image, 1, sizeof image - 1, f) == 0)
		return 9;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, image));
	for (int i = 0; i < 3; i++)
		MUST(cuStreamCreate(&s[i], NON_BLOCKING));
	MUST(cuMemAlloc_v2(&words, 64));
	MUST(cuMemsetD32_v2(words, 0, 16));
	MUST(cuCtxSynchronize());
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(argv[2], ways[i].name) == 0)
			ways[i].run();
	return 0;
}

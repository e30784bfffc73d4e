// Two processes of the driver API that share memory of the first one, rank 0. Every line says that it is right. The second
// argument says what they do: see main.
#include "check.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct ipc { char bytes[64]; };
int cuInit(unsigned), cuCtxSynchronize(void), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemsetD32_v2(uint64_t, unsigned, size_t), cuMemsetD32Async(uint64_t, unsigned, size_t, void *), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuStreamCreate(void **, unsigned), cuStreamQuery(void *), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuEventQuery(void *), cuEventSynchronize(void *), cuEventDestroy_v2(void *);
int cuIpcGetMemHandle(struct ipc *, uint64_t), cuIpcOpenMemHandle_v2(uint64_t *, struct ipc, unsigned), cuIpcCloseMemHandle(uint64_t);
int cuIpcGetEventHandle(struct ipc *, void *), cuIpcOpenEventHandle(void **, struct ipc);

enum { NON_BLOCKING = 1, INTERPROCESS = 6, NOT_READY = 600, WORDS = 8 };

static int rank, in, out; // ends of the pipes from and to the other process
static const char *how;
static void *module, *stream, *other, *event;
static uint64_t words;

static int is(const char *what) { return strcmp(how, what) == 0; }

// meets reports whether kernels of the two wait for each other.
static int meets(void) { return is("meet") || is("apart") || is("same") || is("narrow"); }

static void send(const void *bytes, size_t n) { MUST(write(out, bytes, n) != (ssize_t)n); }

static void receive(void *bytes, size_t n) { MUST(read(in, bytes, n) != (ssize_t)n); }

static void tell(void) { send("", 1); }

static void hear(void) {
	char byte;
	receive(&byte, 1);
}

static void launch(const char *name, void *in_stream) {
	void *f, *params[] = {&words, &rank};
	MUST(cuModuleGetFunction(&f, module, name));
	MUST(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, in_stream, params, NULL));
}

static void fill(void) { MUST(cuMemsetD32Async(words + 8, rank + 1, 1, stream)); }

static unsigned word(int i) {
	unsigned got;
	MUST(cuMemcpyDtoH_v2(&got, words + 4 * i, sizeof got));
	return got;
}

static void begin(const char *file) {
	static char text[1 << 16];
	void *context;
	struct { struct ipc memory, event; uint64_t address; } m;
	FILE *f = fopen(file, "r");
	MUST(f == NULL || fread(text, 1, sizeof text - 1, f) == 0);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, is("apart") || is("narrow") ? rank : 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, text));
	MUST(cuStreamCreate(&stream, NON_BLOCKING));
	MUST(cuStreamCreate(&other, NON_BLOCKING));
	if (rank == 0) {
		MUST(cuMemAlloc_v2(&words, 4 * WORDS));
		MUST(cuMemsetD32_v2(words, 0, WORDS));
		MUST(cuCtxSynchronize());
		MUST(cuEventCreate(&event, INTERPROCESS));
		MUST(cuIpcGetMemHandle(&m.memory, words));
		MUST(cuIpcGetEventHandle(&m.event, event));
		m.address = words;
		send(&m, sizeof m);
		hear();
		return;
	}
	uint64_t again;
	receive(&m, sizeof m);
	MUST(cuIpcOpenMemHandle_v2(&words, m.memory, 1));
	equal("the address", words, m.address);
	MUST(cuIpcOpenMemHandle_v2(&again, m.memory, 1));
	equal("the address again", again, words);
	MUST(cuIpcCloseMemHandle(again));
	MUST(cuIpcOpenEventHandle(&event, m.event));
	tell();
}

// first and second are what the two do.
static void first(void) {
	if (is("meet") || is("rush") || is("narrow"))
		launch(how, stream);
	else if (is("apart") || is("same"))
		launch(is("same") ? "narrow" : "meet", stream);
	else if (is("pending") || is("poll") || is("wait"))
		launch("meet", stream);
	else
		fill();
	if (is("host"))
		MUST(cuStreamSynchronize(stream));
	if (is("event") || is("pending") || is("poll") || is("wait"))
		MUST(cuEventRecord(event, stream));
	tell();
	hear();
	MUST(cuStreamSynchronize(stream));
	if (meets())
		equal("what rank 0 gets", word(2), 101);
}

static void second(void) {
	hear();
	if (is("meet") || is("rush") || is("narrow"))
		launch(how, stream);
	else if (is("apart") || is("same"))
		launch(is("same") ? "narrow" : "meet", stream);
	if (is("event"))
		MUST(cuStreamWaitEvent(stream, event, 0));
	if (is("pending") || is("poll") || is("wait"))
		equal("an event to come", cuEventQuery(event), NOT_READY);
	if (is("pending"))
		MUST(cuStreamWaitEvent(stream, event, 0));
	if (is("pending"))
		fill();
	if (is("pending"))
		equal("a fill behind it", cuStreamQuery(stream), NOT_READY);
	if (is("pending") || is("poll") || is("wait"))
		launch("meet", other);
	if (is("poll"))
		while (cuEventQuery(event) != 0)
			;
	if (is("wait"))
		MUST(cuEventSynchronize(event));
	if (is("pending") || is("poll") || is("wait"))
		MUST(cuStreamSynchronize(other));
	if (is("poll") || is("wait"))
		fill();
	if (is("host") || is("none") || is("event"))
		fill();
	MUST(cuStreamSynchronize(stream));
	if (!meets() && !is("rush"))
		equal("what rank 1 has written", word(2), 2);
	if (meets())
		equal("what rank 1 gets", word(3), 100);
	MUST(cuEventDestroy_v2(event));
	MUST(cuIpcCloseMemHandle(words));
	tell();
}

// With "none", nothing orders the fills of the two; with "host", the first waits for its own before it tells the other; with
// "event", the second waits for an event of the first. With "meet", kernels of the two wait for each other, with "rush" they do
// not; with "apart" they are on two devices; their flags have the scope of a device with "narrow", on two devices, and with
// "same", on one. With "pending", "poll" and "wait", the event is one that can only be recorded when a kernel of the second has
// run.
int main(int argc, char **argv) {
	int there[2], back[2], status;
	(void)argc;
	how = argv[2];
	MUST(pipe(there) | pipe(back));
	pid_t pid = fork();
	rank = pid == 0, in = pid == 0 ? there[0] : back[0], out = pid == 0 ? back[1] : there[1];
	begin(argv[1]);
	if (rank == 0)
		first();
	else
		second();
	fflush(stdout);
	if (rank == 1)
		_exit(0);
	MUST(waitpid(pid, &status, 0) != pid);
	equal("the end of rank 1", status, 0);
}

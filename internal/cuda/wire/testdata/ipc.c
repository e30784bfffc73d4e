// A program of both APIs with a child that opens memory and an event of its parent, which a pipe brings there. Both print what is right:
// the child first. With an argument, the child has a race of its own, and ends by a signal.
#include "check.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *handle;
struct ipc { char bytes[64]; };
enum { N = 32, NON_BLOCKING = 1, INVALID_VALUE = 1, INVALID_CONTEXT = 201 };
int cudaMalloc(void *, size_t), cudaFree(void *), cudaMemcpy(void *, const void *, size_t, int), cudaMemsetAsync(void *, int, size_t, handle), cudaMallocHost(void *, size_t), cudaDeviceSynchronize(void), cudaStreamCreateWithFlags(handle *, unsigned);
int cudaEventCreateWithFlags(handle *, unsigned), cudaEventRecord(handle, handle), cudaEventSynchronize(handle), cudaEventQuery(handle), cudaStreamWaitEvent(handle, handle, unsigned);
int cudaIpcGetMemHandle(struct ipc *, void *), cudaIpcOpenMemHandle(void *, struct ipc, unsigned), cudaIpcCloseMemHandle(void *), cudaIpcGetEventHandle(struct ipc *, handle), cudaIpcOpenEventHandle(handle *, struct ipc);
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuIpcOpenMemHandle_v2(uint64_t *, struct ipc, unsigned), cuIpcCloseMemHandle(uint64_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
struct message { struct ipc memory, event; };

// child runs before its process has used the device.
static int child(int from, int to, int racy) {
	struct message m;
	handle event, a, b, context;
	unsigned *data, got[N];
	uint64_t again;
	if (read(from, &m, sizeof m) != sizeof m)
		return 1;
	MUST(cudaIpcOpenEventHandle(&event, m.event));
	MUST(cudaEventSynchronize(event));
	MUST(cudaIpcOpenMemHandle(&data, m.memory, 1));
	MUST(cudaMemcpy(got, data, sizeof got, 2));
	equal("what the parent has written", got[N - 1], N - 1);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuIpcOpenMemHandle_v2(&again, m.memory, 1));
	MUST(cuMemcpyDtoH_v2(got, again, sizeof got));
	equal("the same by the driver", got[N - 1], N - 1);
	MUST(cuIpcCloseMemHandle(again));
	equal("a free of memory that is open", cudaFree(data), INVALID_VALUE);
	for (int i = 0; i < N; i++)
		got[i] = 2 * i;
	MUST(cudaMemcpy(data, got, sizeof got, 1));
	if (racy) {
		MUST(cudaStreamCreateWithFlags(&a, NON_BLOCKING));
		MUST(cudaStreamCreateWithFlags(&b, NON_BLOCKING));
		MUST(cudaMemsetAsync(data + N / 2, 1, 4, a));
		MUST(cudaMemsetAsync(data + N / 2, 1, 4, b));
		fflush(stdout);
		raise(SIGKILL);
	}
	MUST(cudaIpcCloseMemHandle(data));
	equal("another close", cudaIpcCloseMemHandle(data), INVALID_VALUE);
	fflush(stdout);
	return write(to, "", 1) == 1 ? 0 : 1;
}

int main(int argc, char **argv) {
	int there[2], back[2], status;
	char done;
	(void)argv;
	MUST(pipe(there) | pipe(back));
	pid_t pid = fork();
	if (pid == 0)
		_exit(child(there[0], back[1], argc > 1));
	close(back[1]);
	struct message m;
	unsigned *data, *pinned, host[N];
	handle event;
	for (int i = 0; i < N; i++)
		host[i] = i;
	MUST(cudaMalloc(&data, sizeof host));
	MUST(cudaMallocHost(&pinned, sizeof host));
	MUST(cudaMemcpy(data, host, sizeof host, 1));
	MUST(cudaEventCreateWithFlags(&event, 6));
	MUST(cudaEventRecord(event, NULL));
	MUST(cudaIpcGetMemHandle(&m.memory, data));
	MUST(cudaIpcGetEventHandle(&m.event, event));
	MUST(write(there[1], &m, sizeof m) != sizeof m);
	(void)!read(back[0], &done, 1);
	MUST(waitpid(pid, &status, 0) != pid);
	equal("the child's end", argc > 1 ? WTERMSIG(status) - SIGKILL : status, 0);
	MUST(cudaMemcpy(host, data, sizeof host, 2));
	equal("what the child has written", host[N - 1], 2 * (N - 1));
	equal("pinned memory", cudaIpcGetMemHandle(&m.event, pinned), INVALID_VALUE);
	equal("memory of this process", cudaIpcOpenMemHandle(&data, m.memory, 1), INVALID_CONTEXT);
	memset(&m, 7, sizeof m);
	equal("a handle that is none", cudaIpcOpenMemHandle(&data, m.memory, 1), INVALID_VALUE);
}

// Two processes, each a rank of a communicator of NCCL. The argument names what they do.
#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *comm_t;
typedef struct {
	char bytes[128];
} ncclUniqueId;
int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaStreamSynchronize(void *), cudaStreamCreate(void **);
int ncclGetUniqueId(ncclUniqueId *), ncclCommInitRank(comm_t *, int, ncclUniqueId, int), ncclCommDestroy(comm_t), ncclCommSplit(comm_t, int, int, comm_t *, void *);
int ncclAllReduce(const void *, void *, size_t, int, int, comm_t, void *), ncclSend(const void *, size_t, int, int, comm_t, void *), ncclRecv(void *, size_t, int, int, comm_t, void *);

enum { INT = 2, SUM = 0 };

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	int pipes[2], rank, values[2], *memory, error = 0;
	ncclUniqueId id;
	void *stream;
	comm_t c, part;
	MUST(pipe(pipes));
	rank = fork() == 0;
	if (rank == 0) {
		MUST(ncclGetUniqueId(&id));
		MUST(write(pipes[1], &id, sizeof id) != sizeof id);
	} else {
		MUST(read(pipes[0], &id, sizeof id) != sizeof id);
	}
	values[0] = 10 + rank, values[1] = 1000 * rank;
	MUST(cudaMalloc((void **)&memory, sizeof values));
	MUST(cudaMemcpy(memory, values, sizeof values, 1));
	MUST(cudaStreamCreate(&stream));
	MUST(ncclCommInitRank(&c, 2, id, rank));
	if (strcmp(what, "gone") == 0 && rank == 1)
		return 0;
	if (strcmp(what, "crossed") == 0) {
		MUST(ncclSend(memory, 1, INT, 1 - rank, c, stream));
		MUST(ncclRecv(memory, 1, INT, 1 - rank, c, stream));
	}
	for (int i = 0; i < 20; i++) {
		if (i == 10 && rank == 1)
			usleep(100000); // while the other one waits
		MUST(ncclAllReduce(memory, memory, 1, INT, SUM, c, stream));
	}
	error = cudaStreamSynchronize(stream);
	if (*what == 0) {
		MUST(error);
		MUST(cudaMemcpy(values, memory, sizeof values, 2));
		MUST(ncclCommSplit(c, 0, -rank, &part, NULL));
		MUST(ncclAllReduce(memory, memory, 2, INT, SUM, part, NULL));
		MUST(cudaMemcpy(values, memory, sizeof values, 2));
		error = values[0] != 21 << 20 || values[1] != 1000;
		MUST(ncclCommDestroy(part));
	}
	MUST(ncclCommDestroy(c));
	if (rank == 1)
		return *what == 0 ? error : 0;
	equal(*what == 0 ? "first" : "wait", error, *what == 0 ? 0 : 702);
	MUST(wait(&error) < 0);
	equal("second", WEXITSTATUS(error), 0);
	puts("done");
	return 0;
}

// A pool of buffers of one process, which a process on another device consumes (cudaIpcGetMemHandle). A pipe in each
// direction says which buffer is full, and which one is free again.
//
//     ipc_pool        each process waits for its kernel before it tells the other
//     ipc_pool event  an event of both processes for each buffer and direction: nobody's host waits
//     ipc_pool early  the producer does not wait
//     ipc_pool reuse  the consumer does not wait before it gives a buffer back
#include "devices.h"

#include <sys/wait.h>
#include <unistd.h>

constexpr int n = 256, buffers = 2, rounds = 4;

__global__ void produce(int *buffer, int round) { buffer[threadIdx.x] = round; }

__global__ void consume(const int *buffer, int *sums) { sums[threadIdx.x] += buffer[threadIdx.x]; }

struct pool {
  cudaIpcMemHandle_t buffer[buffers];
  cudaIpcEventHandle_t full[buffers], free[buffers];
};

template <class T> void send(int fd, const T &message) {
  if (write(fd, &message, sizeof message) != sizeof message)
    exit(3);
}

template <class T> void receive(int fd, T *message) {
  if (read(fd, message, sizeof *message) != sizeof *message)
    exit(3);
}

void produce_all(int in, int out, bool events, bool waits) {
  pool p;
  int *buffer[buffers], index;
  cudaEvent_t full[buffers], free[buffers];
  cudaStream_t stream;
  use(0);
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < buffers; i++) {
    buffer[i] = array<int>(0, n);
    CHECK(cudaEventCreateWithFlags(&full[i], cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventCreateWithFlags(&free[i], cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaIpcGetMemHandle(&p.buffer[i], buffer[i]));
    CHECK(cudaIpcGetEventHandle(&p.full[i], full[i]));
    CHECK(cudaIpcGetEventHandle(&p.free[i], free[i]));
  }
  send(out, p);
  for (int round = 0; round < rounds; round++) {
    int i = round % buffers;
    if (round >= buffers)
      receive(in, &index);
    if (events)
      CHECK(cudaStreamWaitEvent(stream, free[i], 0)); // nothing, before the first record
    produce<<<1, n, 0, stream>>>(buffer[i], round + 1);
    if (events)
      CHECK(cudaEventRecord(full[i], stream));
    else if (waits)
      CHECK(cudaStreamSynchronize(stream));
    send(out, i);
  }
  receive(in, &index); // the last ones, which are free when the consumer has ended
}

bool consume_all(int in, int out, bool events, bool waits) {
  pool p;
  int *buffer[buffers], *sums = array<int>(1, n), index;
  cudaEvent_t full[buffers], free[buffers];
  cudaStream_t stream;
  receive(in, &p);
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < buffers; i++) {
    CHECK(cudaIpcOpenMemHandle((void **)&buffer[i], p.buffer[i], cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&full[i], p.full[i]));
    CHECK(cudaIpcOpenEventHandle(&free[i], p.free[i]));
  }
  for (int round = 0; round < rounds; round++) {
    receive(in, &index);
    if (events)
      CHECK(cudaStreamWaitEvent(stream, full[index], 0));
    consume<<<1, n, 0, stream>>>(buffer[index], sums);
    if (events)
      CHECK(cudaEventRecord(free[index], stream));
    else if (waits)
      CHECK(cudaStreamSynchronize(stream));
    send(out, index);
  }
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < buffers; i++)
    CHECK(cudaIpcCloseMemHandle(buffer[i]));
  return holds(1, sums, n, rounds * (rounds + 1) / 2);
}

int main(int, char **argv) {
  int there[2], back[2], status = 0;
  bool events = variant(argv, "event");
  if (pipe(there) != 0 || pipe(back) != 0)
    return 3;
  pid_t consumer = fork(); // before the first call of CUDA's
  if (consumer == 0)
    _exit(consume_all(there[0], back[1], events, !variant(argv, "reuse")) ? 0 : 1);
  produce_all(back[0], there[1], events, !variant(argv, "early"));
  if (waitpid(consumer, &status, 0) != consumer)
    return 3;
  print("pool of two processes", status == 0);
  return 0;
}

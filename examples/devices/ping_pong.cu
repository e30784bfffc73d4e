// Two devices send each other a message in turns. A flag in the receiver's memory has the number of the message.
//
//     ping_pong        the flag after the message
//     ping_pong early  the flag before the message
#include "devices.h"

#include <utility>

constexpr unsigned n = 32, turns = 4;

struct mailbox {
  volatile unsigned *message, *flag;
};

__device__ void send(mailbox to, unsigned number) {
  to.message[threadIdx.x] = number;
  __threadfence_system();
  __syncwarp();
  if (threadIdx.x == 0)
    *to.flag = number;
}

__device__ void send_early(mailbox to, unsigned number) {
  if (threadIdx.x == 0)
    *to.flag = number;
  __threadfence_system();
  __syncwarp();
  reinterpret_cast<unsigned *>(const_cast<unsigned *>(to.message))[threadIdx.x] = number;
}

__device__ unsigned receive(mailbox from, unsigned number) {
  while (*from.flag < number)
    ;
  __threadfence_system();
  __syncwarp();
  return const_cast<unsigned *>(from.message)[threadIdx.x];
}

__global__ void play(mailbox mine, mailbox other, bool begins, bool early, unsigned *sum) {
  for (unsigned turn = 1; turn <= turns; turn++) {
    if (begins)
      early ? send_early(other, turn) : send(other, turn);
    sum[threadIdx.x] += receive(mine, turn);
    if (!begins)
      early ? send_early(other, turn) : send(other, turn);
  }
}

int main(int, char **argv) {
  connect();
  mailbox box[devices];
  unsigned *sum[devices];
  for (int d = 0; d < devices; d++) {
    box[d] = {array<unsigned>(d, n), array<unsigned>(d, 1)};
    sum[d] = array<unsigned>(d, n);
  }
  for (int d = 0; d < devices; d++) {
    use(d);
    play<<<1, n>>>(box[d], box[1 - d], d == 0, variant(argv, "early"), sum[d]);
    CHECK(cudaGetLastError());
  }
  synchronize();
  print("ping-pong", holds(0, sum[0], n, turns * (turns + 1) / 2) && holds(1, sum[1], n, turns * (turns + 1) / 2));
  return 0;
}

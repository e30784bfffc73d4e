"""Two processes, each with a GPU, add up a tensor with NCCL (ptxsan exec --devices 2 --torch-host -- python3 distributed.py).
With the argument racy, they use the result without a wait for the operation."""
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as multiprocessing


def work(rank: int, racy: bool) -> None:
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=2)
    values = torch.arange(4.0, device="cuda") * (rank + 1)
    adding = dist.all_reduce(values, async_op=True)
    if not racy:
        adding.wait()
    result = values * 2
    print(f"rank {rank}: {result.tolist()}", flush=True)
    gathered = torch.empty(8, device="cuda")
    dist.all_gather_into_tensor(gathered, result)
    if rank == 0:
        dist.send(gathered, 1)
    else:
        dist.recv(gathered, 0)
        print(f"gathered: {gathered.tolist()}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    multiprocessing.spawn(work, args=("racy" in sys.argv,), nprocs=2)

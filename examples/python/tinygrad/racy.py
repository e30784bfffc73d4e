"""A custom kernel of tinygrad: all threads add to one element."""
import os

os.environ.setdefault("DEV", "CUDA")
from tinygrad import Tensor
from tinygrad.uop.ops import AxisType, KernelInfo, UOp


def total(sum, x):
    i = UOp.range(x.shape[0], 0, AxisType.GLOBAL)
    return sum[0].store(sum[0] + x[i]).end(i).sink(arg=KernelInfo(name="total", opts_to_apply=()))


x, sum = Tensor.ones(256).contiguous().realize(), Tensor.zeros(1).contiguous().realize()
print(sum.custom_kernel(x, fxn=total)[0].numpy())  # race: of this launch

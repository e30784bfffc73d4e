"""CuPy: two streams with an event between them, a fused function, a memory pool's arrays that are used again."""
import cupy as cp
import numpy as np

host = np.arange(512, dtype=np.float32)
first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream(non_blocking=True)
with first:
    a = cp.asarray(host)
    a *= 2
    done = first.record()
with second:
    second.wait_event(done)
    b = a + 1
second.synchronize()
assert (cp.asnumpy(b) == 2 * host + 1).all()


@cp.fuse()
def fused(x, y):
    return x * y + x


assert (cp.asnumpy(fused(b, b)) == (2 * host + 1) * (2 * host + 2)).all()
print("right")

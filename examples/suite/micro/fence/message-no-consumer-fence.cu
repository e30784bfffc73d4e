// As message-no-fence, but the producer has its fence. The papers ask for no more; the PTX
// model does.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    __threadfence();
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence();
#endif
    out[0] = data[0];  // B
  }
}

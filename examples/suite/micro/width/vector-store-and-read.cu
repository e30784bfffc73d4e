// A vector store of two words, and a read of the second by another block.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0))
    asm volatile("st.v2.u32 [%0], {%1, %1};" ::"l"(data), "r"(7) : "memory");  // A
#ifdef FIXED
  if (BLOCK(1))
    out[0] = data[2];
#else
  if (BLOCK(1))
    out[0] = data[1];  // B
#endif
}

#include "cuda.h"
#ifdef __NVCC__
#include_next <host_defines.h>
#endif

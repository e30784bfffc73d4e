#include "cuda.h"
#ifdef __NVCC__
#include_next <driver_types.h>
#endif

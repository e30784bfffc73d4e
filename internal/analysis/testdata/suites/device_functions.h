#include "cuda.h"
#ifdef __NVCC__
#include_next <device_functions.h>
#endif

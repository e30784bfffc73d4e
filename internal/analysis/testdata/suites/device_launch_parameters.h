#include "cuda.h"
#ifdef __NVCC__
#include_next <device_launch_parameters.h>
#endif

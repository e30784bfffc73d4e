#include "cuda.h"
#ifdef __NVCC__
#include_next <sm_atomic_functions.h>
#endif

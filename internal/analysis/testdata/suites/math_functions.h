#include "cuda.h"
#ifdef __NVCC__
#include_next <math_functions.h>
#endif

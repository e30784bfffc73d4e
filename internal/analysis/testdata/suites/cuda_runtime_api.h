#include "cuda.h"
#ifdef __NVCC__
#include_next <cuda_runtime_api.h>
#endif

#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <cuda_runtime_api.h>
#endif

#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <device_functions.h>
#endif

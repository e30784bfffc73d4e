#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <device_launch_parameters.h>
#endif

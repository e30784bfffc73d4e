#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <driver_types.h>
#endif

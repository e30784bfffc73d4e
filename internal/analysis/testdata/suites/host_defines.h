#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <host_defines.h>
#endif

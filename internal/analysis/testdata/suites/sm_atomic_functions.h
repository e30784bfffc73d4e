#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <sm_atomic_functions.h>
#endif

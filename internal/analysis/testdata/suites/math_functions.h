#include "cuda.h"
#if __has_include("cooperative_groups.h")
#include_next <math_functions.h>
#endif

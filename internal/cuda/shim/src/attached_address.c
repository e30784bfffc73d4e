// Functions that applications, and NVIDIA's runtime, ask the driver for by name.
#include "attached.h"

#define ADDRESS(name, params, args)                             \
	EXPORT CUresult name params;                                \
	CUresult name params {                                      \
		CUresult error = REAL(name) args;                       \
		if (error == CUDA_SUCCESS && function != 0 && *function != 0)  \
			*function = attached_wrapper(symbol, *function, version, flags);    \
		return error;                                           \
	}
ADDRESS(cuGetProcAddress, (const char *symbol, void **function, int version, uint64_t flags), (symbol, function, version, flags))
ADDRESS(cuGetProcAddress_v2, (const char *symbol, void **function, int version, uint64_t flags, int *status), (symbol, function, version, flags, status))

// Arrays of the driver API.
#include <stddef.h>
#include <stdint.h>

typedef struct array *CUarray;
typedef uint64_t CUdeviceptr;

typedef struct {
	size_t width, height;
	int format;
	unsigned channels;
} Array2D;
typedef struct {
	size_t width, height, depth;
	int format;
	unsigned channels, flags;
} Array3D;

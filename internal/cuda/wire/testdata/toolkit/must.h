// What the programs of this folder have in common: with an argument they race. A call that fails ends them.
#include <cstdio>
#include <cstdlib>
#define MUST(call) do { cudaError_t failed_ = (call); if (failed_ != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(failed_)); exit(9); } } while (0)

// Memory and events of the driver API that processes share.
#include "cuda.h"

#define IPC(name) cuIpc##name
#include "ipc.h"

SAME_AS(cuIpcOpenMemHandle) CUresult cuIpcOpenMemHandle_v2(uint64_t *, struct ipc_handle, unsigned);

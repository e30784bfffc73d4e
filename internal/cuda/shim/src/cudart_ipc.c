// Memory and events of the runtime API that processes share.
#include "cudart.h"

#define IPC(name) cudaIpc##name
#include "ipc.h"

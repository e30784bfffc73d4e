// Memory and events that processes of an application share, which are the same in both APIs. Each library includes this once, with its
// IPC(name), a function's name.
#ifndef PTXSAN_IPC_H
#define PTXSAN_IPC_H

#include "handles.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

// CUipcMemHandle and CUipcEventHandle, which are of one size.
struct ipc_handle {
	uint64_t kind, number, reserved[6];
};
enum { IPC_MEMORY = 0x50545853, IPC_EVENT };

EXPORT int IPC(GetMemHandle)(struct ipc_handle *h, uint64_t address) {
	if (h == NULL)
		return failed(WIRE_INVALID_VALUE);
	*h = (struct ipc_handle){.kind = IPC_MEMORY};
	return failed(wire_share(SHARE_EXPORT, address, 0, &h->number));
}

EXPORT int IPC(OpenMemHandle)(uint64_t *address, struct ipc_handle h, unsigned flags) {
	(void)flags;
	return failed(h.kind != IPC_MEMORY || address == NULL ? WIRE_INVALID_VALUE : wire_share(SHARE_OPEN, h.number, 0, address));
}

EXPORT int IPC(CloseMemHandle)(uint64_t address) { return failed(wire_share(SHARE_CLOSE, address, 0, NULL)); }

EXPORT int IPC(GetEventHandle)(struct ipc_handle *h, struct event *e) {
	if (h == NULL || !LIVE(e))
		return failed(h == NULL ? WIRE_INVALID_VALUE : WIRE_INVALID_HANDLE);
	*h = (struct ipc_handle){.kind = IPC_EVENT};
	return failed(wire_share(SHARE_EXPORT_EVENT, e->id, 0, &h->number));
}

EXPORT int IPC(OpenEventHandle)(struct event **e, struct ipc_handle h) {
	if (h.kind != IPC_EVENT || e == NULL)
		return failed(WIRE_INVALID_VALUE);
	uint32_t id = wire_number();
	int error = wire_share(SHARE_OPEN_EVENT, h.number, id, NULL);
	struct event *opened = error == WIRE_OK ? calloc(1, sizeof *opened) : NULL;
	if (error == WIRE_OK && opened == NULL)
		error = WIRE_OUT_OF_MEMORY;
	if (error == WIRE_OK) {
		opened->id = id, opened->epoch = wire_epoch();
		*e = opened;
	}
	return failed(error);
}

#endif

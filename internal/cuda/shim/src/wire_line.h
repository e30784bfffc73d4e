// What the parts of the connection share (wire.c, wire_memory.c, wire_host.c).
#ifndef PTXSAN_WIRE_LINE_H
#define PTXSAN_WIRE_LINE_H

#include "wire.h"

// The connection's lock. line_taken reports whether a thread has it, line_held whether this one has, and line_own whether the
// connection is of this process, and not of the one that forked it.
void line_take(void);
// line_try takes the lock unless another thread keeps it for seconds.
int line_try(void);
void line_give(void);
// line_settle ends the request of this thread, which has the lock, that memory of the application's keeps from ending. The value is
// 0 if there is none.
int line_settle(void);
int line_taken(void);
int line_held(void);
int line_own(void);

// line_ready connects if there is no connection; the value is CUDA's number of an error, also of a sticky one. line_connected is
// without those. line_sticky says that the application gets the error of a kernel.
int line_ready(void);
int line_connected(void);
int line_sticky(int error);

// line_exchange is wire_call for who holds the lock and has a connection.
int line_exchange(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size);

// Bits beside the stream of a request: the call is a synchronous form, the request begins with the place of the call, it is a
// further part of the call, all streams wait for the operation, a function that the stream calls makes the access.
enum { LINE_STREAM = (1 << 27) - 1 };
#define LINE_SYNC 0x80000000u
#define LINE_PATH 0x40000000u
#define LINE_PART 0x20000000u
#define LINE_ACROSS 0x10000000u
#define LINE_FUNCTION 0x08000000u

// line_stream is the stream of a request of this thread, with the bits but that of the place. line_answered says that the request
// has been performed.
uint32_t line_stream(enum wire_op op);
void line_answered(enum wire_op op);

// wire_waits reports whether the operations of this thread are of synchronous forms, and wire_stream their stream otherwise.
int wire_waits(void);
uint32_t wire_stream(void);

// line_orders says that the order of operations matters from now on, and line_ordered reports whether it does.
void line_orders(void);
int line_ordered(void);

// line_range is the range of this thread, "" for none.
const char *line_range(void);

// line_devices is the number of devices of a connection.
uint32_t line_devices(void);

// line_function says that this thread executes a function that a stream calls, or has executed it.
void line_function(uint32_t stream, int on);

// The line_finish functions wait for the end of a function that a stream calls and that has not begun: of any, of one of a
// stream, or of one that a request of this thread needs.
void line_finish_function(void);
void line_finish_function_of(uint32_t stream);
void line_finish_function_before(enum wire_op op);

// line_passed is the file descriptor that came with the last reply, or -1. It is the caller's.
int line_passed(void);

// line_shares reports whether there is memory that the host can reach.
int line_shares(void);

// wire_unregister_all ends the registration of all memory of the host that was registered on the current device.
void wire_unregister_all(void);

// mapped_here reports whether memory lies in an allocation that the host can reach.
int mapped_here(uintptr_t host, size_t size);

// wire_mapping says what the pages of a range are: all mapped, readable and writable, and all private to the process and without code;
// whether some are of a stack, which grows downwards if it is that of the main thread; and whether a mapping begins with them or
// within them.
struct wire_mapping {
	int mapped, readable, writable, private, stack, grows, lowest;
};
struct wire_mapping wire_mapping(uintptr_t start, uintptr_t end);

// line_is_fault reports whether an error is one of a kernel that runs, and not of its launch.
int line_is_fault(int error);

// line_pool_freed says that memory has been freed, which may be a pool's, and line_pool_reset that all of the current device is.
// The caller holds the lock.
void line_pool_freed(uint64_t address);
void line_pool_reset(void);

// wire_path is the place of the call that is being made.
enum { WIRE_PATH = 16 };
size_t wire_path(uint64_t *path, size_t most);

// wire_path_from is the place of an instruction that has caused a signal. wire_path_ready loads what that needs, which a signal's
// handler must not.
size_t wire_path_from(void *context, uint64_t *path);
void wire_path_ready(void);

// line_tells_crashes has the other end told when a signal is to end the process.
void line_tells_crashes(void);

// wire_python is the end of the place of a call that is made by CPython: its thread. The value is 0 or 1.
size_t wire_python(uint64_t *path);

// Pages whose protection changes; the numbers are those of internal/order.
enum { ALLOW_ALL, ALLOW_READS, ALLOW_NOTHING };
struct wire_range {
	uint64_t address, size;
	uint32_t allow, reserved;
};
// wire_watch takes the signals of protected pages back, which the application may have taken.
void wire_watch(void);
void wire_protect(const struct wire_range *list, size_t n);

#endif

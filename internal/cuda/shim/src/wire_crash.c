// The end of the process by a signal that its own code causes: the other end is told, with the place, and the process ends as it
// would have.
#define _GNU_SOURCE
#include "wire_line.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static void on_crash(int number, siginfo_t *info, void *context) {
	struct {
		uint32_t number, count;
		uint64_t path[WIRE_PATH];
	} request = {.number = number};
	signal(number, SIG_DFL);
	if (line_own() && (line_held() ? line_settle() : line_try())) {
		request.count = wire_path_from(context, request.path);
		struct wire_part part = {&request, offsetof(__typeof__(request), path) + request.count * sizeof *request.path};
		line_exchange(OP_CRASH, &part, 1, NULL, 0);
		line_give();
	}
	if (info->si_code <= 0) // no instruction will cause it again
		raise(number);
}

// A thread that has no room left on its stack has some here, if it is the one that connects.
static void own_stack(void) {
	enum { SIZE = 1 << 16 };
	stack_t now, ours = {.ss_size = SIZE};
	if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
		return;
	ours.ss_sp = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ours.ss_sp != MAP_FAILED)
		sigaltstack(&ours, NULL);
}

void line_tells_crashes(void) {
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
	struct sigaction now, ours = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	wire_path_ready();
	own_stack();
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
			sigaction(signals[i], &ours, NULL);
}

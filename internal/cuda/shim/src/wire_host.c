// Host code that touches memory which operations use that it has not waited for. The other end
// says which pages those are; they are protected, so that an access of the host faults, is
// reported with its place, and is executed all the same: with the page open for one instruction
// where the processor can execute a single one, or else with the page open from then on.
#define _GNU_SOURCE
#include "wire_line.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else
static int backtrace(void **frames, int most) {
	(void)frames, (void)most;
	return 0;
}
#endif

enum { PAGE = 4096 }; // as the other end counts; where pages are larger, nothing is protected

static const int permissions[] = {[ALLOW_ALL] = PROT_READ | PROT_WRITE, [ALLOW_READS] = PROT_READ, [ALLOW_NOTHING] = PROT_NONE};

// Registered memory: the host's addresses of what has others on the device. Slots are written
// and read by several threads, one of which may be a signal's handler.
static struct alias {
	uintptr_t host, size; // 0 for a free slot
	uint64_t device;
	int kind;
} aliases[1024];
enum { ALIASES = sizeof aliases / sizeof *aliases };

void wire_alias(uint64_t device, uintptr_t host, size_t size, int kind) {
	for (int i = 0; i < ALIASES; i++) {
		size_t none = 0;
		if (__atomic_compare_exchange_n(&aliases[i].size, &none, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			aliases[i].device = device, aliases[i].kind = kind;
			__atomic_store_n(&aliases[i].host, host, __ATOMIC_RELEASE);
			__atomic_store_n(&aliases[i].size, size, __ATOMIC_RELEASE);
			return;
		}
	}
}

void wire_unalias(uintptr_t host) {
	for (int i = 0; i < ALIASES; i++)
		if (aliases[i].size > 0 && aliases[i].host == host)
			__atomic_store_n(&aliases[i].size, 0, __ATOMIC_RELEASE);
}

// constant reports whether the host can only read an address, whatever the device does with it.
static int constant(uintptr_t host) {
	for (int i = 0; i < ALIASES; i++)
		if (aliases[i].size > 1 && host - aliases[i].host < aliases[i].size)
			return aliases[i].kind & ALIAS_CONSTANT;
	return 0;
}

// device_address is the device's address of memory of the host, 0 for none that is shared.
static uint64_t device_address(uintptr_t host, size_t size) {
	for (int i = 0; i < ALIASES; i++) {
		struct alias a = aliases[i];
		if (a.size > 1 && host - a.host < a.size && size <= a.size - (host - a.host))
			return a.device + (host - a.host);
	}
	return mapped_here(host, size) ? host : 0;
}

uint64_t wire_visible(const void *host, size_t size) {
	line_take();
	uint64_t device = device_address((uintptr_t)host, size);
	line_give();
	return device;
}

static void on_fault(int number, siginfo_t *info, void *context);
static void on_step(int number, siginfo_t *info, void *context);

// The handlers that the application had, or has installed since.
static struct handler {
	int signal;
	void (*own)(int, siginfo_t *, void *);
	struct sigaction before;
} handlers[] = {{.signal = SIGSEGV, .own = on_fault}, {.signal = SIGTRAP, .own = on_step}};

static void install(struct handler *h) {
	struct sigaction now;
	if (sigaction(h->signal, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO && now.sa_sigaction == h->own))
		return;
	h->before = now;
	struct sigaction a = {.sa_sigaction = h->own, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	sigaction(h->signal, &a, NULL);
}

// pass leaves a signal to who would have got it. Where that is nobody, the instruction faults
// again and ends the process.
static void pass(struct handler *h, siginfo_t *info, void *context) {
	if (h->before.sa_flags & SA_SIGINFO)
		h->before.sa_sigaction(h->signal, info, context);
	else if (h->before.sa_handler != SIG_DFL && h->before.sa_handler != SIG_IGN)
		h->before.sa_handler(h->signal);
	else
		sigaction(h->signal, &h->before, NULL);
}

static int watching; // pages have been protected

void wire_watch(void) {
	for (size_t i = 0; watching && i < sizeof handlers / sizeof *handlers; i++)
		install(&handlers[i]);
}

void wire_protect(const struct wire_range *list, size_t n) {
	if (sysconf(_SC_PAGESIZE) != PAGE)
		return;
	if (!watching) {
		wire_path_ready();
		watching = 1;
		wire_watch();
	}
	for (size_t i = 0; i < n; i++) {
		const struct wire_range *r = &list[i];
		if (r->allow > ALLOW_NOTHING)
			continue;
		int aliased = 0;
		for (int k = 0; k < ALIASES; k++) {
			struct alias a = aliases[k];
			uint64_t from = r->address > a.device ? r->address : a.device;
			uint64_t to = r->address + r->size < a.device + a.size ? r->address + r->size : a.device + a.size;
			if (a.size > 1 && from < to) {
				aliased = 1;
				if (!(a.kind & ALIAS_STACK))
					mprotect((void *)(a.host + (from - a.device)), to - from, permissions[r->allow] & ~(a.kind & ALIAS_CONSTANT ? PROT_WRITE : 0));
			}
		}
		if (!aliased)
			mprotect((void *)r->address, r->size, permissions[r->allow]);
	}
}

// The state of this thread in CPython, which the other end reads, ends a path; it has a bit that no address of code has.
static void *(*python_thread)(void);
static const uint64_t PYTHON_BIT = 1ull << 63;

__attribute__((constructor)) static void find_python(void) {
	python_thread = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
}

static size_t with_python(uint64_t *path, size_t count) {
	void *state = python_thread != NULL ? python_thread() : NULL;
	if (state != NULL)
		path[count++] = PYTHON_BIT | (uintptr_t)state;
	return count;
}

size_t wire_python(uint64_t *path) { return with_python(path, 0); }

// The place of a call: return addresses, less 1, from this library outwards.
size_t wire_path(uint64_t *path, size_t most) {
	void *frames[WIRE_PATH];
	int n = backtrace(frames, most < WIRE_PATH ? most : WIRE_PATH);
	n = n == WIRE_PATH ? n - 1 : n; // room for one more
	for (int i = 0; i < n; i++)
		path[i] = (uintptr_t)frames[i] - 1;
	return with_python(path, n);
}

// Pages that threads have open for one instruction. A thread's own storage cannot be used: its
// first use allocates memory, which a handler must not.
enum { OPEN = 64 };
enum { FREE, TAKEN, VALID };
static struct open {
	int state; // FREE, TAKEN while it is filled in, VALID
	pthread_t thread;
	uintptr_t page;
	int permission;
} open_pages[OPEN];

static int keep_open(uintptr_t page, int permission) {
	for (struct open *o = open_pages; o < open_pages + OPEN; o++) {
		int none = FREE;
		if (!__atomic_compare_exchange_n(&o->state, &none, TAKEN, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		o->thread = pthread_self(), o->page = page, o->permission = permission;
		__atomic_store_n(&o->state, VALID, __ATOMIC_RELEASE);
		return 1;
	}
	return 0;
}

// close_pages protects the pages again that this thread has open. The value is how many.
static int close_pages(void) {
	int n = 0;
	for (struct open *o = open_pages; o < open_pages + OPEN; o++)
		if (__atomic_load_n(&o->state, __ATOMIC_ACQUIRE) == VALID && pthread_equal(o->thread, pthread_self())) {
			mprotect((void *)o->page, PAGE, o->permission);
			__atomic_store_n(&o->state, FREE, __ATOMIC_RELEASE);
			n++;
		}
	return n;
}

// often reports whether a page has faulted so many times that it stays open: what touches it has
// been reported, or is no race.
static int often(uintptr_t page) {
	enum { SLOTS = 512, MOST = 64 };
	static struct {
		uintptr_t page;
		unsigned count;
	} slots[SLOTS];
	unsigned i = page / PAGE % SLOTS;
	if (slots[i].page != page)
		slots[i].page = page, slots[i].count = 0;
	return ++slots[i].count > MOST;
}

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100, WRITE_BIT = 2 };
#define REGISTER(context, name) (((ucontext_t *)(context))->uc_mcontext.gregs[name])
static int is_write(void *context) { return (REGISTER(context, REG_ERR) & WRITE_BIT) != 0; }
static uintptr_t place(void *context) { return REGISTER(context, REG_RIP); }
enum { CAN_STEP = 1 };
static void step(void *context, int on) {
	REGISTER(context, REG_EFL) = on ? REGISTER(context, REG_EFL) | TRAP_FLAG : REGISTER(context, REG_EFL) & ~TRAP_FLAG;
}
#else
static int is_write(void *context) {
	(void)context;
	return 2; // not known
}
static uintptr_t place(void *context) {
	(void)context;
	return 0;
}
enum { CAN_STEP = 0 };
static void step(void *context, int on) { (void)context, (void)on; }
#endif

void wire_path_ready(void) {
	void *frame;
	backtrace(&frame, 1); // the first use loads a library
}

// The place of a fault: the instruction, and the calls that led to it.
size_t wire_path_from(void *context, uint64_t *path) {
	void *frames[WIRE_PATH + 4];
	int n = backtrace(frames, WIRE_PATH + 4), from = 0;
	uintptr_t at = place(context);
	size_t count = 0;
	while (from < n && (uintptr_t)frames[from] != at)
		from++;
	path[count++] = at;
	for (int i = from + 1; i < n && count < WIRE_PATH - 1; i++)
		path[count++] = (uintptr_t)frames[i] - 1;
	return with_python(path, count);
}

// told reports an access to the other end, which says what the page allows.
static uint32_t told(uint64_t device, void *context) {
	struct {
		uint64_t address;
		uint32_t write, count;
		uint64_t path[WIRE_PATH];
	} request = {.address = device, .write = is_write(context)};
	request.count = wire_path_from(context, request.path);
	struct wire_part part = {&request, offsetof(__typeof__(request), path) + request.count * sizeof *request.path};
	uint32_t allow = ALLOW_ALL;
	return line_exchange(OP_HOST, &part, 1, &allow, sizeof allow) == WIRE_OK && allow <= ALLOW_NOTHING ? allow : ALLOW_ALL;
}

// handled reports whether a fault was one of protected memory, which has been opened.
static int handled(siginfo_t *info, void *context) {
	uintptr_t host = (uintptr_t)info->si_addr, page = host & ~(uintptr_t)(PAGE - 1);
	if (info->si_code != SEGV_ACCERR || (is_write(context) == 1 && constant(host)))
		return 0;
	int inside = line_held(), allow = ALLOW_ALL;
	if (!inside)
		line_take();
	uint64_t device = device_address(host, 1);
	if (device != 0 && !inside && line_own())
		allow = told(device, context);
	if (!inside)
		line_give();
	if (device == 0)
		return 0;
	if (CAN_STEP && allow != ALLOW_ALL && !often(page) && keep_open(page, permissions[allow]))
		step(context, 1);
	mprotect((void *)page, PAGE, constant(host) ? PROT_READ : PROT_READ | PROT_WRITE);
	return 1;
}

static void on_fault(int number, siginfo_t *info, void *context) {
	(void)number;
	int saved = errno;
	if (!handled(info, context))
		pass(&handlers[0], info, context);
	errno = saved;
}

static void on_step(int number, siginfo_t *info, void *context) {
	(void)number;
	int saved = errno;
	if (close_pages() > 0)
		step(context, 0);
	else
		pass(&handlers[1], info, context);
	errno = saved;
}

// What the pages of a range of the process's memory are, as /proc/self/maps says (proc_pid_maps(5)).
#define _GNU_SOURCE
#include "wire_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// A line of the file.
struct mapping {
	uintptr_t from, to;
	char allowed[5]; // as rwxp; the last one is s for a shared mapping
	unsigned long inode;
	int is_stack; // of the main thread, where it begins
};

static int next(FILE *f, struct mapping *m) {
	char line[4096];
	if (fgets(line, sizeof line, f) == NULL || sscanf(line, "%lx-%lx %4s %*x %*s %lu", &m->from, &m->to, m->allowed, &m->inode) != 4)
		return 0;
	m->is_stack = strstr(line, "[stack]") != NULL;
	return 1;
}

// main_stack is the lowest address that the main thread's stack may have whose end is given.
static uintptr_t main_stack(uintptr_t end) {
	enum { MOST = 1 << 30 };
	struct rlimit limit;
	uintptr_t size = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST ? limit.rlim_cur : MOST;
	return end - (size < end ? size : end);
}

static int within(uintptr_t at, const struct mapping *m) { return m->from <= at && at < m->to; }

struct wire_mapping wire_mapping(uintptr_t start, uintptr_t end) {
	struct wire_mapping r = {.mapped = 1, .readable = 1, .writable = 1, .private = 1};
	struct mapping m, before = {0};
	uintptr_t covered = start, own = (uintptr_t)&m;
	FILE *f = fopen("/proc/self/maps", "re");
	if (f == NULL)
		return (struct wire_mapping){0};
	for (; next(f, &m); before = m) {
		if (m.is_stack && start < m.to && main_stack(m.to) <= start)
			r.stack = r.grows = 1;
		if (m.to <= start || end <= m.from)
			continue;
		r.mapped &= m.from <= covered;
		covered = m.to;
		r.readable &= m.allowed[0] == 'r';
		r.writable &= m.allowed[1] == 'w';
		r.private &= m.allowed[2] != 'x' && m.allowed[3] == 'p';
		// A stack is that of this thread, or has pages below that nothing can be done with.
		r.stack |= within(own, &m) || (m.inode == 0 && before.to == m.from && strcmp(before.allowed, "---p") == 0);
		r.lowest = r.lowest || m.from >= start;
	}
	fclose(f);
	r.mapped &= covered >= end;
	return r;
}

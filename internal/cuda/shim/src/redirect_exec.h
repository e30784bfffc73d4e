// execve for the application: a program that is started without the variables by which it comes here (env -i, subprocess.run(env={}))
// gets them all the same. What follows runs between vfork and exec, too: it allocates nothing but a mapping.
#ifndef PTXSAN_REDIRECT_EXEC_H
#define PTXSAN_REDIRECT_EXEC_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const variables[] = {"LD_AUDIT", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "PTXSAN_EXEC_SOCKET"};
enum { VARIABLES = sizeof variables / sizeof *variables };
static char *kept[VARIABLES];             // NAME=value, null where the process has none
static int *(*errno_of_application)(void); // this library has a C library of its own

static void keep_variables(void) {
	for (int i = 0; i < VARIABLES; i++) {
		const char *value = getenv(variables[i]);
		if (value != NULL && asprintf(&kept[i], "%s=%s", variables[i], value) < 0)
			kept[i] = NULL;
	}
}

// lacks reports whether an environment has no value for a variable that the process began with.
static int lacks(char *const *environment, int i) {
	size_t length = strlen(variables[i]);
	for (; kept[i] != NULL && environment != NULL && *environment != NULL; environment++)
		if (strncmp(*environment, variables[i], length) == 0 && (*environment)[length] == '=')
			return 0;
	return kept[i] != NULL;
}

// misled reports whether a variable of the environment would mislead a program: exec sets CUDA_ROOT for JAX, and
// tileiras looks for its libraries there.
static int misled(const char *path, const char *variable) {
	const char *name = strrchr(path, '/');
	return strncmp(variable, "CUDA_ROOT=", strlen("CUDA_ROOT=")) == 0 && strcmp(name == NULL ? path : name + 1, "tileiras") == 0;
}

// execute_with returns only if it fails.
static int execute_with(const char *path, char *const *arguments, char *const *environment) {
	long result = syscall(SYS_execve, path, arguments, environment);
	*errno_of_application() = errno;
	return (int)result;
}

static int execute(const char *path, char *const *arguments, char *const *environment) {
	size_t n = 0, changes = 0;
	for (; environment != NULL && environment[n] != NULL; n++)
		changes += misled(path, environment[n]);
	for (int i = 0; i < VARIABLES; i++)
		changes += lacks(environment, i);
	size_t size = (n + VARIABLES + 1) * sizeof(char *);
	char **list = changes == 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (list == MAP_FAILED)
		return execute_with(path, arguments, environment);
	n = 0;
	for (char *const *e = environment; e != NULL && *e != NULL; e++)
		if (!misled(path, *e))
			list[n++] = *e;
	for (int i = 0; i < VARIABLES; i++)
		if (lacks(environment, i))
			list[n++] = kept[i];
	int result = execute_with(path, arguments, list);
	munmap(list, size);
	return result;
}

#endif

// execve for the application: a program that is started without the variables by which it comes here (env -i, subprocess.run(env={})),
// or with a PYTHONPATH of its own, gets them all the same, and NVIDIA's compilers are replaced by the scripts beside the drop-in libraries (bin), wherever they are
// (PATH, CUDA_HOME, a package). What follows runs between vfork and exec, too: it allocates nothing but a mapping.
#ifndef PTXSAN_REDIRECT_EXEC_H
#define PTXSAN_REDIRECT_EXEC_H

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const variables[] = {"LD_AUDIT", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "PTXSAN_EXEC_SOCKET", "PTXSAN_PYTHON", "PYTHONPATH"};
enum { VARIABLES = sizeof variables / sizeof *variables, PYTHON = VARIABLES - 2, PYTHON_PATH };
static char *kept[VARIABLES];             // NAME=value, null where the process has none
static int *(*errno_of_application)(void); // this library has a C library of its own
static char compiler[PATH_MAX];            // this program, if it compiles programs; else empty

// What compiles programs starts ptxas, and puts machine code into them: PTX in its place would not fit there.
static void keep_compiler(void) {
	ssize_t size = readlink("/proc/self/exe", compiler, sizeof compiler - 1);
	const char *slash = size > 0 ? strrchr(compiler, '/') : NULL;
	if (slash == NULL || (strncmp(slash, "/nvc", 4) != 0 && strncmp(slash, "/clang", 6) != 0))
		compiler[0] = 0;
}

static void keep_variables(void) {
	keep_compiler();
	for (int i = 0; i < VARIABLES; i++) {
		const char *value = getenv(variables[i]);
		if (value != NULL && asprintf(&kept[i], "%s=%s", variables[i], value) < 0)
			kept[i] = NULL;
	}
}

static char folder[PATH_MAX]; // of the drop-in libraries

// value_of is the value of a variable in an environment, null for none.
static const char *value_of(const char *name, char *const *environment) {
	size_t length = strlen(name);
	for (; environment != NULL && *environment != NULL; environment++)
		if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

// begins reports whether a list of folders begins with one.
static int begins(const char *list, const char *first) {
	size_t length = strlen(first);
	return strncmp(list, first, length) == 0 && (list[length] == ':' || list[length] == 0);
}

// python_path is the program's PYTHONPATH if the folder that belongs in front (PTXSAN_PYTHON) is not there, else null.
static const char *python_path(char *const *environment) {
	const char *path = kept[PYTHON] != NULL ? value_of(variables[PYTHON_PATH], environment) : NULL;
	return path != NULL && !begins(path, strchr(kept[PYTHON], '=') + 1) ? path : NULL;
}

// lacks reports whether an environment has no value for a variable that the process began with.
static int lacks(char *const *environment, int i) { return kept[i] != NULL && value_of(variables[i], environment) == NULL; }

// The variable by which the script finds the compiler. Programs that the compiler starts have it: these are the toolkit's own.
static const char original[] = "PTXSAN_NVCC";

// script_for is the name of the script for a compiler, null for other programs.
static const char *script_for(const char *path, char *const *environment) {
	static const char *const names[][2] = {{"nvcc", "nvcc"}, {"ptxas", "ptxas"}, {"ptxas-blackwell", "ptxas"}};
	const char *base = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(base, names[i][0]) == 0 && strlen(path) < PATH_MAX && strncmp(path, folder, strlen(folder)) != 0 &&
		    compiler[0] == 0 && value_of(original, environment) == NULL && access(path, X_OK) == 0)
			return names[i][1];
	return NULL;
}

// execute_with returns only if it fails.
static int execute_with(const char *path, char *const *arguments, char *const *environment) {
	long result = syscall(SYS_execve, path, arguments, environment);
	*errno_of_application() = errno;
	return (int)result;
}

// room is what execute needs: the environment, the script's path, the variable that names the compiler, and, behind the
// environment, PYTHONPATH.
struct room {
	char script[PATH_MAX + 32], compiler[sizeof original + 1 + PATH_MAX];
	char *environment[];
};

// join_python_path writes PYTHONPATH with the folder that belongs in front, and has the environment use it.
static void join_python_path(char *text, const char *path, char **environment) {
	const char *separator = *path == 0 ? "" : ":"; // an empty folder would be the current one
	stpcpy(stpcpy(stpcpy(stpcpy(stpcpy(text, variables[PYTHON_PATH]), "="), strchr(kept[PYTHON], '=') + 1), separator), path);
	for (; *environment + strlen(variables[PYTHON_PATH]) + 1 != path; environment++)
		;
	*environment = text;
}

static int execute(const char *path, char *const *arguments, char *const *environment) {
	const char *script = script_for(path, environment), *original_of = script != NULL ? path : compiler;
	int names = *original_of != 0 && value_of(original, environment) == NULL;
	const char *path_of_python = python_path(environment);
	size_t n = 0, changes = (size_t)names + (path_of_python != NULL);
	for (; environment != NULL && environment[n] != NULL; n++)
		;
	for (int i = 0; i < VARIABLES; i++)
		changes += lacks(environment, i);
	size_t entries = n + VARIABLES + 2, size = sizeof(struct room) + entries * sizeof(char *);
	if (path_of_python != NULL)
		size += strlen(variables[PYTHON_PATH]) + strlen(kept[PYTHON]) + strlen(path_of_python) + 3;
	struct room *room = changes == 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return execute_with(path, arguments, environment);
	if (n > 0)
		memcpy(room->environment, environment, n * sizeof *room->environment);
	if (path_of_python != NULL)
		join_python_path((char *)&room->environment[entries], path_of_python, room->environment);
	for (int i = 0; i < VARIABLES; i++)
		if (lacks(environment, i))
			room->environment[n++] = kept[i];
	if (names) {
		stpcpy(stpcpy(stpcpy(room->compiler, original), "="), original_of);
		room->environment[n++] = room->compiler;
	}
	if (script != NULL) {
		stpcpy(stpcpy(stpcpy(room->script, folder), "/bin/"), script);
		path = room->script;
	}
	int result = execute_with(path, arguments, room->environment);
	munmap(room, size);
	return result;
}

#endif

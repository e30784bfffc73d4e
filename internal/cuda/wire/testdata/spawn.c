// Starts a program in each way, with an empty environment, or with one that has a variable of its own.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
	char *empty[] = {NULL}, *own[] = {"OWN=1", NULL};
	pid_t child;
	if (argc != 3)
		return 2;
	errno = 0;
	if (execve("/nonexistent", argv, empty) != -1 || errno != ENOENT)
		return 3;
	if (strcmp(argv[1], "posix_spawn") == 0) {
		if (posix_spawn(&child, argv[2], NULL, NULL, argv + 2, empty) != 0)
			return 4;
	} else if ((child = vfork()) == 0) {
		if (strcmp(argv[1], "execvpe") == 0)
			execvpe(argv[2], argv + 2, own);
		else
			execle(argv[2], argv[2], (char *)NULL, NULL);
		_exit(5);
	}
	int status;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}

// A stand-in for ctest with one test, whose command the arguments are: it shows the test, or executes it.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
	if (argc == 2 && strcmp(argv[1], "--show-only=json-v1") == 0) {
		FILE *f = fopen("command", "r");
		char line[4096] = "";
		if (f != NULL && fgets(line, sizeof line, f) != NULL)
			printf("{\"kind\": \"ctestInfo\", \"tests\": [{\"command\": [\"other\"], \"name\": \"other\"}, {\"command\": %s, \"name\": \"sums\"}]}\n", line);
		return 0;
	}
	FILE *f = fopen("command", "w");
	for (int i = 1; i < argc; i++)
		fprintf(f, "%s\"%s\"%s", i == 1 ? "[" : ", ", argv[i], i == argc - 1 ? "]" : "");
	fclose(f);
	if (fork() == 0)
		return execv(argv[1], argv + 1);
	wait(NULL);
	return 0;
}

// What the programs of the tests say: a line for each case, which ends in "right", and the end with code 9 when a
// call fails that must not.
#include <stdio.h>
#include <stdlib.h>

static inline void must(int error, const char *what) {
	if (error != 0) {
		printf("%s: error %d\n", what, error);
		exit(9);
	}
}
#define MUST(call) must(call, #call)

static inline void equal(const char *what, long got, long want) {
	printf("%s: %s", what, got == want ? "right\n" : "wrong, ");
	if (got != want)
		printf("%ld for %ld\n", got, want);
}

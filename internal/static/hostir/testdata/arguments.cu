// Host code that reads its command line in the ways that programs do. Tests start it with many command lines.

#include <cuda_runtime.h>

extern "C" {
struct option {
	const char *name;
	int has_arg;
	int *flag;
	int val;
};
extern int optind;
extern char *optarg;
int getopt(int argc, char *const *argv, const char *letters);
int getopt_long(int argc, char *const *argv, const char *letters, const struct option *table, int *index);
int atoi(const char *s);
double atof(const char *s);
long strtol(const char *s, char **end, int base);
int strcmp(const char *a, const char *b);
unsigned long strlen(const char *s);
int printf(const char *format, ...);
void exit(int code) __attribute__((noreturn));
void strange(char *s);
}

__global__ void options(int size, int dim, int verbose, int rest) {}
__global__ void words(int n, int twice, int real, int end) {}
__global__ void letters(int count, int sum) {}
__global__ void lost(int n) {}

static struct option table[] = {{"size", 1, 0, 's'}, {"verbose", 0, 0, 'v'}, {0, 0, 0, 0}};
static int verbose = 0;

static void usage(const char *name)
{
	printf("usage: %s [-s N] [-d N] [-v] [N [N [X]]]\n", name);
	exit(1);
}

static void withOptions(int argc, char **argv)
{
	int opt, index = 0, size = 32, dim = 4;
	while ((opt = getopt_long(argc, argv, "s:d:v", table, &index)) != -1) {
		switch (opt) {
		case 's':
			size = atoi(optarg);
			break;
		case 'd':
			dim = strtol(optarg, 0, 0);
			break;
		case 'v':
			verbose = 1;
			break;
		default:
			usage(argv[0]);
		}
	}
	if (size < 1)
		usage(argv[0]);
	if (dim > 0)
		options<<<1, 64>>>(size, dim, verbose, argc - optind);
}

static void withWords(int argc, char *argv[])
{
	int n = argc > 1 ? atoi(argv[1]) : 1024, twice = 0, real = 0, end = -1;
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			continue;
		if (!strcmp(argv[i], "--twice"))
			twice = 2;
		else if (strlen(argv[i]) == 2 && argv[i][1] == 'x')
			break;
		twice++;
	}
	if (argc > 3) {
		char *stop;
		real = (int)atof(argv[3]);
		strtol(argv[3], &stop, 10);
		end = *stop;
	}
	words<<<n / 256 + 1, 256>>>(n, twice, real, end);
}

static void withLetters(char **argv)
{
	int count = 0, sum = 0;
	while (*++argv) {
		for (char *p = *argv; *p; p++)
			sum += *p - '0';
		count++;
	}
	letters<<<1, 32>>>(count, sum);
}

int main(int argc, char **argv)
{
	withWords(argc, argv);
	withLetters(argv);
	withOptions(argc, argv);
	if (argc > 1)
		strange(argv[1]);
	lost<<<1, 1>>>(argc > 1 ? atoi(argv[1]) : 5);
	return 0;
}

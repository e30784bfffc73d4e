// Memory of the host that is registered in ranges that share pages, and on the stack.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *), cudaHostGetDevicePointer(void *, void *, unsigned);
int cudaMemset(void *, int, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaMalloc(void *, size_t), cudaDeviceSynchronize(void);

static int status;

static void check(const char *what, int right) {
	printf("%s: %s\n", what, right ? "right" : "wrong");
	status |= !right;
}

static char area[3 << 12] __attribute__((aligned(1 << 12)));

static void pages(void) {
	char *a = area + 100, *b = area + 6000, *c = area + 7000, *da = NULL, *db = NULL, *dc = NULL, *device;
	memset(area, 1, sizeof area);
	check("ranges that share pages", cudaHostRegister(a, 5000, 0) == 0 && cudaHostRegister(b, 100, 0) == 0 && cudaHostRegister(c, 4096, 0) == 0);
	check("the same bytes again", cudaHostRegister(a + 1, 10, 0) == 712);
	check("one view of a page", cudaHostGetDevicePointer(&da, a, 0) == 0 && cudaHostGetDevicePointer(&db, b, 0) == 0 && db - da == b - a);
	check("no view of a part", cudaHostGetDevicePointer(&dc, c, 0) == 801);
	check("what the device writes", cudaMemset(db, 7, 100) == 0 && cudaDeviceSynchronize() == 0 && b[0] == 7 && b[99] == 7 && b[100] == 1);
	check("a copy of a part", cudaMalloc(&device, 4096) == 0 && cudaMemcpy(device, c, 4096, 1) == 0 && (memset(c, 2, 4096), cudaMemcpy(c, device, 4096, 2)) == 0 && c[0] == 1 && c[4095] == 1);
	check("pages that one range leaves", cudaHostUnregister(a) == 0 && cudaMemset(db, 9, 100) == 0 && cudaDeviceSynchronize() == 0 && b[0] == 9);
	check("pages without a range", cudaHostUnregister(b) == 0 && cudaHostUnregister(c) == 0 && b[0] == 9 && b[100] == 1 && a[0] == 1);
}

static void stack(void) {
	int value[4] = {1, 2, 3, 4}, *device = NULL;
	check("memory on the stack", cudaHostRegister(value, sizeof value, 0) == 0 && cudaHostGetDevicePointer(&device, value, 0) == 0);
	check("what the device writes there", cudaMemset(device, 3, 4) == 0 && cudaDeviceSynchronize() == 0 && value[0] == 0x03030303 && value[3] == 4);
	check("the stack without it", cudaHostUnregister(value) == 0 && value[0] == 0x03030303 && value[3] == 4);
}

static void heap(void) {
	char *a = malloc(1000), *b = malloc(1000);
	memset(a, 1, 1000), memset(b, 2, 1000);
	check("memory beside the allocator's own", cudaHostRegister(a, 1000, 0) == 0 && cudaHostRegister(b, 1000, 0) == 0);
	check("the heap without it", cudaHostUnregister(b) == 0 && cudaHostUnregister(a) == 0 && a[999] == 1 && b[0] == 2);
	free(a), free(b);
	check("the heap", (a = malloc(5000)) != NULL && memset(a, 3, 5000) == a);
	free(a);
}

int main(void) {
	heap();
	pages();
	stack();
	return status;
}

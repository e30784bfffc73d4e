// cuGetProcAddress: the function that an application of a version of CUDA means by a name.
#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

// Names whose function was replaced from CUDA 11 on, with other parameters or another meaning: the version of CUDA since which the
// name means the function with this number (CUDA Driver API, "Driver Entry Point Access"; NVIDIA's names of function types end
// in that version).
static const struct {
	const char *name;
	int since, number;
} replaced[] = {
	{"cuCtxCreate", 11040, 3},
	{"cuCtxCreate", 12050, 4},
	{"cuCtxGetDevice", 13000, 2},
	{"cuCtxSynchronize", 13000, 2},
	{"cuEventElapsedTime", 12080, 2},
	{"cuGetProcAddress", 12000, 2},
	{"cuGraphAddDependencies", 12030, 2},
	{"cuGraphAddKernelNode", 12000, 2},
	{"cuGraphAddNode", 12030, 2},
	{"cuGraphAddNode", 13040, 3},
	{"cuGraphExecKernelNodeSetParams", 12000, 2},
	{"cuGraphExecUpdate", 12000, 2},
	{"cuGraphGetEdges", 12030, 2},
	{"cuGraphKernelNodeGetParams", 12000, 2},
	{"cuGraphKernelNodeSetParams", 12000, 2},
	{"cuGraphNodeGetDependencies", 12030, 2},
	{"cuGraphNodeGetDependentNodes", 12030, 2},
	{"cuGraphNodeSetParams", 13040, 2},
	{"cuGraphRemoveDependencies", 12030, 2},
	{"cuLaunchHostFunc", 13010, 2},
	{"cuMemAdvise", 12020, 2},
	{"cuMemPrefetchAsync", 12020, 2},
	{"cuMemcpy3DBatchAsync", 13000, 2},
	{"cuMemcpyBatchAsync", 13000, 2},
	{"cuMulticastBindAddr", 13010, 2},
	{"cuMulticastBindMem", 13010, 2},
	{"cuStreamGetCaptureInfo", 11030, 2},
	{"cuStreamGetCaptureInfo", 12030, 3},
	{"cuStreamGetCtx", 12050, 2},
	{"cuStreamUpdateCaptureDependencies", 12030, 2},
};

enum { REPLACED = sizeof replaced / sizeof *replaced };

// number_of is the number of the function that a version means, 0 for one without, -1 for a name that has been replaced in
// earlier versions only: then it is the second one, if there is one.
static int number_of(const char *name, int version) {
	int number = -1;
	for (int i = 0; i < REPLACED; i++) {
		if (strcmp(replaced[i].name, name) != 0)
			continue;
		if (version >= replaced[i].since)
			number = replaced[i].number;
		else if (number < 0 && replaced[i].number == 2)
			number = 0;
	}
	return number;
}

EXPORT CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
	enum { PER_THREAD = 2 };
	static const char *const streams[] = {"_ptsz", "_ptds", ""};
	void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	*function = NULL;
	if (self == NULL)
		return failed(CUDA_ERROR_NOT_FOUND);
	int number = number_of(name, version);
	char own[128], whole[160];
	snprintf(own, sizeof own, "%s_v%d", name, number < 0 ? 2 : number);
	const char *named[] = {number == 0 ? name : own, name};
	for (int i = 0; i < 2 && *function == NULL; i++)
		for (int k = flags & PER_THREAD ? 0 : 2; k < 3 && *function == NULL; k++) {
			snprintf(whole, sizeof whole, "%s%s", named[i], streams[k]);
			*function = dlsym(self, whole);
		}
	dlclose(self);
	return failed(*function == NULL ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS);
}

EXPORT CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
	CUresult error = cuGetProcAddress(name, function, version, flags);
	if (status != NULL)
		*status = error == CUDA_SUCCESS ? 0 : 1; // found, or not found
	return failed(error);
}

// In code that is compiled for per-thread default streams, the default is functions for these.
EXPORT CUresult cuGetProcAddress_v2_ptsz(const char *name, void **function, int version, uint64_t flags, int *status) {
	enum { PER_THREAD = 2 };
	return cuGetProcAddress_v2(name, function, version, flags == 0 ? PER_THREAD : flags, status);
}

#ifdef __aarch64__
static const unsigned char jump[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6};
#else
static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
#endif

// has_jumps reports whether code has a jump of the audit library's to itself (write_jump in redirect.c).
static int has_jumps(const char *code, size_t size) {
	for (const char *end = code + size, *at = code; at < end && (at = memmem(at, end - at, jump, sizeof jump)) != NULL; at++) {
		const void *to = NULL;
		Dl_info owner;
		if ((size_t)(end - at) >= sizeof jump + sizeof to)
			memcpy(&to, at + sizeof jump, sizeof to);
		if (to != NULL && dladdr(to, &owner) != 0 && strstr(owner.dli_fname, "/libptxsan-redirect.so") != NULL)
			return 1;
	}
	return 0;
}

static int is_redirected(struct dl_phdr_info *info, size_t size, void *map) {
	(void)size;
	for (int i = 0; i < info->dlpi_phnum && info->dlpi_addr == ((struct link_map *)map)->l_addr; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && p->p_flags == (PF_R | PF_X) && has_jumps((const char *)info->dlpi_addr + p->p_vaddr, p->p_memsz))
			return 1;
	}
	return 0;
}

// NVIDIA's runtime comes here first, one that is not redirected (redirect.c): the report names the file that holds it. Others
// that come ask whether the driver has a table, and go without.
EXPORT CUresult cuGetExportTable(const void **table, const void *id) {
	Dl_info caller;
	struct link_map *map = NULL;
	char name[PATH_MAX + 32];
	(void)table, (void)id;
	dladdr1(__builtin_return_address(0), &caller, (void **)&map, RTLD_DL_LINKMAP);
	if (map != NULL && dl_iterate_phdr(is_redirected, map))
		return failed(CUDA_ERROR_NOT_SUPPORTED);
	snprintf(name, sizeof name, "cuGetExportTable of %s", map == NULL ? "" : map->l_name);
	return failed(wire_missing(LIBRARY, name));
}

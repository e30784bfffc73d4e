// cudaDeviceProp, whose layout depends on the major version of CUDA (CUDA Runtime API, "cudaDeviceProp"). Versions of one major
// number share it: what they add takes the place of reserved members.
#ifndef PTXSAN_PROPERTIES_H
#define PTXSAN_PROPERTIES_H

#include <stddef.h>

#define OF_TEXTURES_AND_SURFACES                                                                                                  \
	int texture_2d[2], texture_2d_mipmap[2], texture_2d_linear[3], texture_2d_gather[2];                                          \
	int texture_3d[3], texture_3d_alternative[3], cubemap, layered_1d[2], layered_2d[3], layered_cubemap[2];                      \
	int surface_1d, surface_2d[2], surface_3d[3], surface_layered_1d[2], surface_layered_2d[3], surface_cubemap, surface_layered_cubemap[2]; \
	size_t surface_alignment;

struct properties {
	char name[256], uuid[16], luid[8];
	unsigned luid_mask;
	size_t memory, shared_per_block;
	int registers, warp;
	size_t pitch;
	int max_threads, max_block[3], max_grid[3];
#if CUDA_MAJOR < 13
	int clock;
#endif
	size_t constant;
	int major, minor;
	size_t texture_alignment, texture_pitch_alignment;
#if CUDA_MAJOR >= 13
	int multiprocessors, integrated, maps_host;
	int texture_1d[2];
	OF_TEXTURES_AND_SURFACES
	int concurrent_kernels, ecc, bus, device, domain, tcc, engines, unified, bus_width, l2, persisting_l2;
	int threads_per_multiprocessor, priorities, global_l1, local_l1;
	size_t shared_per_multiprocessor;
	int registers_per_multiprocessor, managed, multi_gpu, multi_gpu_group, native_atomics, pageable, concurrent_managed;
	int preemption, host_pointer, cooperative;
	size_t shared_optin;
	int host_tables, direct_managed, blocks_per_multiprocessor, policy_window;
	size_t shared_reserved;
	int register_host, sparse, register_read_only, timeline, pools, rdma, rdma_flush, rdma_order, pool_handles, deferred, ipc_events;
	int cluster, unified_pointers, numa_configuration, numa, mps, host_numa, pci_device, pci_subsystem, numa_ipc;
	int reserved[56];
#else
	int overlap, multiprocessors, timeout, integrated, maps_host, mode;
	int texture_1d[3];
	OF_TEXTURES_AND_SURFACES
	int concurrent_kernels, ecc, bus, device, domain, tcc, engines, unified, memory_clock, bus_width, l2;
#if CUDA_MAJOR >= 11
	int persisting_l2;
#endif
	int threads_per_multiprocessor, priorities, global_l1, local_l1;
	size_t shared_per_multiprocessor;
	int registers_per_multiprocessor, managed, multi_gpu, multi_gpu_group, native_atomics, double_ratio, pageable, concurrent_managed;
	int preemption, host_pointer, cooperative, cooperative_multi_device;
	size_t shared_optin;
	int host_tables, direct_managed;
#if CUDA_MAJOR >= 11
	int blocks_per_multiprocessor, policy_window;
	size_t shared_reserved;
#endif
#if CUDA_MAJOR >= 12
	int register_host, sparse, register_read_only, timeline, pools, rdma, rdma_flush, rdma_order, pool_handles, deferred, ipc_events;
	int cluster, unified_pointers;
	int reserved[63];
#endif
#endif
};

#endif

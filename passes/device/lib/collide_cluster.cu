// target: sm_90 ptx80
// The part of the collide device library for clusters: where an address is in the shared memory of another block.
//
// generate.sh compiles this file to the committed collide_cluster.ptx.
#include "cuda_builtins.h"
#include "collide_abi.h"

// Returns how the table of watches names the granule of an address in the shared memory of another block of the cluster; 0 for
// other addresses.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_collide_place(uint64_t addr) {
  void *p = (void *)addr;
  if (__isShared(p) || !__nvvm_isspacep_shared_cluster(p)) return 0;
  uint32_t rank = __nvvm_getctarank(p), nx = __nvvm_read_ptx_sreg_cluster_nctaid_x(), ny = __nvvm_read_ptx_sreg_cluster_nctaid_y();
  uint32_t x = __nvvm_read_ptx_sreg_clusterid_x() * nx + rank % nx, y = __nvvm_read_ptx_sreg_clusterid_y() * ny + rank / nx % ny;
  uint32_t z = __nvvm_read_ptx_sreg_clusterid_z() * __nvvm_read_ptx_sreg_cluster_nctaid_z() + rank / (nx * ny);
  uint64_t block = x + gridDim.x * (y + gridDim.y * z);
  return COLLIDE_SHARED | block << COLLIDE_SHARED_BLOCK_SHIFT | (__cvta_generic_to_shared(__nvvm_mapa(p, __nvvm_read_ptx_sreg_cluster_ctarank())) & COLLIDE_SHARED_MASK);
}

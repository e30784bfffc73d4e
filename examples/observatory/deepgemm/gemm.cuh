// Tensor maps and launches for DeepGEMM's kernels, as its host code makes them: clusters, programmatic launch.
#pragma once
#include <cuda.h>

#include "../driver.cuh"

struct Map {
  CUtensorMapDataType type;
  size_t bytes;  // of an element
  void* data;
  uint64_t inner, outer;      // of the matrix
  uint32_t box_inner, box_outer;
  CUtensorMapSwizzle swizzle;

  CUtensorMap encode() const {
    static const auto function = [] {
      void* entry = nullptr;
      cudaDriverEntryPointQueryResult result;
      CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result));
      return (decltype(&cuTensorMapEncodeTiled))entry;
    }();
    CUtensorMap map;
    cuuint64_t sizes[] = {inner, outer}, strides[] = {inner * bytes};
    cuuint32_t box[] = {box_inner, box_outer}, steps[] = {1, 1};
    CUresult result = function(&map, type, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
      fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", result);
      exit(1);
    }
    return map;
  }
};

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), uint32_t blocks, uint32_t threads, size_t shared, uint32_t cluster,
            Arguments... arguments) {
  CHECK(cudaFuncSetAttribute((const void*)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared;
  config.attrs = attributes;
  config.numAttrs = cluster > 1 ? 2 : 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

// Whether d = a x b^T, all by rows.
template <typename A, typename D>
bool product(const std::vector<A>& a, const std::vector<A>& b, const std::vector<D>& d, int m, int n, int k,
             float tolerance, float scale = 1) {
  for (int i = 0; i < m; i += 7)
    for (int j = 0; j < n; j += 5) {
      float sum = 0;
      for (int l = 0; l < k; l++) sum += float(a[i * k + l]) * float(b[j * k + l]);
      float off = float(d[i * n + j]) - sum * scale;
      if (!(off > -tolerance && off < tolerance)) {
        printf("d[%d][%d] = %f, not %f\n", i, j, float(d[i * n + j]), sum * scale);
        return false;
      }
    }
  return true;
}

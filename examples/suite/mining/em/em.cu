// The M-step of a mixture of Gaussians in three dimensions that share one covariance
// matrix, in the shape of LDetector's Figure 2 (a). Each thread keeps the nine sums of the
// matrix in shared memory; there are three synchronized blocks, and the second does the work.
#include "../../apps/apps.h"

RACES(centre_barrier,  // no barrier between loading the centres and using them
      sum_barrier,     // no barrier before the sums of all threads are added up in a register
      lane_index,      // the scratch of a thread is found by its lane: warps share it
      overlap,         // the sums of threads are eight words apart, not nine
      other_distance)  // the distance is read from the scratch of the next warp

// What the compiler may not keep in registers across: the sums stay in shared memory.
#define IN_MEMORY() asm volatile("" ::: "memory")

enum { DIM = 3, SUMS = DIM * DIM };

// share[j * n + i] is how much of point i belongs to component j of clusters; data and
// centres have DIM coordinates each. Each block writes its sums to out. Shared memory has
// 15 words for each thread and DIM for each component.
__global__ void m_step(const float *share, const float *data, const float *centres, float *out, unsigned n,
                       unsigned clusters) {
  extern __shared__ float s_float[];
  const unsigned t = threadIdx.x, threads = blockDim.x;
  float *temp = s_float + (race(lane_index) ? t % 32 : t) * DIM;
  float *dist = s_float + threads * DIM + t * DIM;
  float *seen = race(other_distance) ? s_float + threads * DIM + (t + 32) % threads * DIM : dist;
  float *sums = s_float + threads * 2 * DIM;
  float *mine = sums + t * (race(overlap) ? SUMS - 1 : SUMS);
  float *centre = sums + threads * SUMS;

  for (unsigned k = t; k < clusters * DIM; k += threads)
    centre[k] = centres[k];  // A
  for (unsigned k = 0; k < SUMS; k++)
    mine[k] = 0;  // B
  if (!race(centre_barrier))
    __syncthreads();

  for (unsigned i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads)
    for (unsigned j = 0; j < clusters; j++) {
      float weight = share[j * n + i];
      for (unsigned d = 0; d < DIM; d++) {
        dist[d] = data[i * DIM + d] - centre[j * DIM + d];  // C
        temp[d] = dist[d] * weight;                         // D
      }
      for (unsigned d = 0; d < DIM; d++)
        for (unsigned e = 0; e < DIM; e++)
          mine[d * DIM + e] = __builtin_fmaf(temp[d], seen[e], mine[d * DIM + e]);  // E
      IN_MEMORY();
    }
  if (!race(sum_barrier))
    __syncthreads();

  for (unsigned k = t; k < SUMS; k += threads) {
    float sum = 0;
    for (unsigned u = 0; u < threads; u++)
      sum += sums[u * SUMS + k];  // F
    out[blockIdx.x * SUMS + k] = sum;
  }
}

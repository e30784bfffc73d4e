// One half of co-clustering: each row of a table of counts goes to the cluster of rows whose
// means it is nearest to, where a row is described by its sums over clusters of columns. A
// thread has a row at a time; its sums and the sizes of clusters so far lie in shared memory.
// One synchronized block does the work (LDetector, Section 6), a short one adds up the sizes.
#include "../../apps/apps.h"

RACES(size_barrier,  // no barrier before the sizes of all threads are added up in a register
      lane_sizes,    // the sizes of a thread are found by its lane: warps share them
      overlap,       // the sums of threads are seven words apart, not eight
      other_sums,    // the sums are read from the row of the next warp
      late_means)    // the last thread sets a mean after the others may have begun

enum { GROUPS = 8, CLUSTERS = 4 };  // of columns, of rows

// table has rows of columns counts; group is the cluster of each column. The results are
// the cluster of each row, and for each block how many rows each cluster has got. Shared
// memory has GROUPS + CLUSTERS words for each thread and GROUPS for each cluster.
__global__ void assign_rows(const unsigned *table, const unsigned *group, const unsigned *means, unsigned *cluster,
                            unsigned *size, unsigned rows, unsigned columns) {
  extern __shared__ unsigned shared[];
  const unsigned t = threadIdx.x, threads = blockDim.x;
  unsigned *sums = shared + t * (race(overlap) ? GROUPS - 1 : GROUPS);
  unsigned *read = race(other_sums) ? shared + (t + 32) % threads * GROUPS : sums;
  unsigned *sizes = shared + threads * GROUPS;
  unsigned *mine = sizes + (race(lane_sizes) ? t % 32 : t) * CLUSTERS;
  unsigned *mean = sizes + threads * CLUSTERS;

  for (unsigned c = t; c < CLUSTERS * GROUPS; c += threads)
    mean[c] = means[c];  // A
  for (unsigned c = 0; c < CLUSTERS; c++)
    mine[c] = 0;  // B
  __syncthreads();

  for (unsigned row = blockIdx.x * threads + t; row < rows; row += gridDim.x * threads) {
    for (unsigned g = 0; g < GROUPS; g++)
      sums[g] = 0;  // C
    for (unsigned k = 0; k < columns; k++)
      sums[group[k]] += table[row * columns + k];  // D
    if (race(late_means) && t == threads - 1)
      mean[0] = row;  // E
    unsigned best = 0, nearest = ~0u;
    for (unsigned c = 0; c < CLUSTERS; c++) {
      unsigned distance = 0;
      for (unsigned g = 0; g < GROUPS; g++) {
        unsigned d = read[g] - mean[c * GROUPS + g];  // F
        distance += d * d;
      }
      if (distance < nearest)
        nearest = distance, best = c;
    }
    mine[best]++;  // G
    cluster[row] = best;
  }
  if (!race(size_barrier))
    __syncthreads();

  for (unsigned c = t; c < CLUSTERS; c += threads) {
    unsigned sum = 0;
    for (unsigned u = 0; u < threads; u++)
      sum += sizes[u * CLUSTERS + c];  // H
    size[blockIdx.x * CLUSTERS + c] = sum;
  }
}

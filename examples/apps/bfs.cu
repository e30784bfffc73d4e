// Breadth-first search over a graph in compressed rows: a launch for each level, and a flag
// that the host reads after each. Threads that reach a vertex at once all write its level with
// an atomic operation.
#include "check.h"

#include <vector>

__global__ void expand(const int *rows, const int *edges, int *levels, int level, int *changed, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || levels[v] != level)
    return;
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (atomicCAS(&levels[edges[e]], -1, level + 1) == -1)
      atomicExch(changed, 1);
}

// The levels are read by their owners while others may set them: not in the same launch, since
// a level that is set now is larger than the one that is read for. The read must be atomic all
// the same.
__global__ void expandStrong(const int *rows, const int *edges, int *levels, int level, int *changed, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || atomicAdd(&levels[v], 0) != level)
    return;
  for (int e = rows[v]; e < rows[v + 1]; e++)
    if (atomicCAS(&levels[edges[e]], -1, level + 1) == -1)
      atomicExch(changed, 1);
}

int main(int argc, char **) {
  const int side = 24, n = side * side; // a grid graph
  std::vector<int> rows(1), edges, levels(n, -1);
  for (int v = 0; v < n; v++) {
    int x = v % side, y = v / side;
    for (int d = 0; d < 4; d++) {
      int nx = x + (d == 0) - (d == 1), ny = y + (d == 2) - (d == 3);
      if (nx >= 0 && nx < side && ny >= 0 && ny < side)
        edges.push_back(ny * side + nx);
    }
    rows.push_back(edges.size());
  }
  levels[0] = 0;
  int *drows, *dedges, *dlevels, *changed;
  CHECK(cudaMalloc(&drows, rows.size() * sizeof(int)));
  CHECK(cudaMalloc(&dedges, edges.size() * sizeof(int)));
  CHECK(cudaMalloc(&dlevels, n * sizeof(int)));
  CHECK(cudaHostAlloc(&changed, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMemcpy(drows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dedges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dlevels, levels.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  int level = 0;
  do {
    *changed = 0;
    if (argc > 1) // any argument: the racy kernel
      expand<<<(n + 127) / 128, 128>>>(drows, dedges, dlevels, level, changed, n);
    else
      expandStrong<<<(n + 127) / 128, 128>>>(drows, dedges, dlevels, level, changed, n);
    CHECK(cudaDeviceSynchronize());
    level++;
  } while (*changed);
  CHECK(cudaMemcpy(levels.data(), dlevels, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int *p : {drows, dedges, dlevels})
    CHECK(cudaFree(p));
  CHECK(cudaFreeHost(changed));
  int wrong = 0;
  for (int v = 0; v < n; v++)
    wrong += levels[v] != v % side + v / side;
  std::printf("breadth-first search of %d vertices, %d levels: %s\n", n, level, wrong == 0 ? "right" : "wrong");
  return wrong != 0;
}

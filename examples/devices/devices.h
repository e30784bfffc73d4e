// What the programs of this folder share: two devices that access each other's memory.
#pragma once

#include <cstring>

#include "../apps/check.h"

constexpr int devices = 2;

// use makes a device the current one.
inline void use(int device) { CHECK(cudaSetDevice(device)); }

// connect gives each device access to the memory of the other.
inline void connect() {
  for (int d = 0; d < devices; d++) {
    use(d);
    CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
  }
}

// array allocates zeroed memory of a device.
template <class T> T *array(int device, size_t n) {
  T *p;
  use(device);
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  CHECK(cudaDeviceSynchronize());
  return p;
}

// synchronize waits for all devices.
inline void synchronize() {
  for (int d = 0; d < devices; d++) {
    use(d);
    CHECK(cudaDeviceSynchronize());
  }
}

// holds reports whether memory of a device has n elements of one value.
template <class T> bool holds(int device, const T *p, int n, T value) {
  T *copy = new T[n];
  use(device);
  CHECK(cudaMemcpy(copy, p, n * sizeof(T), cudaMemcpyDeviceToHost));
  bool all = true;
  for (int i = 0; i < n; i++)
    all = all && copy[i] == value;
  delete[] copy;
  return all;
}

// print says whether the result of a program is right.
inline void print(const char *what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "wrong"); }

// variant reports whether the argument of the program names a variant.
inline bool variant(char **argv, const char *name) { return argv[1] != nullptr && strcmp(argv[1], name) == 0; }

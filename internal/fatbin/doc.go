// Package fatbin reads and rewrites the fat binaries that nvcc, clang and
// fatbinary embed in host files: it finds the containers in executables, shared
// objects, relocatable objects, static archives, .fatbin files and C arrays, lists
// their entries, decodes them, and replaces the PTX of a module.
//
// It must not know PTX: an entry is bytes with an architecture and a version. The caller
// interprets the text.
//
// A container is a 16-byte header and a run of entries, each a header and a
// payload. NVIDIA documents the container's header (fatbinary.h of the CUDA
// toolkit); the entry's header is known from public readers and from files that
// nvcc made; docs/binaries.md describes both. The driver loads one container as one
// module and picks one entry for the device: SASS for its architecture when there
// is some, else the PTX of the highest architecture that the device supports.
//
// Nothing read from a file is trusted: sizes are compared with the length of the file, and decoded
// data with limits, before memory is allocated. Limits hold for all parts of a file together,
// because there can be many parts, and they can overlap.
package fatbin

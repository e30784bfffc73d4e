// Package gpu runs PTX on an NVIDIA GPU through the CUDA driver API. It loads the driver's library when the first
// device is opened: neither cgo nor a toolkit is needed to build or to start. A program that does not call Use cannot
// load it, and needs no C library on Linux.
//
// A Device is the primary context of one GPU: memory, and modules that the driver compiles from PTX. A Launch ends when
// the kernel has ended, the context.Context is done, or the driver reports an error. The package must not know
// detectors, rewriting or the emulator.
package gpu

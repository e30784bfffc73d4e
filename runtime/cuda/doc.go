// Package cuda is the device that an unmodified CUDA application has under "ptxsan exec":
// modules, memory and launches as CUDA's APIs speak of them, over a session of the engine.
// Errors carry CUDA's numbers, so that the application hears what it would of a GPU.
//
// It must not know how the application's process reaches it (runtime/cuda/wire), nor CUDA's C
// functions (runtime/cuda/shim).
package cuda

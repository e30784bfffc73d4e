// Package cuda is the device of an unmodified CUDA application under "ptxsan exec": modules,
// memory and launches as CUDA's APIs define them, on top of a session of the engine. Errors carry
// CUDA's numbers, so that the application gets the errors that a GPU would return.
//
// It must not know how the application's process reaches it (internal/cuda/wire), nor CUDA's C
// functions (internal/cuda/shim).
package cuda

// Package kernelcode reads from the code of a kernel what its launch must give: which parameters, or fields of them,
// are pointers, textures or surfaces, how much shared memory is taken, and which functions are reached.
//
// It must not know launches, devices and detectors.
package kernelcode

// The interface between a session and a GPU, whether the GPU's context is in this process (Device) or in another one.

package gpu

import "context"

// Runner is a GPU that runs PTX: a Device, or a GPU that is accessed through another process.
type Runner interface {
	// Alloc reserves zeroed memory; AllocSparse reserves zeroed memory of which little will be accessed.
	Alloc(name string, size uint64) (uint64, error)
	AllocSparse(name string, size uint64) (uint64, error)
	// AllocHost reserves zeroed memory of the host that kernels access in place, for as long as the context exists.
	// Read reads it also when a fault has destroyed the context.
	AllocHost(name string, size uint64) (uint64, error)
	Free(addr uint64) error
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
	// Describe returns the name of the allocation or variable that contains addr, and the offset in it.
	Describe(addr uint64) (name string, offset uint64, ok bool)
	// Compile loads PTX. An error of the driver's compiler contains its text.
	Compile(ptx []byte) (Code, error)
	// Model names the GPU and its driver, for reports.
	Model() string
}

// Code is PTX that a driver has compiled.
type Code interface {
	Symbol(name string) (addr, size uint64, ok bool)
	StaticShared(kernel string) (uint64, error)
	Run(ctx context.Context, l Launch, poll func() error) error
	Unload() error
}

// Compile implements Runner.
func (dev *Device) Compile(ptx []byte) (Code, error) { return dev.Load(ptx) }

// Model implements Runner.
func (dev *Device) Model() string { return dev.Name + ", CUDA " + dev.Driver }

// FaultOf returns the fault of a kernel for a driver error, nil for errors of other origin.
func FaultOf(code int, text string) *Fault {
	class := classes[result(code)]
	if class == "" {
		return nil
	}
	return &Fault{Class: class, Message: text}
}

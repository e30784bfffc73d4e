// What a session asks of a GPU, whether this process holds its context (Device) or another one does.

package gpu

import "context"

// Runner is a GPU that runs PTX: a Device, or one that is reached through another process.
type Runner interface {
	// Alloc reserves zeroed memory, AllocSparse memory of which little will be touched.
	Alloc(name string, size uint64) (uint64, error)
	AllocSparse(name string, size uint64) (uint64, error)
	Free(addr uint64) error
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
	// Describe names the allocation or variable that holds addr, and the offset in it.
	Describe(addr uint64) (name string, offset uint64, ok bool)
	// Compile loads PTX. An error that the driver's compiler finds has its words.
	Compile(ptx []byte) (Code, error)
	// Model is the GPU and its driver in words, for reports.
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

// FaultOf is what a kernel did that the driver has ended with an error; nil for errors of other origin.
func FaultOf(code int, text string) *Fault {
	class := classes[result(code)]
	if class == "" {
		return nil
	}
	return &Fault{Class: class, Message: text}
}

// Package abi defines the data formats that device code, emulator and host share: the table of instrumented sites,
// events, and the memory layouts of the detectors' device libraries. It takes the words of PTX for spaces, scopes,
// semantics and proxies from the instruction table, and must not know PTX syntax: a site consists of names, lines and
// text.
package abi

// Site is one instrumented place of the user's program. Device code refers to it by ID; reports show the other fields.
type Site struct {
	ID          uint32  `json:"id"`          // from 1; 0 means unknown
	Access      string  `json:"access"`      // read, write, atomic, fence, barrier
	Instruction string  `json:"instruction"` // opcode with modifiers
	Function    string  `json:"function"`    // mangled name of the enclosing function
	Entry       bool    `json:"entry"`
	Space       string  `json:"space"` // global, shared, generic, ...
	Scope       string  `json:"scope,omitempty"`
	Size        int     `json:"size"` // bytes accessed
	PTX         Place   `json:"ptx"`  // in the user's PTX, before instrumentation
	Source      *Source `json:"source,omitempty"`
}

// Place is a line of a PTX file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Source is a place in the CUDA source, from .loc, with the inlining chain.
type Source struct {
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Column    int     `json:"column,omitempty"`
	InlinedAt *Source `json:"-"`
}

// Device is the memory of the machine that runs instrumented code: the emulator, or a GPU through the CUDA driver.
type Device interface {
	Alloc(name string, size uint64) (uint64, error)
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
	Symbol(name string) (addr, size uint64, ok bool)
}

// HostAllocator is a Device with memory that outlives a fault: zeroed memory of the host, which kernels access in
// place. Its Read reads that memory even when a fault has destroyed the device's own.
type HostAllocator interface {
	AllocHost(name string, size uint64) (uint64, error)
}

// AllocHost reserves memory that outlives a fault where the device has such memory, and other memory elsewhere.
func AllocHost(dev Device, name string, size uint64) (uint64, error) {
	if h, ok := dev.(HostAllocator); ok {
		return h.AllocHost(name, size)
	}
	return dev.Alloc(name, size)
}

// Freer is a Device that can free memory. Freeing and allocating sparse memory is cheaper than writing zeros to it.
type Freer interface {
	Free(addr uint64) error
}

// Distant is a Device that tells whether each read and write takes microseconds, as those of a GPU's memory do: then
// few of many bytes are better than many of few.
type Distant interface {
	Distant() bool
}

// Zeroer is a Device that can zero memory at the cost of the parts that have been touched.
type Zeroer interface {
	Zero(addr, size uint64) error
}

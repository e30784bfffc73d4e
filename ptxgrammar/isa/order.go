// Memory order: semantics, scope and proxy of instructions.

package isa

import "cmp"

// What an instruction means for the order of memory operations when it does not spell
// it (PTX ISA 8, "Memory Consistency Model"; "ld", "st", "atom", "red").

// MemorySem is the semantics of the instruction's accesses: as spelled, or relaxed for
// atomic operations and weak for others. For an instruction without accesses it is Sem.
func (d *Decoded) MemorySem() Sem {
	switch {
	case d.Sem != SemNone || d.Access.Kind == AccessNone:
		return d.Sem
	case d.Access.Atomic():
		return SemRelaxed
	}
	return SemWeak
}

// MemoryScope is the scope of the instruction: as spelled, or .gpu for atomic operations, .sys for
// those on all replicas behind a multicast address (PTX ISA, "multimem.red").
func (d *Decoded) MemoryScope() Scope {
	switch {
	case d.Scope != ScopeNone || !d.Access.Atomic():
		return d.Scope
	case d.Instr.Name == "multimem":
		return ScopeSys
	}
	return ScopeGPU
}

// StrongScope is the scope within which the access is strong: MemoryScope, or what its semantics
// imply.
func (d *Decoded) StrongScope() Scope { return cmp.Or(d.MemoryScope(), d.MemorySem().Implied()) }

// Strong reports whether the access is more than weak, so that threads may synchronise by
// it.
func (d *Decoded) Strong() bool { return d.MemorySem() > SemWeak }

// Implied is the scope of operations with these semantics that spell none: .sys when they
// are volatile or memory-mapped I/O.
func (s Sem) Implied() Scope {
	if s == SemVolatile || s == SemMMIO {
		return ScopeSys
	}
	return ScopeNone
}

// ReadOnly reports whether the access is a load from memory that nothing writes while the
// kernel runs: constants, and what ld.global.nc and ldu promise (PTX ISA, "ld.global.nc",
// "ldu"). Parameters are not here: those of functions are written.
func (d *Decoded) ReadOnly() bool {
	return d.Access.Kind == AccessLoad && (d.Access.Space == SpaceConst || d.Has("nc") || d.Instr.Name == "ldu")
}

// Proxy is the way by which memory is accessed (PTX ISA, "Proxies").
type Proxy uint8

// Proxies.
const (
	ProxyGeneric   Proxy = iota
	ProxyAlias           // by another virtual address
	ProxyAsync           // by the units for bulk copies and warp-group matrices
	ProxyTexture         // by textures and surfaces
	ProxyTensorMap       // of tensor maps
)

// Proxy is the proxy of the instruction's accesses, or the one that a proxy fence is about
// (PTX ISA, "cp.async.bulk", "wgmma.mma_async", "clusterlaunchcontrol.try_cancel", "membar / fence"). cp.async without .bulk
// uses the generic proxy.
func (d *Decoded) Proxy() Proxy {
	switch {
	case d.Instr.Class == ClassTexture:
		return ProxyTexture
	case d.Instr.Name == "tensormap" || d.Has("tensormap::generic"):
		return ProxyTensorMap
	case d.Tcgen05() && (d.Has("mma") || d.Has("cp")),
		d.Wgmma(), d.Has("async") && d.Has("bulk"), d.Has("async::generic"), d.Has("try_cancel"):
		return ProxyAsync
	case d.Instr.Class == ClassFence && d.Has("alias"):
		return ProxyAlias
	case d.Instr.Class == ClassFence && d.Has("async"):
		return ProxyAsync
	}
	return ProxyGeneric
}

// OpaqueMatrix reports whether the manual leaves open which lane accesses which element of a matrix in memory (PTX ISA,
// "wmma.load", "wmma.store").
func (d *Decoded) OpaqueMatrix() bool { return d.Instr.Name == "wmma" && d.Access.Kind != AccessNone }

// Tcgen05 reports whether the instruction is one of the fifth generation of tensor cores, which have a memory of their own.
func (d *Decoded) Tcgen05() bool { return d.Instr.Name == "tcgen05" }

// Wgmma reports whether the instruction is one of those with which a warpgroup multiplies matrices.
func (d *Decoded) Wgmma() bool { return d.Instr.Name == "wgmma" }

// TensorFence is the side of a fence of tcgen05.
type TensorFence uint8

// Fences of tcgen05 (PTX ISA, "tcgen05.fence").
const (
	TensorNone   TensorFence = iota // another instruction
	TensorBefore                    // before threads synchronise
	TensorAfter
)

// TensorFence is which fence of tcgen05 the instruction is.
func (d *Decoded) TensorFence() TensorFence {
	switch {
	case d.Has("fence::before_thread_sync"):
		return TensorBefore
	case d.Has("fence::after_thread_sync"):
		return TensorAfter
	}
	return TensorNone
}

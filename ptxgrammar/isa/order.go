// Memory order: semantics, scope and proxy of instructions.

package isa

import (
	"cmp"
	"slices"
	"strings"
)

// Memory order of instructions that do not spell it (PTX ISA 8, "Memory Consistency Model"; "ld", "st", "atom", "red").

// MemorySem returns the semantics of the instruction's accesses: as spelled, or relaxed for atomic operations and weak
// for others. For an instruction without accesses it returns Sem.
func (d *Decoded) MemorySem() Sem {
	switch {
	case d.Sem != SemNone || d.Access.Kind == AccessNone:
		return d.Sem
	case d.Access.Atomic():
		return SemRelaxed
	}
	return SemWeak
}

// MemoryScope returns the scope of the instruction: as spelled, or .gpu for atomic operations, .sys for
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

// StrongScope returns the scope within which the access is strong: MemoryScope, or what its semantics
// imply.
func (d *Decoded) StrongScope() Scope { return cmp.Or(d.MemoryScope(), d.MemorySem().Implied()) }

// Strong reports whether the access is strong, so that threads may synchronise by it.
func (d *Decoded) Strong() bool { return d.MemorySem() > SemWeak }

// Implied returns the scope of operations with these semantics and no explicit scope: .sys for volatile and
// memory-mapped I/O.
func (s Sem) Implied() Scope {
	if s == SemVolatile || s == SemMMIO {
		return ScopeSys
	}
	return ScopeNone
}

// ReadOnly reports whether the access is a load from memory that is never written while the kernel runs: constants, and
// the memory of ld.global.nc and ldu (PTX ISA, "ld.global.nc", "ldu"). Parameters do not count, since those of
// functions are written.
func (d *Decoded) ReadOnly() bool {
	return d.Access.Kind == AccessLoad && d.Access.Space == SpaceConst || d.Proxy() == ProxyReadOnly
}

// Proxy is a method of memory access (PTX ISA, "Proxies").
type Proxy uint8

// Proxies.
const (
	ProxyGeneric   Proxy = iota
	ProxyAlias           // by another virtual address
	ProxyAsync           // by the units for bulk copies and warp-group matrices
	ProxyTexture         // through textures
	ProxySurface         // through surfaces
	ProxyTensorMap       // of tensor maps
	ProxyAny             // the manual names none, and libraries put no fence: the address that tcgen05.alloc writes
	ProxyReadOnly        // by ld.global.nc and ldu, which the memory consistency model leaves out as it does textures
)

// Proxy returns the proxy of the instruction's accesses, or the one of a proxy fence (PTX ISA, "cp.async.bulk",
// "wgmma.mma_async", "clusterlaunchcontrol.try_cancel", "membar / fence"; "Scope and applicability of the model" for
// ld.global.nc). cp.async without .bulk uses the generic proxy.
func (d *Decoded) Proxy() Proxy {
	switch {
	case d.Instr.Class == ClassTexture && strings.HasPrefix(d.Instr.Name, "su"):
		return ProxySurface
	case d.Instr.Class == ClassTexture:
		return ProxyTexture
	case d.Access.Kind == AccessLoad && (d.Has("nc") || d.Instr.Name == "ldu"):
		return ProxyReadOnly
	case d.Instr.Name == "tensormap" || d.Has("tensormap::generic"):
		return ProxyTensorMap
	case d.Tcgen05() && d.Has("alloc"):
		return ProxyAny
	case d.Tcgen05() && (d.Has("mma") || d.Has("cp")),
		d.Wgmma(), d.Has("async") && d.Has("bulk"), d.Has("async::generic"), d.Has("try_cancel"), d.Endpoint() >= 0:
		return ProxyAsync
	case d.Instr.Class == ClassFence && d.Has("alias"):
		return ProxyAlias
	case d.Instr.Class == ClassFence && d.Has("async"):
		return ProxyAsync
	}
	return ProxyGeneric
}

// Endpoint returns the index of the operand with a handle of a logical endpoint, -1 if there is none (PTX ISA, "Fabric
// Instructions"). The handle is no address.
func (d *Decoded) Endpoint() int {
	if d.Instr.Name != "fabric" {
		return -1
	}
	return slices.IndexFunc(d.Operands, func(o OperandInfo) bool { return strings.Contains(o.Spec.Name, "LeId") })
}

// Multicast reports whether the instruction writes the shared memory of several blocks of a cluster, or operates on
// their mbarriers.
func (d *Decoded) Multicast() bool {
	return slices.ContainsFunc(d.Mods, func(m string) bool { return strings.HasPrefix(m, "multicast::cluster") })
}

// Clustered reports whether the instruction accesses, or makes addresses of, the shared memory of other blocks of the
// cluster (PTX ISA, "mapa").
func (d *Decoded) Clustered() bool {
	return d.Instr.Calc == CalcPeerAddress || d.Has("shared::cluster")
}

// Signals reports whether the instruction's operation is asynchronous and signals its completion to a barrier object.
func (d *Decoded) Signals() bool {
	return slices.ContainsFunc(d.Operands, func(o OperandInfo) bool {
		return o.Spec.access != nil &&
			o.Spec.access.signals
	})
}

// SignalsAt reports whether an access of the instruction is the signal of its completion.
func (d *Decoded) SignalsAt(a Access) bool {
	return a.Addr >= 0 && a.Addr < len(d.Operands) && d.Operands[a.Addr].Spec.access != nil &&
		d.Operands[a.Addr].Spec.access.signals
}

// Remote reports whether an access of the instruction may be to the shared memory of another block of the cluster: its
// address is generic or in .shared::cluster, or several blocks are accessed. .shared is .shared::cta (PTX ISA, "State
// Spaces"). The barrier object of an asynchronous operation is in the block of its destination.
func (d *Decoded) Remote(a Access) bool {
	words, n := d.spaceWords(), 0
	for i := range d.Operands[:min(max(a.Addr, 0), len(d.Operands))] {
		if d.Operands[i].Role == RoleAddr {
			n++
		}
	}
	switch {
	case a.Indirect, a.Space != SpaceShared && a.Space != SpaceNone:
		return false
	case d.Multicast(), len(words) == 0:
		return true
	case d.SignalsAt(a):
		n = 0
	}
	return words[min(n, len(words)-1)] == "shared::cluster"
}

// OpaqueMatrix reports whether the manual does not specify which lane accesses which element of a matrix in memory (PTX
// ISA, "wmma.load", "wmma.store").
func (d *Decoded) OpaqueMatrix() bool { return d.Instr.Name == "wmma" && d.Access.Kind != AccessNone }

// Tcgen05 reports whether the instruction is one of the fifth-generation tensor cores, which have tensor memory.
func (d *Decoded) Tcgen05() bool { return d.Instr.Name == "tcgen05" }

// TensorMemory reports whether an operand is an address of tensor memory.
func (d *Decoded) TensorMemory(operand int) bool {
	spec := d.Operands[operand].Spec
	return d.Tcgen05() && spec.Role == RoleAddr && spec.access == nil
}

// Wgmma reports whether the instruction is part of matrix multiplication by a warpgroup.
func (d *Decoded) Wgmma() bool { return d.Instr.Name == "wgmma" }

// TensorFence is the kind of a tcgen05 fence.
type TensorFence uint8

// Fences of tcgen05 (PTX ISA, "tcgen05.fence").
const (
	TensorNone   TensorFence = iota // another instruction
	TensorBefore                    // before threads synchronise
	TensorAfter
)

// TensorFence returns the kind of the tcgen05 fence.
func (d *Decoded) TensorFence() TensorFence {
	switch {
	case d.Has("fence::before_thread_sync"):
		return TensorBefore
	case d.Has("fence::after_thread_sync"):
		return TensorAfter
	}
	return TensorNone
}

// Package accesses has the words for accesses of threads to memory: the access class, which is the static part (class),
// the place of a thread and which places an operation reaches by its scope (place), and spans of time (span). It must
// know neither what orders accesses, what races nor the record of accesses.
package accesses

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Class is the static part of an access: site, kind, size, semantics, scope, proxy.
type Class struct {
	Site   uint32
	Kind   abi.AccessKind
	Async  abi.AsyncKind
	Proxy  abi.Proxy
	Sem    abi.Semantics
	Scope  abi.Scope
	Strong bool
	Shared bool // shared memory, not global
	Tensor bool // tensor memory, not global
	Reach  Reach
	Size   uint32 // bytes per lane
	Scalar uint32 // bytes of one of the scalars that a lane accesses
	Piece  uint32 // bytes that an asynchronous operation accesses at a time, 0 for all
	// Code is equal for accesses that are morally strong whenever they overlap. It is 0 for classes whose accesses have
	// to be compared in detail.
	Code uint32
	// BlockCode is Code, but for accesses within one block.
	BlockCode uint32
	Event     detect.Event // of the life of a block; empty for accesses
	Completes bool         // the complete-tx operation of an asynchronous operation on its mbarrier
}

// Writes reports whether the accesses write.
func (x *Class) Writes() bool { return x.Kind.Writes() }

// Pieces returns the size of what is accessed at a time, and how many of these an access has.
func (x *Class) Pieces() (size, n uint32) {
	if x.Piece == 0 {
		return x.Size, 1
	}
	return x.Piece, x.Size / x.Piece
}

// Atomic reports whether they are read-modify-write operations.
func (x *Class) Atomic() bool { return x.Kind == abi.AccessRMW }

// IsPlain reports whether an access is synchronous and by the generic proxy.
func (x *Class) IsPlain() bool {
	return x.Async == abi.Synchronous && x.Proxy == abi.ProxyGeneric
}

// Crossing is what it takes, beside causality order, that an access is ordered before one that is made through another
// proxy.
type Crossing uint8

// What orders an access before one that is made through another proxy.
const (
	// CrossesNothing: causality order suffices.
	CrossesNothing Crossing = iota
	// CrossesByFence: a proxy fence after the first access (PTX ISA, "Async proxy": "accessing the same memory location
	// across multiple proxies needs a cross-proxy fence"). Without it, the second may read or overwrite the memory as
	// it was before.
	CrossesByFence
	// CrossesOpen: the same for a read of shared memory before an asynchronous write. Programs commonly do without the
	// fence where an mbarrier tells the thread that issues the write, so that counts as well; otherwise there is a
	// warning.
	CrossesOpen
	// CrossesByEnd: the end of the grid. The model does not apply to textures, ld.global.nc and surfaces (PTX ISA,
	// "Scope and applicability of the model"): such reads are of memory that the grid does not write otherwise.
	CrossesByEnd
	// CrossesByMapFence: an acquiring fence.proxy.tensormap between the two (PTX ISA, "membar / fence"), of a write to
	// a tensor map before an asynchronous operation reads it.
	CrossesByMapFence
)

// Crossing returns what orders access x before y, in one grid.
func (x *Class) Crossing(y *Class) Crossing {
	switch {
	case x.Proxy == abi.ProxyGeneric && y.Proxy == abi.ProxyGeneric || x.Tensor:
		return CrossesNothing
	case y.Proxy == abi.ProxyTensorMap && y.Async != abi.Synchronous && x.Async == abi.Synchronous && x.Writes():
		return CrossesByMapFence
	case x.Proxy == abi.ProxyReadOnly && y.Writes(), x.Writes() && y.readsApartFrom(x):
		return CrossesByEnd
	case x.Proxy != abi.ProxyGeneric || y.Proxy != abi.ProxyAsync:
		return CrossesNothing
	case x.Writes():
		return CrossesByFence
	case y.Writes() && x.Shared:
		return CrossesOpen
	}
	return CrossesNothing
}

// readsApartFrom reports whether an access reads by a way that an earlier write of the same grid does not reach:
// surface loads find what surfaces have stored, and nothing else finds that.
func (x *Class) readsApartFrom(write *Class) bool {
	return x.Proxy == abi.ProxyReadOnly || x.Proxy == abi.ProxyTexture ||
		!x.Writes() && (x.Proxy == abi.ProxySurface) != (write.Proxy == abi.ProxySurface)
}

// Exemptions: proofs that an access of a kernel takes part in no data race.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Exemption says why an access takes part in no data race, whatever the threads of its
// grid do (PTX ISA, "Data-Races": accesses of one location conflict when one of them
// writes, and race unless they are ordered or morally strong).
type Exemption uint8

// The reasons why an access is exempt.
const (
	ExemptNot       Exemption = iota // no proof: the access may race
	ExemptRead                       // nothing in the grid writes to the object
	ExemptAtomic                     // all that the grid does to the object are atomic operations for all threads of the device, of one size
	ExemptOwn                        // each thread accesses words of the object that no other thread accesses
	ExemptUnwatched                  // no proof: nobody asks for the races of the kernel
)

// Given holds the facts about how a kernel is launched, from which exemptions are proved. The
// zero value knows nothing.
type Given struct {
	AliasOptions
	launches []LaunchValues // all launches of the kernel, when they are known
	host     *host          // facts about all kernels of the module; nil: nothing is known
	// Refuted says that a run has seen an access go elsewhere than was proved: then no access
	// is exempt.
	Refuted bool
	// Unwatched says that nobody asks for the races of the kernel: then all accesses are exempt.
	Unwatched bool
}

// Exempt returns the accesses of kernel f to global memory that take part in no data race
// while no other grid runs, each with the reason. The map is nil when f is no kernel, when
// given is refuted, and when the kernel may write anywhere.
func Exempt(f *rewrite.Func, given Given) map[*rewrite.Inst]Exemption {
	if given.Unwatched && f.Entry {
		return unwatched(f)
	}
	u := &usage{opt: given.AliasOptions, host: given.host, of: make(map[object]*use), seen: make(map[*rewrite.Func]bool)}
	if given.Refuted || !f.Entry || !u.function(f) {
		return nil
	}
	if len(given.launches) <= manyLaunches {
		u.kernel, u.launches, u.linear = f, given.launches, make([]*LinearAddresses, len(given.launches))
	}
	out := make(map[*rewrite.Inst]Exemption)
	for _, in := range f.Insts {
		if len(in.Accesses) != 1 || in.Access.Kind == isa.AccessNone {
			continue
		}
		if ref := rootsFor(f, given.host).memRef(in, in.Access); ref.Space == isa.SpaceGlobal {
			if e := u.exemption(ref.object()); e != ExemptNot {
				out[in] = e
			}
		}
	}
	return out
}

// unwatched are all accesses of a kernel that may be to global memory.
func unwatched(f *rewrite.Func) map[*rewrite.Inst]Exemption {
	out := make(map[*rewrite.Inst]Exemption)
	for _, ref := range MemRefsOf(f) {
		if ref.Space == isa.SpaceGlobal || ref.Space == isa.SpaceNone {
			out[ref.Inst] = ExemptUnwatched
		}
	}
	return out
}

// manyLaunches is the largest number of launches that are analysed one by one.
const manyLaunches = 16

// usage collects what a grid does to the memory that all its threads see.
type usage struct {
	opt      AliasOptions
	host     *host
	kernel   *rewrite.Func
	launches []LaunchValues
	linear   []*LinearAddresses // of launches, as far as somebody has asked
	of       map[object]*use
	list     []*use // in order of appearance
	seen     map[*rewrite.Func]bool
}

// use collects what a grid does to one object.
type use struct {
	object object
	writes bool
	plain  bool // there are accesses that are not atomic for the device
	size   int  // bytes of the atomic operations
	refs   []MemRef
}

// function adds what a function does and those that it calls. It reports whether all of
// that is known.
func (u *usage) function(f *rewrite.Func) bool {
	if u.seen[f] {
		return true
	}
	u.seen[f] = true
	if f.Alias != nil {
		return u.function(f.Alias)
	}
	if !f.Defined() {
		return harmless[f.Name]
	}
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok {
			if c.Func == nil || !u.function(c.Func) {
				return false
			}
		} else if !u.inst(f, in) {
			return false
		}
	}
	return true
}

// harmless are the functions without a body that touch none of the caller's objects (CUDA
// C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
// Allocation").
var harmless = map[string]bool{"vprintf": true, "__assertfail": true, "malloc": true, "free": true}

// inst adds the accesses of an instruction. It reports whether all of them are known.
func (u *usage) inst(f *rewrite.Func, in *rewrite.Inst) bool {
	if len(in.Accesses) == 0 {
		return in.Effects()&isa.WritesMemory == 0
	}
	for _, a := range in.Accesses {
		if a.Indirect && a.Writes() {
			return false // a tensor map or a surface says where
		}
		if ref := rootsFor(f, u.host).memRef(in, a); ref.Space == isa.SpaceGlobal || ref.Space == isa.SpaceNone || a.Indirect {
			u.access(ref, a)
		}
	}
	return true
}

// access adds an access.
func (u *usage) access(ref MemRef, a isa.Access) {
	o := ref.object()
	if a.Indirect || o.kind == RootParam && !ref.Inst.Func.Entry {
		o = object{} // anything
	}
	s := u.of[o]
	if s == nil {
		s = &use{object: o}
		u.of[o], u.list = s, append(u.list, s)
	}
	s.writes = s.writes || a.Writes()
	if !deviceAtomic(ref.Inst, a) || s.size != 0 && s.size != a.Size {
		s.plain = true
	}
	s.size = a.Size
	s.refs = append(s.refs, ref)
}

// deviceAtomic reports whether an access is one atomic operation for all threads of the
// device.
func deviceAtomic(in *rewrite.Inst, a isa.Access) bool {
	scope := in.MemoryScope()
	wide := scope == isa.ScopeGPU || scope == isa.ScopeSys
	return wide && (a.Atomic() || in.Sem >= isa.SemRelaxed) && a.Size > 0 && a.Size == a.ElemSize && in.Proxy() == isa.ProxyGeneric && in.Instr.Class != isa.ClassAsync
}

// exemption is the exemption that holds for all accesses of an object.
func (u *usage) exemption(o object) Exemption {
	writes, plain := false, false
	size := u.of[o].size
	for _, s := range u.list {
		if s.object == o || o.mayOverlap(s.object, u.opt) {
			writes = writes || s.writes
			plain = plain || s.plain || s.size != size
		}
	}
	switch {
	case !writes:
		return ExemptRead
	case !plain:
		return ExemptAtomic
	case u.own(o):
		return ExemptOwn
	}
	return ExemptNot
}

// own reports whether, in all launches, each thread accesses words of its own of an object,
// at addresses that are linear in the indices of thread and block, or their partners.
func (u *usage) own(o object) bool {
	for i := range u.launches {
		l := u.linearIn(i)
		var all []LinearAccess
		for _, s := range u.list {
			if s.object != o && !o.mayOverlap(s.object, u.opt) {
				continue
			}
			for _, ref := range s.refs {
				x, ok := l.access(ref)
				if !ok {
					return false
				}
				all = append(all, x)
			}
		}
		for _, part := range Parts(all, l.launch) {
			if p, ok := FootprintOf(all, part); !ok || !p.Separate(SeparatesThreads, l.launch) {
				return false
			}
		}
	}
	return len(u.launches) > 0
}

// linearIn is the linear addresses of the kernel in a launch.
func (u *usage) linearIn(i int) *LinearAddresses {
	if u.linear[i] == nil {
		u.linear[i] = LinearOf(u.kernel, u.launches[i])
	}
	return u.linear[i]
}

// word is the size in bytes of what two threads may not share: the granules of detectors are
// not smaller.
const word = 4

// access is an access in a launch. It is known at a linear address or a partner's, of whole words.
func (l *LinearAddresses) access(ref MemRef) (x LinearAccess, known bool) {
	if ref.Inst.Func != l.f || ref.Size == 0 || ref.Size%word != 0 {
		return LinearAccess{}, false
	}
	return l.Access(ref.Inst, ref.Operand, ref.Size)
}

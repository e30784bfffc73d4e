// Exemptions: proofs that an access of a kernel takes part in no data race.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Exemption is the reason why an access takes part in no data race, whatever the threads of its grid do (PTX ISA,
// "Data-Races": accesses of one location conflict if one of them writes, and race unless they are ordered or morally
// strong).
type Exemption uint8

// The reasons why an access is exempt.
const (
	ExemptNot       Exemption = iota // no proof: the access may race
	ExemptRead                       // nothing in the grid writes to the object
	ExemptAtomic                     // all accesses of the grid to the object are atomic operations of gpu or sys scope and of one size
	ExemptUpdate                     // as ExemptAtomic; moreover, all of them read, modify and write whole words
	ExemptOwn                        // each thread accesses words of the object that no other thread accesses
	ExemptUnwatched                  // no proof: races of the kernel are not reported
)

// Given holds the facts about how a kernel is launched, from which exemptions are proved. The zero value has no facts.
type Given struct {
	AliasOptions
	launches []LaunchValues // all launches of the kernel, if known
	host     *host          // facts about all kernels of the module; nil for none
	// Refuted says that in some run an access did not go where it was proved to go: then no access is exempt.
	Refuted bool
	// Unwatched says that races of the kernel are not reported: then all accesses are exempt.
	Unwatched bool
}

// Exempt returns the accesses of kernel f to global memory that take part in no data race while no other grid runs,
// each with the reason. The map is nil if f is no kernel, if given is refuted, and if the kernel may write anywhere.
func Exempt(f *rewrite.Func, given Given) map[*rewrite.Inst]Exemption {
	if given.Unwatched && f.Entry {
		return unwatched(f)
	}
	u := usageOf(f, given)
	if u == nil {
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

// unwatched returns all accesses of a kernel that may be to global memory.
func unwatched(f *rewrite.Func) map[*rewrite.Inst]Exemption {
	out := make(map[*rewrite.Inst]Exemption)
	for _, ref := range MemRefsOf(f) {
		if ref.Space == isa.SpaceGlobal || ref.Space == isa.SpaceNone {
			out[ref.Inst] = ExemptUnwatched
		}
	}
	return out
}

// usageOf returns the accesses of a kernel's grid. It is nil if f is no kernel, if given is refuted, and if the kernel
// may write anywhere.
func usageOf(f *rewrite.Func, given Given) *usage {
	u := &usage{
		opt: given.AliasOptions, host: given.host, of: make(map[object]*use),
		seen: make(map[*rewrite.Func]bool),
	}
	if given.Refuted || !f.Entry || !u.function(f) {
		return nil
	}
	return u
}

// manyLaunches is the largest number of launches that are analysed separately.
const manyLaunches = 16

// usage collects the accesses of a grid to memory that all its threads share.
type usage struct {
	opt      AliasOptions
	host     *host
	kernel   *rewrite.Func
	launches []LaunchValues
	linear   []*LinearAddresses // of each launch, computed on demand
	of       map[object]*use
	list     []*use // in order of first access
	seen     map[*rewrite.Func]bool
}

// use collects the accesses of a grid to one object.
type use struct {
	object object
	writes bool
	plain  bool // some accesses are not atomic for the device
	weak   bool // some accesses are not strong for the device
	nc     bool // some accesses are loads of read-only data (ld.global.nc)
	apart  bool // some accesses only read or only write, or are to parts of words
	size   int  // size in bytes of the atomic operations
	refs   []MemRef

	decided   bool // exemption is known
	exemption Exemption
}

// function adds the accesses of a function and of those that it calls. It reports whether all of them are known.
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

// harmless lists functions without a body that touch none of the caller's objects (CUDA C++ Programming Guide,
// "Formatted Output", "Assertion", "Dynamic Global Memory Allocation").
var harmless = map[string]bool{"vprintf": true, "__assertfail": true, "malloc": true, "free": true}

// inst adds the accesses of an instruction. It reports whether all of them are known.
func (u *usage) inst(f *rewrite.Func, in *rewrite.Inst) bool {
	if len(in.Accesses) == 0 {
		return in.Effects()&isa.WritesMemory == 0
	}
	for _, a := range in.Accesses {
		if a.Indirect && a.Writes() {
			return false // a tensor map or a surface determines the address
		}
		if ref := rootsFor(f, u.host).memRef(in, a); ref.Space == isa.SpaceGlobal || ref.Space == isa.SpaceNone ||
			a.Indirect {
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
	uneven := s.size != 0 && s.size != a.Size
	s.plain = s.plain || uneven || !deviceAtomic(ref.Inst, a)
	s.weak = s.weak || uneven || !deviceStrong(ref.Inst, a)
	s.nc = s.nc || ref.Inst.Proxy() == isa.ProxyReadOnly
	s.apart = s.apart || !a.Atomic() || a.Size%word != 0
	s.size = a.Size
	s.refs = append(s.refs, ref)
}

// deviceAtomic reports whether an access is a single atomic operation of gpu or sys scope.
func deviceAtomic(in *rewrite.Inst, a isa.Access) bool {
	return deviceWide(in.MemoryScope()) && (a.Atomic() || in.Sem >= isa.SemRelaxed) && single(in, a)
}

func deviceWide(s isa.Scope) bool { return s == isa.ScopeGPU || s == isa.ScopeSys }

// single reports whether an access is one operation, made by the thread itself.
func single(in *rewrite.Inst, a isa.Access) bool {
	return a.Single() && in.Proxy() == isa.ProxyGeneric && in.Instr.Class != isa.ClassAsync
}

// exemption returns the exemption that holds for all accesses of an object.
func (u *usage) exemption(o object) Exemption {
	s := u.of[o]
	if !s.decided {
		s.exemption, s.decided = u.decide(o), true
	}
	return s.exemption
}

func (u *usage) decide(o object) Exemption {
	writes, nc, plain, apart := false, false, false, false
	size := u.of[o].size
	for _, s := range u.list {
		if s.object == o || o.mayOverlap(s.object, u.opt) {
			writes, nc = writes || s.writes, nc || s.nc
			plain = plain || s.plain || s.size != size
			apart = apart || s.apart
		}
	}
	switch {
	case !writes:
		return ExemptRead
	case nc: // even a thread's own write is an error
		return ExemptNot
	case !plain && !apart:
		return ExemptUpdate
	case !plain:
		return ExemptAtomic
	case u.own(o):
		return ExemptOwn
	}
	return ExemptNot
}

// own reports whether, in all launches, each thread accesses its own words of an object, at addresses that are linear
// in the indices of thread and block, or at those of partners.
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

// linearIn returns the linear addresses of the kernel in a launch.
func (u *usage) linearIn(i int) *LinearAddresses {
	if u.linear[i] == nil {
		u.linear[i] = LinearOf(u.kernel, u.launches[i])
	}
	return u.linear[i]
}

// word is the granularity in bytes at which threads must not share memory: detectors have no smaller granules.
const word = 4

// access returns an access in a launch. It is known if it is to whole words at a linear address or a partner's.
func (l *LinearAddresses) access(ref MemRef) (x LinearAccess, known bool) {
	if ref.Inst.Func != l.f || ref.Size == 0 || ref.Size%word != 0 {
		return LinearAccess{}, false
	}
	return l.Access(ref.Inst, ref.Operand, ref.Size)
}

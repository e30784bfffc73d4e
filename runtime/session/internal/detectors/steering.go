// What decides control and addresses of a program's kernels, for the listener that follows where values come from.

package detectors

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/internal/steer"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Steered reports whether anything but parameters and the indices of threads decides control or addresses of a kernel.
// If nothing does, the kernel does the same in every schedule and for all contents of memory.
func Steered(kernel *rewrite.Func) bool { return steer.Of(kernel).Steering() }

// Labels returns a listener for the launches of a program on the device with a memory. It needs all accesses, and the
// regions of each launch.
func Labels(user *rewrite.Module, mem *labels.Memory) *labels.Listener {
	return labels.New(mem, func(kernel string) *labels.Table {
		f, _ := user.Lookup(kernel)
		return tableOf(user, f.(*rewrite.Func))
	})
}

// Varies reports whether something that differs between schedules, whatever is in memory, may reach what a kernel
// stores.
func Varies(user *rewrite.Module, kernel *rewrite.Func) bool {
	return kernel.Memo(variesKey{}, func() any {
		for _, from := range tableOf(user, kernel).Stores {
			if slices.ContainsFunc(from, func(s labels.Source) bool { return s.Differs != "" && !s.Shifts }) {
				return true
			}
		}
		return false
	}).(bool)
}

type variesKey struct{}

// Definition returns the number of an instruction in its module by which a value counts only where PTX leaves it
// undefined.
func Definition(in *rewrite.Inst) uint32 {
	m := in.Func.Module
	first := m.Memo(definitionsKey{}, func() any {
		first, n := make(map[*rewrite.Func]int), 1
		for _, f := range m.Funcs {
			first[f] = n
			n += len(f.Insts)
		}
		return first
	}).(map[*rewrite.Func]int)
	return uint32(first[in.Func] + in.Index)
}

type definitionsKey struct{}

// Peeks returns the sites of tests of mbarriers, which no loop repeats, of a kernel. What they order in a run is not
// ordered in every schedule.
func Peeks(kernel *rewrite.Func) []uint32 {
	return kernel.Memo(peeksKey{}, func() any {
		var list []uint32
		for _, in := range steer.Of(kernel).Peeks() {
			list = append(list, sites.Number(in))
		}
		return list
	}).([]uint32)
}

type peeksKey struct{}

// StoresLoaded reports whether what an instruction stores may be computed from what is in memory.
func StoresLoaded(user *rewrite.Module, kernel *rewrite.Func, site uint32) bool {
	return slices.ContainsFunc(tableOf(user, kernel).Stores[site], func(s labels.Source) bool { return s.Undefined == 0 })
}

// Undefined returns what undefined values of some instructions, in words by their numbers, may steer in a kernel, and
// whether they may reach memory.
func Undefined(user *rewrite.Module, kernel *rewrite.Func, what map[uint32]string) (
	list []detect.Dependence, stored bool,
) {
	t := tableOf(user, kernel)
	for i := range t.Sinks {
		for _, from := range t.Sinks[i].Sources {
			if words := what[from.Undefined]; words != "" {
				list = append(list, labels.Undefined(&t.Sinks[i], words))
				break
			}
		}
	}
	for _, from := range t.Stores {
		stored = stored || slices.ContainsFunc(from, func(s labels.Source) bool { return what[s.Undefined] != "" })
	}
	return list, stored
}

// TooLong reports whether it was not found out what steers a kernel, since its code is too long.
func TooLong(kernel *rewrite.Func) bool { return steer.Of(kernel).Exceeded() }

// ReadsLocal reports whether what a kernel steers by or stores may come from local memory.
func ReadsLocal(kernel *rewrite.Func) bool { return steer.Of(kernel).ReadsLocal() }

type steerTableKey struct{}

// tableOf returns what is known of the code of a kernel, computed on first use.
func tableOf(m *rewrite.Module, kernel *rewrite.Func) *labels.Table {
	return kernel.Memo(steerTableKey{}, func() any {
		w := steer.Of(kernel)
		t := &labels.Table{
			Sites: len(sites.Numbered(m)), Stores: make(map[uint32][]labels.Source), Polls: make(map[uint32]bool),
			Unordered: unordered(w.Funcs),
		}
		for _, s := range w.Sinks() {
			t.Sinks = append(t.Sinks, labels.Sink{
				Site: sites.Number(s.Inst), Steers: s.Steers, Sources: numbered(s.Sources),
			})
		}
		for in, from := range w.Stores() {
			t.Stores[sites.Number(in)] = numbered(from)
		}
		for _, f := range w.Funcs {
			polls := maps.Clone(address.Awaited(f))
			maps.Copy(polls, address.Deciding(f))
			for in := range address.Waits(f) {
				polls[in] = true
			}
			for in := range polls {
				t.Polls[sites.Number(in)] = true
			}
		}
		return t
	}).(*labels.Table)
}

// unordered returns the copies of functions that reduce memory with a result that depends on the order of reductions: of
// numbers that are rounded, perhaps in a tensor, or of integers where another operation may change the same memory.
func unordered(funcs []*rewrite.Func) map[uint32]bool {
	kinds, out := make(map[string]bool), make(map[uint32]bool)
	for _, f := range funcs {
		for _, in := range f.Insts {
			for _, a := range in.Accesses {
				if a.Atomic() && !ofMbarrier(in, &a) {
					kinds[reduction(in)] = true
				}
			}
		}
	}
	for _, f := range funcs {
		for _, in := range f.Insts {
			if reduces(in) && (len(kinds) > 1 || len(in.Types) == 0 || slices.ContainsFunc(in.Types, isa.Type.Float)) {
				out[sites.Number(in)] = true
			}
		}
	}
	return out
}

// ofMbarrier reports whether an instruction's access is to an mbarrier, as the signal of an asynchronous operation is.
func ofMbarrier(in *rewrite.Inst, a *isa.Access) bool {
	return in.Mbarrier() != isa.MbarrierNone || a.AtomOp == "arrive" || a.AtomOp == "complete_tx"
}

// reduces reports whether an instruction is a copy that reduces memory.
func reduces(in *rewrite.Inst) bool {
	return in.Copy.Kind == isa.AccessReduce || in.Fabric() || in.Has("reduce") && in.Has("async")
}

// reduction names what an instruction does to memory that it reads and writes.
func reduction(in *rewrite.Inst) string {
	for _, op := range []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"} {
		if in.Has(op) {
			return op
		}
	}
	return in.Opcode()
}

// numbered returns sources by the numbers of their instructions.
func numbered(list []steer.Source) (out []labels.Source) {
	for _, s := range list {
		x := labels.Source{
			Differs: s.Order, Map: s.Map, Found: s.Found, Offset: s.Offset, Shifts: s.Order == steer.Allocated,
		}
		switch {
		case s.Undefined:
			x.Undefined = Definition(s.Inst)
		case s.Inst != nil:
			x.Site = sites.Number(s.Inst)
		}
		out = append(out, x)
	}
	return out
}

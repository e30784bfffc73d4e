// Flags: a flag is an object to which a kernel has only strong accesses (atomic, volatile or relaxed). The kernel uses
// a value that it loads from a flag for nothing but the conditions of branches.

package address

import (
	"maps"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Flags returns the accesses of kernel f to flags, for launches during which no other grid runs. An object is a flag if
// all accesses of the grid to it are strong, of gpu or sys scope and of one size, so that any two of them are morally
// strong, and if the grid reads it, and each read is Deciding or Awaited. Volatile accesses are strong, of sys scope.
// The map is nil in the cases in which that of Exempt is nil.
func Flags(f *rewrite.Func, given Given) map[*rewrite.Inst]bool {
	u := usageOf(f, given)
	if u == nil {
		return nil
	}
	out := make(map[*rewrite.Inst]bool)
	for _, s := range u.list {
		if !u.isFlag(s) {
			continue
		}
		for _, ref := range s.refs {
			if ref.Inst.Func == f {
				out[ref.Inst] = true
			}
		}
	}
	return out
}

// isFlag reports whether an object is a flag. An atomic operation is not a read of the object if no instruction uses
// its result.
func (u *usage) isFlag(of *use) bool {
	reads := false
	for _, s := range u.list {
		if s != of && !of.object.mayOverlap(s.object, u.opt) {
			continue
		}
		if s.weak || s.size != of.size {
			return false
		}
		for _, ref := range s.refs {
			switch in := ref.Inst; {
			case in.Access.Kind == isa.AccessStore || in.Access.Kind == isa.AccessReduce:
			case tests(in.Func)[in]:
				reads = true
			case in.Access.Kind != isa.AccessAtomic || !Unheeded(in):
				return false
			}
		}
	}
	return reads
}

// tests returns the reads that are Deciding or Awaited.
func tests(f *rewrite.Func) map[*rewrite.Inst]bool {
	return f.Memo(testsKey{}, func() any {
		out := Deciding(f)
		maps.Copy(out, Awaited(f))
		return out
	}).(map[*rewrite.Inst]bool)
}

// testsKey is the key under which a function caches its tests.
type testsKey struct{}

// deviceStrong reports whether an access is a single strong operation of gpu or sys scope.
func deviceStrong(in *rewrite.Inst, a isa.Access) bool {
	return deviceWide(in.StrongScope()) && (a.Atomic() || in.Strong()) && single(in, a)
}

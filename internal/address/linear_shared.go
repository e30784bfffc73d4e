// Shared memory: accesses of a block's threads at linear addresses, and those that never meet.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// firstShared is the number of the first object that is a variable in shared memory. Its address may be 0.
const firstShared = 1 << 32

// sharedObject returns the address of a variable in shared memory. Arrays without a size are one object: all of them
// begin where the variables with a size end.
func (l *LinearAddresses) sharedObject(v *rewrite.Var) linear {
	i := slices.IndexFunc(l.shared, func(u *rewrite.Var) bool { return u == v || u.Size == 0 && v.Size == 0 })
	if i < 0 {
		i, l.shared = len(l.shared), append(l.shared, v)
	}
	return linear{kind: linearForm, form: Linear{Object: firstShared + uint64(i)}}
}

// sharedAccess is an access to shared memory by the threads of a block.
type sharedAccess struct {
	LinearAccess
	known      bool   // its address is linear, and the same in all blocks
	least, end int64  // the range of the threads' accesses in the variable
	inside     bool   // it ends where the variable ends, or before
	one        bool   // one thread of each block makes it
	thread     thread // that thread
}

// sharedAccess returns the access of an instruction to shared memory.
func (l *LinearAddresses) sharedAccess(in *rewrite.Inst) (x sharedAccess) {
	x.thread, x.one = l.onlyThread(in)
	if len(in.Accesses) != 1 || in.Access.Space != isa.SpaceShared || in.Access.Size == 0 {
		return x
	}
	a := l.sum(in, in.Access.Addr)
	if a.kind != linearForm || a.form.Object < firstShared || a.form.Cta != [3]int64{} || a.form.reachesFar(l.launch) {
		return x
	}
	const far = 1 << 30 // up to there, different addresses differ in 32 bits
	x.At, x.Size = a.form, int64(in.Access.Size)
	x.least, x.end = a.form.Range(l.launch)
	x.end += x.Size
	x.known = x.least >= -far && x.end <= far
	size := l.shared[a.form.Object-firstShared].Size
	x.inside = x.least >= 0 && (size == 0 || uint64(x.end) <= size)
	return x
}

// apart reports whether two accesses, or one that several threads make, touch no common byte when different threads of
// a block make them.
func (x *sharedAccess) apart(y *sharedAccess, launch LaunchValues) bool {
	switch {
	case x.one && y.one && x.thread == y.thread:
		return true
	case !x.known || !y.known:
		return false
	case x.At.Object != y.At.Object:
		return x.inside && y.inside
	case x.end <= y.least || y.end <= x.least:
		return true
	}
	p, ok := FootprintOf([]LinearAccess{x.LinearAccess, y.LinearAccess}, []int{0, 1})
	launch.Grid = [3]uint32{1, 1, 1}
	return ok && p.Separate(SeparatesThreads, launch)
}

// fewShared is the largest number of launches for which SharedApart compares accesses.
const fewShared = 4

// SharedApart returns a function that reports whether two accesses of kernel f to shared memory touch no common byte
// when different threads of a block make them, in all launches. The two may be the same instruction. The result is nil
// if too little is known of the launches.
func SharedApart(f *rewrite.Func, given Given) func(x, y *rewrite.Inst) bool {
	if given.Refuted || len(given.launches) == 0 || len(given.launches) > fewShared {
		return nil
	}
	linear := make([]*LinearAddresses, len(given.launches))
	accesses := make([]map[*rewrite.Inst]*sharedAccess, len(given.launches))
	access := func(i int, in *rewrite.Inst) *sharedAccess {
		if linear[i] == nil {
			launch := given.launches[i]
			launch.shared = true
			linear[i], accesses[i] = LinearOf(f, launch), make(map[*rewrite.Inst]*sharedAccess)
		}
		if accesses[i][in] == nil {
			x := linear[i].sharedAccess(in)
			accesses[i][in] = &x
		}
		return accesses[i][in]
	}
	return func(x, y *rewrite.Inst) bool {
		for i, launch := range given.launches {
			if !access(i, x).apart(access(i, y), launch) {
				return false
			}
		}
		return true
	}
}

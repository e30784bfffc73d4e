// The code of runs.

package main

import (
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The handler of a run computes one part of the registers after the other, as other handlers do. In it, a value of 32
// bits is a vector, one of 64 bits two, a predicate a vector of all ones or zeros for each lane. For one lane, all are
// in the lowest part of a vector.

// runStep is an operation of a run: its sources and results by name, and the fields that hold them.
type runStep struct {
	op, fields       string // fields are those of the results
	sources, results []string
}

// steps returns the operations of the run.
func (r *run) steps() (steps []runStep) {
	list := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }
	for text := range strings.SplitSeq(r.text, "; ") {
		op, rest, _ := strings.Cut(text, " ")
		sources, results, _ := strings.Cut(rest, ">")
		s := runStep{op, "D", list(sources), list(results)}
		if f, ok := resultFields[op]; ok {
			s.fields = f
		}
		steps = append(steps, s)
	}
	return steps
}

// branches reports whether the last operation is a branch.
func (r *run) branches() bool { return strings.HasSuffix(r.steps()[len(r.steps())-1].op, "Branch") }

// kept reports whether the handler stores a result.
func (r *run) kept(name string) bool { return slices.Contains(strings.Split(r.keeps, ","), name) }

// runEmitter emits the code of a run for one part of the registers.
type runEmitter struct {
	*run
	all  []runStep
	c    int // the part
	in   map[string][]VecPhysical
	free []VecPhysical
}

// emit emits the handler.
func (r *run) emit() {
	if one {
		findLane()
	}
	all := r.steps()
	parts(4, func(c int) {
		e := &runEmitter{run: r, all: all, c: c, in: map[string][]VecPhysical{}}
		for i := range 14 { // put32 and put64 use the last two
			v := []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13}[i]
			if one {
				v = []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13}[i]
			}
			e.free = append(e.free, v)
		}
		for i := range all {
			e.step(i)
		}
	})
	r.predicates(all)
	ADDQ(U32((len(all)-1)*inSz), R9)
	switch {
	case !r.branches():
		next()
	case all[len(all)-1].op == "Branch":
		XORL(in(inC), R13L)
		MOVL(R13L, EAX)
		ANDL(R11L, EAX)
		branchOf(taken, inB, 0)
	default:
		compared()
	}
}

// lanesOf returns the register that collects the lanes of a kept predicate: R13 for that of the branch.
func (r *run) lanesOf(name string) GPPhysical {
	if last := r.steps()[len(r.steps())-1]; slices.Contains(append(last.sources, last.results...), name) {
		return R13L
	}
	return R15L
}

// predicates stores the kept predicates.
func (r *run) predicates(all []runStep) {
	for i, s := range all {
		for k, name := range s.results {
			if r.kept(name) && isPredicate(s, k) {
				MOVL(of(i, fieldNamed(s.fields[k])), EDX)
				if one && r.lanesOf(name) == R15L { // R15 is the address of the lane
					MOVL(R12L, EAX)
				} else {
					MOVL(r.lanesOf(name), EAX)
				}
				putPred()
			}
		}
	}
}

// isPredicate reports whether a result is a predicate.
func isPredicate(s runStep, k int) bool {
	return strings.HasPrefix(s.op, "Set") || strings.HasSuffix(s.op, "Pred") ||
		strings.HasPrefix(s.op, "AndSet") && k == 1
}

// fieldNamed returns the offset of a field.
func fieldNamed(letter byte) int {
	return map[byte]int{'A': inA, 'B': inB, 'C': inC, 'D': inD, 'E': inE}[letter]
}

// of returns a field of an instruction of the run.
func of(instruction, field int) Mem { return Mem{Base: R9, Disp: instruction*inSz + field} }

// take takes n free vectors.
func (e *runEmitter) take(n int) []VecPhysical {
	v := slices.Clone(e.free[:n])
	e.free = e.free[n:]
	return v
}

// step emits operation i.
func (e *runEmitter) step(i int) {
	s := e.all[i]
	if s.op == "Branch" && !e.lone() {
		return
	}
	var a [3]VecPhysical
	var wide [3][]VecPhysical
	for k, name := range s.sources {
		if e.in[name] == nil {
			e.in[name] = e.load(i, k)
		}
		wide[k] = e.in[name]
		a[k] = wide[k][0]
	}
	d := e.take(e.vectors(s))
	for k := range s.results {
		e.in[s.results[k]] = d[k*len(d)/len(s.results) : (k+1)*len(d)/len(s.results)]
	}
	switch {
	case s.op == "Branch":
		jumpLone(i, a[0])
	case accesses(s.op):
		e.access(i, a, d)
	default:
		e.compute(s.op, a, wide, d)
	}
	for k, name := range s.results {
		if e.kept(name) || !e.lone() && isPredicate(s, k) && i == len(e.all)-1 { // the branch needs it
			e.keep(i, k, e.in[name])
		}
	}
	if e.lone() && s.op != "Branch" && strings.HasSuffix(s.op, "Branch") {
		jumpLone(i, d[0])
	}
	for name, v := range e.in {
		if !e.used(name, i+1) {
			delete(e.in, name)
			e.free = append(e.free, v...)
		}
	}
	slices.SortFunc(e.free, func(v, w VecPhysical) int { return int(v.PhysicalIndex()) - int(w.PhysicalIndex()) })
}

// vectors returns the number of vectors of the results of an operation.
func (e *runEmitter) vectors(s runStep) int {
	if !one && (s.op == "MadWideU32" || s.op == "Pack64") {
		return 2
	}
	return len(s.results)
}

// used reports whether an operation from i on uses a value.
func (e *runEmitter) used(name string, i int) bool {
	return slices.ContainsFunc(e.all[i:], func(s runStep) bool {
		return (s.op != "Branch" || e.lone()) && slices.Contains(s.sources, name)
	})
}

// load loads source k of operation i.
func (e *runEmitter) load(i, k int) []VecPhysical {
	s := e.all[i]
	MOVL(of(i, []int{inA, inB, inC}[k]), ECX)
	switch {
	case strings.HasSuffix(s.op, "Pred") || s.op == "Select32" && k == 2 || s.op == "Branch":
		return e.loadPredicate()
	case !wideSource(s.op, k):
		v := e.take(1)
		load32(RCX, e.c, v[0])
		return v
	case one:
		v := e.take(1)
		VMOVQ(lane64(RCX), v[0])
		return v
	}
	v := e.take(2)
	VMOVDQU(at(RCX, 64*e.c), v[0])
	VMOVDQU(at(RCX, 64*e.c+32), v[1])
	return v
}

// wideSource reports whether source k of an operation has 64 bits.
func wideSource(op string, k int) bool {
	switch op {
	case "Unpack64", "Load32", "Load64", "Store64", "AtomExch64":
		return true
	case "MadWideU32":
		return k == 2
	case "MatchAny64":
		return k == 0
	}
	return false
}

// loadPredicate loads the predicate at offset ECX.
func (e *runEmitter) loadPredicate() []VecPhysical {
	v := e.take(1)
	if one {
		MOVL(at(RCX, 0), EAX)
		ANDL(R11L, EAX)
		NEGL(EAX)
		SBBL(EAX, EAX)
		VMOVD(EAX, v[0])
		return v
	}
	VPBROADCASTD(at(RCX, 0), v[0])
	VPAND(bitOfLane().Offset(32*e.c), v[0], v[0])
	VPCMPEQD(bitOfLane().Offset(32*e.c), v[0], v[0])
	return v
}

// keep stores result k of operation i.
func (e *runEmitter) keep(i, k int, v []VecPhysical) {
	s := e.all[i]
	if isPredicate(s, k) && e.lone() {
		putLone(v[0], of(i, fieldNamed(s.fields[k])))
		return
	}
	if isPredicate(s, k) {
		lanes := e.lanesOf(s.results[k])
		switch {
		case one && lanes == R15L:
			VMOVD(v[0], R12L)
		case one:
			VMOVD(v[0], lanes)
		case e.c == 0:
			VMOVMSKPS(v[0], lanes)
		default:
			VMOVMSKPS(v[0], EAX)
			SHLL(U8(8*e.c), EAX)
			ORL(EAX, lanes)
		}
		return
	}
	MOVL(of(i, fieldNamed(s.fields[k])), EDX)
	switch {
	case s.op != "MadWideU32" && s.op != "Pack64" && s.op != "Load64" && s.op != "AtomExch64":
		put32(e.c, v[0])
	case one:
		put64(0, v[0])
	default:
		put64(2*e.c, v[0])
		put64(2*e.c+1, v[1])
	}
}

// compute emits an operation on a, of 64-bit values on wide, with the results d.
func (e *runEmitter) compute(op string, a [3]VecPhysical, wide [3][]VecPhysical, d []VecPhysical) {
	switch strings.TrimSuffix(op, "Branch") {
	case "Mov32":
		VMOVDQA(a[0], d[0])
	case "And32", "AndPred":
		VPAND(a[1], a[0], d[0])
	case "Or32", "OrPred":
		VPOR(a[1], a[0], d[0])
	case "Xor32", "XorPred":
		VPXOR(a[1], a[0], d[0])
	case "XorAnd32":
		VPXOR(a[1], a[0], d[0])
		VPAND(a[2], d[0], d[0])
	case "XorOr32":
		VPXOR(a[1], a[0], d[0])
		VPOR(a[2], d[0], d[0])
	case "AndOr32":
		VPAND(a[1], a[0], d[0])
		VPOR(a[2], d[0], d[0])
	case "OrOr32":
		VPOR(a[1], a[0], d[0])
		VPOR(a[2], d[0], d[0])
	case "ShrU32":
		VPSRLVD(a[1], a[0], d[0])
	case "Mad32":
		VPMULLD(a[1], a[0], d[0])
		VPADDD(a[2], d[0], d[0])
	case "AndAdd32":
		VPAND(a[1], a[0], d[0])
		VPADDD(a[2], d[0], d[1])
	case "SetEq32":
		VPCMPEQD(a[1], a[0], d[0])
	case "SetNe32":
		VPCMPEQD(a[1], a[0], d[0])
		VPXOR(all32(^uint32(0)), d[0], d[0])
	case "SetGtS32":
		VPCMPGTD(a[1], a[0], d[0])
	case "SetGtU32":
		t := e.free[0]
		VPXOR(all32(1<<31), a[0], d[0])
		VPXOR(all32(1<<31), a[1], t)
		VPCMPGTD(t, d[0], d[0])
	case "AndSetEq32":
		VPAND(a[1], a[0], d[0])
		VPCMPEQD(a[2], d[0], d[1])
	case "AndSetNe32":
		VPAND(a[1], a[0], d[0])
		VPCMPEQD(a[2], d[0], d[1])
		VPXOR(all32(^uint32(0)), d[1], d[1])
	case "Select32":
		VPBLENDVB(a[2], a[0], a[1], d[0])
	case "Unpack64":
		unpackRun(wide[0], d)
	case "MadWideU32":
		madWideRun(a, wide[2], d, e.free[0])
	case "Pack64":
		packRun(a, d, e.free[0])
	default:
		panic("BUG: no code for " + op + " in runs")
	}
}

// unpackRun splits 64-bit values into low and high halves.
func unpackRun(x, d []VecPhysical) {
	if one {
		VMOVDQA(x[0], d[0])
		VPSRLQ(U8(32), x[0], d[1])
		return
	}
	VSHUFPS(U8(0x88), x[1], x[0], d[0])
	VPERMQ(U8(0xd8), d[0], d[0])
	VSHUFPS(U8(0xdd), x[1], x[0], d[1])
	VPERMQ(U8(0xd8), d[1], d[1])
}

// madWideRun computes a[0]*a[1] + x.
func madWideRun(a [3]VecPhysical, x, d []VecPhysical, t VecPhysical) {
	if one {
		VPMULUDQ(a[1], a[0], d[0])
		VPADDQ(x[0], d[0], d[0])
		return
	}
	for i := range 2 {
		for _, w := range []struct{ from, to VecPhysical }{{a[0], d[i]}, {a[1], t}} {
			if i == 0 {
				VPMOVZXDQ(w.from.AsX(), w.to)
			} else {
				VEXTRACTI128(U8(1), w.from, w.to.AsX())
				VPMOVZXDQ(w.to.AsX(), w.to)
			}
		}
		VPMULUDQ(t, d[i], d[i])
		VPADDQ(x[i], d[i], d[i])
	}
}

// packRun makes a[0] the low half and a[1] the high half.
func packRun(a [3]VecPhysical, d []VecPhysical, t VecPhysical) {
	VPUNPCKLDQ(a[1], a[0], d[0])
	if one {
		return
	}
	VPUNPCKHDQ(a[1], a[0], t)
	VPERM2I128(U8(0x31), t, d[0], d[1])
	VPERM2I128(U8(0x20), t, d[0], d[0])
}

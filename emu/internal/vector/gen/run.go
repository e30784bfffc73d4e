// Handlers that execute several instructions.

package main

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

// A run is a sequence of instructions with a handler that executes all of them. Values that one instruction hands to
// the next stay in the processor's registers: storing a register of the warp, and loading it again, is most of the time
// of an operation, and for some of the lanes even more. The instructions are as they would be without the run: its
// handler is that of the first, and takes the operands from all. So a program may be entered at each of them.

// run is a sequence of operations with a handler of its own. In the text, operations are separated by "; " and have
// sources ">" results: fields A, B and C, and D unless resultFields has others. Names stand for registers. The handler
// stores only the results in keeps; the others must not be read later. The last operation may be a branch.
//
// The name of a lone run (lone.go) begins with Lone. Its handler executes the instructions of warps with one active
// lane; there is none for more lanes.
type run struct{ name, text, keeps string }

// lone reports whether r is a lone run.
func (r *run) lone() bool { return strings.HasPrefix(r.name, "Lone") }

// runs are sequences that the checks of detectors inside the kernel execute. Of those with the same beginning the
// longest comes first.
var runs = []run{
	{"RunLocate", "Unpack64 x>lo,hi; ShrU32 lo,s>a; Mad32 hi,m,a>b; And32 b,k>c; AndAdd32 c,n,c>d,e; MadWideU32 e,w,base>out", "out"},
	{"RunUnpackGreater", "Unpack64 x>lo,hi; SetGtS32Branch z,hi>p", "lo,hi"},
	{"RunUnpackLow", "Unpack64 x>lo,hi", "lo"},
	{"RunValidLow", "And32 a,b>f; Unpack64 x>lo,hi; SetEq32Branch f,z>p", "f,lo"},
	{"RunValid", "And32 a,b>f; Unpack64 x>lo,hi; SetEq32Branch f,z>p", "f,lo,hi"},
	{"RunQuick", "XorAnd32 x,y,k>a; XorOr32 u,v,a>b; AndOr32 f,g,b>c; SetEq32Branch c,z>p", "c"},
	{"RunPassedLoad", "XorAnd32 x,y,k>a; Xor32 u,v>b; AndOr32 f,g,b>c; SetEq32 c,z>p; SetNe32 a,z>q; AndPred q,p>r; Select32 i,j,r>t; And32 t,f>f2; Branch r>", "f2,r"},
	{"RunPassed", "XorAnd32 x,y,k>a; Xor32 u,v>b; AndOr32 f,g,b>c; SetEq32 c,z>p; SetNe32 a,z>q; AndPred q,p>r; Branch r>", "r"},
	{"RunSettled", "SetEq32 u,v>p; XorAnd32 x,y,k>a; XorAnd32 x,y,l>b; SetEq32 a,z>q; AndSetEq32 f,g,z>t,r; SetNe32 b,z>s; AndPred s,r>sr; OrPred q,sr>qsr; AndPred p,qsr>all; Branch all>", "p,all"},
	{"RunSameWarp", "Xor32 x,y>a; AndSetEq32 a,k,z>t,p; SetGtU32 w,t>q; ShrU32 x,n>b; AndSetEq32 b,o,o>c,r; XorPred p,q>s; AndPred e,s>es; OrPred r,es>all; Branch all>", "t,all"},
	{"RunFenced", "AndSetNe32 lo,k,z>t1,p; AndSetNe32 hi,l,z>t2,q; AndPred e,q>eq; OrPred p,eq>fence; Or32 h,g>o; AndSetEq32 o,m,z>t3,r; And32 h,g>n; AndSetNe32 n,i,z>t4,s; AndSetNe32 n,j,z>t5,t; AndPred s,t>st; AndSetEq32 o,w,z>t6,u; OrPred e,u>eu; AndPred eu,st>lock; OrPred r,lock>locks; AndPred locks,fence>all; Branch all>", "all"},
	{"RunPackLow", "AndOr32 a,b,c>t; Pack64 t,h>v", "v"},
	{"RunPackHigh", "OrOr32 a,b,c>t; Pack64 l,t>v", "v"},
	{"RunPackOr", "Or32 a,b>t; Pack64 l,t>v", "v"},
	{"RunTestEq", "AndSetEq32 a,b,z>t,p; Branch p>", "p"},
	{"RunTestNe", "AndSetNe32 a,b,z>t,p; Branch p>", "p"},
}

// resultFields are the fields with the results of operations for which these are not D.
var resultFields = map[string]string{
	"Unpack64": "BC", "AndAdd32": "DE", "AndSetEq32": "DE", "AndSetNe32": "DE",
	"LoadUniformV4x32": "DBCE",
}

// allRuns returns the runs in the order of their numbers.
func allRuns() []run { return slices.Concat(runs, loneRuns) }

// emitRuns emits the handlers of all runs for a variant. For one lane, all have code of their own.
func emitRuns(v variant) {
	for _, r := range allRuns() {
		if r.lone() && !v.one {
			continue
		}
		setVariant(v, r.name)
		TEXT(v.name+r.name, nosplit, "func()")
		if r.lone() {
			r.emitLone()
		} else {
			r.emit()
		}
	}
}

// namesOf returns the names of operations, followed by those of the runs.
func namesOf(ops []operation) (names []string) {
	for _, o := range ops {
		names = append(names, o.name)
	}
	for _, r := range allRuns() {
		names = append(names, r.name)
		scalar[r.name] = true
	}
	return names
}

// table returns the run as Go source: a value of type vector.run.
func (r *run) table() string {
	var names []string
	var s strings.Builder
	number := func(name string) int {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
		names = append(names, name)
		return len(names) - 1
	}
	registers := func(list []string, fields string) {
		var ops []string
		for i, name := range list {
			ops = append(ops, fmt.Sprintf("{field%c, %d}", fields[i], number(name)))
		}
		fmt.Fprintf(&s, "[]operand{%s}, ", strings.Join(ops, ", "))
	}
	s.WriteString("{[]step{\n")
	for _, step := range r.steps() {
		fmt.Fprintf(&s, "\t\t{%s, ", step.op)
		registers(step.sources, "ABC")
		registers(step.results, step.fields)
		s.WriteString("},\n")
	}
	s.WriteString("\t}, ")
	keeps := uint64(0)
	for name := range strings.SplitSeq(r.keeps, ",") {
		keeps |= 1 << slices.Index(names, name)
	}
	fmt.Fprintf(&s, "%#x, %v}", keeps, r.lone())
	return s.String()
}

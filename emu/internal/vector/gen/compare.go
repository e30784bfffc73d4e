// Handlers of comparisons and selections.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// comparisons is the predicates of setp. Less and greater-or-equal are greater and
// less-or-equal with the sources exchanged.
func comparisons() []operation {
	ops := integerComparisons()
	for _, o := range ops {
		ops = append(ops, operation{o.name + "Branch", func() { o.body(); compared() }, true})
	}
	ops = append(ops, operation{"AndSetEq32", andCompare32(false), false}, operation{"AndSetNe32", andCompare32(true), false})
	for _, p := range []struct {
		name string
		code int
	}{
		{"Eq", cmpEq},
		{"Ne", cmpNe},
		{"Lt", cmpLt},
		{"Le", cmpLe},
		{"EqU", cmpEqU},
		{"NeU", cmpNeU},
		{"LtU", cmpLtU},
		{"LeU", cmpLeU},
		{"Num", cmpNum},
		{"Nan", cmpNan},
	} {
		ops = append(ops,
			operation{"Set" + p.name + "F32", compare32(func(b Mem) { VCMPPS(U8(p.code), b, Y0, Y0) }, false), false},
			operation{"Set" + p.name + "F32Ftz", compare32(func(b Mem) {
				VMOVDQU(b, Y1)
				flush(Y0)
				flush(Y1)
				VCMPPS(U8(p.code), Y1, Y0, Y0)
			}, false), false},
			operation{"Set" + p.name + "F64", compare64(func(b Mem) { VCMPPD(U8(p.code), b, Y0, Y0) }, false), false})
	}
	return ops
}

// integerComparisons is the predicates of setp on integers.
func integerComparisons() []operation {
	return []operation{
		{"SetEq32", compare32(equal32, false), false},
		{"SetNe32", compare32(equal32, true), false},
		{"SetGtS32", compare32(greater32, false), false},
		{"SetLeS32", compare32(greater32, true), false},
		{"SetGtU32", compare32(above32, false), false},
		{"SetLeU32", compare32(above32, true), false},
		{"SetEq64", compare64(equal64, false), false},
		{"SetNe64", compare64(equal64, true), false},
		{"SetGtS64", compare64(greater64, false), false},
		{"SetLeS64", compare64(greater64, true), false},
		{"SetGtU64", compare64(above64, false), false},
		{"SetLeU64", compare64(above64, true), false},
	}
}

// compared is the forward branch, the next instruction, on what a comparison has just stored: R13 is the
// lanes where it holds, C as in a branch. When this leaves, Go compares again.
func compared() {
	XORL(in(inC), R13L)
	MOVL(R13L, EAX)
	ANDL(R11L, EAX)
	branchOf(taken, inOther, 1)
}

// compare32 is a comparison that leaves all ones in the values of Y0 where it
// holds, or where it does not (not).
func compare32(f func(b Mem), not bool) func() {
	return func() {
		offsets(2)
		parts(4, func(c int) {
			VMOVDQU(m32(rA, c), Y0)
			f(m32(rB, c))
			VMOVMSKPS(Y0, R12L)
			gather(R12L, 8*c)
		})
		putSet(not)
	}
}

// andCompare32 is the bits that A and B have in common, and whether they are C: the predicate E.
func andCompare32(not bool) func() {
	return func() {
		offsets(4)
		parts(4, func(c int) {
			VMOVDQU(m32(rA, c), Y0)
			VPAND(m32(rB, c), Y0, Y0)
			put32(c, Y0)
			VPCMPEQD(m32(rC, c), Y0, Y0)
			VMOVMSKPS(Y0, R12L)
			gather(R12L, 8*c)
		})
		MOVL(R10L, EDX)
		putSet(not)
	}
}

func compare64(f func(b Mem), not bool) func() {
	return func() {
		offsets(2)
		parts(8, func(c int) {
			VMOVDQU(m64(rA, c), Y0)
			f(m64(rB, c))
			VMOVMSKPD(Y0, R12L)
			gather(R12L, 4*c)
		})
		putSet(not)
	}
}

// gather adds bits to R13.
func gather(r GPPhysical, shift int) {
	if shift == 0 {
		MOVL(r, R13L)
		return
	}
	SHLL(U8(shift), r)
	ORL(r, R13L)
}

// putSet stores the lanes in R13.
func putSet(not bool) {
	if not {
		NOTL(R13L)
	}
	MOVL(R13L, EAX)
	putPred()
}

func equal32(b Mem)   { VPCMPEQD(b, Y0, Y0) }
func greater32(b Mem) { VPCMPGTD(b, Y0, Y0) }
func equal64(b Mem)   { VPCMPEQQ(b, Y0, Y0) }
func greater64(b Mem) { VPCMPGTQ(b, Y0, Y0) }

func above32(b Mem) {
	VPXOR(all32(1<<31), Y0, Y0)
	VMOVDQU(b, Y1)
	VPXOR(all32(1<<31), Y1, Y1)
	VPCMPGTD(Y1, Y0, Y0)
}

func above64(b Mem) {
	VPXOR(all64(1<<63), Y0, Y0)
	VMOVDQU(b, Y1)
	VPXOR(all64(1<<63), Y1, Y1)
	VPCMPGTQ(Y1, Y0, Y0)
}

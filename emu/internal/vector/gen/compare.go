// Handlers of comparisons and selections.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// comparisons returns the predicates of setp. Less and greater-or-equal are greater and less-or-equal with swapped
// sources.
func comparisons() []operation {
	ops := integerComparisons()
	for _, o := range ops {
		ops = append(ops, operation{o.name + "Branch", func() { o.body(); compared() }, true})
	}
	ops = append(ops, operation{"AndSetEq32", andCompare32(false), false},
		operation{"AndSetNe32", andCompare32(true), false})
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
			operation{"Set" + p.name + "F32", compare32(func(b Op) { VCMPPS(U8(p.code), b, y0, y0) }, false), false},
			operation{"Set" + p.name + "F32Ftz", compare32(func(b Op) {
				VMOVDQU(b, y1)
				flush(y0)
				flush(y1)
				VCMPPS(U8(p.code), y1, y0, y0)
			}, false), false},
			operation{"Set" + p.name + "F64", compare64(func(b Op) { VCMPPD(U8(p.code), b, y0, y0) }, false), false})
	}
	return scalars(ops)
}

// integerComparisons returns the predicates of setp on integers.
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

// compared executes the forward branch, the next instruction, on the result of a comparison that has just been stored:
// R13 is the lanes where it holds, C as in a branch. If this returns to Go, Go compares again.
func compared() {
	XORL(in(inC), R13L)
	MOVL(R13L, EAX)
	ANDL(R11L, EAX)
	branchOf(taken, inOther, 1)
}

// compare32 returns a comparison that sets the values of Y0 to all ones where it holds, or where it does not (not).
func compare32(f func(b Op), not bool) func() {
	return func() {
		offsets(2)
		parts(4, func(c int) {
			load32(rA, c, y0)
			f(src32(rB, c))
			gatherOnes(c, 8)
		})
		putSet(not)
	}
}

// andCompare32 computes the bits that A and B have in common, and the predicate E, whether they equal C.
func andCompare32(not bool) func() {
	return func() {
		offsets(4)
		parts(4, func(c int) {
			load32(rA, c, y0)
			VPAND(src32(rB, c), y0, y0)
			put32(c, y0)
			VPCMPEQD(src32(rC, c), y0, y0)
			gatherOnes(c, 8)
		})
		MOVL(R10L, EDX)
		putSet(not)
	}
}

func compare64(f func(b Op), not bool) func() {
	return func() {
		offsets(2)
		parts(8, func(c int) {
			load64(rA, c, y0)
			f(src64(rB, c))
			gatherOnes(c, 4)
		})
		putSet(not)
	}
}

// gatherOnes adds to R13 the lanes of part c, lanes of them, where the values of Y0 are all ones. For one lane, it
// copies the value: putSet and branches use only the bit of the lane.
func gatherOnes(c, lanes int) {
	if one {
		VMOVD(X0, R13L)
		return
	}
	if lanes == 8 {
		VMOVMSKPS(Y0, R12L)
	} else {
		VMOVMSKPD(Y0, R12L)
	}
	gather(R12L, lanes*c)
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

func equal32(b Op)   { VPCMPEQD(b, y0, y0) }
func greater32(b Op) { VPCMPGTD(b, y0, y0) }
func equal64(b Op)   { VPCMPEQQ(b, y0, y0) }
func greater64(b Op) { VPCMPGTQ(b, y0, y0) }

func above32(b Op) {
	VPXOR(all32(1<<31), y0, y0)
	VMOVDQU(b, y1)
	VPXOR(all32(1<<31), y1, y1)
	VPCMPGTD(y1, y0, y0)
}

func above64(b Op) {
	VPXOR(all64(1<<63), y0, y0)
	VMOVDQU(b, y1)
	VPXOR(all64(1<<63), y1, y1)
	VPCMPGTQ(y1, y0, y0)
}

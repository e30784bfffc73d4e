// Intrinsics of LLVM.

package hostir

import (
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// pureIntrinsics lists the first words of names of intrinsics with unknown results, if any, that change no memory (LLVM
// Language Reference, "Intrinsic Functions").
var pureIntrinsics = setOf(`
lifetime dbg assume stacksave stackrestore expect uadd usub umul sadd ssub smul ctpop ctlz cttz bswap bitreverse
fshl fshr objectsize is eh donothing sideeffect trap ubsantrap prefetch invariant fabs sqrt pow exp exp2 log log2
log10 sin cos floor ceil round rint nearbyint trunc roundeven lround llround lrint llrint minnum maxnum minimum
maximum copysign fma fmuladd fptosi fptoui powi canonicalize experimental readcyclecounter
`)

// intrinsic executes an LLVM intrinsic.
func (x *executor) intrinsic(in *instr, args []value) value {
	word := strings.Split(in.callee.name, ".")[1]
	if v, ok := x.calculated(word, in, args); ok {
		return v
	}
	switch word {
	case "memcpy", "memmove":
		x.copiesMemory(args)
	case "memset":
		x.fills(args)
	case "smax", "smin", "umax", "umin":
		return extreme(word, args)
	case "abs":
		if len(args) > 0 && args[0].known() {
			n := args[0].asSigned()
			return value{num: expr.Max(n, expr.Neg(n)), signed: true, bits: args[0].bits}
		}
	case "launder", "strip", "ptr", "threadlocal": // the address that it got
		if len(args) > 0 {
			return args[0]
		}
	default:
		if !pureIntrinsics[word] {
			x.unknown(args)
		}
	}
	return value{}
}

// sized returns the constant size in bytes that is the third argument of a function, 0 if it is unknown.
func sized(args []value) (size int64) {
	if len(args) > 2 && args[2].num != nil {
		size, _ = args[2].num.Int64()
	}
	return size
}

// copiesMemory executes memcpy(to, from, size).
func (x *executor) copiesMemory(args []value) {
	if len(args) < 2 {
		x.wild()
		return
	}
	to, at, ok := placeOf(args[0])
	from, fromAt, ok2 := placeOf(args[1])
	if size := sized(args); ok && ok2 && size > 0 && from.kind != device {
		v := value{}
		if got, known := x.st.get(from, fromAt, size); known {
			v = got
		}
		if !v.something() {
			x.st.escapeAll(from)
		}
		x.put(value{to: to, off: expr.Const(at)}, size, v)
		return
	}
	if args[1].to != nil {
		x.st.escapeAll(args[1].to)
	}
	x.lose(args[0])
}

// fills executes memset(p, byte, size).
func (x *executor) fills(args []value) {
	if len(args) < 2 {
		x.wild()
		return
	}
	if to, at, ok := placeOf(args[0]); ok && args[1].num != nil {
		size := sized(args)
		if k, constant := args[1].num.Int64(); constant && k == 0 && size > 0 && size <= 1<<16 {
			x.put(value{to: to, off: expr.Const(at)}, size, value{num: expr.Const(0), signed: true, bits: 8 * size})
			return
		}
	}
	x.lose(args[0])
}

// extreme returns the value of smax and the like.
func extreme(word string, args []value) value {
	if len(args) < 2 || !args[0].known() || !args[1].known() {
		return value{}
	}
	signed := word[0] == 's'
	n, m := args[0].asUnsigned(), args[1].asUnsigned()
	if signed {
		n, m = args[0].asSigned(), args[1].asSigned()
	}
	v := value{num: expr.Max(n, m), signed: signed, bits: args[0].bits}
	if strings.HasSuffix(word, "min") {
		v.num = expr.Min(n, m)
	}
	return v
}

// placeOf returns the target of a pointer, if it is known.
func placeOf(v value) (o *object, at int64, ok bool) {
	if v.to == nil || v.off == nil {
		return nil, 0, false
	}
	at, ok = v.off.Int64()
	return v.to, at, ok
}

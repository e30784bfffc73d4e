// Intrinsics of LLVM.

package hostir

import (
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
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
func (x *executor) intrinsic(in *llvm.Instr, args []memory.Value) memory.Value {
	word := strings.Split(in.Callee.Name, ".")[1]
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
		if len(args) > 0 && args[0].Known() {
			n := args[0].AsSigned()
			return memory.Value{Num: expr.Max(n, expr.Neg(n)), Signed: true, Bits: args[0].Bits}
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
	return memory.Value{}
}

// sized returns the constant size in bytes that is the third argument of a function, 0 if it is unknown.
func sized(args []memory.Value) (size int64) {
	if len(args) > 2 && args[2].Num != nil {
		size, _ = args[2].Num.Int64()
	}
	return size
}

// copiesMemory executes memcpy(to, from, size).
func (x *executor) copiesMemory(args []memory.Value) {
	if len(args) < 2 {
		x.wild()
		return
	}
	to, at, ok := placeOf(args[0])
	from, fromAt, ok2 := placeOf(args[1])
	if size := sized(args); ok && ok2 && size > 0 && from.Kind != memory.Device {
		v := memory.Value{}
		if got, known := x.st.Get(from, fromAt, size); known {
			v = got
		}
		if !v.Something() {
			x.st.EscapeAll(from)
		}
		x.put(memory.Value{To: to, Offset: expr.Const(at)}, size, v)
		return
	}
	if args[1].To != nil {
		x.st.EscapeAll(args[1].To)
	}
	x.lose(args[0])
}

// fills executes memset(p, byte, size).
func (x *executor) fills(args []memory.Value) {
	if len(args) < 2 {
		x.wild()
		return
	}
	if to, at, ok := placeOf(args[0]); ok && args[1].Num != nil {
		size := sized(args)
		if k, constant := args[1].Num.Int64(); constant && k == 0 && size > 0 && size <= 1<<16 {
			zero := memory.Value{Num: expr.Const(0), Signed: true, Bits: 8 * size}
			x.put(memory.Value{To: to, Offset: expr.Const(at)}, size, zero)
			return
		}
	}
	x.lose(args[0])
}

// extreme returns the value of smax and the like.
func extreme(word string, args []memory.Value) memory.Value {
	if len(args) < 2 || !args[0].Known() || !args[1].Known() {
		return memory.Value{}
	}
	signed := word[0] == 's'
	n, m := args[0].AsUnsigned(), args[1].AsUnsigned()
	if signed {
		n, m = args[0].AsSigned(), args[1].AsSigned()
	}
	v := memory.Value{Num: expr.Max(n, m), Signed: signed, Bits: args[0].Bits}
	if strings.HasSuffix(word, "min") {
		v.Num = expr.Min(n, m)
	}
	return v
}

// placeOf returns the target of a pointer, if it is known.
func placeOf(v memory.Value) (o *memory.Object, at int64, ok bool) {
	if v.To == nil || v.Offset == nil {
		return nil, 0, false
	}
	at, ok = v.Offset.Int64()
	return v.To, at, ok
}

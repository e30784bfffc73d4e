// Pairs: two words of a thread, at an index and at its partner, the exclusive or of the index and
// a number that is the same in all threads. Butterflies and bitonic sorts exchange such words.

package address

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// pair is an index and its partner.
type pair struct {
	index Linear
	with  linear // the number that is xored: a constant, or one that is the same in all threads
	bits  int    // width of index and partner
}

// pairs holds the pairs that a kernel computes, as far as the analysis has found them.
type pairs struct {
	list    []pair
	numbers map[numberKey]int32
	narrow  []bool   // by number: it is less than 2^32
	passed  []guards // by basic block, facts at its beginning; nil until needed
}

// mostScale limits the factor of indices. Indices and partners have 32 bits, so that the addresses of a pair differ by
// less than 2^61 bytes and do not wrap around.
const mostScale = 1 << 28

// numberKey identifies a number that is the same in all threads: by the instruction that computes
// it from such numbers, or by the parameter and the offset that it is loaded from.
type numberKey struct {
	op   string // the opcode with its modifiers
	bits int    // width of the register
	from [3]linear
	at   *rewrite.Var
	off  int64
}

// pairsOf returns an empty set of pairs, nil if f computes no exclusive or of 32 or 64 bits.
func pairsOf(f *rewrite.Func) *pairs {
	if !f.Entry || !slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return in.Instr.Calc == isa.CalcXor && in.Type(0).Bits() >= 32
	}) {
		return nil
	}
	return &pairs{numbers: make(map[numberKey]int32)}
}

// partner returns the exclusive or of two values.
func (l *LinearAddresses) partner(a, b linear, bits int) linear {
	if a.kind == linearNothing || b.kind == linearNothing {
		return notLinear(a, b)
	}
	if a.number() {
		a, b = b, a
	}
	switch {
	case a.kind == linearForm && b.kind == linearForm && a.form.constant() && b.form.constant():
		return linearConst(a.form.Const ^ b.form.Const)
	case a.kind != linearForm || a.form.Object != 0 || !b.number():
		return linearTop
	case bits == 64 && (!l.within(a.form, 0, math.MaxUint32) || !l.pairs.small(b)):
		return linearTop
	}
	id, ok := l.pairs.add(pair{a.form, b, bits})
	switch {
	case !ok:
		return linearTop
	case bits == 32:
		return linear{kind: linearIndex, form: a.form, id: id}
	}
	return linear{kind: linearPartner, form: a.form, id: id, scale: 1}
}

// number reports whether the value is the same in all threads.
func (a linear) number() bool {
	return a.kind == linearSame || a.kind == linearForm && a.form.constant()
}

// small reports whether a number is from 0 to 2^32-1.
func (p *pairs) small(n linear) bool {
	if n.kind == linearSame {
		return p.narrow[n.id]
	}
	return n.form.Const >= 0 && n.form.Const <= math.MaxUint32
}

// partnerAccess is the difference between an address and a linear one: scale bytes times the difference of partner and
// index. It is zero for a linear address.
type partnerAccess struct {
	pair  *pairs
	id    int32
	scale int64
}

// Access returns an access of size bytes at the effective address of in's n-th operand, if that is linear, or linear
// with an index replaced by its partner. It wraps around in no thread.
func (l *LinearAddresses) Access(in *rewrite.Inst, n, size int) (x LinearAccess, known bool) {
	a := l.address(in, n)
	x = LinearAccess{At: a.form, Size: int64(size), passed: l.passed(in)}
	if a.kind == linearPartner {
		x.partner = partnerAccess{l.pairs, a.id, a.scale}
	}
	return x, a.kind != linearAny
}

// Bounded reports whether the extent of the footprint is known. If not, the accesses may go anywhere in the object, or
// beyond it.
func (p *Footprint) Bounded() bool { return p.partner == partnerAccess{} }

// separatePairs reports whether the footprints of different blocks, or of different threads, are disjoint if each
// consists of words at an index and at its partner. They are if the indices differ and all threads have passed the same
// guard: if thread 1 has the index that is the partner of thread 2, then thread 2 has the one that is the partner of
// thread 1, and the guard says that each of the two indices is at least the other.
func (p *Footprint) separatePairs(what Separates, launch LaunchValues) bool {
	x := &p.partner.pair.list[p.partner.id]
	scaled := timesLinear(linear{kind: linearForm, form: x.index}, linearConst(p.partner.scale)).form
	scaled.Object, scaled.Const = p.Form.Object, 0
	index := Footprint{Form: x.index, Hi: 1}
	index.Form.Const = 0
	return scaled == p.Form && p.partner.scale >= p.Hi-p.Lo && p.passed.of(p.partner.id) != 0 &&
		proofRules.indices(&index, what, launch)
}

// add returns the number of a pair; ok is false if there are too many.
func (p *pairs) add(x pair) (id int32, ok bool) {
	i := slices.Index(p.list, x)
	if i < 0 && len(p.list) < mostPairs {
		i = len(p.list)
		p.list = append(p.list, x)
	}
	return int32(i), i >= 0
}

// uniform returns the value that an instruction writes if it is the same in all threads. Equal computations from the
// same numbers give the same number.
func (l *LinearAddresses) uniform(v *rewrite.SSAValue) linear {
	if l.pairs == nil || !followed(v) {
		return linearTop
	}
	return proofRules.uniform(l, v.Inst, v.Reg.Type.Bits())
}

// uniformResult returns a value that is a parameter of the kernel, or computed by arithmetic alone.
func uniformResult(l *LinearAddresses, in *rewrite.Inst, bits int) linear {
	key := numberKey{op: in.Func.Module.AST.Text(in.Func.Module.AST.OpcodeRange(in.AST)), bits: bits}
	switch in.Instr.Calc {
	case isa.CalcNone, isa.CalcStore, isa.CalcCompare, isa.CalcConvertAddress, isa.CalcPeerAddress, isa.CalcAddress:
		return linearTop
	case isa.CalcLoad:
		o := &in.Operands[in.Access.Addr]
		v, ok := o.Sym.(*rewrite.Var)
		if !ok || o.Reg != nil || in.Access.Space != isa.SpaceParam || !l.f.Formal(v) {
			return linearTop
		}
		key.at, key.off = v, o.Off
		return l.pairs.number(key, false)
	}
	if in.Effects() != 0 || len(in.Accesses) > 0 || len(in.Operands) > 1+len(key.from) {
		return linearTop
	}
	for n := range in.Operands[1:] {
		a := l.operand(in, n+1)
		if a.kind == linearNothing {
			return a
		}
		if !a.number() || a.form.Object != 0 {
			return linearTop
		}
		key.from[n] = a
	}
	zeroExtended := in.Instr.Calc == isa.CalcConvert && in.Type(0).Bits() == 64 && in.Type(1) == isa.U32
	return l.pairs.number(key, zeroExtended)
}

// number returns the number with a key; narrow says that it is less than 2^32.
func (p *pairs) number(key numberKey, narrow bool) linear {
	id, ok := p.numbers[key]
	if !ok {
		id = int32(len(p.narrow))
		p.numbers[key] = id
		p.narrow = append(p.narrow, narrow)
	}
	return linear{kind: linearSame, id: id}
}

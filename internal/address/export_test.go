package address

import (
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// DeviceAtomic reports whether an instruction is one atomic operation for all threads of the
// device.
func DeviceAtomic(in *rewrite.Inst) bool { return deviceAtomic(in, in.Access) }

// Weakening is a rule of proofs made weaker.
type Weakening struct {
	Name   string // what is assumed then
	Seed   uint64 // of a program of which something wrong is proved then, or one soon after it
	Change func(*rules)
}

// Weakened are the rules, each made weaker.
var Weakened = []Weakening{
	{"what is shifted is an index", 308, weakRoot(isa.CalcShiftLeft)},
	{"what is multiplied is an index", 6240, weakRoot(isa.CalcMul)},
	{"what is narrowed is an index", 2332, func(r *rules) { r.roots[isa.CalcConvert] = narrowIsNumber }},
	{"what is not followed is a number", 68, func(r *rules) { r.derived = func(...abstract) abstract { return number } }},
	{"a distance is a number", 68, weakRoot(isa.CalcSub)},
	{"what is masked is a number", 323, weakRoot(isa.CalcAnd)},
	{"what is joined is a number", 15660, weakRoot(isa.CalcOr)},
	{"what is chosen is a number", 185, weakRoot(isa.CalcSelect)},
	{"memory holds numbers", 68, func(r *rules) { r.memory = func(addressContents, int) abstract { return number } }},
	{"narrow loads bring numbers", 68, func(r *rules) { r.memory = wideOnly }},
	{"initial values are numbers", 506, func(r *rules) { r.tables = func(*rewrite.Module) []*rewrite.Var { return nil } }},
	{"parts of pointers in parameters are numbers", 1799, func(r *rules) { r.argument = narrowArgument }},
	{"an address or null is an address", 336, func(r *rules) { r.null = func(a abstract) abstract { return address(a.root.base()) } }},
	{"a number is no buffer", 135, func(r *rules) { r.distinct, r.argument = numbersAreDistinct, numbersAreAddresses }},
	{"all arithmetic is modular", 208, func(r *rules) { r.modular = func(*rewrite.Inst) bool { return true } }},
	{"all integers are linear", 122, func(r *rules) { r.linear = func(in *rewrite.Inst, t isa.Type) bool { return !t.Float() } }},
	{"pointers compare as their numbers", 190, func(r *rules) { r.ordered = byNumber }},
	{"what is loaded is the same in all threads", 13071, func(r *rules) { r.uniform = loadsUniform }},
	{"a guard of one access is one of all", 431, func(r *rules) { r.passed = func(a, b guards) guards { return a | b } }},
	{"indices of pairs differ", 223, func(r *rules) { r.indices = func(*Footprint, Separates, LaunchValues) bool { return true } }},
}

func weakRoot(c isa.Calc) func(*rules) {
	return func(r *rules) { r.roots[c] = func(*Roots, *rewrite.Inst) abstract { return number } }
}

func narrowIsNumber(r *Roots, in *rewrite.Inst) abstract {
	if in.Type(0).Bits() < in.Type(1).Bits() {
		return number
	}
	return r.operand(in, 1)
}

func wideOnly(lies addressContents, size int) abstract {
	if size < 8 {
		return number
	}
	return fromMemory(lies, size)
}

func narrowArgument(r *Roots, in *rewrite.Inst) abstract {
	if in.Access.Size < 8 {
		return number
	}
	return r.parameter(in)
}

func numbersAreAddresses(r *Roots, in *rewrite.Inst) abstract {
	o := &in.Operands[in.Access.Addr]
	if v, ok := o.Sym.(*rewrite.Var); ok && r.f.Entry && in.Access.Size == 8 {
		return address(Root{Kind: RootParam, Var: v, At: o.Off, Exact: true})
	}
	return r.parameter(in)
}

func numbersAreDistinct(launches []KernelLaunch, a, b Root) bool {
	for i := range launches {
		x, _ := launches[i].object(a)
		y, _ := launches[i].object(b)
		if x == y {
			return false
		}
	}
	return true
}

func byNumber(a, b Linear, c isa.Comparison) (holds, known bool) {
	return c.Of(int(a.Object) - int(b.Object)), a.Tid == b.Tid && a.Cta == b.Cta
}

func loadsUniform(l *LinearAddresses, in *rewrite.Inst, bits int) linear {
	if in.Instr.Calc == isa.CalcLoad {
		return l.pairs.number(numberKey{op: in.Text(), bits: bits}, false)
	}
	return uniformResult(l, in, bits)
}

// Weaken replaces rules until the test ends.
func Weaken(t *testing.T, change func(*rules)) {
	change(&proofRules)
	t.Cleanup(func() { proofRules = soundRules() })
}

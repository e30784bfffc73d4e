// Operations on integers: what each instruction computes, and the signedness of its operands.

package llvm

// View is the signedness with which an instruction interprets its operands.
type View uint8

// Views of operands.
const (
	Either View = iota // the result is the same modulo 2^n
	AsSigned
	AsUnsigned
)

// Arithmetic gives the instructions that compute integers, in C terms.
var Arithmetic = map[string]struct {
	Op   string
	View View
}{
	"add": {"+", Either}, "sub": {"-", Either}, "mul": {"*", Either}, "shl": {"<<", Either},
	"sdiv": {"/", AsSigned}, "srem": {"%", AsSigned}, "ashr": {">>", AsSigned},
	"udiv": {"/", AsUnsigned}, "urem": {"%", AsUnsigned}, "lshr": {">>", AsUnsigned},
	"and": {"&", Either}, "or": {"|", Either}, "xor": {"^", Either},
}

// Comparison is a predicate of icmp, in C terms.
type Comparison struct {
	Op   string
	View View
}

// Comparisons gives the predicates of icmp.
var Comparisons = map[string]Comparison{
	"eq": {"==", Either}, "ne": {"!=", Either},
	"slt": {"<", AsSigned}, "sle": {"<=", AsSigned}, "sgt": {">", AsSigned}, "sge": {">=", AsSigned},
	"ult": {"<", AsUnsigned}, "ule": {"<=", AsUnsigned}, "ugt": {">", AsUnsigned}, "uge": {">=", AsUnsigned},
}

// Unsigned returns the variables of a function that hold unsigned integers, as far as their uses show it.
func (f *Function) Unsigned() map[string]bool {
	if f.signs != nil {
		return f.signs
	}
	from := make(map[string]string) // from register to variable
	plus, minus := make(map[string]bool), make(map[string]bool)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Op == "load" && len(in.Args) > 0 && in.Args[0].Kind == OpLocal {
				from[in.Name] = in.Args[0].Name
				continue
			}
			w := Arithmetic[in.Op].View
			if in.Op == "icmp" {
				w = Comparisons[in.Pred].View
			}
			for _, a := range in.Args {
				name := from[a.Name]
				plus[name] = plus[name] || w == AsUnsigned || in.Op == "zext" || in.Op == "uitofp"
				minus[name] = minus[name] || w == AsSigned || in.Nsw || in.Op == "sext" || in.Op == "sitofp"
			}
		}
	}
	f.signs = make(map[string]bool)
	for name := range plus {
		f.signs[name] = name != "" && plus[name] && !minus[name]
	}
	return f.signs
}

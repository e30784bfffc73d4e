package emu

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// booleans are the operators by which set and setp combine their result with a predicate (PTX ISA 9.7.6.1, "BoolOp").
var booleans = map[string]func(a, b bool) bool{
	"and": func(a, b bool) bool { return a && b },
	"or":  func(a, b bool) bool { return a || b },
	"xor": func(a, b bool) bool { return a != b },
	"":    func(a, _ bool) bool { return a },
}

// TestConformanceBool runs the forms of set and setp with a predicate for an operand, with
// two results, and with packed numbers. Each modifier of a form is tried once at least.
func TestConformanceBool(t *testing.T) {
	for _, name := range []string{"set", "setp"} {
		in, _ := isa.Lookup(name)
		for _, f := range in.Forms {
			tried := map[string]bool{}
			for _, mods := range f.Spellings() {
				d, err := in.Decode(mods, len(f.Operands))
				if err != nil || d.Form != f || program.NotEmulated(d) != "" || newToAll(mods, tried) {
					continue
				}
				s := &specimen{in, mods, d}
				if s.comparison() == nil || !s.checkBool(t) {
					continue
				}
				for _, m := range mods {
					tried[m] = true
				}
			}
		}
	}
}

// checkBool checks both results, with the predicate as it is and negated. It reports false
// for spellings that the manual does not allow.
func (s *specimen) checkBool(t *testing.T) bool {
	t.Helper()
	firsts := []string{"$d"}
	if s.in.Name == "setp" {
		firsts = []string{"$d|%p6", "%p6|$d"}
	}
	for second, dst := range firsts {
		for _, not := range []string{"", "!"} {
			f := s.boolForm(dst, not, second == 1)
			if !wellFormed(f.kernel()) {
				return false
			}
			tuples := conformanceTuples(s, f)
			for _, v := range tuples {
				if len(s.Operands) == 4 {
					v[2] &= 1
				}
			}
			f.check(t, tuples)
			if len(s.Operands) == 3 {
				break // there is no predicate
			}
		}
	}
	return true
}

// boolForm is the instruction with its result, or the second of two, in dst.
func (s *specimen) boolForm(dst, not string, second bool) form {
	d, class := s.typ(0), conformanceClass(s.typ(1))
	f := form{
		text: fmt.Sprintf("%s %s, $a, $b", s, dst),
		args: conformanceClass(d) + " " + class + " " + class,
	}
	if len(s.Operands) == 4 {
		f.text = fmt.Sprintf("setp.ne.u32 %%p5, $c, 0; %s, %s%%p5", f.text, not)
		f.args += " 32"
	}
	compare, boolean := s.comparison(), booleans[s.one("and", "or", "xor")]
	lanes, bits := s.typ(1).Lanes(), uint(s.typ(1).Bits())
	f.want = func(v []uint64) uint64 {
		var holds [2]bool
		c := len(v) == 3 && (v[2] != 0) != (not == "!")
		for k := range lanes {
			shift := uint(k) * bits / 2
			mask := ^uint64(0) >> (64 - bits/uint(lanes))
			holds[k] = compare(v[0]>>shift&mask, v[1]>>shift&mask)
		}
		switch {
		case lanes == 1 && second:
			return b2u(boolean(!holds[0], c))
		case s.in.Name == "setp":
			return b2u(boolean(holds[b2u(second)], c))
		case lanes == 1:
			return async.Pick(boolean(holds[0], c), truth(d), 0)
		}
		yes := uint64(0xffff) // of each half; dtype is .u32 or .s32
		if d.Float() {
			yes = truth(lane(d))
		}
		return async.Pick(boolean(holds[0], c), yes, 0) | async.Pick(boolean(holds[1], c), yes, 0)<<16
	}
	return f
}

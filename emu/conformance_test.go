package emu

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

var updateConformance = flag.Bool("update", false, "rewrite conformance.txt")

// conformed counts the cases by form: one lane's operands and expected result each.
var conformed = map[*isa.Form]int{}

// countCases adds n cases for each form of the instructions in m with one of the opcodes.
func countCases(m *Machine, n int, opcodes ...string) {
	seen := map[*isa.Form]bool{}
	for _, f := range m.state.Src.Funcs {
		for _, in := range f.Insts {
			if form := in.Form; slices.Contains(opcodes, in.Instr.Name) && !seen[form] {
				seen[form] = true
				conformed[form] += n
			}
		}
	}
}

// CountResults adds n cases for each form in m that does more than compute registers from registers; n is the number of
// compared words in memory. A run counts for at most 64 cases.
func CountResults(m *Machine, n int) {
	n = min(n, 64)
	seen := map[*isa.Form]bool{}
	for _, f := range m.state.Src.Funcs {
		for _, in := range f.Insts {
			if form := in.Form; !seen[form] && !slices.Contains(computingClasses, in.Instr.Class) {
				seen[form] = true
				conformed[form] += n
			}
		}
	}
}

// computingClasses are the opcodes whose forms have cases of their own.
var computingClasses = []isa.Class{isa.ClassInteger, isa.ClassExtended, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassVideo}

// TestMain runs the tests. If all tests were run, it checks that conformance.txt, from which
// docs/generated/isa-coverage.md is made, does not list more cases than there are. Unless benchmarks run, the engine's
// state is verified at each turn, and memory ends at guard pages.
func TestMain(m *testing.M) {
	flag.Parse()
	if verifyTurn = checkTurn; flag.Lookup("test.bench").Value.String() == "" {
		GuardPages()
	}
	code := m.Run()
	whole := true
	for _, name := range []string{"run", "skip", "fuzz", "list"} {
		whole = whole && flag.Lookup("test."+name).Value.String() == ""
	}
	if code == 0 && whole && !testing.Short() {
		if err := compareConformance(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func compareConformance() error {
	var b bytes.Buffer
	promised := ConformanceCases()
	for _, in := range isa.All() {
		for i, f := range in.Forms {
			n := conformed[f]
			if n < promised[f] && !*updateConformance {
				return fmt.Errorf("%s: %d cases, conformance.txt promises %d; run go test ./emu -update, then go test ./cmd/internal/app -run TestDocs -update", f.Syntax(), n, promised[f])
			}
			if n > 0 {
				fmt.Fprintf(&b, "%s %d %d\n", in.Name, i, n)
			}
		}
	}
	if *updateConformance {
		return os.WriteFile("conformance.txt", b.Bytes(), 0o644)
	}
	return nil
}

// specimen is an instruction of a form, with certain modifiers and registers.
type specimen struct {
	in   *isa.Instr
	mods []string
	*isa.Decoded
}

func (s *specimen) has(mod string) bool { return slices.Contains(s.mods, mod) }

// one is the first of the modifiers that the instruction has, "" for none.
func (s *specimen) one(mods ...string) string {
	for _, m := range mods {
		if s.has(m) {
			return m
		}
	}
	return ""
}

// typ is the type of an operand, the destination being number 0.
func (s *specimen) typ(i int) isa.Type { return s.Operands[i].Type }

func (s *specimen) String() string { return strings.Join(append([]string{s.in.Name}, s.mods...), ".") }

// result computes the result of an instruction; ok is false for operands for which the manual does not define one.
type result func(v []uint64) (want uint64, ok bool)

// reference is the definition of an opcode in the manual: the result of an instruction, nil for
// one that it does not define or that others define (TestConformance is not the only test).
type reference func(s *specimen) result

// references are all of them. They use big numbers, not emu/internal/num.
func references() map[string]reference {
	all := map[string]reference{}
	maps.Copy(all, integerReferences)
	for name, r := range floatReferences {
		if ints := all[name]; ints != nil {
			floats := r
			r = func(s *specimen) result {
				if s.typ(len(s.Operands) - 1).Float() {
					return floats(s)
				}
				return ints(s)
			}
		}
		all[name] = r
	}
	return all
}

// conformanceClass returns how form passes values of a type; "" for types that it cannot pass.
func conformanceClass(t isa.Type) string {
	switch {
	case t == isa.Pred:
		return "p"
	case t == isa.F32:
		return "f32"
	case t == isa.F64:
		return "f64"
	case t.Bits() <= 16:
		return "16"
	case t.Bits() == 32:
		return "32"
	case t.Bits() == 64:
		return "64"
	}
	return ""
}

// formOf is the instruction as a form under test; ok is false when it does not fit.
func (s *specimen) formOf(want func(v []uint64) uint64) (form, bool) {
	f := form{text: s.String() + " $d", want: want}
	for i := range s.Operands {
		o := &s.Operands[i]
		class := conformanceClass(o.Type)
		if class == "" || o.Vec != 1 || i > 4 || i > 0 && (class == "p" || o.Role != isa.RoleSrc) || i == 0 && o.Role != isa.RoleDst {
			return f, false
		}
		if f.args += " " + class; i > 0 {
			f.text += ", $" + string("abce"[i-1])
		}
	}
	return f, true
}

// TestConformance runs every spelling of the forms that compute one register from
// registers, as far as the manual defines the result, on values at which operations go
// wrong and on random ones.
func TestConformance(t *testing.T) {
	refs := references()
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		in, ok := isa.Lookup(name)
		if !ok {
			t.Fatalf("no opcode %s", name)
		}
		for _, f := range in.Forms {
			for _, mods := range f.Spellings() {
				for n := len(f.Operands); n > 0; n-- {
					d, err := in.Decode(mods, n)
					if err != nil || d.Form != f || program.NotEmulated(d) != "" {
						continue
					}
					checkSpelling(t, &specimen{in, mods, d}, refs[name])
				}
			}
		}
	}
}

func checkSpelling(t *testing.T, s *specimen, ref reference) {
	t.Helper()
	fn := ref(s)
	if fn == nil {
		return
	}
	f, ok := s.formOf(func(v []uint64) uint64 { w, _ := fn(v); return w })
	if !ok || !wellFormed(f.kernel()) {
		return
	}
	var kept [][]uint64
	for _, v := range conformanceTuples(s, f) {
		masked := slices.Clone(v)
		for k, c := range strings.Fields(f.args)[1:] {
			masked[k] &= sizeMask(c)
		}
		if _, defined := fn(masked); defined {
			kept = append(kept, v)
		}
	}
	f.check(t, kept)
}

// wellFormed reports whether the manual's rules allow the kernel.
func wellFormed(body string) bool {
	return slices.ContainsFunc([]string{newest, newest120}, func(header string) bool {
		ast, err := ptxgrammar.Parse("test.ptx", []byte(header+body))
		if err == nil {
			_, err = rewrite.Check(ast)
		}
		return err == nil
	})
}

// conformanceTuples are 64 operand tuples: pairs of edge values of the operands' types, and
// random ones.
func conformanceTuples(s *specimen, f form) [][]uint64 {
	rng := rand.New(rand.NewPCG(uint64(len(f.text)), 11))
	out := make([][]uint64, 64)
	for i := range out {
		v := make([]uint64, len(s.Operands)-1)
		for k := range v {
			edges := edgesOf(s.typ(k + 1))
			switch {
			case i < 40:
				v[k] = edges[rng.IntN(len(edges))]
			case s.typ(k + 1).Float():
				v[k] = nearEdge(rng, edges)
			default:
				v[k] = rng.Uint64() >> rng.IntN(64)
			}
		}
		out[i] = v
	}
	return out
}

// nearEdge is a random number of a floating-point type of moderate size: its bits are those
// of an edge, the upper ones mostly kept.
func nearEdge(rng *rand.Rand, edges []uint64) uint64 {
	return edges[rng.IntN(len(edges))] ^ rng.Uint64()>>(8+rng.IntN(56))&0x0003ffff0003ffff
}

// edgesOf are the edge values of a type: 0, ±1, least and greatest, and for
// floating-point types subnormal and normal ones, infinities, NaN and halves.
func edgesOf(t isa.Type) []uint64 {
	if !t.Float() {
		b := uint(min(t.Bits(), 64))
		return []uint64{0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 255, ^uint64(0), ^uint64(1), 1 << (b - 1), 1<<(b-1) - 1, 1<<(b-1) + 1, 0x5555555555555555, 0x00ff8000ffff7f80}
	}
	elem, lanes := t, t.Lanes()
	if lanes > 1 {
		elem = lane(t)
	}
	f := formatOf(elem)
	if f == nil {
		return []uint64{0}
	}
	one := f.one()
	half := one - 1<<f.mant
	list := []uint64{0, 1, 3, 1<<f.mant - 1, 1 << f.mant, 1<<f.mant + 1, half, half + 1, one - 1, one, one + 1, one + 1<<(f.mant-1), one + 1<<f.mant, one + 3<<(f.mant-1), f.inf() - 1, f.inf(), f.inf() + 1, f.inf() | 1<<(f.mant-1)}
	for _, v := range slices.Clone(list) {
		list = append(list, v|1<<(f.bits-1))
	}
	if lanes > 1 {
		for i, v := range list {
			list[i] = v | list[(i*7+3)%len(list)]<<f.bits
		}
	}
	return list
}

// lane is the type of an element of a packed type.
func lane(t isa.Type) isa.Type {
	elem, ok := isa.TypeOf(strings.TrimSuffix(strings.TrimSuffix(t.String(), "x2"), "x4"))
	if !ok {
		panic("BUG: no elements: " + t.String())
	}
	return elem
}

package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// A randomMenu makes random instructions from the instruction table: forms that
// compute something from registers, with any modifiers and registers or literals of
// the types that the table says. Whether an instruction is in the language is up to
// rewrite.Check, whether it is emulated up to emu.New; both are remembered.
type randomMenu struct {
	forms []formOf
	known map[string]bool // spelling and kinds of operands: accepted
	used  map[string]bool // opcodes of accepted instructions
	// spelled is opcodes with modifiers to make instructions of; empty for those of forms.
	spelled []string
}

type formOf struct {
	in   *isa.Instr
	form *isa.Form
}

// effectsInPrograms are the effects that instructions of random programs may have.
const effectsInPrograms = isa.ReadsCarry | isa.WritesCarry

// computing are the classes of opcodes that compute with any numbers.
var computing = []isa.Class{
	isa.ClassInteger, isa.ClassExtended, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove, isa.ClassVideo,
}

// ofAddresses are the opcodes among them that want addresses.
var ofAddresses = []string{"mapa", "getctarank"}

func newRandomMenu() *randomMenu {
	m := &randomMenu{known: map[string]bool{}, used: map[string]bool{}}
	for _, in := range isa.All() {
		if !slices.Contains(computing, in.Class) || slices.Contains(ofAddresses, in.Name) {
			continue
		}
		for _, f := range in.Forms {
			if f.Effects&^effectsInPrograms == 0 && f.Access == isa.AccessNone && len(f.Operands) > 0 {
				m.forms = append(m.forms, formOf{in, f})
			}
		}
	}
	return m
}

// randomRegs is how many registers of each class a program has.
const randomRegs = 6

// regClass is the letter of the registers that hold values of a type, "" for types
// that no register of a random program holds.
func regClass(t isa.Type) string {
	switch {
	case t == isa.Pred:
		return "p"
	case t.Kind() == isa.KindOpaque:
		return ""
	}
	return map[int]string{8: "h", 16: "h", 32: "r", 64: "d"}[t.Bits()]
}

// inst is a random instruction, with its semicolon.
func (m *randomMenu) inst(r *rand.Rand) string {
	for {
		f, mods := m.form(r)
		n := len(f.form.Operands)
		for n > 1 && f.form.Operands[n-1].Optional && r.IntN(2) == 0 {
			n--
		}
		d, err := f.in.Decode(mods, n)
		if err != nil || d.Effects()&^effectsInPrograms != 0 {
			continue
		}
		var kinds, ops []string
		for i := range d.Operands {
			kind, op := randomOperand(r, &d.Operands[i])
			kinds, ops = append(kinds, kind), append(ops, op)
		}
		if slices.Contains(kinds, "") {
			continue
		}
		spelling := strings.Join(append([]string{f.in.Name}, mods...), ".")
		text := spelling + " " + strings.Join(ops, ", ") + ";"
		if m.accepts(spelling+" "+strings.Join(kinds, ","), text) {
			m.used[f.in.Name] = true
			return text
		}
	}
}

// form is a random form with modifiers.
func (m *randomMenu) form(r *rand.Rand) (formOf, []string) {
	if len(m.spelled) == 0 {
		f := m.forms[r.IntN(len(m.forms))]
		return f, randomMods(r, f.form)
	}
	parts := strings.Split(m.spelled[r.IntN(len(m.spelled))], ".")
	for {
		if f := m.forms[r.IntN(len(m.forms))]; f.in.Name == parts[0] {
			return f, parts[1:]
		}
	}
}

// randomMods are modifiers for the slots of a form.
func randomMods(r *rand.Rand, f *isa.Form) []string {
	var mods []string
	for i := range f.Mods {
		s := &f.Mods[i]
		if !s.Optional || r.IntN(2) == 0 {
			mods = append(mods, s.Values[r.IntN(len(s.Values))])
		}
	}
	return mods
}

// randomOperand is an operand and what kind of operand it is. A literal is its own
// kind: some instructions want small ones. There is no kind for operands that are
// not made.
func randomOperand(r *rand.Rand, info *isa.OperandInfo) (kind, op string) {
	class := regClass(info.Type)
	reg := func(class string) string { return fmt.Sprintf("%%%s%d", class, r.IntN(randomRegs)) }
	switch {
	case class == "" || info.Vec != 1 || info.Spec.Vector:
		return "", ""
	case info.Role == isa.RoleDst && info.Spec.Pair != "":
		if pair := regClass(info.PairType); pair != "" && !info.Spec.PairOptional {
			return class + "|" + pair, reg(class) + "|" + reg(pair)
		}
		return class, reg(class)
	case info.Role == isa.RoleDst:
		return class, reg(class)
	case info.Role != isa.RoleSrc:
		return "", ""
	case info.Type == isa.Pred || info.Type.Bits() < 32 || r.IntN(3) > 0:
		return class, reg(class)
	case info.Type.Kind() == isa.KindFloat && info.Type.Bits() == 64:
		op = fmt.Sprintf("0d%016x", r.Uint64())
		return "0d", op
	case info.Type == isa.F32:
		return "0f", fmt.Sprintf("0f%08x", r.Uint32())
	case info.Type.Kind() == isa.KindFloat:
		return class, reg(class)
	}
	op = fmt.Sprint(r.IntN(256))
	return op, op
}

// randomDecls declares the registers of random programs. Bit types go with operands
// of every type.
var randomDecls = fmt.Sprintf(`	.reg .pred %%p<%[1]d>, %%q<32>;
	.reg .b16 %%h<%[1]d>;
	.reg .b32 %%r<%[1]d>, %%n<32>, %%t, %%u, %%s;
	.reg .b64 %%d<%[1]d>, %%in, %%out, %%sum, %%w;
`, randomRegs)

// accepts reports whether instructions of that kind are well-typed and emulated.
func (m *randomMenu) accepts(kind, text string) bool {
	ok, known := m.known[kind]
	if !known {
		ok = acceptable(text)
		m.known[kind] = ok
	}
	return ok
}

func acceptable(body string) bool {
	ast, err := ptxgrammar.Parse("menu.ptx", []byte(header+".entry k() {\n"+randomDecls+body+"\nret;\n}\n"))
	if err != nil {
		return false
	}
	mod, err := rewrite.Check(ast)
	if err != nil {
		return false
	}
	_, err = emu.New(mod, emu.Config{MemoryLimit: 1 << 20})
	return err == nil
}

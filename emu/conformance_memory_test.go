package emu

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestMoves runs the spellings of ld and st: with any order, scope, cache operator and hints, the bytes are transferred
// unchanged. Each modifier of a form is tried at least once.
func TestMoves(t *testing.T) {
	for _, name := range []string{"ld", "ldu", "st"} {
		in, _ := isa.Lookup(name)
		for _, f := range in.Forms {
			tried := map[string]bool{}
			for _, mods := range f.Spellings() {
				if newToAll(mods, tried) {
					continue
				}
				if moves(t, in, f, mods) {
					for _, m := range mods {
						tried[m] = true
					}
				}
			}
		}
	}
}

// newToAll reports whether all modifiers have been tried.
func newToAll(mods []string, tried map[string]bool) bool {
	for _, m := range mods {
		if !tried[m] {
			return false
		}
	}
	return len(mods) > 0
}

// moves copies a value from each thread's input record to its output record through a spelling of ld or st with two
// operands. It returns false for other instructions.
func moves(t *testing.T, in *isa.Instr, f *isa.Form, mods []string) bool {
	t.Helper()
	d, err := in.Decode(mods, 2)
	if err != nil || d.Form != f || program.NotEmulated(d) != "" {
		return false
	}
	for _, m := range mods {
		if space, ok := isa.SpaceOf(m); ok && space != isa.SpaceGlobal {
			return false // TestSpaces
		}
	}
	value := d.Operands[0]
	if in.Name == "st" {
		value = d.Operands[1]
	}
	bits := value.Type.Bits()
	reg := map[int]string{8: "%h", 16: "%h", 32: "%r", 64: "%rd", 128: "%q"}[bits]
	if value.Type == isa.F32 || value.Type == isa.F64 {
		reg = map[int]string{32: "%f", 64: "%fd"}[bits]
	}
	regs, first := []string{}, 2
	if reg == "%q" {
		first = 0
	}
	for i := range value.Vec {
		regs = append(regs, fmt.Sprint(reg, first+i))
	}
	list := regs[0]
	if len(regs) > 1 {
		list = "{" + strings.Join(regs, ", ") + "}"
	}
	plain := fmt.Sprintf(".global.b%d", bits)
	if value.Vec > 1 {
		plain = fmt.Sprintf(".global.v%d.b%d", value.Vec, bits)
	}
	spelling := strings.Join(append([]string{in.Name}, mods...), ".")
	load, store := spelling, "st"+plain
	if in.Name == "st" {
		load, store = "ld"+plain, spelling
	}
	body := fmt.Sprintf("\t%s %s, [%%rd0];\n\t%s [%%rd1+32], %s;", load, list, store, list)
	if !wellFormed(warpKernel(body)) {
		return false
	}
	m, err := newMachine(Config{}, warpKernel(body))
	if err != nil {
		return false // TestCoverage says what is not emulated
	}
	data := make([]byte, 32*recordSize)
	for i := range data {
		data[i] = byte(i*11 + i>>8)
	}
	out, fault := launchWarp(t, m, data)
	same, _ := launchWarp(t, machineFor(t, Config{NoVector: true}, warpKernel(body)), data)
	if !bytes.Equal(out, same) {
		t.Errorf("%s: %x in assembly, %x in Go", spelling, out, same)
	}
	if fault != nil {
		t.Errorf("%s: %v", spelling, fault)
		return true
	}
	countCases(m, state.WarpSize, in.Name)
	for i := range state.WarpSize {
		want := make([]byte, 32)
		copy(want, data[i*recordSize:][:bits/8*value.Vec])
		if got := out[i*recordSize+32:][:32]; !bytes.Equal(got, want) {
			t.Errorf("%s: lane %d moved % x, want % x", spelling, i, got, want)
			return true
		}
	}
	return true
}

// TestMoveVector copies vectors from register to register, forwards and with an element for
// another.
func TestMoveVector(t *testing.T) {
	in := make([]byte, 32*recordSize)
	for i := range in {
		in[i] = byte(i*13 + i>>7)
	}
	for _, c := range []struct {
		typ, reg string
		vec      int
	}{
		{"b16", "%h", 2},
		{"u16", "%h", 4},
		{"b32", "%r", 2},
		{"u32", "%r", 4},
		{"f32", "%f", 4},
		{"b64", "%rd", 2},
		{"u64", "%rd", 2},
		{"s64", "%rd", 2},
		{"f64", "%fd", 2},
	} {
		size := map[string]int{"16": 2, "32": 4, "64": 8}[c.typ[1:]]
		var body, from, to strings.Builder
		for i := range c.vec {
			fmt.Fprintf(&body, "\tld.global.b%d %s%d, [%%rd0+%d];\n", 8*size, c.reg, 2+i, i*size)
			fmt.Fprintf(&from, ", %s%d", c.reg, 2+i)
			fmt.Fprintf(&to, ", %s%d", c.reg, 2+(i+1)%c.vec) // each register gets the one before
		}
		fmt.Fprintf(&body, "\tmov.v%d.%s {%s}, {%s};\n", c.vec, c.typ, to.String()[2:], from.String()[2:])
		for i := range c.vec {
			fmt.Fprintf(&body, "\tst.global.b%d [%%rd1+%d], %s%d;\n", 8*size, i*size, c.reg, 2+i)
		}
		out, fault := runWarp(t, body.String(), in)
		if fault != nil {
			t.Errorf("%s: %v", body.String(), fault)
			continue
		}
		for lane := range state.WarpSize {
			got, source := out[lane*recordSize:][:c.vec*size], in[lane*recordSize:][:c.vec*size]
			want := append(append([]byte(nil), source[len(source)-size:]...), source[:len(source)-size]...)
			if !bytes.Equal(got, want) {
				t.Errorf("mov.v%d.%s, lane %d: got % x, want % x", c.vec, c.typ, lane, got, want)
				break
			}
		}
	}
}

package emu

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// checkFields fails when a struct has a field that changes has no entry for, or when a
// change does not show in the text.
func checkFields[T any](t *testing.T, base T, text func(*T) string, changes map[string]func(*T)) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		change, ok := changes[name]
		if !ok {
			t.Errorf("%v.%s: no change of it is tried", typ, name)
			continue
		}
		v := base
		change(&v)
		if before, after := text(&base), text(&v); before == after {
			t.Errorf("%v.%s does not show in %q", typ, name, after)
		}
	}
}

// TestInstText: every field of a decoded instruction shows in its text.
func TestInstText(t *testing.T) {
	text := textOfInst
	checkFields(t, state.Inst{Body: exec.Return}, text, map[string]func(*state.Inst){
		"Body": func(in *state.Inst) { in.Body = exec.DoNothing }, "Imm": func(in *state.Inst) { in.Imm = 7 },
		"D": func(in *state.Inst) { in.D = 64 }, "A": func(in *state.Inst) { in.A = 64 }, "B": func(in *state.Inst) { in.B = 64 }, "C": func(in *state.Inst) { in.C = 64 },
		"Guard": func(in *state.Inst) { in.Guard = 8 }, "GuardXor": func(in *state.Inst) { in.GuardXor = state.AllLanes },
		"Tgt": func(in *state.Inst) { in.Tgt = 3 }, "Src": func(in *state.Inst) { in.Src = -1 }, "Flags": func(in *state.Inst) { in.Flags = state.FlagVisible },
		"Op": func(in *state.Inst) { in.Op = vector.Add32 }, "Form": func(in *state.Inst) { in.Form = &state.VectorForm{Site: 20} },
	})
	branch := state.Inst{Flags: state.FlagBranch, Tgt: 4, Imm: 9}
	if got := textOfInst(&branch); !strings.Contains(got, "to 4, lanes meet at 9") {
		t.Errorf("branch: %s", got)
	}
	form := state.Inst{Form: &state.VectorForm{}}
	checkFields(t, *form.Form, func(f *state.VectorForm) string { in := state.Inst{Form: f}; return textOfInst(&in) }, map[string]func(*state.VectorForm){
		"Ac": func(f *state.VectorForm) {
			f.Ac = &state.Access{Space: isa.SpaceShared, Size: 4, Kind: isa.AccessStore, Off: 12}
		},
		"Site": func(f *state.VectorForm) { f.Site = 20 },
		"Regs": func(f *state.VectorForm) { f.Regs = []state.Slot{64} },
		"Seq":  func(f *state.VectorForm) { f.Add(vector.Add32, 64, 64, 64) },
	})
}

// TestFlagNames: every flag has a word.
func TestFlagNames(t *testing.T) {
	all := state.FlagVisible | state.FlagFaults | state.FlagControl | state.FlagBlockEnd | state.FlagBranch | state.FlagStep | state.FlagResumable | state.FlagNothing | state.FlagLoop | state.FlagCounted
	if text := textOfFlags(all); strings.Contains(text, "0x") || strings.Count(text, ",") != len(flagNames)-1 {
		t.Error(text)
	}
}

// TestVectorText: every field of an instruction in assembly shows in its text.
func TestVectorText(t *testing.T) {
	text := func(in *vector.Inst) string {
		return in.Text(func(s uint32) string { return textOfConstant((&state.Constant{Val: uint64(s)})) }, siteText)
	}
	// The handlers show as the name; PC is printed by vectorInst.
	handlers := func(in *vector.Inst) { in.Set(vector.Sub32) }
	if !vector.Available() {
		handlers = func(in *vector.Inst) { in.D = 1 }
	}
	base := vector.Inst{}
	base.Set(vector.Add32)
	checkFields(t, base, text, map[string]func(*vector.Inst){
		"handlers": handlers, "PC": func(in *vector.Inst) { in.D = 1 },
		"D": func(in *vector.Inst) { in.D = 1 }, "A": func(in *vector.Inst) { in.A = 1 }, "B": func(in *vector.Inst) { in.B = 1 },
		"C": func(in *vector.Inst) { in.C = 1 }, "E": func(in *vector.Inst) { in.E = 1 }, "Site": func(in *vector.Inst) { in.Site = vector.SiteBytes },
		"Count": func(in *vector.Inst) { in.Count = vector.CountVisible }, "Target": func(in *vector.Inst) { in.Target = vector.InstBytes },
		"Other": func(in *vector.Inst) { in.Other = vector.InstBytes }, "Imm": func(in *vector.Inst) { in.Imm = math.MaxInt32 },
	})
}

// TestDecodedListing compares the listing of a kernel with operands of all kinds with
// testdata/decoded.txt, with -update it is written.
func TestDecodedListing(t *testing.T) {
	m := loadFile(t, filepath.Join("testdata", "decoded.ptx"), Config{})
	var b bytes.Buffer
	if err := m.WriteDecoded(&b, "k"); err != nil {
		t.Fatal(err)
	}
	const name = "testdata/decoded.txt"
	if *updateConformance {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, want := b.String(), string(golden)
	if !vector.Available() {
		got, want = beforeVector(got), beforeVector(want)
		if !strings.Contains(b.String(), "this processor lacks the vector instructions") {
			t.Error("the listing does not say that nothing runs in assembly")
		}
	}
	if got != want {
		t.Errorf("the listing differs: go test ./emu -run TestDecodedListing -update\n%s", got)
	}
	if err := m.WriteDecoded(&b, "nope"); err == nil {
		t.Error("a kernel that does not exist is listed")
	}
}

// beforeVector is the first function of a listing up to its program in assembly, without the operations that it
// consists of.
func beforeVector(text string) string {
	text, _, _ = strings.Cut(text, "  in assembly:")
	return operations.ReplaceAllString(text, "")
}

var operations = regexp.MustCompile(` \{.*\}`)

// TestListsExamples: the listing of everything in examples and testdata is printed.
func TestListsExamples(t *testing.T) {
	var names []string
	for _, pattern := range []string{"testdata/*.ptx", "testdata/*/*.ptx", "../examples/*/*.ptx", "../examples/*/*/*.ptx"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	listed := 0
	for _, name := range names {
		for _, policy := range []Policy{ITS, Lockstep} {
			m := loadFile(t, name, Config{Policy: policy, NoVector: policy == Lockstep})
			for _, k := range m.state.Src.Kernels() {
				var b bytes.Buffer
				if err := m.WriteDecoded(&b, k.Name); err != nil || !strings.Contains(b.String(), "kernel "+k.Name) {
					t.Errorf("%s: kernel %s: %v\n%s", name, k.Name, err, b.String())
				}
				listed++
			}
		}
	}
	if listed < 20 {
		t.Errorf("%d kernels in %d files", listed, len(names))
	}
}

func loadFile(t *testing.T, name string, cfg Config) *Machine {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return mustLoad(t, filepath.Base(name), string(src), cfg)
}

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
	text := (*inst).text
	checkFields(t, inst{body: execRet}, text, map[string]func(*inst){
		"body": func(in *inst) { in.body = execNothing }, "imm": func(in *inst) { in.imm = 7 },
		"d": func(in *inst) { in.d = 64 }, "a": func(in *inst) { in.a = 64 }, "b": func(in *inst) { in.b = 64 }, "c": func(in *inst) { in.c = 64 },
		"guard": func(in *inst) { in.guard = 8 }, "guardXor": func(in *inst) { in.guardXor = allLanes },
		"tgt": func(in *inst) { in.tgt = 3 }, "src": func(in *inst) { in.src = -1 }, "flags": func(in *inst) { in.flags = flagVisible },
		"op": func(in *inst) { in.op = vector.Add32 }, "form": func(in *inst) { in.form = &vectorForm{site: 20} },
	})
	branch := inst{flags: flagBranch, tgt: 4, imm: 9}
	if got := branch.text(); !strings.Contains(got, "to 4, lanes meet at 9") {
		t.Errorf("branch: %s", got)
	}
	form := inst{form: &vectorForm{}}
	checkFields(t, *form.form, func(f *vectorForm) string { in := inst{form: f}; return in.text() }, map[string]func(*vectorForm){
		"ac":   func(f *vectorForm) { f.ac = &access{space: isa.SpaceShared, size: 4, kind: isa.AccessStore, off: 12} },
		"site": func(f *vectorForm) { f.site = 20 },
		"regs": func(f *vectorForm) { f.regs = []slot{64} },
		"seq":  func(f *vectorForm) { f.add(vector.Add32, 64, 64, 64) },
	})
}

// TestFlagNames: every flag has a word.
func TestFlagNames(t *testing.T) {
	all := flagVisible | flagFaults | flagControl | flagBlockEnd | flagBranch | flagStep | flagResumable | flagNothing | flagLoop | flagCounted
	if text := all.text(); strings.Contains(text, "0x") || strings.Count(text, ",") != len(flagNames)-1 {
		t.Error(text)
	}
}

// TestVectorText: every field of an instruction in assembly shows in its text.
func TestVectorText(t *testing.T) {
	text := func(in *vector.Inst) string {
		return in.Text(func(s uint32) string { return (&constant{val: uint64(s)}).text() }, siteText)
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
			for _, k := range m.src.Kernels() {
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

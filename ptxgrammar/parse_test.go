package ptxgrammar_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

const header = ".version 8.0\n.target sm_80\n.address_size 64\n"

// parseBody parses statements inside a kernel.
func parseBody(t testing.TB, body string) *ptxgrammar.Module {
	t.Helper()
	m, err := ptxgrammar.Parse("t.ptx", []byte(header+".entry k()\n{\n"+body+"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInstructionAccessors(t *testing.T) {
	m := parseBody(t, "@!%p1 ld.volatile.shared.v2.u32 {%r1, _}, [%rd1 + 8] ;")
	in := &m.Insts[0]
	if got := m.Text(m.InstRange(in)); got != "@!%p1 ld.volatile.shared.v2.u32 {%r1, _}, [%rd1 + 8] ;" {
		t.Errorf("range %q", got)
	}
	if m.Guard(in) != "%p1" || !in.HasGuard || !in.GuardNot || m.Text(m.GuardRange(in)) != "@!%p1" {
		t.Errorf("guard %q %v %q", m.Guard(in), in.GuardNot, m.Text(m.GuardRange(in)))
	}
	if got := m.Text(m.OpcodeRange(in)); got != "ld.volatile.shared.v2.u32" || m.Opcode(in) != "ld" {
		t.Errorf("opcode %q, %q", got, m.Opcode(in))
	}
	if got := m.Mods([]string{"x"}, in); !reflect.DeepEqual(got, []string{"x", "volatile", "shared", "v2", "u32"}) {
		t.Errorf("modifiers %q", got)
	}
	ops := m.InstOperands(in)
	if len(ops) != 2 || m.OperandText(&ops[0]) != "{%r1, _}" || m.OperandText(&ops[1]) != "[%rd1 + 8]" {
		t.Fatalf("operands %v", ops)
	}
	sum := m.Children(&ops[1])[0]
	if m.Operator(&sum) != "+" || m.OperandText(&sum) != "%rd1 + 8" || m.Children(&sum)[1].Value != 8 {
		t.Errorf("address %q %q", m.Operator(&sum), m.OperandText(&sum))
	}
}

func TestUnguardedInstruction(t *testing.T) {
	m := parseBody(t, "mov.u32 %r1, %tid.x;")
	in := &m.Insts[0]
	if r := m.GuardRange(in); m.Guard(in) != "" || r.Start != r.End || r.Start != m.InstRange(in).Start {
		t.Errorf("guard %q at %v", m.Guard(in), r)
	}
	reg := m.InstOperands(in)[1]
	if m.Name(&reg) != "%tid" || m.Member(&reg) != ".x" {
		t.Errorf("name %q, member %q", m.Name(&reg), m.Member(&reg))
	}
	if r1 := m.InstOperands(in)[0]; m.Member(&r1) != "" {
		t.Errorf("member %q of %%r1", m.Member(&r1))
	}
}

func TestHeader(t *testing.T) {
	m := parseBody(t, "ret;")
	if m.Version != 80 || m.Text(m.VersionAt) != "8.0" || m.AddressSize != 64 ||
		!reflect.DeepEqual(m.Target, []string{"sm_80"}) || m.Text(m.TargetAt) != "sm_80" {
		t.Errorf("version %d %q, target %v, address size %d", m.Version, m.Text(m.VersionAt), m.Target, m.AddressSize)
	}
	m, err := ptxgrammar.Parse("t.ptx", []byte(".version 2.3\n.target sm_20"))
	if err != nil || m.AddressSize != 32 {
		t.Errorf("address size %v without the directive, %v", m, err)
	}
}

func TestParametersRange(t *testing.T) {
	m, err := ptxgrammar.Parse("t.ptx", []byte(".entry a {ret;} .entry b() {ret;} .func (.reg .u32 r) c (.reg .u32 x) ;"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "()", "(.reg .u32 x)"} {
		if got := m.Text(m.Funcs[i].ParamsAt); got != want {
			t.Errorf("function %d: parameters %q, want %q", i, got, want)
		}
	}
}

func TestFuncInsts(t *testing.T) {
	m := parseBody(t, "add.u32 a, a, 1; { sub.u32 a, a, 1; { mul.lo.u32 a, a, 2; } } ret;")
	var got []string
	for in := range m.FuncInsts(&m.Funcs[0]) {
		got = append(got, m.Opcode(in))
	}
	if want := []string{"add", "sub", "mul", "ret"}; !reflect.DeepEqual(got, want) {
		t.Errorf("instructions %v, want %v", got, want)
	}
	for in := range m.FuncInsts(&m.Funcs[0]) {
		if m.Opcode(in) == "mul" {
			break
		}
	}
}

func TestWalkOperand(t *testing.T) {
	m := parseBody(t, "mov.b64 %rd1, (1 + x) * -{y, 2};")
	var got []string
	m.WalkOperand(&m.InstOperands(&m.Insts[0])[1], func(o *ptxgrammar.Operand) bool {
		got = append(got, m.OperandText(o))
		return o.Kind != ptxgrammar.OperandVector
	})
	if want := []string{"(1 + x) * -{y, 2}", "1 + x", "1", "x", "-{y, 2}", "{y, 2}"}; !reflect.DeepEqual(got, want) {
		t.Errorf("walked %q, want %q", got, want)
	}
}

// TestNonASCII checks that positions count bytes, whatever the characters.
func TestNonASCII(t *testing.T) {
	_, err := ptxgrammar.Parse("t.ptx", []byte("/* äöü 日本 */ .version x"))
	if want := "t.ptx:1:30: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want it to begin with %s", err, want)
	}
	m := parseBody(t, "// größe\nret; // \xff\xfe")
	if m.Text(m.InstRange(&m.Insts[0])) != "ret;" {
		t.Errorf("instruction %q", m.Text(m.InstRange(&m.Insts[0])))
	}
}

func TestDeepNesting(t *testing.T) {
	nest := func(n int, left, inner, right string) string {
		return strings.Repeat(left, n) + inner + strings.Repeat(right, n)
	}
	for _, brackets := range []string{"()", "[]", "{}"} {
		left, right := brackets[:1], brackets[1:]
		parseBody(t, "mov.u32 a, "+nest(900, left, "1", right)+";")
		for _, n := range []int{1001, 200000} {
			_, err := ptxgrammar.Parse("t.ptx", []byte(header+".global .u32 a = "+nest(n, left, "1", right)+";"))
			if err == nil || !strings.Contains(err.Error(), "brackets are nested more than 1000 deep") {
				t.Errorf("%d times %s: %.200v", n, brackets, err)
			}
		}
	}
	parseBody(t, nest(900, "{", "ret;", "}"))
	parseBody(t, "mov.u32 a, "+strings.Repeat("-", 9000)+"1;")
	parseBody(t, "mov.u32 a, 1"+strings.Repeat("+1", 9000)+";")
	for _, chain := range []string{"-", "!", "1+", "1?1:"} {
		_, err := ptxgrammar.Parse("t.ptx", []byte(header+".global .u32 a = "+strings.Repeat(chain, 300000)+"1;"))
		if err == nil || !strings.Contains(err.Error(), "expression of more than 10000 operators") {
			t.Errorf("chain of %s: %.200v", chain, err)
		}
	}
}

func TestTooManyErrors(t *testing.T) {
	for _, line := range []string{"add.u32 1 2;\n", "mov.u32 a, 08;\n", "] ;\n"} {
		_, err := ptxgrammar.Parse("t.ptx", []byte(".entry k() {\n"+strings.Repeat(line, 10000)+"}\n"))
		var list ptxgrammar.ErrorList
		if !errors.As(err, &list) || len(list) < 50 || len(list) > 51 {
			t.Errorf("%q: %d errors", line, len(list))
		}
	}
}

// TestGarbage feeds damaged texts: no panic, no hang, an error or a sound tree.
func TestGarbage(t *testing.T) {
	src, err := os.ReadFile("testdata/corpus/functions.ptx")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(src); i += 1 + i%7 { // every residue, a quarter of the places
		tryParse(t, src[:i])
		tryParse(t, src[i:])
		for _, c := range []byte{0, ';', '{', '}', '"', '(', '.', 'x', 0xff} {
			damaged := bytes.Clone(src)
			damaged[i] = c
			tryParse(t, damaged)
		}
	}
}

func tryParse(t testing.TB, src []byte) {
	t.Helper()
	m, err := ptxgrammar.Parse("t.ptx", src)
	if err != nil {
		var list ptxgrammar.ErrorList
		if !errors.As(err, &list) || m != nil || len(list) == 0 {
			t.Fatalf("%d errors and a module %v", len(list), m != nil)
		}
		for _, e := range list {
			if e.Pos.Line < 1 || e.Pos.Col < 1 || e.Msg == "" {
				t.Fatalf("error %v", e)
			}
		}
		return
	}
	if !bytes.Equal(ptxgrammar.Print(m), src) {
		t.Fatalf("printed %q, want %q", ptxgrammar.Print(m), src)
	}
	checkRanges(t, m)
}

func FuzzParse(f *testing.F) {
	for _, path := range corpus(f) {
		if src, err := os.ReadFile(path); err == nil && len(src) < 4000 {
			f.Add(src)
		}
	}
	bad, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range bad.Files {
		f.Add(file.Data)
	}
	for _, tt := range large {
		f.Add([]byte(tt.text[:min(len(tt.text), 2000)]))
	}
	f.Fuzz(func(t *testing.T, src []byte) { tryParse(t, src) })
}

func TestParseIsConcurrent(t *testing.T) {
	src, err := os.ReadFile("testdata/corpus/functions.ptx")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			tryParse(t, src)
			if _, err := ptxgrammar.Parse(fmt.Sprint(i), src[:len(src)-20]); err == nil {
				t.Error("no error for a truncated file")
			}
		})
	}
	wg.Wait()
}

package rewrite

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestEntryResults: a call at the entry may take what an earlier call at the entry of the same function has returned,
// and no other register.
func TestEntryResults(t *testing.T) {
	tree, err := ptxgrammar.Parse("k.ptx", []byte(`.version 8.3
.target sm_90
.address_size 64
.func (.param .b32 r) get() { ret; }
.func take(.param .b32 a) { ret; }
.visible .entry k() { ret; }
.visible .entry other() { ret; }
`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEditor(m, "test")
	k, get, take := m.Func("k"), m.Func("get"), &Hook{Func: m.Func("take")}
	r := e.FreshReg(k, isa.B32)
	result := RegArg(&Reg{Name: r, Type: isa.B32, Vec: 1})
	const empty = "argument 0: registers hold nothing yet"
	if err = e.CallAtEntry(k, take, result); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("before the call that returns it: %v", err)
	}
	if err = e.CallAtEntry(k, &Hook{Func: get, Result: r}); err != nil {
		t.Fatal(err)
	}
	if err = e.CallAtEntry(m.Func("other"), take, result); err == nil || !strings.Contains(err.Error(), empty) {
		t.Errorf("in another function: %v", err)
	}
	if err = e.CallAtEntry(k, take, result); err != nil {
		t.Fatal(err)
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	text := string(out.Source())
	body := text[strings.Index(text, ".entry k"):]
	first, second := strings.Index(body, "get"), strings.Index(body, "take")
	if first < 0 || second < first || !strings.Contains(body[first:second], r) {
		t.Errorf("want a call of get that sets %s, and then one of take:\n%s", r, body)
	}
}

package rewrite

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

const conflictModule = header + `
.visible .func (.param .b32 r) one(.param .b32 a) { ret; }
.func two(.param .b64 a) { ret; }
.func three(.param .b64 a) { ret; }
.func named() { ret; }
.func alias;
.alias alias, named;
.global .u32 word;
.func keeps() { .global .u32 own; ret; }
.extern .func outside(.param .b32 a);
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.reg .pred %p;
	membar.cta;	// 1
	add.u32 %r1, %r1, 1;	// 2
	add.cc.u32 %r1, %r1, %r2;	// 3
	addc.u32 %r1, %r1, %r2;	// 4
	{
	.param .b32 a;
	.param .b32 r;
	st.param.b32 [a], %r1;	// 5
	call (r), one, (a);	// 6
	ld.param.b32 %r2, [r];	// 7
	}
	mov.u64 %rd1, two;	// 8
	mov.u64 %rd2, three;
	{
	.param .b64 b;
	st.param.b64 [b], %rd1;
proto: .callprototype _ (.param .b64 _);
	call %rd1, (b), proto;	// 9
	}
	@%p bra OUT;	// 10
	ld.param.u64 %rd3, [p];	// 11
	st.global.u32 [%rd3], %r1;	// 12
OUT:
	ret;	// 13
}
`

// Edits that contradict each other, and edits that are impossible, are errors that
// name both, or the reason.
func TestConflicts(t *testing.T) {
	m := load(t, "k.ptx", conflictModule)
	in := func(mark string) *Inst { return marked(t, m, mark) }
	symbol := func(name string) Symbol { s, _ := m.Lookup(name); return s }
	global := func(name string) NewVar {
		return NewVar{Name: name, Exact: true, Space: isa.SpaceGlobal, Type: isa.U32}
	}
	passOne := func(*Inst) string { return "1" }
	tests := []struct {
		name string
		edit func(e *Editor) error
		want string
	}{
		{
			"two replacements", func(e *Editor) error { e.Replace(in("1"), "membar.gl;"); e.Delete(in("1")); return nil },
			`Replace and Delete both change "membar.cta"`,
		},
		{
			"outlined and deleted", func(e *Editor) error { e.Delete(in("2")); _, err := e.Outline(in("1"), in("2"), "f"); return err },
			`Outline and Delete both change "add.u32 %r1, %r1, 1"`,
		},
		{
			"outlined twice", func(e *Editor) error {
				_, _ = e.Outline(in("1"), in("2"), "f")
				_, err := e.Outline(in("2"), in("2"), "f")
				return err
			},
			`Outline and Outline both change "add.u32 %r1, %r1, 1"`,
		},
		{
			"inserted into what moves", func(e *Editor) error {
				e.InsertBefore(in("2"), "membar.gl;")
				_, err := e.Outline(in("1"), in("2"), "f")
				return err
			},
			`Outline moves "add.u32 %r1, %r1, 1", at which something is inserted`,
		},
		{
			"deleted call gets an argument", func(e *Editor) error {
				e.Delete(in("6"))
				_, err := e.AddParam(m.Func("one"), isa.U32, "x", passOne)
				return err
			},
			`Delete and AddParam both change`,
		},
		{
			"parameter of some callees only", func(e *Editor) error { _, err := e.AddParam(m.Func("two"), isa.U32, "x", passOne); return err },
			`"call %rd1, (b), proto" may call two, which gets parameters, and three, which does not get the same`,
		},
		{
			"parameter of an alias", func(e *Editor) error { _, err := e.AddParam(m.Func("named"), isa.U32, "x", passOne); return err },
			`k.ptx:8:7: no parameter can be added to named: .alias gives it two names`,
		},
		{
			"parameter of another module's function", func(e *Editor) error { _, err := e.AddParam(m.Func("outside"), isa.U32, "x", passOne); return err },
			`no parameter can be added to outside: it is defined elsewhere`,
		},
		{
			"predicate parameter", func(e *Editor) error { _, err := e.AddParam(m.Func("one"), isa.Pred, "x", passOne); return err },
			`one: a .pred cannot be a parameter`,
		},
		{
			"renamed twice", func(e *Editor) error { _ = e.Rename(symbol("one"), "uno"); return e.Rename(symbol("one"), "un") },
			`"one" is renamed twice, to "uno" and to "un"`,
		},
		{
			"renamed to one name", func(e *Editor) error { _ = e.Rename(symbol("one"), "x"); return e.Rename(symbol("two"), "x") },
			`"one" and "two" are both renamed to "x"`,
		},
		{"renamed to a name in use", func(e *Editor) error { return e.Rename(symbol("one"), "%rd1") }, `k.ptx:30:10: "%rd1" is in use, "one" cannot get that name`},
		{"renamed to no name", func(e *Editor) error { return e.Rename(symbol("one"), "1x") }, `"one" cannot be renamed to "1x", which is not a PTX name`},
		{"variable that is there", func(e *Editor) error { _, err := e.AddVar(global("one")); return err }, `"one" is something else than ".global .u32 one;"`},
		{"variables that differ", func(e *Editor) error {
			_, _ = e.AddVar(global("v"))
			_, err := e.AddVar(NewVar{Name: "v", Exact: true, Space: isa.SpaceGlobal, Type: isa.U64})
			return err
		}, `variable "v" is added twice, as ".global .u32 v;" and ".global .u64 v;"`},
		{
			"local variable", func(e *Editor) error {
				_, err := e.AddVar(NewVar{Name: "v", Space: isa.SpaceLocal, Type: isa.U32})
				return err
			},
			`variable "v": a module-scope variable cannot be in .local`,
		},
		{"clone with a variable", func(e *Editor) error { _, err := e.CloneFunc(m.Func("keeps"), "k"); return err }, `keeps cannot be copied: its variable "own" would not be shared`},
		{
			"carry lost", func(e *Editor) error { e.InsertAfter(in("3"), "call two;"); return nil },
			`k.ptx:21:2: "call two;" inserted here destroys the carry flag that "addc.u32 %r1, %r1, %r2" on line 22 reads`,
		},
		{"carry overwritten", func(e *Editor) error { e.InsertBefore(in("4"), "@%p add.cc.u32 %r1, %r1, 1;"); return nil }, `destroys the carry flag`},
		{"no such edge", func(e *Editor) error { g := m.Func("k").CFG(); return e.InsertOnEdge(g.Blocks[0], g.Blocks[0], "ret;") }, `k has no edge from block 0 to block 0`},
		{"parameter outlined", func(e *Editor) error { _, err := e.Outline(in("11"), in("12"), "f"); return err }, `k.ptx:39:2: cannot be outlined: "p" is a variable of k`},
		{"carry outlined", func(e *Editor) error { _, err := e.Outline(in("4"), in("4"), "f"); return err }, `"addc.u32 %r1, %r1, %r2" needs the carry flag from before`},
		{"carry left behind", func(e *Editor) error { _, err := e.Outline(in("3"), in("3"), "f"); return err }, `"addc.u32 %r1, %r1, %r2" needs the carry flag afterwards`},
		{"return outlined", func(e *Editor) error { _, err := e.Outline(in("13"), in("13"), "f"); return err }, `"ret" leaves the function`},
		{"branch outlined", func(e *Editor) error { _, err := e.Outline(in("10"), in("10"), "f"); return err }, `"bra OUT" leaves the region`},
		{"indirect call outlined", func(e *Editor) error { _, err := e.Outline(in("9"), in("9"), "f"); return err }, `calls through a register`},
		{"half a call outlined", func(e *Editor) error { _, err := e.Outline(in("6"), in("6"), "f"); return err }, `is a variable of k`},
		{"half a scope outlined", func(e *Editor) error { _, err := e.Outline(in("4"), in("6"), "f"); return err }, `a scope ends behind "call (r), one, (a)"`},
		{"backwards", func(e *Editor) error { _, err := e.Outline(in("2"), in("1"), "f"); return err }, `does not end in the same function behind its start`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := NewEditor(m, "test")
			err := tt.edit(e)
			if err == nil {
				_, err = e.Apply()
			}
			if err == nil || !strings.Contains(messages(err), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestAddVarErrors(t *testing.T) {
	m := load(t, "k.ptx", header)
	tests := []struct {
		v    NewVar
		want string
	}{
		{NewVar{Name: "1", Space: isa.SpaceGlobal, Type: isa.U32}, "not a PTX name"},
		{NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.Pred}, "type .pred is not possible here"},
		{NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.B128, Init: []uint64{1}}, "type .b128 is not possible here"},
		{NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.U32, Align: 3}, "an alignment of 3"},
		{NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.U32, Count: -1}, "a count of -1"},
		{NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.U32, Init: []uint64{1, 2}}, "2 initial values for 1 elements"},
		{NewVar{Name: "v", Space: isa.SpaceShared, Type: isa.U32, Init: []uint64{1}}, "shared memory has no initial value"},
	}
	for _, tt := range tests {
		if _, err := NewEditor(m, "test").AddVar(tt.v); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, expected %q", tt.v, err, tt.want)
		}
	}
}

// The same module can be edited again after a failure, and nothing has changed.
func TestFailedEditLeavesModule(t *testing.T) {
	m := load(t, "k.ptx", conflictModule)
	e := NewEditor(m, "test")
	e.Delete(m.Func("k").Insts[0])
	e.Replace(m.Func("k").Insts[0], "membar.sys;")
	if _, err := e.Apply(); err == nil {
		t.Fatal("no conflict")
	}
	again := NewEditor(m, "test")
	again.Delete(m.Func("k").Insts[0])
	if out, err := again.Apply(); err != nil || len(out.Func("k").Insts) != len(m.Func("k").Insts)-1 {
		t.Error(err)
	}
}

package rewrite

import (
	"strings"
	"testing"
)

const liftModule = header + `
.shared .b32 taken[4];
.func f()
{
	.reg .b32 %r<4>;
	.shared .align 8 .b8 row[512], rest[4];
	.shared .b32 taken, twice;
	.local .b32 slot;
	mov.u32 %r1, row;
	st.shared.u32 [row+4], %r1;
	ld.shared.u32 %r2, [rest];
}
.func g()
{
	.shared .b32 twice;
	.reg .b32 %r<4>;
	mov.u32 %r1, twice;
}
`

// TestLift: a variable is the module's under its name, and what it is not possible for says why.
func TestLift(t *testing.T) {
	m := load(t, "k.ptx", liftModule)
	f := m.Func("f")
	named := func(name string) *Var {
		for _, v := range f.Locals {
			if v.Name == name {
				return v
			}
		}
		t.Fatal("no " + name)
		return nil
	}
	e := NewEditor(m, "test")
	for name, want := range map[string]string{
		"slot": `"slot" cannot be declared for the module: it is not shared memory of a known size`, "taken": "the name is taken", "twice": "the function g has another thing of that name",
	} {
		if err := e.Lift(named(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", name, err, want)
		}
	}
	if err := e.Lift(named("row")); err != nil {
		t.Fatal(err)
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	row, ok := out.Lookup("row")
	if v, is := row.(*Var); !ok || !is || v.Size != 512 || v.Align != 8 || v.Func != nil {
		t.Errorf("row is %v", row)
	}
	for _, in := range out.Func("f").Insts[:2] {
		for i := range in.Operands {
			if s := in.Operands[i].Sym; s != nil && s != row {
				t.Errorf("%s names %v", in.Text(), s)
			}
		}
	}
	if got := len(out.Func("f").Locals); got != len(f.Locals) {
		t.Errorf("%d variables, expected %d", got, len(f.Locals))
	}
}

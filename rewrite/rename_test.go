package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const renameModule = header + `
.global .u32 word, %w2;
.func f(.param .u64 p)
{
	.reg .b32 %r<4>, %x1, %z<3>;
	.reg .b32 %a;
	mov.u32 %r1, %a;
	mov.u32 %r2, %x1;
	mov.u32 %z1, %r2;
}
.func g()
{
	ret;
}
`

// regNamed returns a register of a function.
func regNamed(t *testing.T, f *Func, name string) *Reg {
	t.Helper()
	for _, r := range f.Regs {
		if r.Name == name {
			return r
		}
	}
	t.Fatal("no " + name)
	return nil
}

// Names that a range cannot have say why, and where they are in use.
func TestRenameRangeErrors(t *testing.T) {
	m := load(t, "k.ptx", renameModule)
	f := m.Func("f")
	reg := func(name string) *Reg { return regNamed(t, f, name) }
	tests := []struct {
		edit func(e *Editor) error
		want string
	}{
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%x") }, `k.ptx:8:12: "%r1" cannot be renamed to "%x": "%x1" is in use at line 8`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%z") }, `"%z1" is in use at line 12`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%w") }, `the module has "%w2", at k.ptx:5:20`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%y1") }, `with a digit at the end of the prefix`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "a b") }, `which is not a PTX name`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "ptxsan0_a") }, `names with "ptxsan0_" are the editor's own`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%a"), "%x") }, `k.ptx:9:12: "%a" is not one of a range of registers of f`},
		{func(e *Editor) error { return e.RenameRange(m.Func("g"), reg("%r1"), "%b") }, `k.ptx:8:12: "%r1" is not one of a range of registers of g`},
		{func(e *Editor) error {
			_ = e.RenameRange(f, reg("%r1"), "%y")
			return e.RenameRange(f, reg("%r2"), "%b")
		}, `it is renamed to "%y" already`},
		{func(e *Editor) error {
			_ = e.RenameRange(f, reg("%r1"), "%y")
			return e.RenameRange(f, reg("%z1"), "%y")
		}, `the registers %r<4> get that name`},
		{func(e *Editor) error {
			_ = e.RenameRange(f, reg("%r1"), "%y")
			return e.Rename(m.Globals[0], "%y3")
		}, `"word" cannot be renamed to "%y3": the registers %r<4> of f get that name`},
		{func(e *Editor) error {
			_ = e.Rename(m.Globals[0], "%y3")
			return e.RenameRange(f, reg("%r1"), "%y")
		}, `a symbol of the module gets one of its names`},
		{func(e *Editor) error {
			e.InsertAtEntry(f, ".reg .b32 %b1;")
			return e.RenameRange(f, reg("%r1"), "%b")
		}, `inserted text says "%b1", which is a name that %r<4> gets`},
	}
	for _, tt := range tests {
		e := NewEditor(m, "test")
		err := tt.edit(e)
		if err == nil {
			_, err = e.Apply()
		}
		if err == nil || !strings.Contains(messages(err), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
}

// All ranges of registers get another prefix and their old one back: then the text is what it was.
func TestRenameBack(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		var old []string
		there := renameAll(t, m, func(was string, n int) string {
			old = append(old, was)
			return fmt.Sprintf("%%renamed$%d$", n)
		})
		back := renameAll(t, there, func(_ string, n int) string { return old[n] })
		if got, want := string(back.Source()), string(m.Source()); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("the text differs at %d: %q, was %q", at, got[at:min(at+80, len(got))], want[at:min(at+80, len(want))])
		}
		if len(old) > 0 && string(there.Source()) == string(m.Source()) {
			t.Error("nothing was renamed")
		}
	})
}

// renameAll renames the ranges of all functions but those that share a name with another declaration of a function.
func renameAll(t *testing.T, m *Module, prefix func(was string, n int) string) *Module {
	t.Helper()
	e := NewEditor(m, "rename")
	n := 0
	for _, f := range m.Funcs {
		if !f.Defined() {
			continue
		}
		done := make(map[uint32]bool)
		for _, r := range f.Regs {
			d := f.rangeAt(r.at)
			shared := func(o *Reg) bool { return o.at != r.at && inRange(o.Name, d.Name, d.Count) }
			if d == nil || done[r.at] || slices.ContainsFunc(f.Regs, shared) {
				continue
			}
			done[r.at] = true
			if err := e.RenameRange(f, r, prefix(d.Name, n)); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(messages(err))
	}
	return out
}

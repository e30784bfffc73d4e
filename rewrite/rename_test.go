package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const renameModule = header + `
.global .u32 word;
.func f(.param .u64 p)
{
	.reg .b32 %r<4>, %x1;
	.reg .b32 %a;
	.shared .u32 tile;
L1:
	mov.u32 %r1, %a;
	mov.u32 %r2, %x1;
	{
L2:
	bra L2;
	}
}
.func g()
{
L1:
	bra L1;
}
.section .debug_info
{
.b64 L1
L9:
.b64 tile
}
`

// Names that cannot be had say why, and where they are in use.
func TestRenameInErrors(t *testing.T) {
	m := load(t, "k.ptx", renameModule)
	f := m.Func("f")
	local := func(name string) Symbol {
		for s := range f.localSymbols() {
			if s.SymbolName() == name {
				return s
			}
		}
		t.Fatal("no " + name)
		return nil
	}
	reg := func(name string) *Reg { return local(name).(*Reg) }
	tests := []struct {
		edit func(e *Editor) error
		want string
	}{
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "%r1") }, `k.ptx:9:12: "%a" cannot be renamed to "%r1": "%r1" is in use at line 12`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "%r3") }, `the registers %r<4> declared at line 8 have that name`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "word") }, `the module has "word", at k.ptx:5:14`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "%tid") }, `"%tid", which PTX predefines`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "WARP_SZ") }, `which PTX predefines`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "a b") }, `which is not a PTX name`},
		{func(e *Editor) error { return e.RenameIn(f, local("%a"), "ptxsan0_a") }, `names with "ptxsan0_" are the editor's own`},
		{func(e *Editor) error { return e.RenameIn(m.Func("g"), local("%a"), "%b") }, `k.ptx:19:7: "%a" is not declared in g`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%x") }, `"%r1" cannot be renamed to "%x": "%x1" is in use at line 8`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%r1"), "%y1") }, `with a digit at the end of the prefix`},
		{func(e *Editor) error { return e.RenameRange(f, reg("%a"), "%x") }, `k.ptx:9:12: "%a" is not one of a range`},
		{func(e *Editor) error {
			_ = e.RenameRange(f, reg("%r1"), "%y")
			return e.RenameIn(f, local("%r2"), "%z")
		}, `it is renamed to "%y" already`},
		{func(e *Editor) error {
			_ = e.RenameRange(f, reg("%r1"), "%y")
			return e.RenameIn(f, local("%a"), "%y3")
		}, `"%r1" gets that name`},
		{func(e *Editor) error { _ = e.RenameIn(f, local("%a"), "%b"); return e.RenameIn(f, local("%a"), "%c") }, `it is renamed to "%b" already`},
		{func(e *Editor) error { _ = e.RenameIn(f, local("%a"), "b"); return e.Rename(m.Globals[0], "b") }, `"word" and "%a" of f are both renamed to "b"`},
		{func(e *Editor) error { _ = e.Rename(m.Globals[0], "b"); return e.RenameIn(f, local("%a"), "b") }, `"word" gets that name`},
		{func(e *Editor) error { e.InsertAtEntry(f, ".reg .b32 %b;"); return e.RenameIn(f, local("%a"), "%b") }, `inserted text says "%b", which "%a" is renamed to`},
		{func(e *Editor) error { return e.RenameIn(f, local("L1"), "L9") }, `the debug section at line 24 has it`},
		{func(e *Editor) error { return e.RenameIn(f, local("L1"), "L3") }, `k.ptx:6:7: "L1" cannot be renamed: a debug section names it, and g has another "L1"`},
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

// Everything that functions declare gets a new name and its old one back: then the
// text is what it was.
func TestRenameBack(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		there := renameAll(t, m, func(_ Symbol, n int) string { return fmt.Sprintf("%%renamed$%d$", n) })
		var old []string
		for s := range renamable(m) {
			old = append(old, declaredName(m, s))
		}
		back := renameAll(t, there, func(_ Symbol, n int) string { return old[n] })
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

// alone reports whether no other declaration of the function, in another scope, has a
// name of this one: two cannot get one name.
func alone(f *Func, d localDeclaration) bool {
	this := localRename{name: d.name, isRange: d.count > 0}
	for _, o := range f.declarations().list {
		if o.at != d.at && this.overlaps(d.count, localRename{name: o.name, isRange: o.count > 0}, o.count) {
			return false
		}
	}
	return true
}

// renamable yields one symbol of every such declaration in a module, with its function.
func renamable(m *Module) func(func(Symbol, *Func) bool) {
	return func(yield func(Symbol, *Func) bool) {
		for _, f := range m.Funcs {
			if !f.Defined() {
				continue
			}
			one := make(map[uint32]Symbol)
			var order []uint32
			for s := range f.localSymbols() {
				d, ok := f.declarations().of(s)
				if ok && one[d.at] == nil && alone(f, d) {
					one[d.at] = s
					order = append(order, d.at)
				}
			}
			slices.Sort(order)
			for _, at := range order {
				if !yield(one[at], f) {
					return
				}
			}
		}
	}
}

// declaredName is the name or prefix in a symbol's declaration.
func declaredName(m *Module, s Symbol) string {
	for sym, f := range renamable(m) {
		if sym == s {
			d, _ := f.declarations().of(s)
			return d.name
		}
	}
	return ""
}

// renameAll renames one symbol of every declaration, ranges as a whole.
func renameAll(t *testing.T, m *Module, name func(s Symbol, n int) string) *Module {
	t.Helper()
	e := NewEditor(m, "rename")
	n := 0
	for s, f := range renamable(m) {
		d, _ := f.declarations().of(s)
		var err error
		if d.count > 0 {
			err = e.RenameRange(f, s.(*Reg), name(s, n))
		} else {
			err = e.RenameIn(f, s, name(s, n))
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(messages(err))
	}
	return out
}

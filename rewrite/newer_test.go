package rewrite

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// newerKernel has an instruction that the table lacks: it may write %r2 and may continue at
// L.
const newerKernel = header + `.visible .entry k()
{
	.reg .b32 %r<4>;
	mov.u32 %r1, 1;
	mov.u32 %r2, 2;
	hop.if.zero %r2, {%r1, _}, L;
	add.u32 %r3, %r1, %r2;
L:
	st.global.newer.u32 [0], %r2;
	ret;
}
`

// TestLoadNewer: an unknown instruction reads and writes its registers and may jump or go
// on; Load and Check refuse it with an error that wraps ErrNewer.
func TestLoadNewer(t *testing.T) {
	ast, err := ptxgrammar.Parse("k.ptx", []byte(newerKernel))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Load(ast); err == nil || !strings.Contains(messages(err), `unknown instruction "hop"`) {
		t.Error(err)
	} else if list := (ptxgrammar.ErrorList{}); !errors.As(err, &list) || !errors.Is(list[0], ErrNewer) {
		t.Errorf("%v does not wrap ErrNewer", err)
	}
	m, err := LoadNewer(ast)
	if err != nil {
		t.Fatal(err)
	}
	f := m.Func("k")
	hop := f.Insts[2]
	var defs, uses []string
	hop.Defs(func(r *Reg) { defs = append(defs, r.Name) })
	hop.Uses(func(r *Reg) { uses = append(uses, r.Name) })
	if want := []string{"%r2", "%r1"}; !slices.Equal(defs, want) || !slices.Equal(uses, want) {
		t.Errorf("writes %v, reads %v, want %v", defs, uses, want)
	}
	g := f.CFG()
	if b := g.BlockOf[2]; len(b.Succs) != 2 || b.Succs[0] != g.BlockOf[4] || b.Succs[1] != g.BlockOf[3] {
		t.Errorf("the block of hop has successors %v", b.Succs)
	}
	if !f.Insts[4].Unknown() || f.Insts[1].Unknown() {
		t.Error("st.global.newer is known, or mov is not")
	}
}

// TestNewerRelease: Load and Check accept all that LoadNewer accepts in a module whose version or target is newer than
// the table, and say what it is.
func TestNewerRelease(t *testing.T) {
	body := strings.TrimPrefix(newerKernel, header)
	for _, c := range []struct{ head, note string }{
		{".version 99.0\n.target sm_80\n.address_size 64\n", "k:1:10: .version 99.0 is newer than PTX " + isa.NewestVersion.String() + ", the newest that is known"},
		{".version 8.0\n.target sm_999f\n.address_size 64\n", "k:2:9: .target sm_999f is newer than the targets that are known"},
	} {
		ast, err := ptxgrammar.Parse("k", []byte(c.head+strings.Replace(body, "%r1, 1;", "%r1, %fresh;", 1)))
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range []func(*ptxgrammar.Module) (*Module, error){Load, Check} {
			m, err := load(ast)
			if err != nil {
				t.Fatal(err)
			}
			want := []string{c.note, `k:7:15: unknown special register "%fresh" (and 2 more): ` + "kept as it is; its accesses are not checked, and a thread that executes it stops with the fault unsupported"}
			if got := m.Newer(); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			for i, unknown := range []bool{true, false, true, false, true, false} {
				if in := m.Func("k").Insts[i]; in.Unknown() != unknown {
					t.Errorf("%s: Unknown %v", in.Text(), in.Unknown())
				}
			}
		}
	}
}

// TestNewerStaysNewer: what a pass makes of such a module keeps its unknown instructions,
// and an unknown instruction that a pass inserts is refused.
func TestNewerStaysNewer(t *testing.T) {
	ast, err := ptxgrammar.Parse("k.ptx", []byte(newerKernel))
	if err != nil {
		t.Fatal(err)
	}
	m, err := LoadNewer(ast)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"membar.gl;": "", "invented;": `unknown instruction "invented"`} {
		e := NewEditor(m, "test")
		e.InsertBefore(m.Func("k").Insts[2], text)
		out, err := e.Apply()
		switch {
		case want == "" && (err != nil || !strings.Contains(string(out.Source()), "hop.if.zero %r2, {%r1, _}, L;")):
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

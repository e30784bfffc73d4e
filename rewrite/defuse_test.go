package rewrite

import (
	"fmt"
	"slices"
	"testing"
)

// reaching computes reaching definitions as the textbook defines them, for every
// instruction: register and the index of the instruction that wrote it, -1 for the
// function's start.
func reaching(f *Func) []map[[2]int]bool {
	g := f.CFG()
	before := make([]map[[2]int]bool, len(f.Insts))
	in := make([]map[[2]int]bool, len(g.Blocks))
	for i := range in {
		in[i] = make(map[[2]int]bool)
	}
	for _, r := range f.Regs {
		in[0][[2]int{r.Index, -1}] = true
		for _, b := range g.Blocks {
			if !g.Reached(b) {
				in[b.Index][[2]int{r.Index, -1}] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.Blocks {
			cur := make(map[[2]int]bool)
			for d := range in[b.Index] {
				cur[d] = true
			}
			for _, inst := range f.Insts[b.Start:b.End] {
				before[inst.Index] = make(map[[2]int]bool)
				for d := range cur {
					before[inst.Index][d] = true
				}
				inst.Defs(func(r *Reg) {
					if inst.Guard == nil && r.Vec == 1 {
						for d := range cur {
							if d[0] == r.Index {
								delete(cur, d)
							}
						}
					}
					cur[[2]int{r.Index, inst.Index}] = true
				})
			}
			if !g.Reached(b) {
				continue
			}
			for _, s := range b.Succs {
				for d := range cur {
					if !in[s.Index][d] {
						in[s.Index][d], changed = true, true
					}
				}
			}
		}
	}
	return before
}

// checkDefUse compares DefUse with reaching for every read, and both directions with
// each other.
func checkDefUse(t *testing.T, f *Func) {
	t.Helper()
	if !f.Defined() {
		return
	}
	before, du := reaching(f), f.DefUse()
	for _, in := range f.Insts {
		in.Uses(func(r *Reg) {
			var want []int
			for d := range before[in.Index] {
				if d[0] == r.Index {
					want = append(want, d[1])
				}
			}
			slices.Sort(want)
			defs, undefined := du.Defs(in, r)
			var got []int
			if undefined {
				got = append(got, -1)
			}
			for _, d := range defs {
				got = append(got, d.Index)
				if !slices.Contains(du.Uses(d, r), in) {
					t.Errorf("%s: %q is not among the uses of %s in %q", f.Name, in.Text(), r.Name, d.Text())
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s line %d: %s in %q comes from %v, expected %v", f.Name, in.Line, r.Name, in.Text(), got, want)
			}
		})
		in.Defs(func(r *Reg) {
			for _, use := range du.Uses(in, r) {
				if !before[use.Index][[2]int{r.Index, in.Index}] {
					t.Errorf("%s: %q is among the uses of %s in %q", f.Name, use.Text(), r.Name, in.Text())
				}
			}
		})
	}
}

func TestReachingDefinitions(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		for _, f := range m.Funcs {
			checkDefUse(t, f)
		}
	})
	randomKernels(t, 150, 60, checkDefUse)
}

func TestDefUse(t *testing.T) {
	f := kernel(t, `
.reg .b32 %r<4>; .reg .pred %p; .reg .v2 .f32 %v;
	mov.u32 %r1, 1;
	setp.eq.u32 %p, %r1, %r3;
	@%p mov.u32 %r1, 2;
	@%p bra L;
	mov.u32 %r2, %r1;
L:
	add.u32 %r1, %r1, %r2;
	mov.f32 %v.x, 0f00000000;
	mov.f32 %v.y, 0f00000000;
	st.global.v2.f32 [0], {%v.x, %v.y};
	ret;`)
	du := f.DefUse()
	reg := func(name string) *Reg {
		return f.Regs[slices.IndexFunc(f.Regs, func(r *Reg) bool { return r.Name == name })]
	}
	tests := []struct {
		inst int
		reg  string
		want string
	}{
		{1, "%r1", "[0] false"},
		{1, "%r3", "[] true"},
		{3, "%p", "[1] false"},
		{4, "%r1", "[0 2] false"},
		{5, "%r1", "[0 2] false"},
		{5, "%r2", "[4] true"},
		{8, "%v", "[6 7] true"}, // each component counts as all
		{0, "%r1", "[] false"},  // writes it
	}
	for _, tt := range tests {
		defs, undefined := du.Defs(f.Insts[tt.inst], reg(tt.reg))
		indices := []int{}
		for _, d := range defs {
			indices = append(indices, d.Index)
		}
		if got := fmt.Sprint(indices, undefined); got != tt.want {
			t.Errorf("%s in %q comes from %s, expected %s", tt.reg, f.Insts[tt.inst].Text(), got, tt.want)
		}
	}
	if uses := du.Uses(f.Insts[0], reg("%r1")); len(uses) != 3 {
		t.Errorf("the first write has %d uses, expected 3", len(uses))
	}
	if uses := du.Uses(f.Insts[0], reg("%r2")); uses != nil {
		t.Errorf("an instruction has uses of what it does not write: %v", uses)
	}
}

// TestWriters: each register has the instructions that write it, once and in source order.
func TestWriters(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		for _, f := range m.Funcs {
			for _, r := range f.Regs[:min(len(f.Regs), 40)] {
				var want []*Inst
				for _, in := range f.Insts {
					if in.Writes(r) {
						want = append(want, in)
					}
				}
				if got := f.Writers(r); !slices.Equal(got, want) {
					t.Errorf("%s, %s: %d writers, want %d", f.Name, r.Name, len(got), len(want))
				}
			}
		}
	})
}

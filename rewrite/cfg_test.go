package rewrite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shape prints blocks and edges: "0[0,3) -> 1 2".
func shape(g *CFG) string {
	var b strings.Builder
	for _, n := range g.Blocks {
		fmt.Fprintf(&b, "%d[%d,%d) ->", n.Index, n.Start, n.End)
		for _, s := range n.Succs {
			fmt.Fprintf(&b, " %d", s.Index)
		}
		if n.IPDom != nil {
			fmt.Fprintf(&b, " ipdom %d", n.IPDom.Index)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCFGShapes(t *testing.T) {
	const regs = ".reg .pred %p; .reg .b32 %r<4>;\n"
	tests := []struct{ name, body, want string }{
		{"empty", "", "0[0,0) -> 1 ipdom 1\n1[0,0) ->\n"},
		{"falls off the end", "membar.gl;", "0[0,1) -> 1 ipdom 1\n1[1,1) ->\n"},
		{"debug labels do not split", "membar.gl;\n$L__tmp0:\nmembar.gl;\nret;", "0[0,3) -> 1 ipdom 1\n1[3,3) ->\n"},
		{
			"diamond", regs + "@%p bra A;\nmembar.gl;\nbra B;\nA:\nmembar.sys;\nB:\nret;",
			"0[0,1) -> 2 1 ipdom 3\n1[1,3) -> 3 ipdom 3\n2[3,4) -> 3 ipdom 3\n3[4,5) -> 4 ipdom 4\n4[5,5) ->\n",
		},
		{"branch to the next", regs + "@%p bra A;\nA:\nret;", "0[0,1) -> 1 ipdom 1\n1[1,2) -> 2 ipdom 2\n2[2,2) ->\n"},
		{
			"guarded ret and exit", regs + "@%p ret;\n@!%p exit;\nmembar.gl;",
			"0[0,1) -> 3 1 ipdom 3\n1[1,2) -> 3 2 ipdom 3\n2[2,3) -> 3 ipdom 3\n3[3,3) ->\n",
		},
		{"branch to the end", regs + "@%p bra E;\ntrap;\nE:", "0[0,1) -> 2 1 ipdom 2\n1[1,2) -> 2 ipdom 2\n2[2,2) ->\n"},
		{"unreachable", "bra E;\nmembar.gl;\nE:\nret;", "0[0,1) -> 2 ipdom 2\n1[1,2) -> 2 ipdom 2\n2[2,3) -> 3 ipdom 3\n3[3,3) ->\n"},
		{
			"brx with a target list", regs + "ts: .branchtargets A, B, A;\nbrx.idx %r1, ts;\nA:\nmembar.gl;\nB:\nret;",
			"0[0,1) -> 1 2 ipdom 2\n1[1,2) -> 2 ipdom 2\n2[2,3) -> 3 ipdom 3\n3[3,3) ->\n",
		},
		{
			"endless loop", regs + "A:\n@%p bra B;\nmembar.gl;\nB:\nbra A;",
			"0[0,1) -> 2 1 ipdom 2\n1[1,2) -> 2 ipdom 2\n2[2,3) -> 0 ipdom 3\n3[3,3) ->\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := kernel(t, tt.body)
			if got := shape(f.CFG()); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			checkCFG(t, f.CFG())
		})
	}
}

func TestNoReturnCallEndsBlock(t *testing.T) {
	m := load(t, "k.ptx", header+".extern .func die() .noreturn;\n.extern .func live();\n.entry k()\n{\ncall live;\ncall die;\nret;\n}\n")
	if got, want := shape(m.Func("k").CFG()), "0[0,2) -> 2 ipdom 2\n1[2,3) -> 2 ipdom 2\n2[3,3) ->\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// checkCFG checks what every graph promises.
func checkCFG(t *testing.T, g *CFG) {
	t.Helper()
	if g.Blocks[len(g.Blocks)-1] != g.Exit {
		t.Fatal("the exit is not last")
	}
	at := 0
	for _, b := range g.Blocks[:g.Exit.Index] {
		if b.Start != at || b.End < b.Start {
			t.Fatalf("block %d is [%d,%d), expected to start at %d", b.Index, b.Start, b.End, at)
		}
		at = b.End
		for _, s := range b.Succs {
			if !slices.Contains(s.Preds, b) {
				t.Fatalf("edge %d -> %d is not among the predecessors", b.Index, s.Index)
			}
		}
		if b.IPDom == nil {
			t.Errorf("block %d has no post-dominator", b.Index)
		}
		if (b.IDom == nil) != (b.Index == 0 || !slices.Contains(g.ReversePostorder(), b)) {
			t.Errorf("block %d: IDom is %v", b.Index, b.IDom)
		}
	}
	if len(g.Exit.Succs) > 0 || g.Exit.IPDom != nil {
		t.Error("the exit leads somewhere")
	}
}

func TestCorpusCFG(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		for _, f := range m.Funcs {
			if f.Defined() {
				checkCFG(t, f.CFG())
			}
		}
	})
}

// Dominators and post-dominators agree with their definition on random graphs: a
// dominates b when b cannot be reached without a.
func TestDominatorsAgainstDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		n := 1 + rnd.IntN(12)
		succs, preds := make([][]int, n), make([][]int, n)
		for range rnd.IntN(3 * n) {
			a, b := rnd.IntN(n), rnd.IntN(n)
			if !slices.Contains(succs[a], b) {
				succs[a] = append(succs[a], b)
				preds[b] = append(preds[b], a)
			}
		}
		order, idom := dominators(0, succs, preds)
		reached := reachable(succs, 0, -1)
		if len(order) != count(reached) {
			t.Fatalf("round %d: %d blocks in order, %d reached", round, len(order), count(reached))
		}
		tree := treeOrder(idom)
		for a := range n {
			without := reachable(succs, 0, a)
			for b := range n {
				want := a == b || reached[a] && reached[b] && !without[b]
				if got := tree[a].contains(tree[b]); got != want {
					t.Fatalf("round %d, edges %v: %d dominates %d: got %v", round, succs, a, b, got)
				}
			}
		}
	}
}

// reachable marks the nodes on paths from root that avoid a node.
func reachable(succs [][]int, root, avoid int) []bool {
	seen := make([]bool, len(succs))
	work := []int{root}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == avoid || seen[v] {
			continue
		}
		seen[v] = true
		work = append(work, succs[v]...)
	}
	return seen
}

func count(marks []bool) int {
	n := 0
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// endless finds one node per set that has no way out, checked against reachability.
func TestEndlessRegions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n := 2 + rnd.IntN(10)
		succs := make([][]int, n) // n-1 is the exit
		for range rnd.IntN(2 * n) {
			a := rnd.IntN(n - 1)
			succs[a] = append(succs[a], rnd.IntN(n))
		}
		var want []int
		for v := range n - 1 {
			from := reachable(succs, v, -1)
			last := true // v is the largest of the nodes it reaches, and they all reach it
			for w := range n {
				if from[w] && (w > v || !reachable(succs, w, -1)[v]) {
					last = false
				}
			}
			if last {
				want = append(want, v)
			}
		}
		if got := endless(succs, n-1); !slices.Equal(got, want) {
			t.Fatalf("round %d, edges %v: got %v, want %v", round, succs, got, want)
		}
	}
}

func TestPostDominates(t *testing.T) {
	g := kernel(t, ".reg .pred %p;\n@%p bra A;\nmembar.gl;\nA:\nret;").CFG()
	for _, tt := range []struct {
		a, b      int
		dom, pdom bool
	}{{0, 1, true, false}, {1, 0, false, false}, {2, 0, false, true}, {2, 1, false, true}, {0, 2, true, false}, {1, 2, false, false}, {3, 0, false, true}, {1, 1, true, true}} {
		a, b := g.Blocks[tt.a], g.Blocks[tt.b]
		if g.Dominates(a, b) != tt.dom || g.PostDominates(a, b) != tt.pdom {
			t.Errorf("%d and %d: dominates %v, post-dominates %v", tt.a, tt.b, g.Dominates(a, b), g.PostDominates(a, b))
		}
	}
}

// Through a register without a list of targets a branch may reach every label.
func TestDegenerate(t *testing.T) {
	f := kernel(t, ".reg .b32 %r;\nbra %r;\nA:\nmembar.gl;\nB:\nret;")
	if g := f.CFG(); !g.Degenerate || shape(g) != "0[0,1) -> 1 2 ipdom 2\n1[1,2) -> 2 ipdom 2\n2[2,3) -> 3 ipdom 3\n3[3,3) ->\n" {
		t.Errorf("degenerate %v\n%s", g.Degenerate, shape(g))
	}
}

func TestLoops(t *testing.T) {
	f := kernel(t, `.reg .pred %p;
OUTER:
	membar.gl;
INNER:
	membar.cta;
	@%p bra INNER;
	@%p bra OUTER;
	@%p bra OUTER;
SECOND:
	@%p bra SECOND;
	ret;`)
	var got []string
	for _, l := range f.CFG().Loops() {
		blocks := []int{}
		for _, b := range l.Blocks {
			blocks = append(blocks, b.Index)
		}
		parent := -1
		if l.Parent != nil {
			parent = l.Parent.Header.Index
		}
		got = append(got, fmt.Sprintf("header %d depth %d parent %d blocks %v", l.Header.Index, l.Depth, parent, blocks))
	}
	want := []string{
		"header 0 depth 1 parent -1 blocks [0 1 2 3]",
		"header 1 depth 2 parent 0 blocks [1]",
		"header 4 depth 1 parent -1 blocks [4]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A long chain of blocks that all branch to one place must not cost quadratic time.
func TestLongChain(t *testing.T) {
	const n = 200000
	succs, preds := make([][]int, n), make([][]int, n)
	for i := range n - 1 {
		succs[i] = []int{i + 1, n - 1}
	}
	for v, ss := range succs {
		for _, s := range ss {
			preds[s] = append(preds[s], v)
		}
	}
	if _, idom := dominators(0, succs, preds); idom[n-1] != 0 || idom[n-2] != n-3 {
		t.Errorf("immediate dominators %d and %d", idom[n-1], idom[n-2])
	}
	if _, ipdom := dominators(n-1, preds, succs); ipdom[0] != n-1 {
		t.Errorf("immediate post-dominator %d", ipdom[0])
	}
}

// Liveness agrees with its definition: a register is live where some path reads it
// before an unguarded write of all of it.
func TestLivenessAgainstDefinition(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		for _, f := range m.Funcs {
			if !f.Defined() || len(f.Insts) > 150 {
				continue
			}
			live := f.Liveness()
			for _, r := range f.Regs {
				for _, b := range f.CFG().Blocks[:f.CFG().Exit.Index] {
					if got, want := live.In(b).Has(r), readsFirst(f, b, r); got != want {
						t.Fatalf("%s: %s live into block %d: %v", f.Name, r.Name, b.Index, got)
					}
					out := slices.ContainsFunc(b.Succs, func(s *Block) bool { return live.In(s).Has(r) })
					if live.Out(b).Has(r) != out {
						t.Fatalf("%s: %s live out of block %d: %v", f.Name, r.Name, b.Index, !out)
					}
					if b.End > b.Start && live.Before(f.Insts[b.Start]).Has(r) != live.In(b).Has(r) {
						t.Fatalf("%s: %s before and into block %d differ", f.Name, r.Name, b.Index)
					}
				}
			}
		}
	})
}

// TestLiveCursor: a cursor finds the same as a walk from the end of the block, in whatever order it is asked.
func TestLiveCursor(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		for _, f := range m.Funcs {
			if !f.Defined() || len(f.Insts) > 1000 {
				continue
			}
			live := f.Liveness()
			back, forth := live.Cursor(), live.Cursor()
			for i := range f.Insts {
				for c, in := range map[*LiveCursor]*Inst{forth: f.Insts[i], back: f.Insts[len(f.Insts)-1-i]} {
					if got, want := c.Before(in), live.Before(in); !slices.Equal(got, want) {
						t.Fatalf("%s: before instruction %d the cursor finds %v, want %v", f.Name, in.Index, got, want)
					}
				}
			}
		}
	})
}

// readsFirst searches the paths from the start of b for a read of r.
func readsFirst(f *Func, b *Block, r *Reg) bool {
	seen := make(map[*Block]bool)
	work := []*Block{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		killed := false
		for _, in := range f.Insts[b.Start:b.End] {
			reads := false
			in.Uses(func(u *Reg) { reads = reads || u == r })
			if reads {
				return true
			}
			if in.Guard == nil && r.Vec == 1 && in.Writes(r) {
				killed = true
				break
			}
		}
		if !killed {
			work = append(work, b.Succs...)
		}
	}
	return false
}

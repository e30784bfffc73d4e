package barracuda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// script makes operations for tables: on words of global memory by name, with lanes of
// (block, warp) as masks.
type script struct{ ops []Op }

const allOfWarp = 0xffffffff

func (s *script) add(kind Kind, block uint64, warp, mask uint32) *Op {
	s.ops = append(s.ops, Op{Kind: kind, Block: block, Cluster: block, Warp: warp, Mask: mask, Site: uint32(len(s.ops) + 1)})
	return &s.ops[len(s.ops)-1]
}

// on is an access of all lanes of mask to one word.
func (s *script) on(kind Kind, block uint64, warp, mask uint32, word uint64) *Op {
	o := s.add(kind, block, warp, mask)
	o.Space, o.Bytes, o.Reach = abi.SpaceGlobal, 4, ScopeGlobal
	for i := range o.Addr {
		o.Addr[i] = 0x1000 + 4*word
	}
	return o
}

// races are the races found, by number of the operation, rule and kind.
func (s *script) races(t *testing.T) string {
	t.Helper()
	return s.racesAs(t, testLaunch)
}

func (s *script) racesAs(t *testing.T, l detect.Launch) string {
	t.Helper()
	var out []string
	for _, r := range runAs(t, l, s.ops) {
		rule := strings.TrimPrefix(r.Detail, "BARRACUDA ")
		out = append(out, fmt.Sprintf("%d-%d %s", r.First.Site, r.Second.Site, rule))
	}
	return strings.Join(out, "; ")
}

const x, y = 0, 1

// TestRules has a case for each rule of Figures 2 and 3, and for what it forbids.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(*script)
		want string
	}{
		{"READEXCL then WRITEEXCL, one thread", func(s *script) {
			s.on(Read, 0, 0, 1, x)
			s.on(Write, 0, 0, 1, x)
		}, ""},
		{"READINFLATE: W_x not before", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.on(Read, 1, 0, 1, x)
		}, "1-2 inter-block race, read after write"},
		{"READSHARED: readers do not race; WRITESHARED: R_x not before", func(s *script) {
			s.on(Read, 0, 0, 1, x)
			s.on(Read, 0, 1, 1, x)
			s.on(Read, 1, 0, allOfWarp, x)
			s.on(Write, 1, 0, 1, x)
		}, "1-4 inter-block race, write after read; 2-4 inter-block race, write after read"},
		{"WRITESHARED: forgets the reads", func(s *script) {
			s.on(Read, 0, 0, 1, x)
			s.on(Read, 0, 1, 1, x)
			bar(s, 0)
			s.on(Write, 0, 1, 1, x)
			s.on(Read, 0, 1, 1, x)
		}, ""},
		{"INITATOMEXCL: the write before was not atomic", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.on(Atomic, 0, 1, 1, x)
		}, "1-2 intra-block race, atomic after write"},
		{"INITATOMSHRD", func(s *script) {
			s.on(Read, 0, 0, 1, x)
			s.on(Read, 0, 1, 1, x)
			s.on(Atomic, 0, 1, 1, x)
		}, "1-3 intra-block race, atomic after read"},
		{"ATOMEXCL: atomic operations do not race", func(s *script) {
			s.on(Atomic, 0, 0, allOfWarp, x)
			s.on(Atomic, 1, 0, allOfWarp, x)
		}, ""},
		{"ATOMEXCL: nor do they synchronise", func(s *script) {
			s.on(Write, 0, 0, 1, y)
			s.on(Atomic, 0, 0, 1, x)
			s.on(Atomic, 1, 0, 1, x)
			s.on(Read, 1, 0, 1, y)
		}, "1-4 inter-block race, read after write"},
		{"ATOMSHARED: reads before it", func(s *script) {
			s.on(Atomic, 0, 0, 1, x)
			s.on(Read, 0, 0, 1, x)
			s.on(Atomic, 1, 0, 1, x)
		}, "2-3 inter-block race, atomic after read"},
		{"all atomic operations count, not the last one", func(s *script) {
			s.on(Atomic, 0, 0, 1, x)
			s.on(Atomic, 1, 0, 1, x)
			s.on(Read, 1, 0, 1, x)
		}, "1-3 inter-block race, read after atomic"},
		{"ENDINSN: lock-step", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.on(Read, 0, 0, allOfWarp, x)
			s.on(Write, 0, 0, 2, x)
		}, ""},
		{"one instruction, different values", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Valued, o.Value[0], o.Value[1] = true, 1, 2
		}, "1-1 intra-warp race, write after write"},
		{"one instruction, the same value", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Valued, o.Value[0], o.Value[1] = true, 7, 7
		}, ""},
		{"one instruction, the same where they overlap", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Valued, o.Value[0], o.Value[1], o.Addr[1] = true, 0x33221100, 0x99993322, o.Addr[0]+2
		}, ""},
		{"one instruction, not the same where they overlap", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Valued, o.Value[0], o.Value[1], o.Addr[1] = true, 0x33221100, 0x99992233, o.Addr[0]+2
		}, "1-1 intra-warp race, write after write"},
		{"one instruction, 16 bytes of which eight are known", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Bytes, o.Valued, o.Value[0], o.Value[1] = 16, true, 7, 7
		}, "1-1 intra-warp race, write after write"},
		{"one instruction, 16 bytes, the known ones of one lane overlap the others of another", func(s *script) {
			o := s.on(Write, 0, 0, 3, x)
			o.Bytes, o.Valued, o.Addr[1] = 16, true, o.Addr[0]+8
		}, "1-1 intra-warp race, write after write"},
		{"one value, two warps", func(s *script) {
			o := s.on(Write, 0, 0, 1, x)
			o.Valued = true
			o = s.on(Write, 0, 1, 1, x)
			o.Valued = true
		}, "1-2 intra-block race, write after write"},
		{"IF, ELSE: the paths are concurrent", func(s *script) {
			s.on(Write, 0, 0, 1, y)
			branch(s, 0x0000ffff)
			s.on(Write, 0, 0, 1, x)
			s.on(Read, 0, 0, 1<<20, y)
			s.on(Write, 0, 0, 1<<20, x)
		}, "4-6 divergence race, write after write"},
		{"FI: and ordered behind the branch", func(s *script) {
			branch(s, 0x0000ffff)
			s.on(Write, 0, 0, 1, x)
			s.add(Fi, 0, 0, allOfWarp)
			s.on(Write, 0, 0, 1<<20, x)
		}, ""},
		{"a barrier of the warp within a branch", func(s *script) {
			branch(s, 0x0000ffff)
			s.on(Write, 0, 0, 1, x)
			s.add(WarpSync, 0, 0, allOfWarp)
			s.on(Write, 0, 0, 1<<20, x)
			s.on(Write, 0, 0, 1, x)
		}, "5-6 divergence race, write after write"},
		{"BAR", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			bar(s, 0)
			s.on(Write, 0, 1, 1, x)
		}, ""},
		{"BAR of another block", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			bar(s, 1)
			s.on(Write, 0, 1, 1, x)
		}, "1-4 intra-block race, write after write"},
		{"a barrier that is not complete", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.add(Arrive, 0, 0, allOfWarp).Expected = testWarps * fanout
			s.on(Write, 0, 1, 1, x)
		}, "1-3 intra-block race, write after write"},
		{"a barrier that exits complete", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.add(Arrive, 0, 0, allOfWarp).Expected = testWarps * fanout
			s.add(Arrive, 0, 1, 0xffff).Expected = testWarps * fanout
			s.add(Exit, 0, 1, 0xffff0000)
			s.on(Write, 0, 1, 1, x)
		}, ""},
		{"producer and consumer: bar.arrive learns nothing", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			o := s.add(Arrive, 0, 0, allOfWarp)
			o.Expected, o.Goes = 2*fanout, true
			s.on(Write, 0, 1, 1, y)
			s.add(Arrive, 0, 1, allOfWarp).Expected = 2 * fanout
			s.on(Read, 0, 1, 1, x)
			s.on(Read, 0, 0, 1, y)
		}, "3-6 intra-block race, read after write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s script
			c.make(&s)
			if got := s.races(t); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func bar(s *script, block uint64) {
	for w := range uint32(testWarps) {
		s.add(Arrive, block, w, allOfWarp).Expected = testWarps * fanout
	}
}

func branch(s *script, then uint32) {
	s.add(If, 0, 0, allOfWarp).Then = then
	s.add(Else, 0, 0, ^then)
}

// TestFigure4 is the message-passing test of section 3.3.3 with every pair of fences,
// between blocks and within one: block fences in both threads of different blocks
// order nothing, a global one in either does.
func TestFigure4(t *testing.T) {
	clusters := testLaunch
	clusters.Cluster = [3]uint32{testBlocks, 1, 1}
	for _, release := range []Scope{ScopeBlock, ScopeCluster, ScopeGlobal} {
		for _, acquire := range []Scope{ScopeBlock, ScopeCluster, ScopeGlobal} {
			for where, to := range map[string][3]uint64{"one block": {0, 1, 0}, "a cluster": {1, 0, 0}, "blocks": {1, 0, 1}} {
				var s script
				s.on(Write, 0, 0, 1, x)
				s.on(Write, 0, 0, 1, y).Order = Order{Release: true, Scope: release}
				s.on(Read, to[0], uint32(to[1]), 1, y).Order = Order{Acquire: true, Scope: acquire}
				s.on(Read, to[0], uint32(to[1]), 1, x)
				for i := range s.ops {
					s.ops[i].Cluster = s.ops[i].Block * to[2]
				}
				needed := map[string]Scope{"one block": ScopeBlock, "a cluster": ScopeCluster, "blocks": ScopeGlobal}[where]
				ordered := max(release, acquire) >= needed
				if got := s.racesAs(t, clusters); (got == "") != ordered {
					t.Errorf("%s, release %d, acquire %d: %q", where, release, acquire, got)
				}
			}
		}
	}
}

// TestGoneAndExited: threads that have arrived at a barrier, gone on and exited have
// arrived once.
func TestGoneAndExited(t *testing.T) {
	var s script
	o := s.add(Arrive, 0, 0, allOfWarp)
	o.Barrier, o.Expected, o.Goes = 1, 2*fanout, true
	s.on(Write, 0, 0, 1, x)
	s.add(Exit, 0, 0, allOfWarp)
	o = s.add(Arrive, 0, 1, allOfWarp)
	o.Barrier, o.Expected = 1, 2*fanout
	s.on(Read, 0, 1, 1, x)
	if got, want := s.races(t), "2-5 intra-block race, read after write"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNarrowRelease: the cause of a race across blocks is the scope when the first thread
// has released something since, to its block.
func TestNarrowRelease(t *testing.T) {
	for _, scope := range []Scope{ScopeBlock, ScopeGlobal} {
		var s script
		s.on(Write, 0, 0, 1, x)
		s.on(Write, 0, 0, 1, y).Order = Order{Release: true, Scope: scope}
		s.on(Read, 1, 0, 1, x)
		want := map[Scope]detect.Cause{ScopeBlock: "insufficient-fence-scope", ScopeGlobal: "missing-fence"}[scope]
		if races := run(t, s.ops); len(races) != 1 || races[0].Cause != want {
			t.Errorf("%+v, want one of cause %s", races, want)
		}
	}
}

// TestCorrections has what Options.Paper and Options.Equal decide.
func TestCorrections(t *testing.T) {
	released := Order{Release: true, Scope: ScopeGlobal}
	for _, c := range []struct {
		name    string
		make    func(*script)
		options Options
		races   [2]int // by the paper, and otherwise
	}{
		{"a read before a release of the location", func(s *script) {
			s.on(Read, 1, 0, 1, x)
			s.on(Write, 0, 0, 1, x).Order = released
		}, Options{}, [2]int{0, 1}},
		{"a strong read before a strong release", func(s *script) {
			s.on(AtomicRead, 1, 0, 1, x).Strong = true
			o := s.on(Write, 0, 0, 1, x)
			o.Order, o.Strong = released, true
		}, Options{}, [2]int{0, 0}},
		{"atomic operations of block scope in two blocks", func(s *script) {
			s.on(Atomic, 0, 0, 1, x)
			s.on(Atomic, 1, 0, 1, x).Reach = ScopeBlock
			s.on(AtomicRead, 2, 0, 1, x)
		}, Options{}, [2]int{0, 2}},
		{"atomic operations of block scope in one block", func(s *script) {
			s.on(Atomic, 0, 0, 1, x).Reach = ScopeBlock
			s.on(Atomic, 0, 1, 1, x).Reach = ScopeBlock
		}, Options{}, [2]int{0, 0}},
		{"equal values of one instruction", func(s *script) {
			s.on(Write, 0, 0, 3, x).Valued = true
		}, Options{}, [2]int{0, 0}},
		{"equal values of one instruction, not equal to us", func(s *script) {
			s.on(Write, 0, 0, 3, x).Valued = true
		}, Options{Equal: true}, [2]int{1, 1}},
	} {
		for i, paper := range []bool{true, false} {
			var s script
			c.make(&s)
			o := c.options
			o.Paper = paper
			d := newDetector(t, o)
			for k := range s.ops {
				d.Op(&s.ops[k])
			}
			if got := len(d.End()); got != c.races[i] {
				t.Errorf("%s, paper %v: %d races, want %d", c.name, paper, got, c.races[i])
			}
		}
	}
}

// TestBarrierDivergence: BAR wants all threads active; those that have exited do not
// count, and threads of a warp may come one after the other to one instruction.
func TestBarrierDivergence(t *testing.T) {
	d := newTestDetector(t)
	ops := []Op{
		{Kind: Exit, Block: 2, Warp: 1, Mask: 0xf0000000},
		{Kind: Arrive, Block: 2, Warp: 1, Mask: 0x0fffffff, Site: 3},
		{Kind: If, Block: 1, Warp: 1, Mask: allOfWarp, Then: 0xff00},
		{Kind: Arrive, Block: 1, Warp: 1, Mask: 0xff00, Site: 4},
		{Kind: Arrive, Block: 1, Warp: 0, Mask: 0xff00, Site: 4},
		{Kind: Arrive, Block: 1, Warp: 1, Mask: 0xff, Site: 4},
		{Kind: Arrive, Block: 1, Warp: 1, Mask: 0xff0000, Site: 5},
		{Kind: Arrive, Block: 1, Warp: 1, Mask: 0xff000000, Site: 5},
	}
	for i := range ops {
		d.Op(&ops[i])
	}
	d.End()
	want := []detect.Fault{{
		Class: "barrier-divergence", Site: 5, Block: [3]uint32{1, 0, 0}, Thread: [3]uint32{48, 0, 0},
		Message: "16 threads of the warp wait at this barrier at another instruction, thread [32 0 0] among them",
	}}
	if got := d.Faults(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestFormats is Figure 7 with warps of 32 threads.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(*script)
		want Format
	}{
		{"converged", func(s *script) { s.on(Read, 0, 0, allOfWarp, x) }, Converged},
		{"after a barrier", func(s *script) { s.on(Read, 0, 0, allOfWarp, x); bar(s, 0) }, Converged},
		{"in a branch", func(s *script) { branch(s, 6) }, Diverged},
		{"in a branch after a barrier", func(s *script) { bar(s, 0); branch(s, 6) }, Diverged},
		{"in a nested branch", func(s *script) { branch(s, 6); s.add(If, 0, 0, 6).Then = 2 }, NestedDiverged},
		{"behind a nested branch", func(s *script) {
			branch(s, 6)
			s.add(If, 0, 0, 6).Then = 2
			s.add(Fi, 0, 0, 6)
			s.add(Fi, 0, 0, allOfWarp)
		}, Converged},
		{"after an acquire from another block", func(s *script) {
			s.on(Write, 1, 0, 1, x).Order = Order{Release: true, Scope: ScopeGlobal}
			s.on(Read, 0, 0, 2, x).Order = Order{Acquire: true, Scope: ScopeGlobal}
		}, SparseVC},
		{"after an acquire in the block, and a barrier", func(s *script) {
			s.on(Write, 0, 1, 1, x).Order = Order{Release: true}
			s.on(Read, 0, 0, 2, x).Order = Order{Acquire: true}
			bar(s, 0)
		}, Converged},
	} {
		var s script
		c.make(&s)
		d := newTestDetector(t)
		for i := range s.ops {
			d.Op(&s.ops[i])
		}
		w := d.grids[0].blocks[0].warps[0]
		if got := w.pathOf(2).format(w.full); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		d.End()
	}
}

// TestBlocksEnd: shared memory of a block is forgotten with it, and the blocks of a
// cluster have one.
func TestBlocksEnd(t *testing.T) {
	shared := func(s *script, kind Kind, block, cluster uint64) {
		o := s.on(kind, block, 0, 1, x)
		o.Space, o.Cluster = abi.SpaceShared, cluster
	}
	var s script
	shared(&s, Write, 0, 0)
	shared(&s, Write, 1, 1)
	s.add(BlockEnd, 0, 0, 0)
	shared(&s, Write, 2, 0)
	if got := s.races(t); got != "" {
		t.Errorf("in blocks of their own: %s", got)
	}
	s = script{}
	shared(&s, Write, 0, 0)
	shared(&s, Write, 1, 0)
	s.add(BlockEnd, 0, 0, 0)
	shared(&s, Read, 2, 0)
	if got := s.races(t); got != "1-2 inter-block race, write after write; 2-4 inter-block race, read after write" {
		t.Errorf("in a cluster: %s", got)
	}
}

// TestGrids: a grid that a thread launches is checked by itself.
func TestGrids(t *testing.T) {
	var s script
	s.add(KernelBegin, 0, 0, 0)
	s.on(Write, 0, 0, 1, x)
	s.add(KernelBegin, 0, 0, 0)
	s.on(Write, 7, 0, 1, x)
	s.on(Read, 8, 0, 1, x)
	s.add(KernelEnd, 0, 0, 0)
	s.on(Write, 1, 0, 1, x)
	s.add(KernelEnd, 0, 0, 0)
	if got := s.races(t); got != "2-7 inter-block race, write after write; 4-5 inter-block race, read after write" {
		t.Error(got)
	}
}

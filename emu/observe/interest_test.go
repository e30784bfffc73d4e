package observe_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
)

// choosy counts the accesses by each instruction and needs those by some of them.
type choosy struct {
	emu.NopListener
	needs    func(*rewrite.Inst) bool
	accesses map[*rewrite.Inst]int
}

// Interest implements emu.Listener.
func (c *choosy) Interest() emu.Interest {
	return emu.Interest{Needs: emu.Needs{Shared: true}, Site: c.needs}
}

// Access implements emu.Listener.
func (c *choosy) Access(ev *emu.AccessEvent) { c.accesses[ev.Inst]++ }

// TestTeeIgnoresSites: of accesses by an instruction that neither of two listeners needs,
// the emulator notifies neither; of what one of them needs it notifies both.
func TestTeeIgnoresSites(t *testing.T) {
	mod := load(t, batchKernel)
	stores := func(in *rewrite.Inst) bool { return in.Instr.Name == "st" }
	atomics := func(in *rewrite.Inst) bool { return in.Instr.Name == "atom" }
	for _, noVector := range []bool{false, true} {
		a := &choosy{needs: stores, accesses: map[*rewrite.Inst]int{}}
		b := &choosy{needs: atomics, accesses: map[*rewrite.Inst]int{}}
		runModule(t, mod, emu.Config{Listener: observe.Tee(a, b), NoVector: noVector}, 2, 48)
		for _, in := range mod.Funcs[0].Insts {
			needed := stores(in) || atomics(in)
			if n := a.accesses[in]; (n > 0) != needed || b.accesses[in] != n {
				t.Errorf("NoVector %v: %s: needed %v, but the listeners were notified of %d and %d accesses", noVector, in.Text(), needed, n, b.accesses[in])
			}
		}
	}
}

// TestTeeInterest: a tee needs what one of its listeners needs.
func TestTeeInterest(t *testing.T) {
	for i := range 16 {
		needs := emu.Needs{Values: i&1 != 0, Shared: i&2 != 0, Branches: i&4 != 0, Lanes: i&8 != 0}
		mod := load(t, batchKernel)
		none, some := observe.NewEvents(mod, emu.Needs{}, nil), observe.NewEvents(mod, needs, nil)
		for _, l := range []emu.Listener{observe.Tee(none, some), observe.Tee(some, none)} {
			if got := l.Interest().Needs; got != needs {
				t.Errorf("needs %+v, expected %+v", got, needs)
			}
		}
		if got := observe.Tee(none, none).Interest().Needs; got != (emu.Needs{}) {
			t.Errorf("two listeners that need nothing need %+v", got)
		}
	}
}

// TestEventsBesideOthers: Events makes the same events alone and beside a listener that
// needs everything.
func TestEventsBesideOthers(t *testing.T) {
	mod := load(t, batchKernel)
	ignored := map[*rewrite.Inst]bool{}
	for i, in := range mod.Funcs[0].Insts {
		if i%3 == 0 {
			ignored[in] = true
		}
	}
	for i := range 32 {
		needs := emu.Needs{Values: i&1 != 0, Shared: i&2 != 0, Branches: i&4 != 0, Lanes: i&8 != 0}
		name := fmt.Sprintf("%+v, vector instructions %v", needs, i&16 == 0)
		all := newEventLog(mod, emu.Needs{Values: true, Shared: true, Branches: true, Lanes: true})
		alone, beside := newEventLog(mod, needs), newEventLog(mod, needs)
		alone.IgnoreSites(ignored)
		beside.IgnoreSites(ignored)
		runModule(t, mod, emu.Config{Listener: alone, NoVector: i&16 != 0}, 2, 48)
		runModule(t, mod, emu.Config{Listener: observe.Tee(all, beside), NoVector: i&16 != 0}, 2, 48)
		if !slices.Equal(alone.lines, beside.lines) {
			k := 0
			for k < min(len(alone.lines), len(beside.lines)) && alone.lines[k] == beside.lines[k] {
				k++
			}
			t.Errorf("%s: %d events alone, %d beside another listener:\n%q\n%q", name, len(alone.lines), len(beside.lines),
				alone.lines[k:min(k+1, len(alone.lines))], beside.lines[k:min(k+1, len(beside.lines))])
		}
		if len(alone.lines) >= len(all.lines) {
			t.Errorf("%s: %d events of %d: nothing is ignored", name, len(alone.lines), len(all.lines))
		}
	}
}

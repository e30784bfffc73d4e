package observe_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// choosy counts the accesses by each instruction and needs those by some of them.
type choosy struct {
	emu.NopListener
	module   *rewrite.Module
	needs    func(*rewrite.Inst) bool
	accesses map[*rewrite.Inst]int
}

// Interest implements emu.Listener.
func (c *choosy) Interest() emu.Interest {
	return emu.Interest{Needs: abi.Needs{Shared: true}, Site: c.needs}
}

// Accesses implements abi.Receiver.
func (c *choosy) Accesses(b *abi.Batch) {
	for a := range b.All() {
		c.accesses[sites.At(c.module, a.Site)]++
	}
}

// TestTeeIgnoresSites: each of two listeners gets the accesses by the instructions that it needs, and no others.
func TestTeeIgnoresSites(t *testing.T) {
	mod := load(t, batchKernel)
	stores := func(in *rewrite.Inst) bool { return in.Instr.Name == "st" }
	atomics := func(in *rewrite.Inst) bool { return in.Instr.Name == "atom" }
	for _, noVector := range []bool{false, true} {
		a := &choosy{module: mod, needs: stores, accesses: map[*rewrite.Inst]int{}}
		b := &choosy{module: mod, needs: atomics, accesses: map[*rewrite.Inst]int{}}
		runModule(t, mod, emu.Config{Listener: observe.Tee(a, b), NoVector: noVector}, 2, 48)
		for _, in := range mod.Funcs[0].Insts {
			if (a.accesses[in] > 0) != stores(in) || (b.accesses[in] > 0) != atomics(in) {
				t.Errorf("NoVector %v: %s: the listeners were notified of %d and %d accesses", noVector, in.Text(), a.accesses[in], b.accesses[in])
			}
		}
	}
}

// TestTeeInterest: a tee needs what one of its listeners needs.
func TestTeeInterest(t *testing.T) {
	nothing := needsOf(0)
	for i := range 64 {
		needs := needsOf(i)
		mod := load(t, batchKernel)
		none, some := observe.NewEvents(mod, nothing, nil), observe.NewEvents(mod, needs, nil)
		for _, l := range []emu.Listener{observe.Tee(none, some), observe.Tee(some, none)} {
			if got := l.Interest().Needs; got != needs {
				t.Errorf("needs %+v, expected %+v", got, needs)
			}
		}
		if got := observe.Tee(none, none).Interest().Needs; got != nothing {
			t.Errorf("two listeners that need nothing need %+v", got)
		}
	}
}

// barrierKinds counts the barrier events of each kind.
type barrierKinds struct {
	emu.NopListener
	needs abi.Needs
	kinds map[abi.EventKind]int
}

// Interest implements emu.Listener.
func (c *barrierKinds) Interest() emu.Interest { return emu.Interest{Needs: c.needs} }

// Event implements abi.Receiver.
func (c *barrierKinds) Event(ev *abi.Event) { c.kinds[ev.Kind]++ }

// TestBarrierInterest: the emulator makes no event of arrivals or passes for a listener that does not need them, and
// those of completions for all.
func TestBarrierInterest(t *testing.T) {
	for i := range 64 {
		l := &barrierKinds{needs: needsOf(i), kinds: map[abi.EventKind]int{}}
		runModule(t, load(t, batchKernel), emu.Config{Listener: l}, 2, 48)
		if a, p := l.kinds[abi.EventBarrierArrive], l.kinds[abi.EventBarrierPass]; (a == 0) != l.needs.NoArrivals || (p == 0) != l.needs.NoPasses || l.kinds[abi.EventBarrierComplete] != 2 {
			t.Errorf("needs %+v, events of each kind %v", l.needs, l.kinds)
		}
	}
}

// needsOf returns the needs for which the bits of i stand, nothing for 0.
func needsOf(i int) abi.Needs {
	return abi.Needs{
		Values: i&1 != 0, Shared: i&2 != 0, Branches: i&4 != 0, Lanes: i&8 != 0, NoArrivals: i&16 == 0, NoPasses: i&32 == 0,
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
	for i := range 128 {
		needs := needsOf(i)
		noVector := i&64 != 0
		name := fmt.Sprintf("%+v, vector instructions %v", needs, !noVector)
		all := newEventLog(mod, needsOf(63))
		alone, beside := newEventLog(mod, needs), newEventLog(mod, needs)
		alone.IgnoreSites(ignored)
		beside.IgnoreSites(ignored)
		runModule(t, mod, emu.Config{Listener: alone, NoVector: noVector}, 2, 48)
		runModule(t, mod, emu.Config{Listener: observe.Tee(all, beside), NoVector: noVector}, 2, 48)
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

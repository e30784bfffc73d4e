// Arrows in timelines, between the two accesses of a race.

package observe

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Arrows of a Timeline join two accesses that have to do with each other, for
// instance because they race. Who finds that out knows threads and instructions; the
// timeline remembers when each thread executed each of them last.

// Visit is a thread at an instruction that accesses memory.
type Visit struct {
	Site       uint32 // number of the instruction, as Remember's function gives it
	Block      emu.Dim3
	Warp, Lane uint32
}

// visits is when the threads of a warp were last at a site.
type visits struct {
	pid  int
	step [32]uint64 // 0 = never
}

// visitor is a warp at a site.
type visitor struct {
	site  uint32
	block emu.Dim3
	warp  uint32
}

// past is what a timeline remembers for arrows.
type past struct {
	site   func(*rewrite.Inst) uint32
	visits map[visitor]*visits
	arrows int // so far
}

// Remember makes the timeline ready for arrows between accesses by the instructions to
// which site gives a number other than 0. Call it before the machine
// is made. The timeline remembers the last access of each thread, of the part of the run that the filter chooses, until the host launches the next
// kernel. Accesses that happen later than their instruction (asynchronous copies) are
// not remembered.
func (t *Timeline) Remember(site func(*rewrite.Inst) uint32) {
	t.past = &past{site: site, visits: map[visitor]*visits{}}
}

// Interest implements emu.Listener: accesses matter when they may be ends of arrows.
func (t *Timeline) Interest() emu.Interest {
	return emu.Interest{
		Needs: emu.Needs{Shared: true, Lanes: true},
		Site:  func(in *rewrite.Inst) bool { return t.past != nil && t.past.site(in) != 0 },
	}
}

// Access implements emu.Listener.
func (t *Timeline) Access(ev *emu.AccessEvent) {
	m := t.past
	if m == nil || ev.Async != emu.Synchronous || !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	who := visitor{m.site(ev.Inst), ev.Block, ev.Warp}
	if who.site == 0 {
		return
	}
	v, pid := m.visits[who], t.blocks[ev.Block].pid
	if v == nil || v.pid != pid { // else a block of another grid
		v = &visits{pid: pid}
		m.visits[who] = v
	}
	for lane := range v.step {
		if ev.Mask>>lane&1 != 0 {
			v.step[lane] = t.step
		}
	}
}

// Arrow draws an arrow between the last accesses by two threads at two places, from the
// earlier to the later. It reports false, and draws none, when the timeline does not
// know both.
func (t *Timeline) Arrow(name string, a, b Visit) bool {
	from, first := t.flow(a)
	to, second := t.flow(b)
	if !first || !second {
		return false
	}
	if from.Ts > to.Ts {
		from, to = to, from
	}
	t.past.arrows++
	for _, e := range []*event{&from, &to} {
		e.Name, e.Cat, e.ID = name, "race", fmt.Sprint(t.past.arrows)
	}
	from.Ph, to.Ph, to.Bind = "s", "f", "e" // the arrow ends in the slice around it, not in the next one
	t.write(from)
	t.write(to)
	return true
}

// flow is one end of an arrow.
func (t *Timeline) flow(at Visit) (event, bool) {
	if t.past == nil {
		return event{}, false
	}
	v := t.past.visits[visitor{at.Site, at.Block, at.Warp}]
	if v == nil || v.step[at.Lane%32] == 0 {
		return event{}, false
	}
	return event{Pid: v.pid, Tid: at.Warp, Ts: v.step[at.Lane%32]}, true
}

// Arrows in timelines, between the two accesses of a race.

package observe

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Arrows of a Timeline connect two related accesses, for example those of a race. The caller identifies them by thread
// and instruction; the timeline records the last step of each thread at each instruction.

// Visit is a thread at an instruction that accesses memory.
type Visit struct {
	Site       uint32 // number of the instruction, from Remember's function
	Block      emu.Dim3
	Warp, Lane uint32
}

// visits holds the last steps of a warp's threads at a site.
type visits struct {
	block *timedBlock
	inst  *rewrite.Inst
	step  [32]uint64 // 0 = never
}

// visitor is a warp at a site.
type visitor struct {
	site  uint32
	block emu.Dim3
	warp  uint32
}

// past is the data for arrows.
type past struct {
	site   func(*rewrite.Inst) uint32
	visits map[visitor]*visits
	arrows int // so far
}

// Remember prepares the timeline for arrows between accesses by the instructions for which site returns a number other
// than 0. It must be called before the machine is made. The timeline keeps the last access of each thread in the part
// of the run that the filter selects, until the host launches the next kernel. It does not keep accesses that happen
// later than their instruction (asynchronous copies).
func (t *Timeline) Remember(site func(*rewrite.Inst) uint32) {
	t.past = &past{site: site, visits: map[visitor]*visits{}}
}

// Interest implements emu.Listener: it needs accesses that may be ends of arrows.
func (t *Timeline) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Shared: true, Lanes: true}, Kernel: t.enter, Step: t.stepped,
		Site: func(in *rewrite.Inst) bool { return t.past != nil && t.past.site(in) != 0 },
	}
}

// Accesses implements abi.Receiver.
func (t *Timeline) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if in := sites.At(t.module, a.Site); b.Async == abi.Synchronous && t.shows(b.Block, b.Warp, in) {
			t.visit(b, a, in)
		}
	}
}

// visit remembers an access.
func (t *Timeline) visit(b *abi.Batch, a *abi.Access, in *rewrite.Inst) {
	m := t.past
	who := visitor{m.site(in), t.at(b.Block), b.Warp}
	v, block := m.visits[who], t.blocks[b.Block]
	if v == nil || v.block != block { // else the visits are of a block of another grid
		v = &visits{block: block, inst: in}
		m.visits[who] = v
	}
	for lane := range v.step {
		if a.Mask>>lane&1 != 0 {
			v.step[lane] = t.step
		}
	}
}

// Arrow draws an arrow between the last accesses by two threads at two sites, from the earlier to the later. It returns
// false, and draws none, if either is unknown.
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
	for _, e := range []*TraceEvent{&from, &to} {
		e.Name, e.Cat, e.ID = name, "race", fmt.Sprint(t.past.arrows)
	}
	from.Ph, to.Ph, to.Bind = "s", "f", "e" // the arrow ends in the enclosing slice, not in the next one
	t.write(from)
	t.write(to)
	return true
}

// flow returns one end of an arrow.
func (t *Timeline) flow(at Visit) (TraceEvent, bool) {
	if t.past == nil {
		return TraceEvent{}, false
	}
	v := t.past.visits[visitor{at.Site, at.Block, at.Warp}]
	if v == nil || v.step[at.Lane%32] == 0 {
		return TraceEvent{}, false
	}
	return TraceEvent{
		Pid: v.block.pid, Launch: v.block.launch, Block: v.block.index, Tid: at.Warp, Ts: v.step[at.Lane%32],
		Args: map[string]any{"place": t.names.place(v.inst)},
	}, true
}

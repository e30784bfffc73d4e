// Tensor memory: waits for operations of tcgen05, and fences between them and synchronisation.

package repair

import (
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

const (
	tensorBefore = "tcgen05.fence::before_thread_sync;"
	tensorAfter  = "tcgen05.fence::after_thread_sync;"
)

// tensor proposes edits that order operations of tcgen05 and other accesses (PTX ISA, "tcgen05 Memory Consistency
// Model").
func (p *proposer) tensor() {
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if !in.Tcgen05() {
			continue
		}
		p.tensorFences(in)
		switch {
		case in.Has("ld"):
			p.tensorWait(in, "tcgen05.wait::ld")
		case in.Has("st"):
			p.tensorWait(in, "tcgen05.wait::st")
		case in.Has("mma") || in.Has("cp") || in.Has("shift"):
			p.commits(in)
		}
	}
}

// tensorWait proposes a wait for loads or stores: after the last of them, before the operation that signals other
// threads, and after the one of the race.
func (p *proposer) tensorWait(in *rewrite.Inst, wait string) {
	text := wait + ".sync.aligned;"
	for _, b := range p.at.f.Insts {
		if p.at.publishes(in, b) {
			p.awaited(p.add(Wait, costWait, wait, Change{At: b, Place: Before, Text: text}))
		}
	}
	p.awaited(p.add(Wait, costWait, wait, Change{At: in, Place: After, Text: text}))
}

// publishes reports whether a fence or an arrival, after an operation in its loop, makes it known to other threads.
func (p *places) publishes(in, b *rewrite.Inst) bool {
	from, to := p.g.BlockOf[in.Index], p.g.BlockOf[b.Index]
	told := b.TensorFence() == isa.TensorBefore || b.Mbarrier() == isa.MbarrierArrive ||
		b.Mbarrier() == isa.MbarrierDrop
	return told && b.Index > in.Index && p.loops[from.Index] == p.loops[to.Index] && p.g.Dominates(from, to)
}

// tensorFences proposes fences after synchronisation in front of the access, and fences before synchronisation behind
// it.
func (p *proposer) tensorFences(in *rewrite.Inst) {
	fence := func(cost int, c Change) {
		word, _, _ := strings.Cut(c.Text, ";")
		p.add(TensorFence, cost, word, c).Named = p.r.Cause == detect.MissingFence
	}
	fence(costTensorFence, Change{At: in, Place: Before, Text: tensorAfter})
	for _, b := range p.at.f.Insts {
		if p.at.publishes(in, b) {
			fence(costTensorFence, Change{At: b, Place: Before, Text: tensorBefore})
		}
	}
	fence(costTensorFence, Change{At: in, Place: After, Text: tensorBefore})
	for _, b := range p.at.f.Insts {
		if _, ok := b.Barrier(); ok && p.at.leads(in, b) {
			fence(costTensorFence+unnamed, Change{At: b, Place: Before, Text: tensorBefore})
		}
	}
}

// commits proposes waits until an operation is complete, which tcgen05.commit signals on an mbarrier: one that the
// kernel uses for it, one on which the thread only arrives, or a new one.
func (p *proposer) commits(in *rewrite.Inst) {
	other := p.r.First
	if other == in {
		other = p.r.Second
	}
	for _, c := range p.at.f.Insts {
		switch {
		case c.Tcgen05() && c.Has("commit"):
			text := firstPhase("", p.at.objectText(c, 0))
			if other.Tcgen05() {
				text += "\n" + tensorAfter
			}
			p.add(Wait, costWait, "wait for the product", Change{At: other, Place: Before, Text: text})
			for _, b := range p.at.f.Insts {
				if _, ok := b.Barrier(); ok && p.at.leads(c, b) && p.at.leads(b, other) {
					p.add(Wait, costWait, "wait for the product", Change{At: b, Place: Before, Text: text})
				}
			}
		case plainArrival(c) && p.at.leads(in, c):
			p.awaited(p.add(Wait, costWait, "tcgen05.commit in place of the arrival",
				Change{At: c, Place: Instead, Text: guardText(c) + commitText(in, OperandText(c, 1))}))
		}
	}
	p.add(Wait, costOwnBarrier, "tcgen05.commit, and wait for the mbarrier",
		Change{At: in, Place: After, Text: "{\n.shared .align 8 .b64 fix_bar;\n" +
			"mbarrier.init.shared::cta.b64 [fix_bar], 1;\n" + commitText(in, "[fix_bar]") + "\n" + firstPhase("", "[fix_bar]") +
			"\nmbarrier.inval.shared::cta.b64 [fix_bar];\n" + tensorAfter + "\n}"})
}

// plainArrival reports whether an instruction is an arrival without semantics, scope and expected bytes.
func plainArrival(in *rewrite.Inst) bool {
	return in.Mbarrier() == isa.MbarrierArrive && len(in.Operands) == 2 &&
		strings.HasPrefix(in.Opcode(), "mbarrier.arrive.shared")
}

// commitText returns a commit that makes an mbarrier track the thread's tcgen05 operations, for as many CTAs as one of
// them uses.
func commitText(in *rewrite.Inst, object string) string {
	group := "cta_group::1"
	if in.Has("cta_group::2") {
		group = "cta_group::2"
	}
	return "tcgen05.commit." + group + ".mbarrier::arrive::one.shared::cluster.b64 " + object + ";"
}

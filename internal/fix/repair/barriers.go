// Barriers of a block, a warp, a cluster.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Statements that are inserted.
const (
	blockBarrier   = "bar.sync 0;"
	apartBarrier   = "barrier.sync 0;" // for warps that have diverged
	warpBarrier    = "bar.warp.sync 0xffffffff;"
	clusterApart   = "barrier.cluster.arrive;\nbarrier.cluster.wait;"
	clusterBarrier = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;"
)

// outside says in CUDA C++, where a barrier of the block must be one statement that all threads reach, what barriers in
// all arms of a branch do: PTX allows them to be several instructions.
const outside = " outside of the branch, which ends there and goes on behind it under the same condition"

// barriers proposes barriers between the two accesses, at places executed by all threads for which they wait.
func (p *proposer) barriers() {
	r := p.r
	if r.Kind == detect.IntraWarp {
		p.widenMask()
		p.ofWarps(p.between(), 0)
		p.split(costWarpBarrier, "__syncwarp() in both branches", warpBarrier)
		p.together()
	}
	if r.Kind != detect.IntraWarp && r.Cause == detect.MissingWarpSync {
		p.elected()
	}
	if r.Kind != detect.InterBlock && r.Shared && (multicast(r.First) || multicast(r.Second)) { // the stores to other blocks are not analysed here
		p.everywhere(Cluster, costCluster, "cluster.sync()", clusterBarrier)
		for _, e := range p.list {
			if e.Op == Cluster {
				p.awaited(e)
			}
		}
	}
	if r.Kind == detect.InterBlock && r.Shared {
		p.everywhere(Cluster, costCluster, "cluster.sync()", clusterBarrier)
		p.split(costCluster, "cluster.sync()"+outside, clusterApart)
		return
	}
	extra := 0
	if r.Kind == detect.InterBlock {
		if r.Cause != detect.MissingBarrier && r.Cause != detect.MissingWarpSync || !p.at.communicates() {
			return
		}
		p.ofWarps(p.between(), doubtful)
		extra = doubtful
	}
	p.everywhere(Barrier, costBarrier+extra, "__syncthreads()", blockBarrier)
	p.markSkipped()
	p.split(costBarrier+extra, "__syncthreads()"+outside, apartBarrier)
}

// markSkipped marks the barriers of the block that some threads do not reach because they have ended.
func (p *proposer) markSkipped() {
	every := analysed(&places{f: p.at.f, all: true})
	for _, e := range p.list {
		e.Skipped = e.Skipped || e.Op == Barrier && !every.uniform(e.Changes[0].At)
	}
}

// ofWarps proposes barriers of a warp at those of some places where its lanes come together.
func (p *proposer) ofWarps(list []Change, extra int) {
	at := warpPlaces(p.at.f)
	for _, c := range list {
		if at.uniform(c.At) {
			c.Text = warpBarrier
			p.add(WarpBarrier, costWarpBarrier+extra, "__syncwarp()", c)
		}
	}
}

// elected proposes barriers of a warp between an access and what a lane signals to threads of other warps for all lanes
// of its own: an arrival, a release, or another strong write.
func (p *proposer) elected() {
	for _, in := range []*rewrite.Inst{p.r.First, p.r.Second} {
		if in.Func != p.at.f {
			continue
		}
		list := []Change{}
		if n := p.at.next(in); n != nil {
			list = append(list, Change{At: n, Place: Before})
		}
		for _, x := range p.at.starts() {
			if p.at.leads(in, x) && slices.ContainsFunc(p.at.f.Insts,
				func(to *rewrite.Inst) bool { return signals(to) && p.at.leads(x, to) }) {
				list = append(list, Change{At: x, Place: Before})
			}
		}
		p.ofWarps(list, 0)
	}
}

// signals reports whether an instruction may signal threads of other warps that the thread has come to it.
func signals(in *rewrite.Inst) bool { return arrives(in) || synchronises(in) && in.Access.Writes() }

// multicast reports whether an instruction stores to several blocks of the cluster.
func multicast(in *rewrite.Inst) bool { return in.Multicast() }

// everywhere proposes statements at each uniform place between the accesses.
func (p *proposer) everywhere(op Op, cost int, advice, text string) {
	for _, c := range p.between() {
		if p.at.uniform(c.At) {
			c.Text = text
			p.add(op, cost, advice, c)
		}
	}
}

// between returns places between the accesses: before both, after both, and at the start of each basic block on a path
// from one to the other. For threads of different blocks, these are the places on paths from the first access on, or to
// the second, and next to accesses through which threads can communicate.
func (p *proposer) between() (list []Change) {
	a, b := p.r.First, p.r.Second
	list = append(list, Change{At: b, Place: Before}, Change{At: a, Place: Before})
	for _, in := range []*rewrite.Inst{a, b} {
		if n := p.at.next(in); n != nil {
			list = append(list, Change{At: n, Place: Before})
		}
	}
	fromA, fromB := p.at.reach(a), p.at.reach(b)
	ofA, ofB := p.at.g.BlockOf[a.Index], p.at.g.BlockOf[b.Index]
	toA, toB := p.at.before(ofA), p.at.before(ofB)
	for _, in := range p.at.starts() {
		i := p.at.g.BlockOf[in.Index].Index
		leadsB, leadsA := toB[i] || i == ofB.Index, toA[i] || i == ofA.Index
		apart := p.r.Kind == detect.InterBlock && (fromA[i] || leadsB)
		if fromA[i] && leadsB || fromB[i] && leadsA || apart {
			list = append(list, Change{At: in, Place: Before})
		}
	}
	if p.r.Kind == detect.InterBlock {
		for _, in := range p.at.f.Insts {
			if synchronises(in) {
				list = append(list, Change{At: in, Place: Before})
				if n := p.at.next(in); n != nil {
					list = append(list, Change{At: n, Place: Before})
				}
			}
		}
	}
	return list
}

// synchronises reports whether threads can communicate through an instruction.
func synchronises(in *rewrite.Inst) bool {
	return in.Access.Kind != isa.AccessNone && in.Strong()
}

// communicates reports whether threads of different blocks may communicate in a kernel: through a strong access, or in
// a called function.
func (p *places) communicates() bool {
	return slices.ContainsFunc(p.f.Insts, func(in *rewrite.Inst) bool {
		_, calls := in.Call()
		return calls || synchronises(in)
	})
}

// split proposes one barrier executed by different instructions, in the arms of a divergent branch. A barrier of the
// block that a warp executes by one instruction alone holds in the source, too; other warps that diverge need a place
// outside of the branch there.
func (p *proposer) split(cost int, advice, text string) {
	a, b := p.r.First, p.r.Second
	for _, d := range p.at.g.Blocks {
		if branch := p.at.forks(d); branch != nil && p.at.uniform(branch) {
			p.splitAt(branch, cost+backwards(a, b), advice, text, a, b)
			p.splitAt(branch, cost+backwards(b, a), advice, text, b, a)
		}
	}
}

// backwards returns the additional cost of a barrier that orders a read before a write: usually the read is meant to
// see the written value.
func backwards(first, second *rewrite.Inst) int {
	if !first.Access.Writes() && second.Access.Writes() {
		return 10 * doubtful
	}
	return 0
}

// splitAt proposes barriers in all arms of a branch: after first and before second in the arms that contain them,
// otherwise before the branch for the threads that take the arm. There they may be a part of a warp, so that a barrier
// that a warp executes by one instruction is none for them.
func (p *proposer) splitAt(branch *rewrite.Inst, cost int, advice, text string, first, second *rewrite.Inst) {
	var changes []Change
	for _, arm := range p.at.g.BlockOf[branch.Index].Succs {
		var way []Change
		ok := false
		switch {
		case p.at.inside(arm, second):
			way, ok = p.at.way(arm, Change{At: second, Place: Before, Text: text})
		case p.at.inside(arm, first):
			way, ok = p.at.way(arm, Change{At: first, Place: After, Text: text})
		default:
			way, ok = []Change{p.at.turning(branch, arm, text)}, true
		}
		if !ok {
			return
		}
		changes = append(changes, way...)
	}
	guarded := slices.ContainsFunc(changes, func(c Change) bool { return strings.HasPrefix(c.Text, "@") })
	if text == blockBarrier && guarded {
		return
	}
	p.add(SplitBarrier, cost+len(changes), advice, changes...)
}

// way returns a change in an arm of a branch and, for each branch between the start of the arm and the change, a change
// for the threads that do not take the path to it. ok is false unless every thread of the arm executes exactly one of
// these.
func (p *places) way(arm *rewrite.Block, to Change) (list []Change, ok bool) {
	goal := p.g.BlockOf[to.At.Index]
	if p.loops[goal.Index] != p.loops[arm.Preds[0].Index] {
		return nil, false
	}
	for at := arm; ; {
		if p.g.PostDominates(goal, at) {
			return append(list, to), true
		}
		next := slices.IndexFunc(at.Succs, func(s *rewrite.Block) bool {
			return len(s.Preds) == 1 &&
				p.g.Dominates(s, goal)
		})
		branch := p.forks(at)
		switch {
		case next < 0 || len(at.Succs) > 1 && branch == nil:
			return nil, false
		case len(at.Succs) > 1:
			list = append(list, p.turning(branch, at.Succs[1-next], to.Text))
		}
		at = at.Succs[next]
	}
}

// forks returns the conditional branch at the end of a block, nil if there is none.
func (p *places) forks(b *rewrite.Block) *rewrite.Inst {
	if len(b.Succs) != 2 || b.Start == b.End {
		return nil
	}
	if in := p.f.Insts[b.End-1]; in.Guard != nil && in.Branches() {
		return in
	}
	return nil
}

// inside reports whether only threads that take an arm execute an instruction.
func (p *places) inside(arm *rewrite.Block, in *rewrite.Inst) bool {
	return len(arm.Preds) == 1 && p.g.Dominates(arm, p.g.BlockOf[in.Index])
}

// turning returns a change before a branch, executed only by threads that will take an arm of it.
func (p *places) turning(branch *rewrite.Inst, arm *rewrite.Block, text string) Change {
	guard := guardText(branch)
	if p.g.BlockOf[branch.Index].Succs[1] == arm { // the fall-through path
		guard = opposite(branch)
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, guard+line)
	}
	return Change{At: branch, Place: Before, Text: strings.Join(lines, "\n")}
}

// opposite returns the guard of the lanes that do not take a branch.
func opposite(in *rewrite.Inst) string {
	if in.GuardNot {
		return "@" + in.Guard.Name + " "
	}
	return "@!" + in.Guard.Name + " "
}

// widenMask proposes that all lanes take part in warp barriers that some skip: in one executed by all, or in those of
// both arms of a branch.
func (p *proposer) widenMask() {
	var apart []*rewrite.Inst
	for _, in := range p.at.f.Insts {
		b, ok := in.Barrier()
		if !ok || b.Of != isa.BarrierOfWarp || in.Text()+";" == warpBarrier {
			continue
		}
		if p.at.uniform(in) {
			p.add(WidenMask, 1, "mask 0xffffffff", wide(in))
		} else {
			apart = append(apart, in)
		}
	}
	for i, a := range apart {
		for _, b := range apart[:i] {
			if p.at.inDifferentArms(a, b) {
				p.add(WidenMask, 1, "mask 0xffffffff", wide(b), wide(a))
			}
		}
	}
}

// together proposes warp barriers behind shuffles and votes between the accesses, for the lanes that take part in
// those: they are not a memory barrier, but their lanes arrive.
func (p *proposer) together() {
	for _, in := range p.at.f.Insts {
		b := p.at.g.BlockOf[in.Index]
		if in.Instr.Class != isa.ClassWarp || !in.Has("sync") || in.Guard != nil ||
			!p.at.leads(p.r.First, in) && !p.at.leads(p.r.Second, in) || !p.at.g.Reached(b) {
			continue
		}
		mask := OperandText(in, len(in.Operands)-1)
		p.add(WarpBarrier, costWarpBarrier+unnamed, "__syncwarp(mask), with the mask of that line,",
			Change{At: in, Place: After, Text: "bar.warp.sync " + mask + ";"})
	}
}

// wide returns a warp barrier for all lanes in place of another one.
func wide(in *rewrite.Inst) Change {
	return Change{At: in, Place: Instead, Text: guardText(in) + warpBarrier}
}

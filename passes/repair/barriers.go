// Barriers: of a block, a warp, a cluster.

package repair

import (
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

// barriers proposes a barrier between the two accesses, where all threads that it waits for
// come.
func (p *proposer) barriers() {
	r := p.r
	if r.Kind == detect.IntraWarp {
		p.widenMask()
		p.everywhere(WarpBarrier, costWarpBarrier, "__syncwarp()", warpBarrier)
		p.split(costWarpBarrier, "__syncwarp() in both branches", warpBarrier)
	}
	if r.Kind == detect.InterBlock && r.Shared {
		p.everywhere(Cluster, costCluster, "cluster.sync()", clusterBarrier)
		p.split(costCluster, "cluster.sync() in both branches", clusterApart)
		return
	}
	extra := 0
	if r.Kind == detect.InterBlock {
		if r.Cause != detect.MissingBarrier && r.Cause != detect.MissingWarpSync {
			return
		}
		p.everywhere(WarpBarrier, costWarpBarrier+doubtful, "__syncwarp()", warpBarrier)
		extra = doubtful
	}
	p.everywhere(Barrier, costBarrier+extra, "__syncthreads()", blockBarrier)
	p.split(costBarrier, "__syncthreads() in both branches", apartBarrier)
}

// everywhere proposes statements at each uniform place between the accesses.
func (p *proposer) everywhere(op Op, cost int, advice, text string) {
	for _, c := range p.between() {
		if p.at.uniform(c.At) {
			c.Text = text
			p.add(op, cost, advice, c)
		}
	}
}

// between are places between the accesses: where the second is, behind the first, and where the
// blocks of the way begin. Between threads of different blocks they are those on the way from the
// first access to its message, or from the message to the second.
func (p *proposer) between() (list []Change) {
	a, b := p.r.First, p.r.Second
	list = append(list, Change{At: b, Place: Before}, Change{At: a, Place: Before})
	for _, in := range []*rewrite.Inst{a, b} {
		if n := p.at.next(in); n != nil {
			list = append(list, Change{At: n, Place: Before})
		}
	}
	fromA, fromB := p.at.reach(a), p.at.reach(b)
	for _, in := range p.at.starts() {
		i := p.at.g.BlockOf[in.Index].Index
		leadsB, leadsA := p.at.leads(in, b) || in == b, p.at.leads(in, a) || in == a
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

// synchronises reports whether threads can communicate by an instruction.
func synchronises(in *rewrite.Inst) bool {
	return in.Access.Kind != isa.AccessNone && in.Strong()
}

// split proposes a barrier in each of the arms of a branch: of one that the accesses are on
// different sides of, or of one that both are in an arm of.
func (p *proposer) split(cost int, advice, text string) {
	a, b := p.r.First, p.r.Second
	if p.at.arms(a, b) {
		for _, x := range [][2]*rewrite.Inst{{a, b}, {b, a}} {
			p.add(SplitBarrier, cost, advice, Change{At: x[0], Place: After, Text: text}, Change{At: x[1], Place: Before, Text: text})
		}
	}
	branch, arm := p.at.armOf(a, b)
	if branch == nil {
		return
	}
	if !p.at.leads(a, b) {
		b = a
	}
	guard := guardText(branch)
	if p.at.g.BlockOf[branch.Index].Succs[0] == arm { // the branch is taken into the arm
		guard = opposite(branch)
	}
	var apart []string
	for line := range strings.SplitSeq(text, "\n") {
		apart = append(apart, guard+line)
	}
	p.add(SplitBarrier, cost+1, advice, Change{At: branch, Place: Before, Text: strings.Join(apart, "\n")}, Change{At: b, Place: Before, Text: text})
}

// opposite is the guard of the lanes that a branch is not taken in.
func opposite(in *rewrite.Inst) string {
	if in.GuardNot {
		return "@" + in.Guard.Name + " "
	}
	return "@!" + in.Guard.Name + " "
}

// widenMask proposes to let all lanes take part in warp barriers that some leave out: in one that
// all execute, or in those of both arms of a branch.
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
			if p.at.arms(a, b) {
				p.add(WidenMask, 1, "mask 0xffffffff", wide(b), wide(a))
			}
		}
	}
}

// wide is a warp barrier for all lanes in place of another.
func wide(in *rewrite.Inst) Change {
	return Change{At: in, Place: Instead, Text: guardText(in) + warpBarrier}
}

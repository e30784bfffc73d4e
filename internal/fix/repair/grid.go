// Order of blocks: barriers of the grid.

package repair

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// gridBarriers proposes barriers of the grid between accesses of different blocks, where all threads of the grid come:
// a thread that has exited would be waited for. Such a kernel needs a cooperative launch (CUDA C++ Programming Guide,
// "Grid Synchronization").
func (p *proposer) gridBarriers() {
	if !p.blocksInOrder() {
		return
	}
	for _, c := range p.between() {
		if b := p.at.g.BlockOf[c.At.Index]; p.at.uniform(c.At) && p.at.g.PostDominates(b, p.at.g.Blocks[0]) {
			c.Text = p.gridText()
			p.add(Grid, costGrid, "grid.sync()", c)
		}
	}
}

// blocksInOrder reports whether an order of all blocks may be what a race lacks: one of them reads what another one
// writes. Of two writes nothing says which is meant to be last.
func (p *proposer) blocksInOrder() bool {
	r := p.r
	reads := !r.First.Access.Writes() || !r.Second.Access.Writes()
	return r.Kind == detect.InterBlock && !r.Shared && r.Cause == detect.MissingBarrier && reads &&
		p.at.f == r.Kernel && !p.at.g.Degenerate && len(p.at.g.Blocks) > 0
}

// Cooperative returns the kernels that need cooperative launches after edits.
func Cooperative(edits []*Edit) []*rewrite.Func { return kernelsWith(edits, Grid) }

// Halved returns the kernels that edits split, so that each has a second kernel.
func Halved(edits []*Edit) []*rewrite.Func { return kernelsWith(edits, Split) }

func kernelsWith(edits []*Edit, op Op) (kernels []*rewrite.Func) {
	for _, e := range edits {
		if f := e.Changes[0].At.Func; e.Op == op && !slices.Contains(kernels, f) {
			kernels = append(kernels, f)
		}
	}
	return kernels
}

// gridText returns a barrier of the grid. One thread of each block adds to a word of the workspace of the launch, the
// other blocks 1 and the first one as much as makes the sum of all turn the word's highest bit; it waits for that. The
// word and the numbers are those of cooperative groups, so that the kernel may use these, too.
func (p *proposer) gridText() string {
	fence := p.fenceText(p.r.Scope())
	return blockBarrier + `
{
.reg .pred fix_rest, fix_other, fix_same;
.reg .b32 fix_a, fix_b, fix_c;
.reg .b64 fix_word;
mov.u32 fix_a, %tid.x;
mov.u32 fix_b, %tid.y;
mov.u32 fix_c, %tid.z;
or.b32 fix_a, fix_a, fix_b;
or.b32 fix_a, fix_a, fix_c;
setp.ne.u32 fix_rest, fix_a, 0;
@fix_rest bra fix_met;
mov.u32 fix_a, %ctaid.x;
mov.u32 fix_b, %ctaid.y;
mov.u32 fix_c, %ctaid.z;
or.b32 fix_a, fix_a, fix_b;
or.b32 fix_a, fix_a, fix_c;
setp.ne.u32 fix_other, fix_a, 0;
mov.u32 fix_a, %nctaid.x;
mov.u32 fix_b, %nctaid.y;
mov.u32 fix_c, %nctaid.z;
mul.lo.u32 fix_a, fix_a, fix_b;
mul.lo.u32 fix_a, fix_a, fix_c;
sub.u32 fix_a, 0x80000001, fix_a;
selp.u32 fix_a, 1, fix_a, fix_other;
mov.u32 fix_b, %envreg1;
mov.u32 fix_c, %envreg2;
mov.b64 fix_word, {fix_c, fix_b};
` + fence + `
atom.global.add.u32 fix_c, [fix_word+4], fix_a;
fix_wait:
ld.volatile.global.u32 fix_b, [fix_word+4];
xor.b32 fix_b, fix_b, fix_c;
setp.ge.s32 fix_same, fix_b, 0;
@fix_same bra fix_wait;
` + fence + `
fix_met:
}
` + blockBarrier
}

// How far a launch is.

package emu

import counter "sync/atomic"

// Progress is how far the launch that runs is. Any goroutine may read it.
type Progress struct{ ended, blocks counter.Uint64 }

// Count returns the number of blocks that have ended, and that of all blocks of the grid; 0 while none runs. Blocks of grids that
// threads launch are not counted.
func (p *Progress) Count() (ended, blocks uint64) { return p.ended.Load(), p.blocks.Load() }

// countEnded adds n blocks of the launch that have ended.
func (x *engine) countEnded(n uint64) {
	if p := x.m.cfg.Progress; p != nil && x.l.grids.depth == 0 {
		p.ended.Add(n)
	}
}

// beginProgress says that no block of the launch has ended.
func (x *engine) beginProgress() {
	if p := x.m.cfg.Progress; p != nil && x.l.grids.depth == 0 {
		p.ended.Store(0)
		p.blocks.Store(x.l.total)
	}
}

// end says that the launch has ended.
func (p *Progress) end() {
	if p != nil {
		p.blocks.Store(0)
	}
}

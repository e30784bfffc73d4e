package emu

import (
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Follower is a listener that receives all events. It knows the instructions that they refer to.
type Follower struct {
	NopListener
	Kernels []*rewrite.Func // of all grids so far
}

// Interest implements Listener.
func (f *Follower) Interest() Interest { return f.Following(NopListener{}.Interest()) }

// Following adds to an interest what a Follower needs.
func (f *Follower) Following(of Interest) Interest {
	of.Kernel = func(kernel *rewrite.Func) { f.Kernels = append(f.Kernels, kernel) }
	return of
}

// Inst returns the instruction of a site, nil for 0.
func (f *Follower) Inst(site uint32) *rewrite.Inst { return sites.At(f.Kernels[0].Module, site) }

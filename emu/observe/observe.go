// Package observe holds listeners of the emulator that show the execution of a program: a trace in text, a timeline of
// warps for trace viewers, and statistics by line. It also holds Events, the listener for a detector.
//
// All of them count time in steps. A step is one instruction of one group of threads of a warp, in the order in which
// the emulator executes them; it is not a GPU's clock.
//
// The package does not depend on command lines, launch files or source languages: names come from the caller (Names).
// docs/emulate.md explains the statistics.
package observe

import (
	"fmt"
	"path"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Names formats kernels, places and addresses. Nil functions have a plain default.
type Names struct {
	// Kernel returns the display name of a kernel. Nil: as in the PTX.
	Kernel func(name string) string
	// Source returns the source position of an instruction; line 0 if it is unknown. Nil: the position in .loc.
	Source func(in *rewrite.Inst) (file string, line int)
	// Symbol names a generic address, "" when it has no name. Nil: no names.
	Symbol func(addr uint64) string
}

func (n *Names) kernel(name string) string {
	if n.Kernel == nil {
		return name
	}
	return n.Kernel(name)
}

func (n *Names) source(in *rewrite.Inst) (file string, line int) {
	switch {
	case n.Source != nil:
		return n.Source(in)
	case in.Loc != nil:
		return in.Loc.File, in.Loc.Line
	}
	return "", 0
}

func (n *Names) symbol(addr uint64) string {
	if n.Symbol == nil {
		return ""
	}
	return n.Symbol(addr)
}

// place returns the position of an instruction: in the source if that is known, else in the PTX.
func (n *Names) place(in *rewrite.Inst) string {
	if file, line := n.source(in); line > 0 {
		return fmt.Sprintf("%s:%d", path.Base(file), line)
	}
	return fmt.Sprintf("%s:%d", path.Base(in.Func.Module.AST.File.Name), in.Line)
}

// instText returns the text of an instruction with its guard.
func instText(in *rewrite.Inst) string {
	if in.Guard == nil {
		return in.Text()
	}
	not := ""
	if in.GuardNot {
		not = "!"
	}
	return fmt.Sprintf("@%s%s %s", not, in.Guard.Name, in.Text())
}

// clock is the common part of the trace and the timeline: the number of the step, and the selected part of the run.
type clock struct {
	names  Names
	filter *Filter
	step   uint64        // steps so far, of all kernels
	last   *rewrite.Inst // of the last step
	module *rewrite.Module
	grids  []runningGrid // the running one is the last; the others wait for grids that they have launched
}

// runningGrid is a grid that has begun.
type runningGrid struct {
	kernel string
	extent emu.Dim3
	shown  bool // the kernel is selected
}

// enter implements emu.Interest.Kernel.
func (c *clock) enter(kernel *rewrite.Func) {
	c.module = kernel.Module
	c.grids = append(c.grids, runningGrid{
		kernel: kernel.Name,
		shown:  c.filter.matchKernel(kernel.Name, c.names.kernel(kernel.Name)),
	})
}

// running returns the running grid.
func (c *clock) running() *runningGrid { return &c.grids[len(c.grids)-1] }

// begin sets the extent of the grid that begins.
func (c *clock) begin(ev *abi.Event) { c.running().extent = extentAt(ev, 0) }

// extentAt returns the extent of a grid, which is at 0 in the event of its beginning, or of its blocks, at 3.
func extentAt(ev *abi.Event, at int) emu.Dim3 {
	return emu.Dim3{X: uint32(ev.Addr[at]), Y: uint32(ev.Addr[at+1]), Z: uint32(ev.Addr[at+2])}
}

// end resumes the kernel that launched the one that has ended.
func (c *clock) end() { c.grids = c.grids[:len(c.grids)-1] }

// at returns the index of a block of the running grid.
func (c *clock) at(block uint64) emu.Dim3 { return c.running().extent.At(block) }

// inst returns the instruction of an event: where the event has none, that of the last step.
func (c *clock) inst(ev *abi.Event) *rewrite.Inst {
	if in := sites.At(c.module, ev.Site); in != nil {
		return in
	}
	return c.last
}

// showsBlock reports whether a block is selected.
func (c *clock) showsBlock(block uint64) bool {
	g := c.running()
	return g.shown && c.filter.matchBlock(block, g.extent)
}

// shows reports whether an instruction of a warp is selected.
func (c *clock) shows(block uint64, warp uint32, in *rewrite.Inst) bool {
	return c.running().shown && c.filter.matchWarp(warp) && c.showsBlock(block) && c.filter.matchLine(in, &c.names)
}

// Package observe holds listeners of the emulator that show the execution of a program: a trace in text, a timeline of warps for
// trace viewers, and statistics by line. It also holds Events, which translates events of the emulator for detectors.
//
// All of them count time in steps. A step is one instruction of one group of threads of a warp, in the order in which the
// emulator executes them; it is not a GPU's clock.
//
// The package does not depend on command lines, launch files or source languages: names come from the caller (Names).
// docs/emulate.md explains the statistics.
package observe

import (
	"fmt"
	"path"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
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
	step   uint64 // steps so far, of all kernels
	grid   emu.Dim3
	kernel bool // the running kernel is selected
	outer  []outerKernel
}

// outerKernel is a kernel that waits for a grid that it launched.
type outerKernel struct {
	grid   emu.Dim3
	kernel bool
}

func (c *clock) begin(kernel string, grid emu.Dim3) {
	c.outer = append(c.outer, outerKernel{c.grid, c.kernel})
	c.grid = grid
	c.kernel = c.filter.matchKernel(kernel, c.names.kernel(kernel))
}

// end resumes the kernel that launched the one that has ended.
func (c *clock) end() {
	last := len(c.outer) - 1
	c.grid, c.kernel = c.outer[last].grid, c.outer[last].kernel
	c.outer = c.outer[:last]
}

// showsWarp reports whether a warp is selected.
func (c *clock) showsWarp(block emu.Dim3, warp uint32) bool {
	return c.kernel && c.filter.matchWarp(warp) && c.filter.matchBlock(block, c.grid)
}

// shows reports whether an instruction of a warp is selected.
func (c *clock) shows(block emu.Dim3, warp uint32, in *rewrite.Inst) bool {
	return c.showsWarp(block, warp) && c.filter.matchLine(in, &c.names)
}

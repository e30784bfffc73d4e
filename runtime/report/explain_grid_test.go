// What reports say of grids that overlap.

package report

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// gridRace is a race of two grids, of which the second reads in a helper that is inlined in line 90 of the kernel.
func gridRace() *Race {
	first := access("write", "st.global.u32", 20, 18, [3]uint32{}, [3]uint32{})
	second := access("read", "ld.global.u32", 51, 25, [3]uint32{}, [3]uint32{})
	second.Source.InlinedAt = []Frame{{"/src/block_error.cu", 70, 3}, {"/src/block_error.cu", 90, 3}}
	first.Operation, second.Operation = "launch 1", "launch 2"
	first.Known, second.Known = true, true
	return &Race{
		Kind: detect.InterKernel, Cause: detect.MissingGridWait, Space: "global", Address: 0x100, Size: 4, Count: 64,
		First: first, Second: second,
		Publish: &Operation{Instruction: "st.relaxed", Source: &Source{File: "k.cu", Line: 4}},
		Observe: &Operation{Instruction: "ld.relaxed", Source: &Source{File: "k.cu", Line: 7}},
	}
}

// TestExplainGridWait: the wait goes before a line of the kernel itself; a module without griddepcontrol, and a flag
// that only lacks a fence, have other edits.
func TestExplainGridWait(t *testing.T) {
	header := func(x *Race) {
		x.Second.Source.InlinedAt = []Frame{{"/usr/local/cuda/include/cub/block.cuh", 70, 3}}
	}
	for _, c := range []struct {
		name   string
		change func(*Race)
		parts  []string
	}{
		{"kernel", func(*Race) {}, []string{
			"griddepcontrol.wait (cudaGridDependencySynchronize()) before block_error.cu:90: the launch may overlap",
			"cudaGridDependencySynchronize() in sumKernel before block_error.cu:90, or a launch without",
		}},
		{"wrapper", func(x *Race) {
			x.Second.Source = &Source{File: "/usr/local/cuda/include/sm_32_intrinsics.hpp", Line: 9, InlinedAt: []Frame{{"k.cu", 30, 1}}}
		}, []string{"in sumKernel before k.cu:30,"}},
		{"kernel of a library", header, []string{"in sumKernel before block_error.cu:25,"}},
		{"no source", func(x *Race) { x.Second.Source = nil }, []string{"in sumKernel before k.ptx:51,"}},
		{"no griddepcontrol", func(x *Race) { x.Second.NoGridControl = "sm_80" }, []string{
			"no griddepcontrol in this module, of target sm_80: compiled for less than sm_90, or without the macro? Otherwise cudaGrid",
		}},
		{"acquire", func(x *Race) { x.Flag = detect.FlagAcquire }, []string{
			"an acquire: the kernel has read at k.cu:7 what the launch before has released at k.cu:4",
			"an acquire at k.cu:7 (", "; or cudaGridDependencySynchronize() in sumKernel before block_error.cu:90",
		}},
		{"release", func(x *Race) { x.Flag = detect.FlagRelease }, []string{
			"stands between block_error.cu:18 and that", "a release at k.cu:4 (", "; or cudaGridDependencySynchronize() in",
		}},
		{"both", func(x *Race) { x.Flag = detect.FlagBoth }, []string{"__threadfence() before k.cu:4 and after k.cu:7; or cuda"}},
		{"early", func(x *Race) { x.Flag = detect.FlagEarly }, []string{
			"which it writes before block_error.cu:18", "the write at k.cu:4 after block_error.cu:18",
		}},
		{"a chain", func(x *Race) { x.Between = "_Z4idlev" }, []string{"in idle, even if it uses none of the data"}},
	} {
		r := &Report{Races: []*Race{gridRace()}}
		c.change(r.Races[0])
		r.Finish()
		text := string(render(t, r, TextOptions{}))
		for _, part := range append(c.parts, "[64 hazards]") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q is not in\n%s", c.name, part, text)
			}
		}
	}
}

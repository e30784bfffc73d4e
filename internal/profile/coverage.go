// The host part of the pass coverage, and lcov files.

package profile

import (
	"cmp"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Coverage is the coverage of a program: the map of the coverage pass with counts.
type Coverage struct {
	m      *abi.CoverageMap
	counts []uint64
}

// ReadCoverage reads the counters of an instrumented module, for all launches
// since it was loaded.
func ReadCoverage(dev abi.Device, m *abi.CoverageMap) (*Coverage, error) {
	counts, err := readCounters(dev, abi.CoverageCounters, m.Counters)
	if err != nil {
		return nil, err
	}
	return &Coverage{m, counts}, nil
}

// fileCoverage is the coverage of one source file.
type fileCoverage struct {
	name      string
	functions []*abi.CoveredFunction
	lines     map[int]uint64
	branches  []branch
}

type branch struct {
	line, block, index int
	taken              uint64
	reached            bool // some thread reached the branch
}

// WriteLCOV writes a tracefile in the format of geninfo(1) of lcov, files in alphabetical order. The count of a line is
// the largest count of its blocks, in threads.
func (c *Coverage) WriteLCOV(w io.Writer) error {
	out := newLines(w)
	out.printf("TN:")
	for _, f := range c.files() {
		out.printf("SF:%s", f.name)
		c.writeFunctions(out, f)
		writeBranches(out, f.branches)
		writeLines(out, f.lines)
		out.printf("end_of_record")
	}
	return out.w.Flush()
}

// files groups the counts by file.
func (c *Coverage) files() []*fileCoverage {
	files := map[string]*fileCoverage{}
	at := func(name string) *fileCoverage {
		f := files[name]
		if f == nil {
			f = &fileCoverage{name: name, lines: map[int]uint64{}}
			files[name] = f
		}
		return f
	}
	for i := range c.m.Functions {
		fn := &c.m.Functions[i]
		f := at(fn.Line.File)
		f.functions = append(f.functions, fn)
		for j := range fn.Blocks {
			b := &fn.Blocks[j]
			count := c.counts[b.Counter]
			for _, l := range b.Lines {
				f := at(l.File)
				f.lines[l.Line] = max(f.lines[l.Line], count)
			}
			c.branches(b, j, at)
		}
	}
	list := make([]*fileCoverage, 0, len(files))
	for _, f := range files {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *fileCoverage) int { return cmp.Compare(a.name, b.name) })
	return list
}

// branches adds the exits of a block to their files.
func (c *Coverage) branches(b *abi.CoveredBlock, block int, at func(string) *fileCoverage) {
	count := c.counts[b.Counter]
	rest := count
	for i, br := range b.Branches {
		taken := rest
		if br.Counter >= 0 {
			taken = c.counts[br.Counter]
			rest -= min(taken, rest)
		}
		f := at(br.Line.File)
		f.branches = append(f.branches, branch{br.Line.Line, block, i, taken, count > 0})
	}
}

func (c *Coverage) writeFunctions(out *lines, f *fileCoverage) {
	hit := 0
	for _, fn := range f.functions {
		out.printf("FN:%d,%s", fn.Line.Line, fn.Name)
	}
	for _, fn := range f.functions {
		count := c.counts[fn.Blocks[0].Counter]
		out.printf("FNDA:%d,%s", count, fn.Name)
		hit += oneIf(count > 0)
	}
	if len(f.functions) > 0 {
		out.printf("FNF:%d", len(f.functions))
		out.printf("FNH:%d", hit)
	}
}

func writeBranches(out *lines, list []branch) {
	slices.SortStableFunc(list, func(a, b branch) int { return cmp.Compare(a.line, b.line) })
	hit := 0
	for _, b := range list {
		if !b.reached {
			out.printf("BRDA:%d,%d,%d,-", b.line, b.block, b.index)
			continue
		}
		out.printf("BRDA:%d,%d,%d,%d", b.line, b.block, b.index, b.taken)
		hit += oneIf(b.taken > 0)
	}
	if len(list) > 0 {
		out.printf("BRF:%d", len(list))
		out.printf("BRH:%d", hit)
	}
}

func writeLines(out *lines, counts map[int]uint64) {
	numbers := make([]int, 0, len(counts))
	for n := range counts {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	hit := 0
	for _, n := range numbers {
		out.printf("DA:%d,%d", n, counts[n])
		hit += oneIf(counts[n] > 0)
	}
	out.printf("LF:%d", len(numbers))
	out.printf("LH:%d", hit)
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

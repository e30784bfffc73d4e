// Statistics of a run: counts by line of the program.

package observe

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Counts has the counts of instructions. docs/emulate.md explains them.
type Counts struct {
	Warps   uint64 `json:"warp_instructions"`   // executions by groups of threads of a warp
	Threads uint64 `json:"thread_instructions"` // threads in these groups
	Skipped uint64 `json:"guarded_off"`         // threads of those whose guard was false, except for branches
	// Divergent counts the executions by only a part of the warp's threads that have not exited.
	Divergent uint64 `json:"divergent"`
	Branches  uint64 `json:"branches"`
	// Split counts the branches that only some threads of the group took.
	Split uint64 `json:"divergent_branches"`

	Shared SharedCounts `json:"shared"`
	Global GlobalCounts `json:"global"`
}

// SharedCounts is the traffic of shared memory.
type SharedCounts struct {
	Requests   uint64 `json:"requests"` // accesses by warps
	Wavefronts uint64 `json:"wavefronts"`
	Conflicts  uint64 `json:"bank_conflicts"` // wavefronts caused by conflicts
}

// GlobalCounts is the traffic of global memory.
type GlobalCounts struct {
	Requests uint64 `json:"requests"` // accesses by warps
	Sectors  uint64 `json:"sectors"`  // of 32 bytes, accessed by each request
	Bytes    uint64 `json:"bytes"`    // different ones, accessed by each request
}

// Efficiency returns the fraction of the moved bytes that is used, 1 without traffic.
func (g GlobalCounts) Efficiency() float64 {
	if g.Sectors == 0 {
		return 1
	}
	return float64(g.Bytes) / float64(g.Sectors*sectorSize)
}

// SIMT returns the fraction of a warp's 32 lanes that are active, 1 if nothing was executed.
func (c *Counts) SIMT() float64 {
	if c.Warps == 0 {
		return 1
	}
	return float64(c.Threads-c.Skipped) / float64(32*c.Warps)
}

func (c *Counts) add(d *Counts) {
	c.Warps += d.Warps
	c.Threads += d.Threads
	c.Skipped += d.Skipped
	c.Divergent += d.Divergent
	c.Branches += d.Branches
	c.Split += d.Split
	c.Shared.Requests += d.Shared.Requests
	c.Shared.Wavefronts += d.Shared.Wavefronts
	c.Shared.Conflicts += d.Shared.Conflicts
	c.Global.Requests += d.Global.Requests
	c.Global.Sectors += d.Global.Sectors
	c.Global.Bytes += d.Global.Bytes
}

// Stats counts the executions of every instruction.
type Stats struct {
	names  Names
	module *rewrite.Module // of the running kernel
	counts map[*rewrite.Inst]*Counts
	last   *rewrite.Inst // the instruction of current
	now    *Counts
}

// NewStats makes statistics of all later launches.
func NewStats(names Names) *Stats {
	return &Stats{names: names, counts: map[*rewrite.Inst]*Counts{}}
}

// of returns the counts of an instruction.
func (s *Stats) of(in *rewrite.Inst) *Counts {
	if s.last == in {
		return s.now
	}
	c := s.counts[in]
	if c == nil {
		c = &Counts{}
		s.counts[in] = c
	}
	s.last, s.now = in, c
	return c
}

// Interest implements emu.Listener.
func (s *Stats) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Shared: true}, Kernel: func(kernel *rewrite.Func) { s.module = kernel.Module },
		Step: s.stepped,
	}
}

// stepped implements emu.Interest.Step.
func (s *Stats) stepped(ev *emu.Step) {
	c := s.of(ev.Inst)
	c.Warps++
	c.Threads += uint64(popcount(ev.Active))
	if ev.Active != ev.Live {
		c.Divergent++
	}
	if !ev.Inst.Effects().Has(isa.Branches) {
		c.Skipped += uint64(popcount(ev.Active &^ ev.Mask))
		return
	}
	c.Branches++
	if ev.Mask != 0 && ev.Mask != ev.Active {
		c.Split++
	}
}

// Event implements abi.Receiver.
func (s *Stats) Event(*abi.Event) {}

// Accesses implements abi.Receiver.
func (s *Stats) Accesses(b *abi.Batch) {
	for a := range b.All() {
		s.access(a)
	}
}

// access counts an access. It omits matrices whose elements lanes access in an unknown order, empty copies, and
// textures, which have other units.
func (s *Stats) access(a *abi.Access) {
	in := sites.At(s.module, a.Site)
	if a.Mask == 0 || a.Bytes == 0 || in.Instr.Class == isa.ClassTexture || in.OpaqueMatrix() {
		return
	}
	c := s.of(in)
	switch addrs := addresses(a); a.Space {
	case isa.SpaceShared:
		n, ideal := wavefronts(addrs, a.Mask, int(a.Bytes))
		c.Shared.Requests++
		c.Shared.Wavefronts += uint64(n)
		c.Shared.Conflicts += uint64(n - ideal)
	case isa.SpaceGlobal:
		n, bytes := sectors(addrs, a.Mask, int(a.Bytes))
		c.Global.Requests++
		c.Global.Sectors += n
		c.Global.Bytes += bytes
	}
}

// addresses returns the addresses of the lanes of an access.
func addresses(a *abi.Access) *[32]uint64 {
	if a.Addr != nil {
		return a.Addr
	}
	var list [32]uint64
	for i := range list {
		list[i] = a.At(i)
	}
	return &list
}

// Statistics is a report of the counts.
type Statistics struct {
	Total Counts `json:"total"`
	// Lines are source lines if known, else PTX lines.
	Lines        []LineCounts `json:"lines"`
	Instructions []InstCounts `json:"instructions"`
}

// LineCounts is the counts of all instructions of a line.
type LineCounts struct {
	Place
	Counts
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// InstCounts is the counts of an instruction.
type InstCounts struct {
	Function string `json:"function"`
	Line     int    `json:"line"` // of the PTX
	Text     string `json:"text"`
	Source   *Place `json:"source,omitempty"`
	Counts
}

// Report summarises the counts: lines ordered by file and number, instructions in PTX order. Instructions that were
// never executed are omitted.
func (s *Stats) Report() *Statistics {
	insts := slices.SortedFunc(maps.Keys(s.counts), func(a, b *rewrite.Inst) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.AST.First, b.AST.First))
	})
	r := &Statistics{}
	lines := map[Place]*Counts{}
	for _, in := range insts {
		c := s.counts[in]
		entry := InstCounts{Function: in.Func.Name, Line: in.Line, Text: instText(in), Counts: *c}
		at := Place{in.Func.Module.AST.File.Name, in.Line}
		if file, line := s.names.source(in); line > 0 {
			at = Place{file, line}
			entry.Source = &at
		}
		if lines[at] == nil {
			lines[at] = &Counts{}
		}
		lines[at].add(c)
		r.Total.add(c)
		r.Instructions = append(r.Instructions, entry)
	}
	for at, c := range lines {
		r.Lines = append(r.Lines, LineCounts{at, *c})
	}
	slices.SortFunc(r.Lines, func(a, b LineCounts) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return r
}

// Templates of launch files from host code: the launches that it makes with constants, beside those that are guessed.

package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// Shape is what is known of the extents of a kernel's launches. Extents that are 0 are not known.
type Shape struct{ Grid, Block [3]uint32 }

// HostLaunch is a launch that host code makes, with constant extents and integers.
type HostLaunch struct {
	Kernel      *rewrite.Func
	Site        string // place in host code
	Grid, Block [3]uint32
	Shared      uint64 // dynamic shared memory in bytes
	Cooperative bool
	Args        []launch.Given

	halved int // how often a scaled launch is
}

// HostTemplate is a template with launches of host code.
type HostTemplate struct {
	Text  string   // launches of host code, and guesses for kernels without any; "" if there are none of host code
	Guess string   // a guess for each kernel
	Notes []string // what is not as host code launches it
}

// TemplateOf returns the template of a file whose host code launches kernels in known shapes and with known arguments.
// A launch that is too large is scaled; one that faults, perhaps because of what is guessed or scaled, is left out. The
// error is that of a cancelled context.
func TemplateOf(
	ctx context.Context, p *Program, kernels []*rewrite.Func, shapes map[string]Shape, host []HostLaunch,
) (*HostTemplate, error) {
	guesses, guessed, err := guessesOf(ctx, p, kernels, shapes)
	if err != nil {
		return nil, err
	}
	t := &HostTemplate{Guess: launch.Template(guesses, guessed)}
	var list []launch.Skeleton
	launched := make(map[string]bool)
	for _, h := range host {
		s, note := p.settle(ctx, h)
		if note != "" {
			t.Notes = append(t.Notes, "the launch at "+h.Site+" "+note)
		}
		if s != nil {
			list, launched[s.Kernel] = append(list, *s), true
		}
	}
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if len(list) == 0 {
		return t, nil
	}
	left := slices.DeleteFunc(guesses, func(s launch.Skeleton) bool { return launched[s.Kernel] })
	if len(left) == 0 {
		guessed = launch.GuessedContents
	}
	t.Text = launch.Template(append(list, left...), guessed)
	return t, nil
}

// learn takes over what is known of the launches, and reports whether the block is.
func (n *needs) learn(k Shape) bool {
	clustered := n.cluster > 0 || emu.RequiredCluster(n.kernel) != (emu.Dim3{})
	for i, extent := range k.Grid {
		switch {
		case 0 < extent && extent < n.grid[i]:
			n.grid[i] = extent
		case extent > 1 && !clustered: // more blocks than the kernel tells apart
			n.grid[i] = max(n.grid[i], 2)
		}
	}
	for n.dims > 0 && k.Block[n.dims] == 1 {
		n.dims--
	}
	if slices.Contains(k.Block[:], 0) || threads(k.Block) > uint64(emu.MostThreads(n.kernel)) {
		return false
	}
	n.block = k.Block
	return true
}

// hostSteps is the limit of warp instructions of a launch of host code: one that takes more is scaled.
const hostSteps = 4_000_000

// settle returns the launch of a template for one of host code, nil if it is left out, and a note of what differs, ""
// for nothing.
func (p *Program) settle(ctx context.Context, h HostLaunch) (s *launch.Skeleton, note string) {
	n := needsOf(h.Kernel)
	at := h.fitting()
	if at == nil {
		return nil, "is left out, since it is too large: " + h.size()
	}
	t := p.tried(ctx, n, at)
	for smaller := at.smaller(); t.class == "timeout" && smaller != nil && ctx.Err() == nil; smaller = at.smaller() {
		at = smaller
		t = p.tried(ctx, n, at)
	}
	switch {
	case t.class == "launch":
		return nil, "is left out: no such launch is possible"
	case t.class != "" && t.class != "timeout" && !at.certain(&t):
		return nil, "is left out, since what is guessed of it makes a fault: " + t.class
	case at.halved > 0:
		note = "is scaled: " + at.size() + " for " + h.size()
	}
	return &t.skeleton, note
}

// tried runs a launch of host code, with the first guessed contents and sizes of buffers under which nothing faults.
func (p *Program) tried(ctx context.Context, n *needs, h *HostLaunch) (t trial) {
	for _, contents := range append(slices.Clone(guessedContents), "") {
		for _, count := range []int{elements, moreElements} {
			g := guess{elements: count, contents: contents}
			t = trial{skeleton: h.skeleton(n, g), few: n.single, steps: hostSteps}
			p.playAs(ctx, &t, emu.ITS)
			if t.class != "out-of-bounds" || t.space == isa.SpaceShared.String() || h.allocated() {
				break
			}
		}
		if t.class == "" || h.filled() || t.class == "barrier-divergence" || t.space == isa.SpaceShared.String() {
			break
		}
	}
	return t
}

// skeleton returns the launch with a guess of what is not known.
func (h *HostLaunch) skeleton(n *needs, g guess) launch.Skeleton {
	g.block = h.Block
	s := n.skeleton(g)
	s.Shared = int(h.Shared) //nolint:gosec // at most launch.MaxSharedBytes
	s.Grid, s.Cooperative, s.Given, s.Site = h.Grid, h.Cooperative, h.Args, h.Site
	return s
}

// certain reports whether a fault of a trial is one of the kernel in that launch, and not one of what is guessed or
// scaled.
func (h *HostLaunch) certain(t *trial) bool {
	switch {
	case t.class == "barrier-divergence", t.class == "out-of-bounds" && t.space == isa.SpaceShared.String():
		return true
	case t.class == "out-of-bounds":
		return h.halved == 0 && h.allocated()
	}
	return h.halved == 0 && h.allocated() && h.filled()
}

// allocations returns the buffers of the launch, nil among them for one that is not known.
func (h *HostLaunch) allocations() (list []*launch.Allocation) {
	for i, p := range KernelParams(h.Kernel) {
		g := launch.Given{}
		if i < len(h.Args) {
			g = h.Args[i]
		}
		if p.Pointer && g.Number == "" {
			list = append(list, g.Buffer)
		}
		for _, f := range p.Fields {
			if f.Pointer && g.Fields[f.Offset].Number == "" {
				list = append(list, g.Fields[f.Offset].Buffer)
			}
		}
	}
	return list
}

// allocated reports whether the sizes of all buffers are known.
func (h *HostLaunch) allocated() bool {
	return !slices.ContainsFunc(h.allocations(), func(a *launch.Allocation) bool { return a == nil || a.Size == 0 })
}

// filled reports whether the contents of all buffers are known.
func (h *HostLaunch) filled() bool {
	return !slices.ContainsFunc(h.allocations(), func(a *launch.Allocation) bool {
		return a == nil ||
			a.Init == "" && a.Bytes == nil
	})
}

// size describes the extents of a launch.
func (h *HostLaunch) size() string {
	bytes := uint64(0)
	for _, a := range h.allocations() {
		if a != nil {
			bytes += a.Size
		}
	}
	return fmt.Sprintf("grid %d, block %d, %d bytes of buffers", h.Grid, h.Block, bytes)
}

// The check of a launch, and its block and cluster shapes.

package grids

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// RequiredCluster returns the cluster extent that a kernel requires, zeros if it requires none (PTX ISA,
// ".reqnctapercluster").
func RequiredCluster(f *rewrite.Func) state.Dim3 { return barriers.Required(f, ".reqnctapercluster") }

// checkCluster determines the cluster of a launch: the one in the configuration, or the one that the kernel requires
// (PTX ISA, "Cluster Dimension Directives").
func checkCluster(fn *state.Function, lc *state.LaunchConfig) error {
	required, explicit := RequiredCluster(fn.Src), false
	limit := uint64(barriers.MaxClusterBlocks)
	for _, p := range fn.Src.AST.Perf {
		switch p.Name {
		case ".explicitcluster":
			explicit = true
		case ".maxclusterrank":
			if len(p.Args) > 0 {
				limit = min(limit, p.Args[0])
			}
		}
	}
	switch {
	case lc.Cluster == state.Dim3{}:
		lc.Cluster = required
	case required != state.Dim3{} && required != lc.Cluster:
		return fmt.Errorf("kernel %s requires clusters of %v blocks, got %v", lc.Kernel, required, lc.Cluster)
	}
	c, g := lc.Cluster, lc.Grid
	switch {
	case c == state.Dim3{} && explicit:
		return fmt.Errorf("kernel %s must be launched with a cluster", lc.Kernel)
	case c == state.Dim3{}:
		return nil
	case c.X == 0 || c.Y == 0 || c.Z == 0:
		return fmt.Errorf("kernel %s: cluster %v has an extent of 0", lc.Kernel, c)
	case max(c.X, c.Y, c.Z) > barriers.MaxClusterBlocks || c.Count() > limit:
		return fmt.Errorf("kernel %s: cluster %v has more than %d blocks", lc.Kernel, c, limit)
	case g.X%c.X != 0 || g.Y%c.Y != 0 || g.Z%c.Z != 0:
		return fmt.Errorf("kernel %s: grid %v is not a multiple of the cluster %v", lc.Kernel, g, c)
	}
	return nil
}

// CheckShape returns an error if the extents of a launch are invalid.
func CheckShape(lc *state.LaunchConfig) error {
	g, b := lc.Grid, lc.Block
	switch {
	case g.X == 0 || g.Y == 0 || g.Z == 0:
		return fmt.Errorf("kernel %s: grid %v has an extent of 0", lc.Kernel, g)
	case b.X == 0 || b.Y == 0 || b.Z == 0:
		return fmt.Errorf("kernel %s: block %v has an extent of 0", lc.Kernel, b)
	case g.X > barriers.MaxGridX || g.Y > barriers.MaxGridYZ || g.Z > barriers.MaxGridYZ:
		return fmt.Errorf("kernel %s: grid %v is larger than (%d,%d,%d)", lc.Kernel, g, barriers.MaxGridX,
			barriers.MaxGridYZ, barriers.MaxGridYZ)
	case b.X > barriers.MaxBlockXY || b.Y > barriers.MaxBlockXY || b.Z > barriers.MaxBlockZ:
		return fmt.Errorf("kernel %s: block %v is larger than (%d,%d,%d)", lc.Kernel, b, barriers.MaxBlockXY,
			barriers.MaxBlockXY,
			barriers.MaxBlockZ)
	case b.Count() > barriers.MaxBlockThreads:
		return fmt.Errorf("kernel %s: block %v has %d threads, the limit is %d", lc.Kernel, b, b.Count(),
			barriers.MaxBlockThreads)
	}
	return nil
}

// Kernel finds a kernel by name.
func Kernel(m *state.Machine, name string) (*state.Function, error) {
	f := m.Src.Func(name)
	switch {
	case f == nil:
		return nil, fmt.Errorf("there is no kernel %s in %s", name, m.Src.AST.File.Name)
	case !f.Entry:
		return nil, fmt.Errorf("%s is a function, not a kernel", name)
	case !f.Defined():
		return nil, fmt.Errorf("kernel %s is declared but not defined", name)
	}
	return m.BySource[f], nil
}

// Prepare checks a launch and lays out its shared memory.
func Prepare(m *state.Machine, lc *state.LaunchConfig) (*state.Launch, error) {
	fn, err := Kernel(m, lc.Kernel)
	if err != nil {
		return nil, err
	}
	if err := CheckShape(lc); err != nil {
		return nil, err
	}
	if uint64(len(lc.Params)) != fn.FormalBytes {
		return nil, fmt.Errorf("kernel %s: %d bytes of parameters given, expected %d", lc.Kernel, len(lc.Params),
			fn.FormalBytes)
	}
	shared := SharedLayout(m, fn)
	static := shared.Static
	if lc.Shared > barriers.MaxShared || static+lc.Shared > barriers.MaxShared {
		return nil, fmt.Errorf("kernel %s: %d bytes of static and %d of dynamic shared memory, the limit is %d",
			lc.Kernel, static, lc.Shared, barriers.MaxShared)
	}
	if err := CheckPerf(fn.Src, lc); err != nil {
		return nil, err
	}
	if err := checkCluster(fn, lc); err != nil {
		return nil, err
	}
	l := &state.Launch{
		Misuses: new(state.BarrierMisuses),
		Kernel:  fn, Grid: lc.Grid, Block: lc.Block, Cluster: lc.Cluster, Params: lc.Params,
		Shared: shared.Offsets, Reserved: shared.Reserved, SharedSize: Size(shared) + lc.Shared, Dynamic: lc.Shared,
		Total: lc.Grid.Count(), Stalled: lc.Stalled, Pause: lc.Pause, PauseAfter: lc.PauseAfter,
	}
	if l.PauseAfter != nil {
		l.PauseAt = l.PauseAfter()
	}
	threads := lc.Block.Count()
	warps := min(l.Total, 1<<40) * ((threads + state.WarpSize - 1) / state.WarpSize)
	l.Limit = faults.ResidentBlocks(&m.Cfg, l.Total, threads)
	l.MaxSteps, l.Stall = faults.MaxSteps(&m.Cfg, warps), faults.Stall(&m.Cfg, warps)
	l.CheckAt = min(faults.CheckPeriod, l.MaxSteps+1)
	n := int(l.ClusterDim().Count())
	if m.Cfg.Resident > 0 && m.Cfg.Resident < n {
		return nil, fmt.Errorf("kernel %s: clusters of %d blocks cannot start, only %d may be resident", lc.Kernel, n,
			m.Cfg.Resident)
	}
	l.Limit = max(l.Limit, n)
	if lc.Cooperative {
		if err := cooperate(m, l); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// CheckPerf compares the block with the kernel's .maxntid and .reqntid (PTX ISA, "Performance-Tuning Directives").
func CheckPerf(f *rewrite.Func, lc *state.LaunchConfig) error {
	for _, p := range f.AST.Perf {
		want := [3]uint64{1, 1, 1}
		copy(want[:], p.Args)
		switch p.Name {
		case ".reqntid":
			if got := [3]uint64{uint64(lc.Block.X), uint64(lc.Block.Y), uint64(lc.Block.Z)}; got != want {
				return fmt.Errorf("kernel %s requires blocks of (%d,%d,%d) threads, got %v", lc.Kernel, want[0],
					want[1], want[2], lc.Block)
			}
		case ".maxntid":
			if limit := Product(p.Args); lc.Block.Count() > limit {
				return fmt.Errorf("kernel %s allows blocks of at most %d threads, got %v", lc.Kernel, limit, lc.Block)
			}
		}
	}
	return nil
}

// Product returns the number of threads of a block with the extents of a directive, at most 2^30.
func Product(extents []uint64) uint64 {
	const most = 1 << 30
	n := uint64(1)
	for _, v := range extents {
		n = min(n*min(v, most), most)
	}
	return n
}

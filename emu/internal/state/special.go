// Special registers and their values for a launch, a block, a warp.

package state

// SpecialReg names a special register and, for %tid and similar ones, a component.
type SpecialReg struct {
	Name string
	Dim  byte // 'x', 'y', 'z', 'w' or 0
}

// SpecialValue describes how a special register is computed, and where it differs.
type SpecialValue struct {
	Varies Variation
	Value  func(s *SpecialContext) uint64
}

// Variation says between which threads of a launch a special register differs.
type Variation uint8

// SpecialContext holds the values that special registers of one thread are computed from.
type SpecialContext struct {
	Tid, Ctaid, Block, Grid Dim3
	Cluster                 Dim3
	Rank, Explicit          uint64 // Rank in the cluster; 1 if there are explicit clusters
	Dim                     byte
	Lane, Warp              uint
	Linear, LaunchID        uint64
	Shared, Dynamic         uint64
	Workspace               uint64
}

// Component returns the x, y or z of d; PTX's fourth component is 0.
func (d Dim3) Component(dim byte) uint64 {
	switch dim {
	case 'x':
		return uint64(d.X)
	case 'y':
		return uint64(d.Y)
	case 'z':
		return uint64(d.Z)
	}
	return 0
}

// BlockValue is the value of a special register in a block, and a register of 32 bits with that value.
type BlockValue struct {
	Value uint64
	Row   Vec32
}

// SpecialContext returns the values that are the same for all threads of a launch.
func (l *Launch) SpecialContext() SpecialContext {
	s := SpecialContext{
		Block: l.Block, Grid: l.Grid, LaunchID: l.ID,
		Shared: l.SharedSize - l.Reserved, Dynamic: l.Dynamic, Cluster: l.ClusterDim(), Workspace: l.Workspace,
	}
	if l.explicit() {
		s.Explicit = 1
	}
	return s
}

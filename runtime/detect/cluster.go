package detect

// Clustered reports whether a cluster may have several blocks.
func (s *LaunchShape) Clustered() bool {
	return s.Cluster != [3]uint32{} && s.Cluster != [3]uint32{1, 1, 1}
}

// ClusterOf is the linear index, x fastest, of the cluster of a block; without clusters
// that of the block.
func (s *LaunchShape) ClusterOf(block uint64) uint64 {
	if !s.Clustered() {
		return block
	}
	x, y := uint64(s.Grid[0]), uint64(s.Grid[1])
	dim := func(i int) uint64 { return uint64(s.Cluster[i]) }
	cx, cy, cz := block%x/dim(0), block/x%y/dim(1), block/x/y/dim(2)
	return cx + x/dim(0)*(cy+y/dim(1)*cz)
}

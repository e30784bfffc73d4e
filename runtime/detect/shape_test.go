package detect_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

func TestClusterOf(t *testing.T) {
	s := detect.LaunchShape{Grid: [3]uint32{4, 6, 2}}
	if got := s.ClusterOf(17); got != 17 {
		t.Errorf("without clusters: %d", got)
	}
	s.Cluster = [3]uint32{2, 3, 1}
	for block, want := range map[uint64]uint64{0: 0, 1: 0, 2: 1, 3: 1, 8: 0, 10: 1, 12: 2, 15: 3, 23: 3, 24: 4, 47: 7} {
		if got := s.ClusterOf(block); got != want {
			t.Errorf("block %d is in cluster %d, want %d", block, got, want)
		}
	}
	ranks := make(map[[2]uint64]uint64) // by cluster and rank
	for block := range s.Blocks() {
		ranks[[2]uint64{s.ClusterOf(block), uint64(s.RankOf(block))}] = block
	}
	for k, block := range ranks {
		for other := range s.Blocks() {
			if s.ClusterOf(other) == k[0] && s.BlockIn(other, uint32(k[1])) != block {
				t.Errorf("rank %d in the cluster of block %d: block %d, want %d", k[1], other, s.BlockIn(other, uint32(k[1])), block)
			}
		}
	}
	if len(ranks) != 48 || s.RankOf(9) != 5 || s.RankOf(8) != 4 {
		t.Errorf("%d ranks, of block 9 %d, of block 8 %d", len(ranks), s.RankOf(9), s.RankOf(8))
	}
}

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
}

// Statistics of the detector, and the size of its hardware state.

package scord

import "fmt"

// Hardware of the default configuration (Table V).
const (
	numSMs      = 15
	warpsPerSM  = 32
	blocksPerSM = 8
)

// HardwareState returns the size in bytes of the state that ScoRD adds to the GPU of Table V
// (IV.C): the barrier counters and lock tables of an SM, and the fence file.
func HardwareState() (sm, fenceFile, total int) {
	const (
		barrierBits = 8
		lockBits    = 6 + 3 // hash; scope, valid, active
		fenceBits   = 6 + 6
	)
	locks := len(locks{}.entries) * lockBits * warpsPerSM
	sm = (blocksPerSM*barrierBits + locks) / 8
	fenceFile = numSMs * warpsPerSM * fenceBits / 8
	return sm, fenceFile, numSMs*sm + fenceFile
}

// Statistics implements detect.Statistics.
func (s *Detector) Statistics() []string {
	sm, file, total := HardwareState()
	overhead := 8 / float64(s.opts.Granularity)
	if s.opts.Cache {
		overhead /= aliases
	}
	lines := []string{
		fmt.Sprintf("state of the hardware: %d bytes (%d for each of %d SMs, fence file %d)", total, sm, numSMs, file),
		fmt.Sprintf("metadata: %.1f%% of memory", 100*overhead),
	}
	if t := s.traffic; t != nil && t.program > 0 {
		lines = append(lines,
			fmt.Sprintf("DRAM accesses: %d without race detection; with it %.2fx: %.2fx data, %.2fx metadata",
				t.program,
				ratio(t.own+t.meta, t.program), ratio(t.own, t.program), ratio(t.meta, t.program)))
	}
	return lines
}

func ratio(a, b uint64) float64 { return float64(a) / float64(b) }

//go:build unix

package app

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// What --memory ptx costs on the kernels of the race suite, with the detector that check has by default.

var weakCost = flag.Bool("weak-cost", false, "measure --memory ptx against --memory sc on the race suite and its applications")

// weakCostLimit is how many times longer check may take with --memory ptx.
const weakCostLimit = 3

// TestWeakCost prints, for each application in two sizes and for the kernels of the suite, how many times longer check
// takes with --memory ptx than without: processor time of the launches, in turns in one process. It fails if an
// application, or the geometric mean of the suite, is above the limit. Without -weak-cost it runs one application once.
func TestWeakCost(t *testing.T) {
	list := append(racesuite.Resized(t, racesuite.MiddleSize), slices.DeleteFunc(racesuite.Applications(t), func(c *racesuite.Case) bool { return c.Pair != racesuite.CorrectBuild })...)
	if !*weakCost {
		weakTimes(t, list[len(list)-1], 1)
		return
	}
	collectAsCommand()
	for _, c := range list {
		size := strings.TrimSuffix(filepath.Base(c.YAML), ".yaml")
		times, took := weakTimes(t, c, 3*turns)
		fmt.Printf("%5.2fx %-40s sc %v\n", times, c.Category+" "+size, took)
		if times > weakCostLimit {
			t.Errorf("%s %s takes %.2f times longer, limit %d", c.Category, size, times, weakCostLimit)
		}
	}
	var worst float64
	var slowest string
	logs, n := 0.0, 0
	for _, c := range racesuite.Micro(t) {
		times, _ := weakTimes(t, c, turns)
		if times == 0 {
			continue
		}
		logs, n = logs+math.Log(times), n+1
		if times > weakCostLimit {
			fmt.Printf("%5.2fx %s\n", times, c.Name())
		}
		if times > worst {
			worst, slowest = times, c.Name()
		}
	}
	mean := math.Exp(logs / float64(n))
	fmt.Printf("%5.2fx geometric mean of %d kernels of the suite; worst %.2fx %s\n", mean, n, worst, slowest)
	if mean > weakCostLimit {
		t.Errorf("the suite takes %.2f times longer, limit %d", mean, weakCostLimit)
	}
}

// weakTimes returns how many times longer the launches of a case take under weak memory, the median of rounds, and how
// long they take without; 0 for one that does not end.
func weakTimes(t *testing.T, c *racesuite.Case, rounds int) (times float64, sc time.Duration) {
	t.Helper()
	alone, with := c.Run(t, "precise"), c.Run(t, "precise")
	with.Options.Emulator.Memory = emu.PTX
	var list []float64
	for range rounds {
		_, a, err := launchTime(t, alone)
		_, b, wrong := launchTime(t, with)
		if err != nil || wrong != nil {
			return 0, 0
		}
		list = append(list, float64(b)/float64(a))
		if sc == 0 || a < sc {
			sc = a
		}
	}
	slices.Sort(list)
	return list[len(list)/2], sc
}

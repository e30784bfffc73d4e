package barracuda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// racesOf returns the races of a report, without their order and without which side came
// first: those depend on the schedule.
func racesOf(rep *report.Report) []string {
	var list []string
	for _, r := range rep.Races {
		sides := []string{fmt.Sprintf("%d %s", r.First.PTX.Line, r.First.Access), fmt.Sprintf("%d %s", r.Second.PTX.Line, r.Second.Access)}
		slices.Sort(sides)
		list = append(list, strings.Join(append(sides, string(r.Kind), r.Space), ", "))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestInstrumentedFindsTheSame: the kernel that writes records has the races of the
// events of the program as it is, in all examples and in all cases of the suite but
// those of asynchronous copies, mbarriers, textures, tensor memory and wmma, which are not logged.
func TestInstrumentedFindsTheSame(t *testing.T) {
	list := racesuite.Examples(t)
	for _, c := range racesuite.Micro(t) {
		if !slices.Contains([]string{"async", "texture", "tensor"}, c.Category) && !slices.Contains([]string{"matrix-fragments", "mbarrier-block-scope"}, c.Pair) {
			list = append(list, c)
		}
	}
	for _, ex := range list {
		t.Run(ex.Name(), func(t *testing.T) {
			var found [2][]string
			for i, detector := range []string{"barracuda", "barracuda<instrumented,prune=false>"} {
				found[i] = racesOf(ex.Run(t, detector).Check(t))
			}
			if !slices.Equal(found[0], found[1]) {
				t.Errorf("events:\n\t%s\nrecords:\n\t%s", strings.Join(found[0], "\n\t"), strings.Join(found[1], "\n\t"))
			}
		})
	}
}

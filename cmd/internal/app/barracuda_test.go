package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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
	list := examples(t)
	for _, c := range suite(t) {
		if !slices.Contains([]string{"async", "texture", "tensor"}, c.category) && !slices.Contains([]string{"matrix-fragments", "mbarrier-block-scope"}, c.pair) {
			list = append(list, example{c.name(), c.ptx, c.yaml, c.file.Expect})
		}
	}
	for _, ex := range list {
		t.Run(ex.name, func(t *testing.T) {
			var found [2][]string
			for i, detector := range []string{"barracuda", "barracuda<instrumented,prune=false>"} {
				found[i] = racesOf(ex.testedWith(t, detector).check(t))
			}
			if !slices.Equal(found[0], found[1]) {
				t.Errorf("events:\n\t%s\nrecords:\n\t%s", strings.Join(found[0], "\n\t"), strings.Join(found[1], "\n\t"))
			}
		})
	}
}

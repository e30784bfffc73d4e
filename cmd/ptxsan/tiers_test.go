package main

import (
	"context"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestTiersAgree: with the emulator's vector instructions and without, the detector
// reports of every example the same races, faults and statistics under the same
// schedule.
func TestTiersAgree(t *testing.T) {
	for _, ex := range examples(t) {
		k := ex.checker(t)
		for _, schedule := range scheduleNames {
			var reports [2]*report.Report
			for i := range reports {
				k.exec = execution{policy: schedule, config: emu.Config{Policy: policyOf(schedule), Seed: 5, NoVector: i == 1}}
				var err error
				if reports[i], err = k.run(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(reports[0], reports[1]) {
				t.Errorf("%s, %s: the reports differ:\n%+v\n%+v", ex.name, schedule, reports[0], reports[1])
			}
		}
	}
}

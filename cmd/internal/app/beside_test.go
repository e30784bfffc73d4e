package app

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// TestBeside tests that a detector on a separate processor has the same report as on that of the emulator, for
// applications that are large enough for it to lag behind.
func TestBeside(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	racy, seen := 0, make(map[string]bool) // applications of which a build that races is compared
	for _, c := range apps(t) {
		c.yaml = filepath.Join(filepath.Dir(c.yaml), middleSize+".yaml")
		if _, err := os.Stat(c.yaml); err != nil || c.pair != correctBuild && seen[c.category] {
			continue
		}
		seen[c.category] = c.pair != correctBuild || seen[c.category]
		for _, detector := range []string{"barracuda", "precise,scord"} {
			t.Run(c.name()+"/"+detector, func(t *testing.T) {
				k := c.tested(t, detector)
				k.options.Emulator.Workers = 1
				want := k.play(t).Report()
				k = c.tested(t, detector)
				k.options.Emulator.Workers = 2
				if got := k.play(t).Report(); !reflect.DeepEqual(got, want) {
					t.Errorf("on two processors\n%+v\non one\n%+v", got, want)
				}
				racy += min(len(want.Races), 1)
			})
		}
	}
	if racy < 10 {
		t.Errorf("%d reports have races: too few to tell", racy)
	}
}

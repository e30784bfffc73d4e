// Many runs of an application: they leave nothing behind, and say the same.

package app

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

var again = flag.Int("again", 1, "how often TestApplications runs each application again")

// repeat runs an application again and again: it frees all memory of the device, prints and reports
// the same each time, and exec leaves no file behind, neither among temporary files nor in shared memory.
func repeat(t *testing.T, ptxsan, dir string, args []string, flags ...string) (out string, code int, rep report.Report) {
	t.Helper()
	before := left(t, "/dev/shm")
	t.Setenv("TMPDIR", t.TempDir())
	flags = append(flags, "--leak-check", "full")
	out, code, rep = runApplication(t, ptxsan, dir, args, flags...)
	for _, f := range rep.Faults {
		t.Errorf("%v: %s", args, f.Headline())
	}
	for range *again {
		o, c, r := runApplication(t, ptxsan, dir, args, flags...)
		if o != out || c != code || !reflect.DeepEqual(r, rep) {
			t.Fatalf("%v: exit code %d, output %q and %d races; before they were %d, %q and %d", args, c, o, len(r.Races), code, out, len(rep.Races))
		}
		if files := left(t, os.Getenv("TMPDIR")); len(files) > 0 {
			t.Fatalf("%v leaves %v", args, files)
		}
	}
	if now := left(t, "/dev/shm"); len(now) > len(before) {
		t.Errorf("%v leaves shared memory: %v, before %v", args, now, before)
	}
	return out, code, rep
}

// left returns the files of a folder; none when there is no such folder.
func left(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

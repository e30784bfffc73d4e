package app

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestExecMemory: under --memory ptx, the loads of an application return older stores, in other launches other ones.
func TestExecMemory(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan, libraries := dropIns(t)
	dir := t.TempDir()
	clangBuilds(t, ptxsan, libraries, "testdata/orders/weak.cu", filepath.Join(dir, "app"))
	for memory, want := range map[string]string{"sc": "sequential\n", "ptx": "weak\n"} {
		out, code, rep := runApplication(t, ptxsan, dir, []string{"app"}, "--memory", memory, "--schedule", "random", "--seed", "1")
		if out != want || code != 0 || len(rep.Races) > 0 {
			t.Errorf("--memory %s: output %q, exit code %d, %d races; expected %q", memory, out, code, len(rep.Races), want)
		}
	}
}

// TestExecSizes: the device has as much memory as a large GPU, which costs nothing until it is touched. Beyond a limit of
// the host's memory, one fault names the limit, and the application ends, however the memory is touched.
func TestExecSizes(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan, libraries := dropIns(t)
	dir := t.TempDir()
	clangBuilds(t, ptxsan, libraries, "testdata/orders/sizes.cu", filepath.Join(dir, "app"))
	out, code, _ := runApplication(t, ptxsan, dir, []string{"app", "allocate"}, "--host-memory", "500M", "--no-api-errors")
	if want := "80 of 80\n0 leaves 16, then 2\n"; out != want || code != 5 {
		t.Errorf("allocate: %q, exit code %d, expected %q and 5", out, code, want)
	}
	out, _, _ = runApplication(t, ptxsan, dir, []string{"app", "allocate"}, "--memory-limit", "20G", "--no-api-errors")
	if want := "20 of 20\n0 leaves 4, then 2\n"; out != want {
		t.Errorf("allocate: %q, expected %q", out, want)
	}
	for _, how := range []string{"fill", "copy", "kernel", "managed"} {
		out, code, rep := runApplication(t, ptxsan, dir, []string{"app", how}, "--host-memory", "500M")
		if len(rep.Faults) != 1 || rep.Faults[0].Class != report.HostMemory ||
			!strings.Contains(rep.Faults[0].Message, "the limit of 0.49 GiB") || code != 3 {
			t.Errorf("%s: %q, exit code %d, faults %v, expected one and 3", how, out, code, rep.Faults)
		}
	}
}

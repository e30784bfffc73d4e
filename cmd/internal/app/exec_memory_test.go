package app

import (
	"path/filepath"
	"testing"
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

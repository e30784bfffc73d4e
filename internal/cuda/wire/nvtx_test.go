//go:build linux

// Ranges, and memory pools that announce their regions.

package wire_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestNVTX: findings name the ranges of the thread; kernels reach the regions of a heap, and its other memory is out of bounds, or freed; regions that do not end
// leak.
func TestNVTX(t *testing.T) {
	dir := libraries(t)
	t.Setenv("NVTX_INJECTION64_PATH", filepath.Join(dir, shim.NVTX))
	app := compile(t, "testdata/nvtx.c", dir, "cudart", "-g", "-ldl", "-w")
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	const where = "allocation 1 of size 4096"
	for how, want := range map[string][]string{
		"inside": nil, "beside": nil, "heap": nil, "freed": nil,
		"beyond": {"out-of-bounds: read of 4 bytes at address 0x1000000640, which is 1600 bytes into the " + where + `, 0 bytes after region at +0x600 of size 64 of the heap "pool"`},
		"ended":  {"use-after-free: read of 4 bytes at address 0x1000000400, which is 1024 bytes into the " + where + `, in the former region at +0x400 of size 128 of the heap "pool"`},
		"reset":  {"out-of-bounds: read of 4 bytes at address 0x1000000400, which is 1024 bytes into the " + where + `, in the heap "pool", which has no region`},
	} {
		o := &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Leaks: true}
		out, code, processes := runWith(t, o, dir, app, "testdata/runtime.ptx", how)
		if code != 0 || len(processes) != 1 {
			t.Errorf("%s: exit code %d and output %s", how, code, out)
			continue
		}
		var faults, leaks []string
		for _, f := range processes[0].Report().Faults {
			if f.Class != "leak" {
				if f.Range != "step > sol?ve" {
					t.Errorf("%s: in range %q", how, f.Range)
				}
				faults = append(faults, f.Class+": "+f.Message)
			} else if f.Source != nil {
				leaks = append(leaks, f.CallText())
			}
		}
		if !slices.Equal(faults, want) {
			t.Errorf("%s: %q, want %q", how, faults, want)
		}
		if left := slices.Contains(leaks, "nvtxMemRegionsRegister at nvtx.c:97"); left != !slices.Contains([]string{"heap", "freed", "reset"}, how) {
			t.Errorf("%s: leaks %q", how, leaks)
		}
	}
}

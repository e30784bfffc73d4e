package cubin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompiled: the lines in machine code that nvcc makes are those of the PTX that nvcc makes, and the assembler takes
// the text.
func TestCompiled(t *testing.T) {
	if _, err := exec.LookPath("nvcc"); err != nil {
		t.Skip("the lines are compared with those of nvcc: ", err)
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	read := func(file string) []byte {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	ptx, code, taken := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin"), filepath.Join(dir, "taken.ptx")
	for _, source := range []string{"reduction/racy.cu", "apps/solver.cu"} {
		for _, flag := range []string{"-lineinfo", "-G"} {
			t.Run(source+flag, func(t *testing.T) {
				source := filepath.Join("../../examples", source)
				run("nvcc", flag, "-arch=sm_90", "-ptx", "-o", ptx, source)
				run("nvcc", flag, "-arch=sm_90", "-cubin", "-o", code, source)
				p, err := Read("k.cubin", read(code))
				if err != nil {
					t.Fatal(err)
				}
				known, accesses := 0, 0
				want := places(t, read(ptx))
				for i, got := range places(t, p.PTX) {
					access := strings.HasPrefix(got, "st.") || strings.HasPrefix(got, "ld.")
					access = access && !strings.Contains(got, ".param")
					g, w := strings.Fields(got), strings.Fields(want[i])
					if len(w) == 2 || len(g) == 2 && !access { // unknown to the compiler, or no machine code
						continue
					}
					if known++; access {
						accesses++
					}
					if g[0] != w[0] || g[1] != w[1] || len(g) < 3 || filepath.Base(g[2]) != filepath.Base(w[2]) {
						t.Errorf("got %s, want %s", got, want[i])
					}
				}
				if accesses == 0 || 2*known < len(want) {
					t.Errorf("%d lines of %d, %d of accesses", known, len(want), accesses)
				}
				if err = os.WriteFile(taken, p.PTX, 0o600); err != nil {
					t.Fatal(err)
				}
				run("ptxas", "-lineinfo", "-arch=sm_90", "-o", os.DevNull, taken)
			})
		}
	}
}

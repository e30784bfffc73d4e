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
	if testing.Short() {
		t.Skip("the compiler takes 20 s")
	}
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
	instructions, known, accesses := 0, 0, 0
	defer func() {
		t.Logf("%d of %d instructions have their line, so do all %d accesses", known, instructions, accesses)
	}()
	ptx, code, taken := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin"), filepath.Join(dir, "taken.ptx")
	apps, err := filepath.Glob("../../examples/apps/*.cu")
	if err != nil || len(apps) == 0 {
		t.Fatal("no programs: ", err)
	}
	for _, flag := range []string{"-lineinfo", "-G"} {
		for i, source := range apps {
			if flag == "-G" && i%4 > 0 {
				continue // alike
			}
			t.Run(filepath.Base(source)+flag, func(t *testing.T) {
				run("nvcc", flag, "-arch=sm_90", "-ptx", "-o", ptx, source)
				run("nvcc", flag, "-arch=sm_90", "-cubin", "-o", code, source)
				p, err := Read("k.cubin", read(code))
				if err != nil {
					t.Fatal(err)
				}
				want := places(t, read(ptx))
				for i, got := range places(t, p.PTX) {
					access := strings.HasPrefix(got, "st.") || strings.HasPrefix(got, "ld.")
					access = access && !strings.Contains(got, ".param")
					g, w := strings.Fields(got), strings.Fields(want[i])
					if len(w) == 2 { // unknown to the compiler
						continue
					}
					if instructions++; len(g) == 2 && !access { // no machine code
						continue
					}
					if known++; access {
						accesses++
					}
					if g[0] != w[0] || g[1] != w[1] || len(g) < 3 || filepath.Base(g[2]) != filepath.Base(w[2]) {
						t.Errorf("got %s, want %s", got, want[i])
					}
				}
				if accesses == 0 || 2*known < instructions {
					t.Errorf("%d lines of %d, %d of accesses", known, instructions, accesses)
				}
				if err = os.WriteFile(taken, p.PTX, 0o600); err != nil {
					t.Fatal(err)
				}
				run("ptxas", "-lineinfo", "-arch=sm_90", "-o", os.DevNull, taken)
			})
		}
	}
}

//go:build linux

package wire_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
)

// TestCubins: machine code with its PTX is loaded by each function that loads modules.
func TestCubins(t *testing.T) {
	dir := libraries(t)
	code := cubintest.Compiled("k", `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [out];

st.global.u32 [%rd1], 42;

ret;
}
`, "k.cu", [2]int{9, 7})
	app := compile(t, "testdata/cubin.c", dir, "cuda")
	for name, image := range map[string][]byte{
		"cubin": code, "fat binary": cubintest.Fatbin(cubintest.Entry{Kind: 2, Arch: 80, Data: code}),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "image")
			if err := os.WriteFile(file, image, 0o600); err != nil {
				t.Fatal(err)
			}
			out, exit, _, processes := run(t, dir, app, file)
			if want := "data: 42\nlibrary: 42\nfile: 42\n"; out != want || exit != 0 {
				t.Fatalf("exit code %d and output\n%swant 0 and\n%s", exit, out, want)
			}
			if races := processes[0].Report().Races; len(races) == 0 || races[0].First.Source.Line != 7 {
				t.Errorf("races %+v, want some at line 7", races)
			}
		})
	}
}

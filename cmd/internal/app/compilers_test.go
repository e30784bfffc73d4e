// Tests of what compilers do on purpose.

package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
)

// TestCompilerFences: in a module of Triton's, a tcgen05.fence that is missing beside a barrier is an Info; a missing
// wait is an error.
func TestCompilerFences(t *testing.T) {
	long(t)
	const folder, target, shared = "../../../examples/suite/micro/tensor", ".address_size 64\n", ".extern .shared .align 16 .b8 global_smem[];\n"
	for name, want := range map[string]int{
		"no-fence-after-racy": command.Clean, "no-fence-before-racy": command.Clean, "load-not-waited-racy": command.Findings,
	} {
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(folder, name+".ptx"))
			if err != nil {
				t.Fatal(err)
			}
			plain, triton := filepath.Join(t.TempDir(), "plain.ptx"), filepath.Join(t.TempDir(), "triton.ptx")
			text, _, _ := strings.Cut(string(src), "\t.file\t") // Triton's files are in Python
			for path, text := range map[string]string{plain: text, triton: strings.Replace(text, target, target+shared, 1)} {
				if err = os.WriteFile(path, []byte(withoutLines(text)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for path, code := range map[string]int{plain: command.Findings, triton: want} {
				var out, errw bytes.Buffer
				got := run(t.Context(), []string{"ptxsan", "check", "--launch", filepath.Join(folder, name+".yaml"), path}, nil, &out, &errw)
				if got != code || (code == command.Clean) != strings.Contains(out.String(), "Info: Triton leaves out tcgen05.fence") {
					t.Errorf("%s: exit code %d, want %d\n%s%s", filepath.Base(path), got, code, &out, &errw)
				}
			}
		})
	}
}

// withoutLines returns PTX without .loc directives.
func withoutLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if !strings.HasPrefix(strings.TrimSpace(line), ".loc") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestTileIR: kernels of Tile IR, here in machine code with its PTX, are launched with blocks of one thread and have
// those that they require. Their warps may store equal values to one word, not different ones.
func TestTileIR(t *testing.T) {
	const text = `.version 9.4
.target sm_80
.address_size 64
.visible .entry add_Kt1_A1i32(.param .u64 out)
.reqntid 64
.language 7
{
.reg .b32 %r<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 31;
mad.wide.u32 %rd2, %r2, 4, %rd1;

st.global.u32 [%rd2], %r2;

ret;
}
`
	t.Chdir(t.TempDir())
	launches := "buffers: {out: {type: u32, count: 32}}\nlaunches: [{kernel: add_Kt1_A1i32, grid: 1, block: 1, args: [out]}]"
	if err := os.WriteFile("k.yaml", []byte(launches), 0o600); err != nil {
		t.Fatal(err)
	}
	for value, c := range map[string]struct {
		code int
		want string
	}{
		"%r2": {command.Clean, "Info: Tile IR's compiler has several warps store the same value to __global__ out[0] (4 bytes), at add in k.py:7"},
		"%r1": {command.Findings, "Error: Race reported between Write access at add in k.py:7"},
	} {
		ptx := strings.Replace(text, "[%rd2], %r2", "[%rd2], "+value, 1)
		image := cubintest.Compiled("add_Kt1_A1i32", ptx, "k.py", [2]int{15, 7})
		if err := os.WriteFile("k.cubin", image, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errw bytes.Buffer
		got := run(t.Context(), []string{"ptxsan", "check", "--launch", "k.yaml", "k.cubin"}, nil, &out, &errw)
		if got != c.code || !strings.Contains(out.String(), c.want) || !strings.Contains(errw.String(), "k.cubin.ptx is the PTX of k.cubin for sm_90") {
			t.Errorf("a store of %s: exit code %d, want %d and %q\n%s%s", value, got, c.code, c.want, &out, &errw)
		}
	}
}

// Tests of what compilers do on purpose.

package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
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

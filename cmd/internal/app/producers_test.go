package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/passes/all"
)

// TestProducers: kernels in the style of compilers other than clang and nvcc are printed
// byte for byte, can be instrumented by every pass, and run as their launch files expect,
// as they are and under the detectors inside the kernel.
func TestProducers(t *testing.T) {
	long(t)
	paths, err := filepath.Glob("testdata/producers/*.ptx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ptx"), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var out, errw bytes.Buffer
			if code := run(t.Context(), []string{"ptxsan", "rewrite", "--passes", "", path}, nil, &out, &errw); code != command.Clean || !bytes.Equal(out.Bytes(), src) {
				t.Errorf("the identity ends with %d and differs: %s", code, &errw)
			}
			for _, p := range all.Passes {
				errw.Reset()
				made := filepath.Join(t.TempDir(), "out.ptx")
				if code := run(t.Context(), []string{"ptxsan", "rewrite", "--passes", p.Name, "-o", made, path}, nil, &out, &errw); code != command.Clean {
					t.Errorf("%s: exit code %d: %s", p.Name, code, &errw)
				} else if code = run(t.Context(), []string{"ptxsan", "inspect", made}, nil, &out, &errw); code != command.Clean {
					t.Errorf("%s: what it makes is refused: %s", p.Name, &errw)
				}
			}
			for _, detector := range []string{"precise", "iguard", "barracuda"} {
				out.Reset()
				errw.Reset()
				args := []string{"ptxsan", "check", "-d", detector, "--launch", strings.TrimSuffix(path, ".ptx") + ".yaml", path}
				if code := run(t.Context(), args, nil, &out, &errw); code != command.Clean {
					t.Errorf("%s: exit code %d\n%s%s", detector, code, &out, &errw)
				}
			}
		})
	}
}

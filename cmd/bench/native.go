// The same loops compiled for this machine.

package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed kernels/native.c
var nativeSource []byte

// native is the compiled program of the loops in kernels/native.c; nil when there is no compiler.
type native struct{ program string }

// nativeFlags are the compiler flags for the best scalar code.
const nativeFlags = "-O2 -fno-vectorize -fno-slp-vectorize"

// buildNative compiles the loops into dir. Without a compiler it returns nil and no error.
func buildNative(ctx context.Context, compiler, dir string) (*native, error) {
	if compiler == "" {
		return nil, nil
	}
	cc, err := exec.LookPath(compiler)
	if err != nil {
		return nil, nil
	}
	source, program := filepath.Join(dir, "native.c"), filepath.Join(dir, "native")
	if err := os.WriteFile(source, nativeSource, 0o600); err != nil {
		return nil, err
	}
	args := append(strings.Fields(nativeFlags), "-o", program, source)
	if out, err := exec.CommandContext(ctx, cc, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return &native{program}, nil
}

// run returns the time of the native loop for size n, and checks its result.
func (nt *native) run(ctx context.Context, wl *workload, n uint32, want []uint32, reps int) (time.Duration, error) {
	out, err := exec.CommandContext(ctx, nt.program, wl.name, fmt.Sprint(n), fmt.Sprint(reps)).Output()
	if err != nil {
		return 0, fmt.Errorf("native %s: %w", wl.name, err)
	}
	var ns int64
	var sum uint32
	if _, err := fmt.Sscan(string(out), &ns, &sum); err != nil {
		return 0, fmt.Errorf("native %s printed %q: %w", wl.name, out, err)
	}
	if sum != checksum(want) {
		return 0, fmt.Errorf("native %s of size %d computed something else than Go", wl.name, n)
	}
	return time.Duration(ns), nil
}

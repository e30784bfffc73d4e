// The compilers that programs are built with.

package differential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Toolchain has the compilers of this machine, by name or path; "" for none.
type Toolchain struct {
	Clang   string // compiles to PTX
	NVCC    string // compiles to PTX
	Host    string // compiles the reference
	Include string // directory of cuda_builtins.h
}

// FindToolchain looks for compilers: those named by the environment variables CLANG, NVCC and HOSTCXX, or else under
// their usual names.
func FindToolchain(include string) *Toolchain {
	return &Toolchain{
		Clang:   findCommand("CLANG", "clang-19"),
		NVCC:    findCommand("NVCC", "nvcc"),
		Host:    findCommand("HOSTCXX", "clang++-19", "g++"),
		Include: include,
	}
}

func findCommand(variable string, names ...string) string {
	if v := os.Getenv(variable); v != "" {
		names = []string{v}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// A Build describes how programs are compiled to PTX.
type Build struct {
	NVCC  bool // rather than clang
	Level int  // optimisation level, 0 to 3
	SM    int  // architecture
}

// String returns the build in one word.
func (b Build) String() string {
	compiler := "clang"
	if b.NVCC {
		compiler = "nvcc"
	}
	return fmt.Sprintf("%s-O%d-sm_%d", compiler, b.Level, b.SM)
}

// KeepsConvergence reports whether lanes that execute a warp operation together in the source do so in the PTX. This
// does not hold if nvcc optimises, or compiles for sm_70 and later: it splits one loop with a divergent condition into
// two, and the lanes of one mask then reach two copies of the call of a function with the operation. A GPU with a SIMT
// stack cannot execute that.
func (b Build) KeepsConvergence() bool { return !b.NVCC || b.SM < 70 && b.Level == 0 }

// ParseBuild is the inverse of String.
func ParseBuild(text string) (b Build, err error) {
	compiler, rest, _ := strings.Cut(text, "-")
	if _, err := fmt.Sscanf(rest, "O%d-sm_%d", &b.Level, &b.SM); err != nil || compiler != "nvcc" && compiler != "clang" {
		return b, fmt.Errorf("build %q: want one such as clang-O2-sm_70 or nvcc-O3-sm_80", text)
	}
	b.NVCC = compiler == "nvcc"
	return b, nil
}

// PTX compiles a batch for the device.
func (t *Toolchain) PTX(ctx context.Context, b *Batch, build Build) ([]byte, error) {
	dir, err := os.MkdirTemp("", "differential")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, out := filepath.Join(dir, "batch.cu"), filepath.Join(dir, "batch.ptx")
	if err := os.WriteFile(source, []byte(b.Device()), 0o600); err != nil {
		return nil, err
	}
	name, args := t.Clang, t.clangArgs(build)
	if build.NVCC {
		name, args = t.NVCC, nvccArgs(build)
	}
	if err := compile(ctx, name, append(args, source, "-o", out)...); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

func (t *Toolchain) clangArgs(build Build) []string {
	return []string{
		"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-I" + t.Include, "-S", "-w",
		fmt.Sprintf("--cuda-gpu-arch=sm_%d", build.SM), "--cuda-feature=+ptx80", fmt.Sprintf("-O%d", build.Level),
		"-ffp-contract=off", "-fno-strict-aliasing",
	}
}

func nvccArgs(build Build) []string {
	return []string{
		"-ptx", "-w", "-std=c++14", fmt.Sprintf("-arch=sm_%d", build.SM), "-Xcicc", fmt.Sprintf("-O%d", build.Level),
		"--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false",
	}
}

// Limits of the compiler for a batch: for one generated program nvcc 11.8 would take over 20 GB.
const (
	compilerTime = 5 * time.Minute
	compilerKiB  = 8 << 20 // of address space
)

// ErrCompiler is the error when a compiler exceeds its time or memory limit.
var ErrCompiler = errors.New("the compiler exceeds its limits")

var outOfMemory = regexp.MustCompile(`(?i)bad_alloc|out of memory|memory exhausted|cannot allocate memory|died due to signal`)

func compile(ctx context.Context, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, compilerTime)
	defer cancel()
	limited := []string{"-c", `ulimit -v "$0" && exec "$@"`, strconv.Itoa(compilerKiB), name}
	cmd := exec.CommandContext(ctx, "sh", append(limited, args...)...)
	cmd.WaitDelay = time.Second // for processes started by a killed compiler
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() == context.DeadlineExceeded, outOfMemory.Match(out):
		return fmt.Errorf("%s: %w\n%.3000s", filepath.Base(name), ErrCompiler, out)
	}
	return fmt.Errorf("%s: %w\n%.3000s", filepath.Base(name), err, out)
}

// Reference compiles a batch for the host and runs it. It returns the Result of the memory of each of b.Runs.
func (t *Toolchain) Reference(ctx context.Context, b *Batch) ([][]byte, error) {
	dir, err := os.MkdirTemp("", "differential")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, program := filepath.Join(dir, "batch.cc"), filepath.Join(dir, "batch")
	if err := os.WriteFile(source, []byte(b.Host()), 0o600); err != nil {
		return nil, err
	}
	args := []string{"-O0", "-w", "-std=c++17", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", source, "-o", program, "-lm"}
	if err := compile(ctx, t.Host, args...); err != nil {
		return nil, err
	}
	return runReference(ctx, b, program)
}

func runReference(ctx context.Context, b *Batch, program string) ([][]byte, error) {
	var in, out bytes.Buffer
	runs := b.Runs()
	for _, p := range runs {
		in.Write(p.Input())
		in.Write(p.Memory())
		in.Write(p.Params())
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Stdin, cmd.Stdout = &in, &out
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	if out.Len() != len(runs)*memorySize {
		return nil, fmt.Errorf("reference: %d bytes of results, want %d", out.Len(), len(runs)*memorySize)
	}
	var results [][]byte
	for range runs {
		results = append(results, Result(out.Next(memorySize)))
	}
	return results, nil
}

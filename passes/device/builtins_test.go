// The functions of cuda_builtins.h, run on the emulator: testdata/*.cu uses every one of them, and each result is
// compared with the value that the CUDA documentation defines.

package device_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestBuiltins runs the kernels as they are committed, and compiled anew without optimisation where clang-19 is
// installed.
func TestBuiltins(t *testing.T) {
	t.Run("committed", func(t *testing.T) {
		builtins(t, func(t *testing.T, name string) *session.Program {
			return parse(t, name+".ptx", read(t, "testdata/"+name+".ptx"))
		})
	})
	t.Run("compiled", func(t *testing.T) {
		if _, err := exec.LookPath("clang-19"); err != nil {
			t.Skip("clang-19 is not installed; the committed modules were made from the same sources")
		}
		builtins(t, func(t *testing.T, name string) *session.Program {
			target := []string{"--cuda-gpu-arch=sm_70", "--cuda-feature=+ptx63"}
			if name == "newer" {
				target = []string{"--cuda-gpu-arch=sm_90", "--cuda-feature=+ptx81"}
			}
			ptx := filepath.Join(t.TempDir(), name+".ptx")
			clang(t, append(target, "--cuda-device-only", "-S", "-O0", "-include", "cuda_builtins.h", "testdata/"+name+".cu", "-o", ptx)...)
			return parse(t, name+".ptx", read(t, ptx))
		})
	})
}

// builtins runs all kernels of the modules that load gives.
func builtins(t *testing.T, load func(t *testing.T, name string) *session.Program) {
	for name, tests := range map[string]func(t *testing.T, m *kernels){
		"arithmetic": arithmetic, "memory": memory, "threads": threads, "newer": newer,
	} {
		t.Run(name, func(t *testing.T) {
			tests(t, &kernels{name: name, source: string(read(t, "testdata/"+name+".cu")), program: load(t, name)})
		})
	}
}

// TestBuiltinsFresh checks that the committed PTX was made from the sources as they are.
func TestBuiltinsFresh(t *testing.T) {
	common := append([]string{"testdata/results.h", "include/cuda_builtins.h"}, headers(t, "include/cuda_builtins.h")...)
	sources, err := filepath.Glob("testdata/*.cu")
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources", err)
	}
	for _, source := range sources {
		fresh(t, strings.TrimSuffix(source, ".cu")+".ptx", append([]string{source}, common...))
	}
}

// TestBuiltinsWithHostHeaders compiles a program that includes headers of the C and C++ libraries, for the device and
// for the host.
func TestBuiltinsWithHostHeaders(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the program")
	}
	for _, standard := range []string{"-std=c++14", "-std=c++20"} {
		common := []string{standard, "-fsyntax-only", "-Wall", "-Werror", "-Wno-unknown-cuda-version", "-include", "cuda_runtime.h", "testdata/host/program.cu"}
		clang(t, append(common, "--cuda-device-only", "--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx81", "--cuda-path=/nonexistent")...)
		clang(t, append(common, "--cuda-host-only", "-Xclang", "-target-sdk-version=11.8")...)
	}
}

// TestHeaders checks that whoever hands the headers on has each file that they include.
func TestHeaders(t *testing.T) {
	for _, name := range headers(t, "include/cuda_runtime.h") {
		f, err := device.Headers().Open(filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
}

// clang compiles with the headers of this package.
func clang(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "clang-19", append([]string{"-x", "cuda", "-nocudainc", "-nocudalib", "-Iinclude"}, args...)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%.3000s", cmd, err, text)
	}
}

func parse(t *testing.T, name string, text []byte) *session.Program {
	t.Helper()
	p, err := session.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kernels are those of a file of testdata.
type kernels struct {
	name, source string
	program      *session.Program
}

// launch runs a kernel on n threads. Its arguments are slices, which become buffers, and the contents of these after
// the run are what it returns.
func (m *kernels) launch(t *testing.T, kernel string, n int, args ...any) ([][]byte, error) {
	t.Helper()
	s, err := session.Open(session.Options{})
	if err == nil {
		err = s.Load(m.program)
	}
	if err != nil {
		t.Fatal(err)
	}
	l := session.Launch{Kernel: kernel, Block: emu.Dim3{X: uint32(n)}}
	var buffers []*session.Object
	for i, a := range args {
		b, err2 := session.Buffer(s, fmt.Sprintf("buffer%d", i), encoded(t, a))
		if err2 != nil {
			t.Fatal(err2)
		}
		buffers, l.Args = append(buffers, b), append(l.Args, b)
	}
	result, err := s.Launch(t.Context(), l)
	if err != nil {
		return nil, err
	}
	if len(result.Faults) > 0 {
		return nil, fmt.Errorf("fault: %s: %s", result.Faults[0].Class, result.Faults[0].Message)
	}
	var after [][]byte
	for _, b := range buffers {
		p, err2 := session.Values[byte](b)
		if err2 != nil {
			t.Fatal(err2)
		}
		after = append(after, p)
	}
	return after, nil
}

// encoded is a value as it stands in memory.
func encoded(t *testing.T, v any) []byte {
	t.Helper()
	p, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// column runs a kernel of the file with n threads and rows of results, and returns these by row and thread.
func (m *kernels) column(t *testing.T, kernel string, n, rows int, in any, more ...any) [][]uint64 {
	t.Helper()
	after, err := m.launch(t, kernel, n, append([]any{in, make([]uint64, n*rows)}, more...)...)
	if err != nil {
		t.Fatalf("%s: %v", kernel, err)
	}
	list := make([][]uint64, rows)
	for i := range list {
		list[i] = make([]uint64, n)
		if err := binary.Read(bytes.NewReader(after[1][8*i*n:]), binary.LittleEndian, list[i]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// expressions are the texts of the results of a kernel, in order.
func (m *kernels) expressions(t *testing.T, head, macro string) []string {
	t.Helper()
	_, text, found := strings.Cut(m.source, "\n"+head)
	if !found {
		t.Fatalf("no %s", head)
	}
	text, _, _ = strings.Cut(text, "\n}\n")
	var list []string
	for _, match := range regexp.MustCompile(`(?m)^ +`+macro+`\((.*)\);$`).FindAllStringSubmatch(text, -1) {
		list = append(list, match[1])
	}
	return list
}

// check runs a kernel with three inputs for each thread, and compares its results with those of want, one function for
// each expression of the kernel.
func check[T any](t *testing.T, m *kernels, kernel string, in []T, want map[string]func(x, y, z T) any) {
	t.Helper()
	list := m.expressions(t, "KERNEL("+kernel+",", "PUT")
	if names := slices.Sorted(slices.Values(list)); !slices.Equal(names, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("%s: results are %q, expected values there are for %q", kernel, names, slices.Sorted(maps.Keys(want)))
	}
	n := len(in) / 3
	for row, results := range m.column(t, kernel, n, len(list), in) {
		for i, got := range results {
			x, y, z := in[3*i], in[3*i+1], in[3*i+2]
			if w := want[list[row]](x, y, z); !same(got, w) {
				t.Errorf("%s: %s for %v, %v, %v is %s, want %v", kernel, list[row], x, y, z, shown(got, w), w)
			}
		}
	}
}

// approximately is a value within an error.
type approximately struct {
	value, most float64
	double      bool
}

// same compares bits with an expected value, of which any NaN is the same.
func same(got uint64, want any) bool {
	switch w := want.(type) {
	case bool:
		return got == 1 && w || got == 0 && !w
	case int32:
		return got == uint64(uint32(w))
	case uint32:
		return got == uint64(w)
	case int64:
		return got == uint64(w)
	case uint64:
		return got == w
	case float32:
		g := math.Float32frombits(uint32(got))
		return got == uint64(math.Float32bits(w)) || w != w && g != g && got>>32 == 0
	case float64:
		g := math.Float64frombits(got)
		return got == math.Float64bits(w) || w != w && g != g
	case approximately:
		g := math.Float64frombits(got)
		if !w.double {
			g = float64(math.Float32frombits(uint32(got)))
		}
		return math.Abs(g-w.value) <= w.most
	}
	panic(fmt.Sprintf("BUG: a value of type %T", want))
}

// shown is a result as text, in the type of the expected value.
func shown(got uint64, want any) string {
	a, approximate := want.(approximately)
	_, double := want.(float64)
	_, single := want.(float32)
	switch {
	case double, approximate && a.double:
		return fmt.Sprint(math.Float64frombits(got))
	case single, approximate:
		return fmt.Sprint(math.Float32frombits(uint32(got)))
	}
	return fmt.Sprintf("%d (%#x)", int64(got), got)
}

// What differs between compilers, and what does not.

package hostcode_test

import (
	"strings"
	"testing"
)

// TestDiffers: where what a file tests differs between compilers, its launches have no facts.
func TestDiffers(t *testing.T) {
	needsClang(t)
	for line, differs := range map[string]bool{
		"#ifdef __clang__":                         true,
		"#if defined(__NVCC__)":                    true,
		"#if __GNUC__ > 8":                         true,
		"#if CUDART_VERSION >= 12000":              true,
		"#if __CUDACC_VER_MAJOR__ > 11":            true,
		"#if __has_builtin(__builtin_expect)":      true,
		"#ifdef __CUDACC__":                        false,
		"#ifdef __CUDA_ARCH__":                     false,
		"#ifdef FAST // not __clang__":             false,
		"const char *name = \"__clang__\";\n#if 0": false,
	} {
		got := scan(t, "__global__ void k(int n) {}\n"+line+"\n#define N 3\n#else\n#define N 3\n#endif\nint main() { k<<<1, 1>>>(N); }\n")
		if unknown := strings.Contains(got, "followed: false"); unknown != differs || strings.Contains(got, "differs between compilers") != differs {
			t.Errorf("%s: unknown is %t\n%s", line, unknown, got)
		}
	}
}

// TestExceptions: what handles an exception is executed, too.
func TestExceptions(t *testing.T) {
	needsClang(t)
	got := scan(t, "__global__ void k(int n) {}\nvoid other();\nint main() { int n = 1; try { n = 2; other(); n = 3; } catch (int) { k<<<1, 1>>>(n); } k<<<2, 1>>>(n); }\n")
	if strings.Count(got, "kernel: _Z1ki") != 2 || strings.Contains(got, "- 3\n") || strings.Contains(got, "- 1\n") {
		t.Errorf("facts\n%s", got)
	}
}

package host_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/static/host"
)

// TestChanged: launches say which variables in device memory the code of the host may have written to.
func TestChanged(t *testing.T) {
	const head = `
namespace ns { __constant__ int tab[4] = {3, 1, 2, 0}; }
static __constant__ __align__(16) Pair<int, 3> other = {1, 2}, third;
extern __constant__ int kept[];
__device__ int cell, f(int x) { return kept[x]; }
__global__ void k(int *a) { a[threadIdx.x] = ns::tab[0] + kept[1]; }
`
	const launch = "k<<<1, 32>>>(a); }\n"
	for name, c := range map[string]struct{ text, want string }{
		"none":                              {"int main() { int *a; cudaMalloc(&a, 128); ", "[]"},
		"a copy":                            {"int main() { cudaMemcpyToSymbol(ns::tab, h, 16); ", "[tab]"},
		"a copy after the launch":           {"void g() { cudaMemcpyToSymbolAsync(third, h, 16); } int main() { k<<<1, 1>>>(a); g(); ", "[third]"},
		"a copy from it":                    {"int main() { cudaMemcpyFromSymbol(h, ns::tab, 16); ", "[]"},
		"its address":                       {"int main() { void *p; cudaGetSymbolAddress(&p, other); cudaMemcpy(p, h, 8, cudaMemcpyHostToDevice); ", "[other]"},
		"a reference":                       {"template <typename T> void up(T &x) { cudaMemcpyToSymbol(x, h, 16); } int main() { up(ns::tab); ", "[* tab]"},
		"another function":                  {"void up(const void *); int main() { up(&kept); up(&cell); ", "[cell kept]"},
		"a pointer at file scope":           {"const void *p = &kept; int main() { ", "[kept]"},
		"a macro":                           {"#define UP(x) cudaMemcpyToSymbol(x, h, sizeof(x))\nint main() { UP(kept); ", "[kept]"},
		"the driver":                        {"int main() { CUdeviceptr p; cuModuleGetGlobal(&p, &n, m, \"tab\"); cuMemcpyHtoD(p, h, 16); ", "[tab]"},
		"the driver, by a name in a string": {"void up(const char *s) { CUdeviceptr p; cuModuleGetGlobal_v2(&p, &n, m, s); } int main() { ", "[*]"},
		"a declaration of the function":     {"cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t n); int main() { ", "[]"},
		"a pointer to the function":         {"int main() { auto f = cudaMemcpyToSymbol<int[4]>; ", "[*]"},
	} {
		f := host.Scan(host.Options{}, host.Source{Name: "a.cu", Text: []byte(head + c.text + launch)})
		if len(f.Launches) == 0 {
			t.Errorf("%s: there is no launch", name)
		}
		for _, l := range f.Launches {
			if got := fmt.Sprint(l.Changed); got != c.want {
				t.Errorf("%s: %s are changed, want %s", name, got, c.want)
			}
		}
	}
}

// Applications whose kernels are machine code only.

package app

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestMachineCode runs applications with machine code alone, of one file and of two that nvcc links: with line
// information their kernels are checked, without it the report says how to have PTX.
func TestMachineCode(t *testing.T) {
	need(t, "nvcc")
	ptxsan := buildCommand(t)
	useDropIns(t)
	files := map[string]string{
		"a.cu": `extern __device__ int twice(int);
__global__ void k(int *p) {
  p[twice(threadIdx.x) / 64] = threadIdx.x;
}
int main() {
  int *p;
  cudaMalloc(&p, 64);
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
`,
		"b.cu": "__device__ int twice(int x) { return 2 * x; }\n",
	}
	machine := []string{"-gencode", "arch=compute_90,code=sm_90"}
	for name, c := range map[string]struct {
		flags []string
		code  int
		want  string
	}{
		"linked":  {append(machine, "-rdc=true", "-lineinfo"), command.Findings, "Write access at k(int*) in a.cu:3"},
		"debug":   {append(machine, "-rdc=true", "-G"), command.Findings, "Write access at k(int*) in a.cu:3"},
		"without": {append(machine, "-rdc=true"), command.Findings, `NVCC_APPEND_FLAGS="-gencode arch=compute_90,code=compute_90"`},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(ptxsan, "exec", "--", "./app")
			cmd.Dir = built(t, files, c.flags...)
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != c.code || !strings.Contains(string(out), c.want) {
				t.Errorf("exit code %d, want %d and %q\n%s", got, c.code, c.want, out)
			}
		})
	}
}

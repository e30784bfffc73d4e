// Patches of CUDA sources as their authors would write them: one edit for one line.

package fix_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
)

// patched is a source whose patch has exactly the given added and deleted lines.
type patched struct {
	name, arch, source, launch string
	want                       []string
}

const (
	unrolledTree = `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = out[t];
  __syncthreads();
#pragma unroll
  for (unsigned d = 64; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
  }
  if (t == 0)
    out[0] = s[0];
}
`
	helperTwice = `__device__ __forceinline__ unsigned turned(unsigned *s, unsigned x) {
  s[threadIdx.x] = x;
  unsigned y = s[threadIdx.x ^ 32];
  __syncthreads();
  return y;
}
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[64];
  unsigned x = turned(s, out[threadIdx.x]);
  out[threadIdx.x] = turned(s, 3 * x + 1);
}
`
	template = `template <class T>
__device__ __forceinline__ T turned(T *s, T x) {
  s[threadIdx.x] = x;
  return s[threadIdx.x ^ 32];
}
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[64];
  __shared__ unsigned short h[64];
  unsigned x = turned<unsigned>(s, out[threadIdx.x]);
  out[threadIdx.x] = x + turned<unsigned short>(h, 3 * x);
}
`
	oneLineHelper = `__device__ __forceinline__ void fetch(unsigned to, const void *from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory"); }
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[32];
  fetch((unsigned)__cvta_generic_to_shared(&s[threadIdx.x]), out + threadIdx.x);
  commit();
  out[threadIdx.x] = 2 * s[threadIdx.x];
}
`
	pendingGroup = `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[32];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.commit_group;"
               ::"r"((unsigned)__cvta_generic_to_shared(&s[threadIdx.x])), "l"(out + threadIdx.x) : "memory");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  out[threadIdx.x] = 2 * s[threadIdx.x];
}
`
	narrowFence = `extern "C" __global__ void k(unsigned *out) {
  if (blockIdx.x == 0) {
    out[0] = 5;
    asm volatile("fence.acq_rel.cta;" ::: "memory");
    atomicExch(&out[1], 1u);
  } else {
    while (atomicAdd(&out[1], 0u) == 0)
      ;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    out[2] = out[0];
  }
}
`
	oneCondition = `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < 40)
    s[t] = out[t];
  if (t < 40)
    out[t] = s[39 - t];
}
`
	oneBranch = `extern "C" __global__ void k(unsigned *out, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t < n) {
    s[t] = out[t];
    out[t] = s[n - 1 - t];
  }
}
`
	earlyExit = `extern "C" __global__ void k(unsigned *out, unsigned n) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x;
  if (t >= n) return;
  s[t] = out[t];
  out[t] = s[n - 1 - t];
}
`
)

func TestPatches(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: nothing compiles the source")
	}
	for _, x := range []patched{
		{"copies of an unrolled loop", "sm_70", unrolledTree, "grid: 1, block: 128, args: [out]", []string{"+    __syncthreads();"}},
		{"a function that is inlined twice", "sm_70", helperTwice, "grid: 1, block: 64, args: [out]", []string{"+  __syncthreads();"}},
		{"instances of a template", "sm_70", template, "grid: 1, block: 64, args: [out]", []string{"+  __syncthreads();"}},
		{"a helper of one line", "sm_80", oneLineHelper, "grid: 1, block: 32, args: [out]", []string{`+  asm volatile("cp.async.wait_all;" ::: "memory");`}},
		{"the text of an asm statement", "sm_80", pendingGroup, "grid: 1, block: 32, args: [out]", []string{
			`-  asm volatile("cp.async.wait_group 1;" ::: "memory");`, `+  asm volatile("cp.async.wait_all;" ::: "memory");`,
		}},
		{"a scope in an asm statement", "sm_70", narrowFence, "grid: 2, block: 1, args: [out]", []string{
			`-    asm volatile("fence.acq_rel.cta;" ::: "memory");`, `+    asm volatile("fence.acq_rel.gpu;" ::: "memory");`,
		}},
		{"no place in the PTX", "sm_70", oneCondition, "grid: 1, block: 64, args: [out]", []string{"+  __syncthreads();"}},
		{"within a branch", "sm_70", oneBranch, "grid: 1, block: 64, args: [out, 40]", []string{"+  }", "+  __syncthreads();", "+  if (t < n) {"}},
		{"behind an exit", "sm_70", earlyExit, "grid: 1, block: 64, args: [out, 40]", []string{
			"-  if (t >= n) return;", "+  if (!(t >= n)) {", "+  }", "+  __syncthreads();", "+  if (!(t >= n)) {", "+  }",
		}},
	} {
		t.Run(x.name, func(t *testing.T) { x.test(t) })
	}
}

func (x *patched) test(t *testing.T) {
	file, plan := compiledFor(t, x.arch, x.source, "buffers: {out: {type: u32, count: 128, init: 0}}\nlaunches: [{kernel: k, "+x.launch+"}]\n")
	res := mendPlan(t, plan, 12, 100, 2)
	f := fixSource(t, res, file)
	var changed []string
	for line := range strings.Lines(f.Patch()) {
		if head := line[:min(3, len(line))]; (line[0] == '+' || line[0] == '-') && head != "+++" && head != "---" {
			changed = append(changed, strings.TrimSuffix(line, "\n"))
		}
	}
	if f.Verdict != fix.Checked || !slices.Equal(changed, x.want) {
		t.Errorf("%s; %s\n%s%s", f.Check(), res.Why, f.Patch(), res.Diff())
	}
	res.Advise(res.Report)
	for _, race := range res.Report.Races {
		if race.Hint == "" {
			t.Errorf("no advice for %s", race.ID)
		}
	}
}

// The programs of examples/python/api, and --torch-host.

package app

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var pythonClients = flag.String("clients", "../../../build/clients", "folder with the environments that make clients installs")

// TestPython runs programs that use the Python package with Triton and PyTorch.
func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("imports PyTorch, which takes seconds")
	}
	compared := "equal losses [4.267, 3.079, 2.094]"
	host := []string{"exec", "--arch", "sm_90", "--torch-host", "--"}
	devices := []string{"exec", "--arch", "sm_90", "--devices", "2", "--torch-host", "--"}
	for _, c := range []struct {
		name, client string
		under, args  []string
		code         int
		want         []string
	}{
		{"check_triton", "triton", nil, []string{"check_triton.py"}, 0, []string{"clean True []", "racy True ['check_triton.py:21']"}},
		{"more of check_triton", "triton", nil, []string{"-c", moreOfTriton}, 0, []string{"clean True", "expected one such as 'sm_90'"}},
		{"an autotuner", "triton", host, []string{"tuned.py"}, 0, []string{
			"doubled 3.0 and 1.0 times", "Write access at double() in tuned.py:21", "Read access at double() in tuned.py:20 [256 hazards]",
			"has left in x (256 words, +0x0 to +0x3fc)", `restore_value=["x"]`, "1 hazard displayed (0 errors, 1 warning)",
		}},
		{"transformer", "torch", host, []string{"transformer.py"}, 0, []string{compared, "ERROR SUMMARY: 0 errors", "watched"}},
		{"racy transformer", "torch", host, []string{"transformer.py", "racy"}, 1, []string{compared, "attend() in transformer.py:28", "ERROR SUMMARY: 1 error"}},
		{"distributed", "torch", devices, []string{"distributed.py"}, 0, []string{"rank 1: [0.0, 6.0, 12.0, 18.0]", "ERROR SUMMARY: 0 errors", "2 calls of ncclAllReduce"}},
		{"racy distributed", "torch", devices, []string{"distributed.py", "racy"}, 1, []string{"at ncclAllReduce in stream", "distributed.py:15", "missing-stream-order"}},
		{"operations", "torch", host, []string{"-c", hostOperations}, 5, []string{"all equal", "cuda:0", "NOT CHECKED: no kernel was launched"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			python, err := filepath.Abs(filepath.Join(*pythonClients, c.client, "bin/python"))
			if err == nil {
				_, err = os.Stat(python)
			}
			if err != nil {
				t.Skipf("needs %s, as make clients installs it: %v", c.client, err)
			}
			need(t, "cc")
			out, code := runPython(t, append(slices.Clone(c.under), python), c.args)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("the output lacks %q", want)
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// runPython runs an interpreter, under the command if words come before it, in the folder of the examples.
func runPython(t *testing.T, line, args []string) (out string, code int) {
	t.Helper()
	command := buildCommand(t)
	if len(line) > 1 {
		line = slices.Insert(line, 0, command)
	}
	cmd := exec.Command(line[0], slices.Concat(line[1:], []string{"-W", "ignore"}, args)...)
	cmd.Dir = "../../../examples/python/api"
	modules, err := filepath.Abs("../../../python")
	if err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + filepath.Dir(command) + ":" + os.Getenv("PATH")
	cmd.Env = append(os.Environ(), path, "PYTHONPATH="+modules, "PYTHONDONTWRITEBYTECODE=1", "TRITON_CACHE_DIR="+t.TempDir())
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// moreOfTriton checks decorated kernels, arrays that share memory, and refusals.
const moreOfTriton = `
import numpy, os, ptxsan, tempfile, triton, triton.language as tl
source = '''
import triton, triton.language as tl
@triton.autotune(configs=[triton.Config({"B": 128}, num_warps=2), triton.Config({"B": 256})], key=["n"])
@triton.heuristics({"EVEN": lambda given: given["n"] % given["B"] == 0})
@triton.jit
def scale(x, y, n, factor, scaled, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    if scaled:
        v *= factor
    tl.store(y + i, v, mask=i < n)
'''
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "kernels.py"), "w") as file:
        file.write(source)
    import sys; sys.path.insert(0, folder)
    from kernels import scale
    rows = numpy.zeros((2, 300), numpy.float32)
    rows[0] = numpy.arange(300)
    grid = lambda given: (triton.cdiv(given["n"], given["B"]),)
    report = ptxsan.check_triton(scale, grid, [rows[0], rows[1]], n=300, factor=numpy.float32(2.5), scaled=True)
    print(report.verdict, numpy.array_equal(rows[1], rows[0] * 2.5))
    try:
        ptxsan.check_triton(scale, 1, [rows[0], rows[1]], target="hopper", n=300, factor=2.5, scaled=True)
    except ptxsan.PtxsanError as error:
        print(error)
`

// hostOperations compares operations on both devices: views, in-place operations, out=, random numbers, results of
// other shapes.
const hostOperations = `
import torch
def both(f):
    results = []
    for device in "cpu", "cuda":
        torch.manual_seed(3)
        results.append(f(torch.randn(8, 6, device=device)))
    assert results[1].device.type == "cuda", results[1].device
    assert torch.allclose(results[0], results[1].cpu(), rtol=1e-3), results
def view(x): x[3].fill_(7); x.t()[1].mul_(2); x[:, ::2].add_(1); return x
def out(x): o = torch.zeros(4, 8, 6, device=x.device); torch.add(x, x, out=o[2]); return o
def resized(x): o = torch.empty(0, device=x.device); torch.mm(x, x.t(), out=o); return o
def gradient(x): x.requires_grad_(); (torch.dropout(x.softmax(-1), 0.5, True) ** 2).sum().backward(); return x.grad
def indexed(x): x[x > 0] = 1.5; return torch.cat([x, x[torch.tensor([2, 0], device=x.device)]])
def seeded(x): return torch.rand(5, device=x.device, generator=torch.Generator(x.device).manual_seed(9))
def lower(x): return (x.half() @ x.half().t()).softmax(-1, dtype=torch.float32)
def attention(x): q = x.view(1, 2, 4, 6); return torch.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True)
def recurrent(x):
    total = 0
    for cell in torch.nn.LSTM, torch.nn.GRU:
        torch.manual_seed(5)
        net = cell(6, 3).to(x.device)
        y, state = net(x.view(4, 2, 6))
        (y ** 2).sum().backward(retain_graph=True)
        (y + state[0].sum()).mean().backward()
        total = total + torch.cat([p.grad.flatten() for p in net.parameters()]).abs().sum() + y.abs().sum()
    return total
def shared(x): y = x.view(48); y[5:].copy_(x.flatten()[:-5].clone()); return x
for f in view, out, resized, gradient, indexed, seeded, lower, attention, recurrent, shared: both(f)
torch.use_deterministic_algorithms(True)  # allocates memory that it fills
w, b = (torch.ones(8, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
x = torch.randn(3000, 8, device="cuda").bfloat16()
torch.nn.functional.layer_norm(x, (8,), w, b).sum().backward()
assert b.grad.dtype == torch.bfloat16 and (b.grad - 3000).abs().max() < 16, b.grad  # each sum is rounded once
assert [y.dtype for y in torch.native_layer_norm(x, (8,), w, None, 1e-5)] == [torch.bfloat16, torch.float, torch.float]
assert torch.autograd.grad(torch.nn.functional.layer_norm(x.requires_grad_(), (8,)).sum(), x)[0].dtype == torch.bfloat16
print("all equal", torch.ones(2, 2, device="cuda").t()[:1])
`

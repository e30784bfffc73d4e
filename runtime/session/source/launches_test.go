package source

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// hostKernels are the kernels of testdata/host.cu, each with a use of its first pointers.
const hostKernels = `.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z5wholePiPKffi(.param .u64 p, .param .u64 q, .param .f32 x, .param .u32 n)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.global.f32 %r1, [%rd2];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry _Z6partlyPii(.param .u64 p, .param .u32 n)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry _Z5oftenPii(.param .u64 p, .param .u32 n)
{
	ret;
}
`

// launchesOf returns the launch file of the kernels above with some host code.
func launchesOf(t *testing.T, h *HostCode) *launch.File {
	t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", []byte(hostKernels))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Check(tree)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Launches(t.Context(), "host.cu", session.NewProgram(mod), mod.Kernels(), h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLaunches: launches with constants are as the host code makes them when it is started without arguments, also
// in the first iterations of a loop.
func TestLaunches(t *testing.T) {
	program, err := hostcode.Read(t.Context(), []string{"testdata/host.ll"}, hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &HostCode{done: make(chan struct{}), program: program, launches: true}
	close(h.done)
	f := launchesOf(t, h)
	for _, want := range []string{
		"guessed: contents ",
		"p: {type: u32, count: 1000, init: 0}", "q: {type: f32, count: 16}",
		`{kernel: "_Z5wholePiPKffi", grid: [8, 1, 1], block: [128, 1, 1], shared: 256, site: "host.cu:15", args: [p, {buffer: q, offset: 8}, 0.5, 1000]}`,
		`{kernel: "_Z5oftenPii", grid: [1, 1, 1], block: [32, 1, 1], site: "host.cu:22", args: [p, 4]}`,
		`{kernel: "_Z6partlyPii", grid: [3, 1, 1], block: [8, 8, 1], site: "host.cu:18", args: [p, 27]}`,
	} {
		if !strings.Contains(string(f.Text), want) {
			t.Errorf("no %s in\n%s", want, f.Text)
		}
	}
	if n := len(f.Launches); n != 9 { // one of whole, four of partly, four of often
		t.Errorf("%d launches in\n%s", n, f.Text)
	}
	if f.Guess == nil || len(f.Guess.Launches) != 3 || strings.Contains(string(f.Guess.Text), "site:") {
		t.Errorf("the guess beside them is %v", f.Guess)
	}
	notes := strings.Join(f.Notes, "\n")
	for _, want := range []string{"launches of often(int*, int) in the file are left out but the first 4", "ptxsan exec runs the whole of it"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes\n%s", want, notes)
		}
	}
}

// TestLaunchesWithoutClang: the template alone, and a note that names the package, if the file launches at all.
func TestLaunchesWithoutClang(t *testing.T) {
	for _, launches := range []bool{true, false} {
		h := &HostCode{done: make(chan struct{}), err: exec.ErrNotFound, launches: launches}
		close(h.done)
		f := launchesOf(t, h)
		if notes := strings.Join(f.Notes, "\n"); f.Guess != nil || strings.Contains(notes, "apt-get install clang-19") != launches || len(f.Notes) > 1 {
			t.Errorf("launches %t: notes %q", launches, notes)
		}
	}
}

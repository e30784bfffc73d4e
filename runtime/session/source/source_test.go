package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestNeeded: the first architecture that has all instructions is taken, and the name of one that is missing.
func TestNeeded(t *testing.T) {
	for body, want := range map[string][2]string{
		"bar.sync 0;":                          {},
		"barrier.cluster.arrive;":              {"sm_90", "barrier.cluster.arrive"},
		"wgmma.fence.sync.aligned;":            {"sm_90a", "wgmma.fence.sync.aligned"},
		"tcgen05.wait::ld.sync.aligned;":       {"sm_100a", "tcgen05.wait::ld.sync.aligned"},
		"frobnicate.b32 %r1, %r1; bar.sync 0;": {},
	} {
		tree, err := ptxgrammar.Parse("k.ptx", []byte(".version 8.8\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r<2>; "+body+" ret; }\n"))
		if err != nil {
			t.Fatal(err)
		}
		if arch, what := needed(tree); arch != want[0] || what != want[1] {
			t.Errorf("%s: %q, %q, want %q", body, arch, what, want)
		}
	}
}

// TestShapes: extents of launches in host code are known where they are constant, and the largest grid counts.
func TestShapes(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19, which reads host code, is not installed")
	}
	name := filepath.Join(t.TempDir(), "k.cu")
	const text = `#include <stdlib.h>
__global__ void a(int *p) {}
__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(32) d(int *p) {}
__global__ void b(int *p) {}
__global__ void c(int *p) {}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  a<<<1, 128>>>(0);
  a<<<3, 128>>>(0);
  d<<<4, 96>>>(0);
  b<<<n, dim3(16, 8)>>>(0);
}
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	kernels := []*rewrite.Func{{Name: "_Z1aPi"}, {Name: "_Z1bPi"}, {Name: "_Z1cPi"}, {Name: "_Z1dPi"}}
	known := ReadHost(t.Context(), name, Options{}).read(kernels).shapes
	want := map[string]session.Shape{
		"_Z1aPi": {Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{128, 1, 1}},
		"_Z1dPi": {Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{96, 1, 1}},
		"_Z1bPi": {Grid: [3]uint32{0, 1, 1}, Block: [3]uint32{16, 8, 1}},
	}
	for k, w := range want {
		if known[k] != w {
			t.Errorf("%s: %v, want %v", k, known[k], w)
		}
	}
	if len(known) != len(want) {
		t.Errorf("%v", known)
	}
}

// TestWatch: a file that is written again has changed, one that is missing for a while has not.
func TestWatch(t *testing.T) {
	name := filepath.Join(t.TempDir(), "k.cu")
	write := func(text string, at time.Time) {
		t.Helper()
		err := os.WriteFile(name, []byte(text), 0o600)
		if err == nil {
			err = os.Chtimes(name, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Unix(1_000_000, 0)
	write("a", begin)
	w := Watch(name)
	if changed, all := w.changed(); changed || !all {
		t.Error("the file has not changed")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if changed, all := w.changed(); changed || all {
		t.Error("a missing file has not changed, and is missing")
	}
	write("b", begin.Add(time.Second))
	if !w.Wait(t.Context()) {
		t.Error("the file has changed")
	}
	header := filepath.Join(filepath.Dir(name), "k.h")
	if w.Also(name, header); len(w.files) != 2 {
		t.Errorf("%d files are watched", len(w.files))
	}
	if err := os.WriteFile(header, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !w.Wait(t.Context()) {
		t.Error("a file that was missing is there")
	}
	if w.Only(name); len(w.files) != 1 {
		t.Errorf("%d files are watched", len(w.files))
	}
}

// TestWatchReplaced: a file that is missing between two writes of an editor, and one of the same size and time, has
// changed when it is there.
func TestWatchReplaced(t *testing.T) {
	dir := t.TempDir()
	name, at := filepath.Join(dir, "k.cu"), time.Unix(1_000_000, 0)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write(name, "a")
	w := Watch(name)
	write(name+"~", "b")
	if err := os.Rename(name+"~", name); err != nil {
		t.Fatal(err)
	}
	if changed, all := w.changed(); !changed || !all {
		t.Error("another file has the name")
	}
	go func() {
		time.Sleep(interval / 2)
		_ = os.WriteFile(name, []byte("begun"), 0o600)
		time.Sleep(interval)
		_ = os.Remove(name)
		time.Sleep(3 * interval)
		_ = os.WriteFile(name, []byte("ended"), 0o600)
	}()
	if !w.Wait(t.Context()) {
		t.Fatal("the file has changed")
	}
	if text, err := os.ReadFile(name); string(text) != "ended" {
		t.Errorf("%q is there, %v", text, err)
	}
}

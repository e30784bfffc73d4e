package cuda_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// TestTargetOf: the device of a program is the highest architecture that its own code is for, at least the default.
func TestTargetOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		targets []uint32
		want    cuda.Target
	}{
		{"older", []uint32{52, 75}, cuda.DefaultTarget},
		{"one", []uint32{90}, cuda.Target{Major: 9}},
		{"several", []uint32{90, 120, 80}, cuda.Target{Major: 12}},
		{"minor", []uint32{100, 103}, cuda.Target{Major: 10, Minor: 3}},
		{"unknown", []uint32{86, 190}, cuda.Target{Major: 8, Minor: 6}},
		{"none", nil, cuda.DefaultTarget},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := []byte("#!/bin/sh\n")
			if c.targets != nil {
				var list []fatbin.Replacement
				for _, target := range c.targets {
					text := fmt.Sprintf(".version 9.0\n.target sm_%d\n.address_size 64\n.visible .entry k() { ret; }\n", target)
					list = append(list, fatbin.Replacement{PTX: []byte(text), Arch: target, Major: 9})
				}
				var err error
				if file, err = fatbin.New(list, fatbin.Uncompressed); err != nil {
					t.Fatal(err)
				}
			}
			name := filepath.Join(t.TempDir(), "app")
			if err := os.WriteFile(name, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := cuda.TargetOf(name); got != c.want {
				t.Errorf("got %v, expected %v", got, c.want)
			}
		})
	}
	if got := cuda.TargetOf(filepath.Join(t.TempDir(), "missing")); got != cuda.DefaultTarget {
		t.Errorf("a missing file: got %v", got)
	}
}

// TestTargetOfAttributes: a program with PTX for an earlier device, which launches kernels with attributes that only
// later devices have, is for the first of these.
func TestTargetOfAttributes(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("the program is compiled by a C compiler: ", err)
	}
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(dir, name)
		if failed := os.WriteFile(file, text, 0o600); failed != nil {
			t.Fatal(failed)
		}
		return file
	}
	text := []byte(".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
	code, err := fatbin.New([]fatbin.Replacement{{PTX: text, Arch: 80, Major: 9}}, fatbin.Uncompressed)
	if err != nil {
		t.Fatal(err)
	}
	image := write("image", code)
	for launch, want := range map[string]cuda.Target{
		"cuLaunchKernelEx": {Major: 9}, "cudaLaunchKernelExC": {Major: 9}, "cuLaunchKernel": {Major: 8},
	} {
		source := write("app.c", fmt.Appendf(nil, `__asm__(".section .nv_fatbin, \"a\"\n.balign 8\n.incbin \"%s\"\n.text");
int %s(void); int launches(void) { return %[2]s(); }
`, image, launch))
		app := filepath.Join(dir, "app")
		if text, err := exec.Command(cc, "-shared", "-fPIC", "-o", app, source).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := cuda.TargetOf(app); got != want {
			t.Errorf("%s: got %v, want %v", launch, got, want)
		}
	}
}

// TestMultiprocessors: the device has the number that was asked for, and few otherwise.
func TestMultiprocessors(t *testing.T) {
	for asked, want := range map[uint32]uint32{0: cuda.DefaultMultiprocessors, 132: 132} {
		if got := newProcess(t, &cuda.Options{Multiprocessors: asked}).Properties().Multiprocessors; got != want {
			t.Errorf("%d multiprocessors asked for: the device reports %d, want %d", asked, got, want)
		}
	}
}

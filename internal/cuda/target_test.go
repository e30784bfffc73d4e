package cuda_test

import (
	"fmt"
	"os"
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

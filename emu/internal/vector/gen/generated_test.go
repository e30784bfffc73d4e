package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated compares the generated files of package vector with what this command
// writes: an edit by hand is found, and so is a change of the command without its output.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	gen := filepath.Join(dir, "gen.exe")
	if out, err := exec.Command("go", "build", "-o", gen, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	written := filepath.Join(dir, "out")
	if err := os.Mkdir(written, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gen, "-out", "handlers_amd64.s", "-stubs", "handlers_amd64.go", "-pkg", "vector") // as go:generate in vector.go
	cmd.Dir = written
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	files, err := os.ReadDir(written)
	if err != nil || len(files) != 4 {
		t.Fatalf("the command writes %v, %v; expected 4 files", files, err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(written, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", f.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the command writes (%v): run go generate ./emu/internal/vector", f.Name(), err)
		}
	}
}

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestReleaseProfile: the profile for the compiler shows the emulator and the detectors at work, and names no file of
// the machine that it was taken on. Merged with itself it is as it was but for the numbers.
func TestReleaseProfile(t *testing.T) {
	const name = "../ptxsan/release.pgo"
	again := filepath.Join(t.TempDir(), "again.pgo")
	if err := mergeProfiles(again, []string{name, name}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, again} {
		text := bytes.ReplaceAll(unpack(t, name), []byte(".go.shape."), nil) // of types in names of generic functions
		for _, function := range []string{"ptxsan/emu.stretch", "emu/internal/exec.", "detect/precise.(*Detector)", "detect/barracuda."} {
			if !bytes.Contains(text, []byte(function)) {
				t.Errorf("%s: no sample in %s; run make profile", name, function)
			}
		}
		if regexp.MustCompile(`\.go\b|/(tmp|home|root)/`).Match(text) {
			t.Errorf("%s names files", name)
		}
	}
	if err := mergeProfiles(again, []string{"main.go"}); err == nil {
		t.Error("a source file was read as a profile")
	}
}

func unpack(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

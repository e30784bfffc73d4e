package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// largestTracked is the size in bytes that no tracked file may reach, but for
// those in largeFiles.
const largestTracked = 1 << 20

// largeFiles are the files that may be larger, relative to the root.
var largeFiles = map[string]bool{
	"emu/internal/vector/handlers_amd64.s": true, // generated: two variants of every handler
}

// TestTrackedFiles keeps build products out of the repository: no tracked file
// may be an executable program, an object or an archive, or be large.
func TestTrackedFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("git does not list the files: %v", err)
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if largeFiles[string(name)] {
			continue
		}
		if err := checkTracked(filepath.Join(root, string(name))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// checkTracked says why a file cannot be tracked, or returns nil. Files that
// have been deleted but not committed yet are fine.
func checkTracked(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if info.Size() >= largestTracked {
		return fmt.Errorf("%d bytes, tracked files stay below %d", info.Size(), largestTracked)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var magic [8]byte
	n, _ := f.Read(magic[:])
	for _, m := range []string{"\x7fELF", "!<arch>\n", "MZ", "\xcf\xfa\xed\xfe"} {
		if bytes.HasPrefix(magic[:n], []byte(m)) {
			return fmt.Errorf("a build product: it begins with %q", m)
		}
	}
	return nil
}

func TestCheckTracked(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		content []byte
		refused bool
	}{
		"text":  {[]byte("package main\n"), false},
		"large": {make([]byte, largestTracked), true},
		"elf":   {[]byte("\x7fELF\x02\x01"), true},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := checkTracked(path); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// largestTracked is the size in bytes that no tracked file may reach, but for
// those in largeFiles.
const largestTracked = 1 << 20

// largeFiles are the files that may be larger, relative to the root.
var largeFiles = map[string]bool{
	"emu/internal/vector/handlers_amd64.s": true, // generated: three variants of every handler
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

const (
	longestSource   = 400   // lines of a source file that no tool has generated, tests aside
	commandLineSize = 4_000 // lines of cmd/ptxsan: logic belongs into packages below
	widestPackage   = 90    // source files of one package, tests aside
)

// TestHygieneOfSources: source files are short, and open with a sentence that says what they
// hold: a comment before the package clause.
func TestHygieneOfSources(t *testing.T) {
	root := filepath.Join("..", "..")
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "*.go").Output()
	if err != nil {
		t.Skipf("git does not list the files: %v", err)
	}
	command, files := 0, map[string]int{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata/") {
			continue // a file that has been deleted is fine
		}
		files[path.Dir(name)]++
		if path.Dir(name) == "cmd/ptxsan" {
			command += bytes.Count(text, []byte("\n"))
		}
		for _, problem := range sourceProblems(name, string(text)) {
			t.Errorf("%s: %s", name, problem)
		}
	}
	for dir, n := range files {
		if n > widestPackage {
			t.Errorf("%s has %d files, the limit is %d", dir, n, widestPackage)
		}
	}
	if command > commandLineSize {
		t.Errorf("cmd/ptxsan has %d lines, the limit is %d", command, commandLineSize)
	}
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// sourceProblems returns the problems of a source file.
func sourceProblems(name, text string) (problems []string) {
	head, _, found := strings.Cut("\n"+text, "\npackage ")
	if !found || generated.MatchString(head) {
		return nil
	}
	if n := strings.Count(text, "\n"); n > longestSource {
		problems = append(problems, fmt.Sprintf("%d lines, the limit is %d: cut it by subject", n, longestSource))
	}
	opening := slices.ContainsFunc(strings.Split(head, "\n"), func(line string) bool { return strings.HasPrefix(line, "// ") })
	if !opening {
		problems = append(problems, "no opening sentence: a comment before the package clause that says what the file holds")
	}
	return problems
}

func TestSourceProblems(t *testing.T) {
	long := strings.Repeat("\n", longestSource+1)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"emu/a.go", "// Arithmetic.\n\npackage emu\n", 0},
		{"emu/a.go", "package emu\n", 1},
		{"emu/a.go", "//go:build linux\n\npackage emu\n", 1},
		{"emu/a.go", "//go:build linux\n\n// Arithmetic.\n\npackage emu\n", 0},
		{"emu/a.go", "// Arithmetic.\n\npackage emu\n" + long, 1},
		{"emu/a.go", "package emu\n" + long, 2},
		{"emu/a.go", "// Code generated by gen. DO NOT EDIT.\n\npackage emu\n" + long, 0},
	} {
		if got := sourceProblems(c.name, c.text); len(got) != c.want {
			t.Errorf("%s, %.40q: %q, expected %d problems", c.name, c.text, got, c.want)
		}
	}
}

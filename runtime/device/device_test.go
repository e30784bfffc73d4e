package device_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/device"
)

// TestFresh checks that the committed PTX was made from the sources as they are.
func TestFresh(t *testing.T) {
	for _, lib := range device.Libraries() {
		source := "lib/" + lib.Name[:len(lib.Name)-len(".ptx")] + ".cu"
		fresh(t, "lib/"+lib.Name, append([]string{source}, headers(t, source)...))
	}
}

// fresh checks that the first line of a module names the sources as they are.
func fresh(t *testing.T, module string, sources []string) {
	t.Helper()
	hash := sha256.New()
	for _, name := range sources {
		hash.Write(read(t, name))
	}
	want := fmt.Sprintf("%x", hash.Sum(nil))
	if first, _, _ := bytes.Cut(read(t, module), []byte("\n")); !bytes.HasSuffix(first, []byte(want)) {
		t.Errorf("%s is out of date with %s or a header: run runtime/device/generate.sh", module, sources[0])
	}
}

var (
	beginning = regexp.MustCompile(`\.func|\.entry`)
	lop3      = regexp.MustCompile(`^\s*lop3\.b32\s+(%\w+)`)
	isZero    = regexp.MustCompile(`\bsetp\.eq\.[bsu]32\s+%\w+,\s*(%\w+),\s*0;`)
)

// TestLop3: no library asks whether a result of lop3 is 0, at which ptxas of CUDA 13.0 crashes (generate.sh).
func TestLop3(t *testing.T) {
	for _, lib := range device.Libraries() {
		results, asked := map[string]bool{}, 0
		for line := range bytes.Lines(read(t, "lib/"+lib.Name)) {
			if beginning.Match(line) {
				clear(results)
			}
			if m := lop3.FindSubmatch(line); m != nil {
				results[string(m[1])] = true
			}
			if m := isZero.FindSubmatch(line); m != nil && results[string(m[1])] {
				asked++
			}
		}
		if asked > 0 {
			t.Errorf("%s does so %d times", lib.Name, asked)
		}
	}
}

var include = regexp.MustCompile(`(?m)^#include "(.*)"`)

// headers returns the headers that a source includes, directly or not, in order of names.
func headers(t *testing.T, source string) []string {
	t.Helper()
	var list []string
	for todo := []string{source}; len(todo) > 0; todo = todo[1:] {
		for _, m := range include.FindAllSubmatch(read(t, todo[0]), -1) {
			if name := "include/" + string(m[1]); !slices.Contains(list, name) {
				list, todo = append(list, name), append(todo, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

package device_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	driver "github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/passes/device"
)

// libraries returns all libraries, in alphabetical order.
func libraries() []device.Library {
	return []device.Library{
		device.Barracuda(), device.BoundsCheck(), device.Collide(), device.CollideCluster(), device.IGuard(),
		device.LDetector(), device.LDetectorGlobal(), device.LDetectorLaunch(), device.MemTrace(),
	}
}

// TestFresh checks that the committed PTX was made from the sources as they are.
func TestFresh(t *testing.T) {
	for _, lib := range libraries() {
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
		t.Errorf("%s is out of date with %s or a header: run passes/device/generate.sh", module, sources[0])
	}
}

// TestForDriver: no library has the comparison at which ptxas of CUDA 13.0 crashes (generate.sh), so that users can
// compile what ptxsan rewrite writes.
func TestForDriver(t *testing.T) {
	for _, lib := range libraries() {
		if text := read(t, "lib/"+lib.Name); !bytes.Equal(driver.ForDriver(text), text) {
			t.Errorf("%s compares a result of lop3 with 0 for equality", lib.Name)
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

package device_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/device"
)

// TestFresh checks that the committed PTX was made from the sources as they are.
func TestFresh(t *testing.T) {
	headers, err := filepath.Glob("include/*.h")
	if err != nil || len(headers) == 0 {
		t.Fatalf("no headers (%v)", err)
	}
	slices.Sort(headers)
	for _, lib := range device.Libraries() {
		source := "lib/" + lib.Name[:len(lib.Name)-len(".ptx")] + ".cu"
		hash := sha256.New()
		for _, name := range append([]string{source}, headers...) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			hash.Write(text)
		}
		want := fmt.Sprintf("%x", hash.Sum(nil))
		if first, _, _ := bytes.Cut(lib.PTX, []byte("\n")); !bytes.HasSuffix(first, []byte(want)) {
			t.Errorf("%s is out of date with %s or a header: run runtime/device/generate.sh", lib.Name, source)
		}
	}
}

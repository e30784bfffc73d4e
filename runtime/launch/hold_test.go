// Launch files that hold what they name.

package launch_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// TestHold: a launch file can have the contents of its files with it, of the right size.
func TestHold(t *testing.T) {
	const text = "buffers: {a: {type: u32, count: 2, init: {file: a.bin}}}\nglobals: {v: {file: v.bin}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [a]}]\n"
	f, err := launch.Parse("k.yaml", []byte(text), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Hold(map[string][]byte{"a.bin": {1, 2, 3, 4, 5, 6, 7, 8}, "v.bin": {9}})
	var got []byte
	keep := func(offset uint64, p []byte) error {
		got = append(got[:offset], p...)
		return nil
	}
	if err = f.Buffers[0].Fill(keep); err != nil || !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("%v, %v", got, err)
	}
	if err = f.Globals[0].Fill(f.Buffers[0].Type, 1, keep); err == nil || !strings.Contains(err.Error(), "v.bin holds 1 bytes, expected 1 elements of u32") {
		t.Errorf("a variable of 4 bytes filled with one: %v", err)
	}
}

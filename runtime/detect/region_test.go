package detect_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

func TestSymbol(t *testing.T) {
	regions := []detect.Region{{Name: "a", Base: 0x100, Size: 16, Element: 4}, {Name: "n", Base: 0x200, Size: 4}}
	for addr, want := range map[uint64]string{
		0xff: "", 0x100: "a[0]", 0x10c: "a[3]", 0x10d: "a+0xd", 0x110: "", 0x200: "n", 0x201: "n+0x1", 0x204: "",
	} {
		if got := detect.Symbol(regions, addr); got != want {
			t.Errorf("%#x: %q, want %q", addr, got, want)
		}
	}
}

package emu_test

import (
	"strings"
	"testing"
)

// TestGridOfClusters launches a kernel with .blocksareclusters from a kernel, by both interfaces: the grid counts
// clusters, and a block of one thread is the one that the kernel requires.
func TestGridOfClusters(t *testing.T) {
	child := strings.Replace(entry("child", 1, "red.global.add.u32 [%rd0], 1; mov.u32 %r2, %nctaid.x; st.global.u32 [%rd0+4], %r2;"), ") {", ") .reqntid 32 .reqnctapercluster 4 .blocksareclusters {", 1)
	for name, call := range map[string]string{
		"v1": launchV1("child", "2", "1", "0", "%rd0"),
		"v2": launchV2("cuda", "", "child", "2", "32", "0", "%rd0"),
	} {
		m := loadVersion(t, "9.0", "sm_90", deviceRuntime+child+entry("k", 1, call+"st.global.u32 [%rd0+8], %r20;"))
		out := alloc(t, m, "out", 3)
		clean(t, launch(t, m, 1, 1, out))
		if got := words(t, m, out, 3); got[0] != 256 || got[1] != 8 || got[2] != 0 {
			t.Errorf("%s: %d threads of %d blocks, error %d; expected 256 of 8", name, got[0], got[1], got[2])
		}
	}
}

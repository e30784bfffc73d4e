package iguard_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/iguard"
)

// TestHooksHaveRuns: the emulator finds in the hooks the sequences of instructions for which it has handlers. When the
// device library or its compiler changes, the sequences in emu/internal/vector/gen/run.go have to follow.
func TestHooksHaveRuns(t *testing.T) {
	src := kernelHead + `
	st.global.u32 [%rd1], %t;
	ld.global.u32 %r2, [%rd1];
	atom.global.add.u32 %r2, [%rd1], 1;
	ret;
}
`
	out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(src)), "iguard", iguard.Pass)
	m, err := emu.New(out.Module, emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Decode("k"); err != nil {
		t.Fatal(err)
	}
	var listing strings.Builder
	if err := m.WriteDecoded(&listing, "k"); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(listing.String(), "in assembly: nothing") {
		t.Skip("no assembly on this processor")
	}
	for _, run := range []string{
		"RunLocate", "RunUnpackGreater", "RunUnpackLow", "RunValidLow", "RunValid", "RunQuick", "RunPassedLoad", "RunPassed", "RunSettled",
		"RunSameWarp", "RunFenced", "RunPackLow", "RunPackHigh", "RunPackOr", "RunTestEq", "RunTestNe",
	} {
		if !strings.Contains(listing.String(), "begins "+run+"\n") {
			t.Errorf("no hook has %s", run)
		}
	}
	for _, run := range []string{"LoneBegin", "LoneHeld", "LoneLead", "LoneLeadTake", "LoneCheck", "LoneStored", "LoneUpdated", "LoneLoaded"} {
		if !strings.Contains(listing.String(), "for one lane begins "+run) {
			t.Errorf("no hook has %s", run)
		}
	}
}

package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestCodesOfSplitLines: lists of morally strong accesses are known to be so, also if the accesses were made in rows
// before the line was split.
func TestCodesOfSplitLines(t *testing.T) {
	d := newDetector(t)
	d.LimitJournals(0)
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{32, 1, 1}}})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	access := func(block uint64, step uint64, scope abi.Scope) {
		ev := abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Mask: 0xffffffff, Live: 0xffffffff, Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessRMW,
			Sem: abi.SemAcqRel, Scope: scope, Wrote: 0xffffffff, Site: 1,
		}
		for lane := range ev.Addr {
			ev.Addr[lane] = 0x1000 + step*uint64(lane)
		}
		abi.Deliver(d, &ev)
	}
	for block := range uint64(4) {
		access(block, 4, abi.ScopeGPU)
	}
	access(0, 8, abi.ScopeGPU)
	if known, _ := d.CodesKnown(); !known || d.LongestLog() < 3 {
		t.Errorf("lists of up to %d entries, codes known %t", d.LongestLog(), known)
	}
	access(1, 8, abi.ScopeCTA)
	access(2, 8, abi.ScopeGPU)
	if _, right := d.CodesKnown(); !right {
		t.Error("a list has a code, of which an access has another one")
	}
}

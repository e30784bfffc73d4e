package main

import (
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// TestLayout compares the offsets that the assembly uses with the structs.
func TestLayout(t *testing.T) {
	var c vector.Context
	var j vector.Join
	var i vector.Inst
	var s vector.Site
	var noted vector.Note
	var turn vector.Turn
	spin := unsafe.Offsetof(c.Spin)
	for _, f := range []struct {
		name string
		got  uintptr
		want int
	}{
		{"Regs", unsafe.Offsetof(c.Regs), ctxRegs},
		{"Code", unsafe.Offsetof(c.Code), ctxCode},
		{"Sites", unsafe.Offsetof(c.Sites), ctxSites},
		{"At", unsafe.Offsetof(c.At), ctxAt},
		{"Mask", unsafe.Offsetof(c.Mask), ctxMask},
		{"Exit", unsafe.Offsetof(c.Exit), ctxExit},
		{"Rest", unsafe.Offsetof(c.Rest), ctxRest},
		{"Stop", unsafe.Offsetof(c.Stop), ctxStop},
		{"Executed", unsafe.Offsetof(c.Executed), ctxExecuted},
		{"Limit", unsafe.Offsetof(c.Limit), ctxLimit},
		{"Visible", unsafe.Offsetof(c.Visible), ctxVisible},
		{"Progress", unsafe.Offsetof(c.Progress), ctxProgress},
		{"Spin.Progress", spin + unsafe.Offsetof(c.Spin.Progress), spinProgress},
		{"Spin.Visits", spin + unsafe.Offsetof(c.Spin.Visits), spinVisits},
		{"Spin.Next", spin + unsafe.Offsetof(c.Spin.Next), spinNext},
		{"Spin.PC", spin + unsafe.Offsetof(c.Spin.PC), spinPC},
		{"Spin.Witness", spin + unsafe.Offsetof(c.Spin.Witness), spinWitness},
		{"Spin.Value", spin + unsafe.Offsetof(c.Spin.Value), spinValue},
		{"Spin.Bits", spin + unsafe.Offsetof(c.Spin.Bits), spinBits},
		{"Spin.Mask", spin + unsafe.Offsetof(c.Spin.Mask), spinMask},
		{"Spin.Known", spin + unsafe.Offsetof(c.Spin.Known), spinKnown},
		{"Joins", unsafe.Offsetof(c.Joins), ctxJoins},
		{"Depth", unsafe.Offsetof(c.Depth), ctxDepth},
		{"Room", unsafe.Offsetof(c.Room), ctxRoom},
		{"Low", unsafe.Offsetof(c.Low), ctxLow},
		{"Under", unsafe.Offsetof(c.Under), ctxUnder},
		{"Counted", unsafe.Offsetof(c.Counted), ctxCounted},
		{"Threads", unsafe.Offsetof(c.Threads), ctxThreads},
		{"Aside", unsafe.Offsetof(c.Aside), ctxAside},
		{"Join.PC", unsafe.Offsetof(j.PC), joinPC},
		{"Join.Expected", unsafe.Offsetof(j.Expected), joinExpected},
		{"Join.Arrived", unsafe.Offsetof(j.Arrived), joinArrived},
		{"Join", unsafe.Sizeof(j), joinSz},
		{"lanes", unsafe.Offsetof(c.Notes) - 4*vector.Lanes, ctxLanes},
		{"Notes", unsafe.Offsetof(c.Notes), ctxNotes},
		{"Note", unsafe.Offsetof(c.Noted), ctxNoted},
		{"LastNote", unsafe.Offsetof(c.LastNote), ctxLastNote},
		{"NoteRoom", unsafe.Offsetof(c.NoteRoom), ctxNoteRoom},
		{"Active", unsafe.Offsetof(c.Active), ctxActive},
		{"Turns", unsafe.Offsetof(c.Turns), ctxTurns},
		{"Turn", unsafe.Offsetof(c.Turn), ctxTurn},
		{"Ring", unsafe.Offsetof(c.Ring), ctxRing},
		{"Left", unsafe.Offsetof(c.Left), ctxLeft},
		{"First", unsafe.Offsetof(c.First), ctxFirst},
		{"MayReturn", unsafe.Offsetof(c.MayReturn), ctxMayReturn},
		{"Rounds", unsafe.Offsetof(c.Rounds), ctxRounds},
		{"Others", unsafe.Offsetof(c.Others), ctxOthers},
		{"RoundPC", unsafe.Offsetof(c.RoundPC), ctxRoundPC},
		{"Arrived", unsafe.Offsetof(c.Arrived), ctxArrived},
		{"Returned", unsafe.Offsetof(c.Returned), ctxReturned},
		{"Passed", unsafe.Offsetof(c.Passed), ctxPassed},
		{"Blocks", unsafe.Offsetof(c.Blocks), ctxBlocks},
		{"Start", unsafe.Offsetof(c.Start), ctxStart},
		{"Values", unsafe.Offsetof(c.Values), ctxValues},
		{"ValuesAt", unsafe.Offsetof(c.ValuesAt), ctxValuesAt},
		{"SpecialBytes", unsafe.Offsetof(c.SpecialBytes), ctxSpecialBytes},
		{"Specials", unsafe.Offsetof(c.Specials), ctxSpecials},
		{"Shared", unsafe.Offsetof(c.Shared), ctxShared},
		{"SharedBytes", unsafe.Offsetof(c.SharedBytes), ctxSharedBytes},
		{"Turn.Regs", unsafe.Offsetof(turn.Regs), turnRegs},
		{"Turn.Visible", unsafe.Offsetof(turn.Visible), turnVisible},
		{"Turn.Known", unsafe.Offsetof(turn.Known), turnKnown},
		{"Turn.At", unsafe.Offsetof(turn.At), turnAt},
		{"Turn.From", unsafe.Offsetof(turn.From), turnFrom},
		{"MaxSpecials", uintptr(vector.MaxSpecials), maxSpecials},
		{"BarrierZero", uintptr(vector.BarrierZero), barrierZero},
		{"Turn.PC", unsafe.Offsetof(turn.PC), turnPC},
		{"Turn.Noted", unsafe.Offsetof(turn.Noted), turnNoted},
		{"Turn.Taken", unsafe.Offsetof(turn.Taken), turnTaken},
		{"Turn's size", unsafe.Sizeof(turn), turnSz},
		{"D", unsafe.Offsetof(i.D), inD},
		{"A", unsafe.Offsetof(i.A), inA},
		{"B", unsafe.Offsetof(i.B), inB},
		{"C", unsafe.Offsetof(i.C), inC},
		{"E", unsafe.Offsetof(i.E), inE},
		{"Site", unsafe.Offsetof(i.Site), inSite},
		{"Count", unsafe.Offsetof(i.Count), inCount},
		{"PC", unsafe.Offsetof(i.PC), inPC},
		{"Target", unsafe.Offsetof(i.Target), inTarget},
		{"Other", unsafe.Offsetof(i.Other), inOther},
		{"Imm", unsafe.Offsetof(i.Imm), inImm},
		{"Inst", unsafe.Sizeof(i), inSz},
		{"Base", unsafe.Offsetof(s.Base), siteBase},
		{"Limit", unsafe.Offsetof(s.Limit), siteLimit},
		{"Ptr", unsafe.Offsetof(s.Ptr), sitePtr},
		{"Stride", unsafe.Offsetof(s.Stride), siteStride},
		{"Note.PC", unsafe.Offsetof(noted.PC), notePC},
		{"Note.Mask", unsafe.Offsetof(noted.Mask), noteMask},
		{"Note.Even", unsafe.Offsetof(noted.Even), noteEven},
		{"Note.Base", unsafe.Offsetof(noted.Base), noteBase},
		{"Note.Step", unsafe.Offsetof(noted.Step), noteStep},
		{"Note", unsafe.Sizeof(noted), noteSz},
		{"Row", unsafe.Sizeof(vector.Row{}), rowBytes},
		{"ExitNote", uintptr(vector.ExitNote), exitNote},
		{"ExitSlow", uintptr(vector.ExitSlow), exitSlow},
		{"ExitRest", uintptr(vector.ExitRest), exitRest},
		{"ExitCount", uintptr(vector.ExitCount), exitCount},
		{"ExitStop", uintptr(vector.ExitStop), exitStop},
		{"ExitBack", uintptr(vector.ExitBack), exitBack},
		{"ExitTurns", uintptr(vector.ExitTurns), exitTurns},
		{"ExitLimit", uintptr(vector.ExitLimit), exitLimit},
		{"Uncounted", uintptr(vector.Uncounted), uncounted},
		{"Counted", uintptr(vector.Counted), counted},
		{"MaxStep", vector.MaxStep, maxStep},
		{"WaitsNobody", uintptr(vector.WaitsNobody), waitsNobody},
		{"WaitsTaken", uintptr(vector.WaitsTaken), waitsTaken},
		{"WaitsOthers", uintptr(vector.WaitsOthers), waitsOthers},
	} {
		if f.got != uintptr(f.want) {
			t.Errorf("%s is %d, the assembly has %d", f.name, f.got, f.want)
		}
	}
}

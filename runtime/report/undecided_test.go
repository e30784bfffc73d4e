package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestUndecided: no format names threads of a pair that a static analysis could not decide, each has the reason, and
// what is decided comes first.
func TestUndecided(t *testing.T) {
	side := func(line int) Access {
		return Access{Access: "write", Instruction: "st.global.u32", PTX: Place{File: "k.ptx", Line: line}, Kernel: "k"}
	}
	open := &Race{Severity: Warning, Cause: "missing-barrier", Space: "global", First: side(1), Second: side(2), Possible: true, Reason: "a loaded value decides"}
	decided := &Race{Severity: Error, Cause: "missing-barrier", Space: "global", First: side(3), Second: side(4), Witness: &Witness{}}
	r := &Report{Tool: Tool{Name: "ptxsan"}, Detector: "hgrd", Races: []*Race{open, decided}, Proofs: []*Proof{{Kernel: "k"}}}
	r.Finish()
	if r.Races[0] != decided {
		t.Error("the undecided pair comes first")
	}
	lines := strings.Join(open.Lines(), "\n")
	if strings.Contains(lines, "(0,0,0)") || !strings.Contains(lines, "a thread that is not known: st.global.u32 at k.ptx:1") || !strings.Contains(lines, "Undecided: a loaded value decides") {
		t.Errorf("lines: %s", lines)
	}
	if strings.Contains(lines, "Fix:") || open.Hint != "" || open.Advice != nil {
		t.Errorf("an undecided pair has advice: %s", lines)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); strings.Contains(got, "Possible race") || !strings.Contains(got, "Undecided: 1 pair: a loaded value decides (--error-level warning lists them)") {
		t.Errorf("the kernel's line does not count its undecided pairs: %s", got)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), `"thread":`); got != 2 {
		t.Errorf("%d sides have a thread, want the two of the decided pair", got)
	}
	back, err := Read("r.json", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if actor := back.Races[1].First.Actor(); !strings.HasPrefix(actor, "a thread that is not known") {
		t.Errorf("read back: %s", actor)
	}
}

package html_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/formats/html"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestGroups: findings with one repair are one group, the list has a row for each repair (and the page one for the
// coverage), and the page says what ran, with threads written in one way.
func TestGroups(t *testing.T) {
	race := func(cause detect.Cause, line int) *report.Race {
		at := report.Access{Access: "write", PTX: report.Place{File: "k.ptx", Line: line}, Kernel: "k"}
		read := at
		read.Access = "read"
		return &report.Race{Kind: detect.InterKernel, Cause: cause, Space: "global", Symbol: "data", Size: 4, First: at, Second: read}
	}
	r := &report.Report{
		Races:    []*report.Race{race(detect.MissingStreamOrder, 3), race(detect.MissingStreamOrder, 5), race(detect.NotReadOnly, 7)},
		Faults:   []*report.FaultEvent{{Class: "trap", Kernel: "k", Thread: [3]uint32{1, 2, 3}}},
		Proofs:   []*report.Proof{}, // repairs are those of the causes
		Coverage: []*report.Coverage{{Kernel: "k", Launched: report.AddShape(report.AddShape(nil, [3]uint32{4, 1, 1}, [3]uint32{64, 1, 1}), [3]uint32{4, 1, 1}, [3]uint32{64, 1, 1})}},
	}
	r.Finish()
	var b bytes.Buffer
	if err := html.Write(&b, r, report.TextOptions{Command: "ptxsan check 'a b.ptx'", Date: "2026-01-02 03:04 UTC"}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for want, times := range map[string]int{
		"<h2>2 findings: ": 1, "<tr><td>": 3, "<article id=": 3, `class="missing"`: 3, "causes/missing-stream-order.md": 2, "causes/not-read-only.md": 1,
		"grid (4,1,1), block (64,1,1), 2 launches": 1, "ptxsan check &#39;a b.ptx&#39;": 1, "2026-01-02 03:04 UTC": 1, "thread (1,2,3) in block (0,0,0)": 1, "[1 2 3]": 0,
	} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%d times %q, expected %d", got, want, times)
		}
	}
}

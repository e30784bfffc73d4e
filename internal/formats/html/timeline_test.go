package html_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/formats/html"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestTimeline: the rows are those of the warps, in time; the accesses of a race are marked and joined, and its line
// leads to the finding.
func TestTimeline(t *testing.T) {
	at := func(line int) report.Access {
		return report.Access{PTX: report.Place{File: "k.ptx", Line: line}, Kernel: "k"}
	}
	r := &report.Report{Races: []*report.Race{{Kind: detect.InterBlock, Cause: detect.MissingFence, Space: "global", First: at(3), Second: at(5)}}}
	lane := func(launch string, block, warp uint32, spans ...report.Span) *report.Lane {
		return &report.Lane{Launch: launch, Block: [3]uint32{block}, Warp: warp, Code: spans}
	}
	r.Timeline = &report.Timeline{
		Steps: 60, From: 11, To: 51,
		Lanes: []*report.Lane{lane("k #1", 0, 0, report.Span{From: 11, To: 21, What: "k.ptx:3"}), lane("k #1", 1, 2, report.Span{From: 21, To: 31, What: "k.ptx:5"}), lane("k #2", 0, 0, report.Span{From: 31, To: 51, What: "k.ptx:3"})},
		Races: []report.TimedRace{{Name: "r", Ends: [2]report.TimedAccess{{Lane: 0, At: 12, Place: "k.ptx:3"}, {Lane: 1, At: 24, Place: "k.ptx:5"}}}},
		Left:  []string{"10 earlier moments"},
	}
	page := pageWith(t, r)
	for want, times := range map[string]int{
		"steps 11 to 50 of 60": 1, "Left out: 10 earlier moments.": 1, `viewBox="11 0 40 44"`: 1, `viewBox="11 0 40 22"`: 1, "<h4 class=\"mono\">k #2</h4>": 1,
		`x="11" y="0" width="10"`: 1, `x="21" y="22" width="10"`: 1, "block (1,0,0) warp 2</div>": 1,
		`class="missing" x1="12.5" y1="11" x2="24.5" y2="33"`: 1, `class="end t1" x1="12.5" y1="0"`: 1, `class="end t2" x1="24.5" y1="22"`: 1,
		fmt.Sprintf(`<a href="#%s">r</a>`, r.Races[0].ID): 1, "k.ptx:5 in step 24</span> by block (1,0,0) warp 2 of k #1": 1,
	} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%d times %q, expected %d", got, want, times)
		}
	}
}

// TestTimelineBounded: of many warps and spans a part is drawn, which has those of the race, and the page says how many
// are not.
func TestTimelineBounded(t *testing.T) {
	tl := &report.Timeline{Steps: 40_000, From: 1, To: 40_001}
	for i := range uint32(50) {
		l := &report.Lane{Launch: "k #1", Warp: i}
		for j := range uint64(800) {
			l.Code = append(l.Code, report.Span{From: 1 + 50*j + uint64(i), To: 2 + 50*j + uint64(i), What: fmt.Sprint("k.cu:", j)})
		}
		tl.Lanes = append(tl.Lanes, l)
	}
	tl.Races = []report.TimedRace{{Name: "r", Ends: [2]report.TimedAccess{{Lane: 3, At: 3}, {Lane: 49, At: 49}}}}
	page := pageWith(t, &report.Report{Timeline: tl})
	if n := strings.Count(page, "<rect"); n > 32*401 || n < 32*300 {
		t.Errorf("%d spans are drawn", n)
	}
	if n := strings.Count(page, "warp "); !strings.Contains(page, "warp 49</div>") || !strings.Contains(page, "warp 30</div>") || strings.Contains(page, "warp 31</div>") {
		t.Errorf("other rows are drawn, %d", n)
	}
	if !regexp.MustCompile(`Left out: 18 further warps; 1[0-9]{4} short spans of code`).MatchString(page) {
		t.Error("the page does not say what is left out")
	}
}

func pageWith(t *testing.T, r *report.Report) string {
	t.Helper()
	r.Finish()
	var b bytes.Buffer
	if err := html.Write(&b, r, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

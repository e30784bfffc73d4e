// Answers: three verdicts, what they are about, and why one is not decided.

package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Verdicts of answers.
const (
	Racy       = "racy"
	Clean      = "clean"
	NotDecided = "not-decided"
)

// Answer is the result of check, explore, fix and analyze.
type Answer struct {
	Verdict string   `json:"verdict" jsonschema:"racy, clean or not-decided; of the given PTX, not of a repair"`
	Reasons []string `json:"reasons,omitempty" jsonschema:"what was not checked, and other reasons why the verdict is not clean"`
	Tool    string   `json:"tool"`
	Version string   `json:"version" jsonschema:"version of ptxsan"`
	PTX     string   `json:"ptx_sha256,omitempty" jsonschema:"SHA-256 of the checked PTX"`
	Launch  string   `json:"launch_sha256,omitempty" jsonschema:"SHA-256 of the launch file"`
	Guessed string   `json:"guessed_launch,omitempty" jsonschema:"the launch file that was made since none was given, to start from"`
	Report  any      `json:"report,omitempty" jsonschema:"the report of ptxsan: races, faults, what was watched"`
	Control *Control `json:"self_test,omitempty" jsonschema:"the positive control"`
	Repair  *Repair  `json:"repair,omitempty"`

	racy, complete bool // a race was found; all was checked
}

// Repair is the result of fix.
type Repair struct {
	Mended   bool   `json:"mended" jsonschema:"the repair leaves no race and no fault"`
	Why      string `json:"why,omitempty" jsonschema:"why there is no repair, or what it leaves"`
	Edits    string `json:"edits,omitempty" jsonschema:"the edits by lines of the source, and how they were verified"`
	Patch    string `json:"patch,omitempty" jsonschema:"unified diff of the PTX"`
	PTX      string `json:"ptx,omitempty" jsonschema:"the mended PTX"`
	Hash     string `json:"ptx_sha256,omitempty" jsonschema:"SHA-256 of the mended PTX"`
	Launches string `json:"launches,omitempty" jsonschema:"how launches have to change"`
}

func newAnswer(tool string) *Answer {
	return &Answer{Verdict: NotDecided, Tool: tool, Version: session.Version}
}

// leave adds a reason why the answer is not decided.
func (a *Answer) leave(format string, args ...any) {
	if why := fmt.Sprintf(format, args...); !slices.Contains(a.Reasons, why) {
		a.Reasons = append(a.Reasons, why)
	}
}

// settle sets the verdict. Without a race, it is clean only if a check was complete and nothing was left out.
func (a *Answer) settle() {
	switch {
	case a.racy:
		a.Verdict = Racy
	case a.complete && len(a.Reasons) == 0:
		a.Verdict = Clean
	case len(a.Reasons) == 0:
		a.leave("nothing was checked")
	}
}

// take puts a finished report into the answer, with what it leaves undecided.
func (a *Answer) take(rep *report.Report) {
	a.Report, a.complete = documentOf(rep), true
	a.racy = rep.Count(report.Error) > len(severe(rep.Faults))
	for _, f := range severe(rep.Faults) {
		a.leave("fault: %s: %s at %s:%d", f.Class, f.Message, f.PTX.File, f.PTX.Line)
	}
	if n := len(rep.Races) - (rep.Count(report.Error) - len(severe(rep.Faults))); n > 0 {
		a.leave("%d findings are warnings or remarks: see the report", n)
	}
	for _, note := range rep.CoverageNotes() {
		a.leave("%s", note)
	}
	for _, note := range rep.Notes {
		if why, ok := strings.CutPrefix(note, report.Unchecked); ok {
			a.leave("not checked: %s", why)
		}
	}
	for _, e := range rep.Expect {
		if !e.OK {
			a.leave("the launch file expects %s: %s, got %s", e.What, e.Want, e.Got)
		}
	}
	if rep.Stats.Dropped > 0 {
		a.leave("%d records of the detector were lost", rep.Stats.Dropped)
	}
	if x := rep.Exploration; x != nil && x.Ended != "" {
		a.leave("not all schedules were run: %s", x.Ended)
	}
	if rep.Verdict == report.Unknown {
		a.leave("the report is undecided")
	}
}

// documentOf returns a report as JSON.
func documentOf(rep *report.Report) json.RawMessage {
	var text bytes.Buffer
	if err := rep.WriteJSON(&text); err != nil {
		panic(err) // a buffer takes all
	}
	return text.Bytes()
}

// severe returns the faults that count as errors.
func severe(faults []*report.FaultEvent) (list []*report.FaultEvent) {
	for _, f := range faults {
		if f.Severity == report.Error {
			list = append(list, f)
		}
	}
	return list
}

// hash returns the SHA-256 of a text.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

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

// Answer is the result of check, explore, fix, sync and analyze, in at most MaxAnswer bytes.
type Answer struct {
	Verdict  string     `json:"verdict"`           // of the given PTX, not of a repair
	Reasons  []string   `json:"reasons,omitempty"` // what was not checked, and other reasons why the verdict is not clean
	Findings []*Finding `json:"findings,omitempty"`
	Proofs   []string   `json:"proofs,omitempty"` // of analyze: one for each kernel and launch
	Repair   *Repair    `json:"repair,omitempty"`
	Sync     []string   `json:"sync,omitempty"`     // of sync: one for each synchronisation
	Changes  *Changes   `json:"changes,omitempty"`  // of sync: what can go together, nil for nothing
	Left     []string   `json:"left_out,omitempty"` // what the report has and the answer has not
	Tool     string     `json:"tool"`
	Version  string     `json:"version"`                  // of ptxsan
	PTX      string     `json:"ptx_sha256,omitempty"`     // of the checked PTX
	Launch   string     `json:"launch_sha256,omitempty"`  // of the launch file
	Guessed  string     `json:"guessed_launch,omitempty"` // address of the launch file that was made since none was given
	Report   string     `json:"report,omitempty"`         // address of the whole report
	Control  *Control   `json:"self_test,omitempty"`      // the positive control

	racy, complete bool // a race was found; all was checked
}

// Finding is a race or a fault.
type Finding struct {
	ID       string `json:"id,omitempty"`
	Severity string `json:"severity"`
	What     string `json:"what"` // the cause of a race, or the class of a fault
	Kernel   string `json:"kernel"`
	Where    string `json:"where,omitempty"` // the memory
	First    string `json:"first"`           // access, place, thread
	Second   string `json:"second,omitempty"`
	Missing  string `json:"missing,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// Repair is the result of fix.
type Repair struct {
	Mended   bool   `json:"mended"`               // the repair leaves no race and no fault
	Why      string `json:"why,omitempty"`        // why there is no repair, or what it leaves
	Edits    string `json:"edits,omitempty"`      // the edits by lines of the source, and how they were verified
	Patch    string `json:"patch,omitempty"`      // unified diff of the PTX, or its address if it is long
	PTX      string `json:"ptx,omitempty"`        // address of the mended PTX
	Hash     string `json:"ptx_sha256,omitempty"` // of the mended PTX
	Launches string `json:"launches,omitempty"`   // how launches have to change
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
func (c *call) take(rep *report.Report) {
	a := c.Answer
	rep.Await("none is known yet: the tool fix looks for one")
	a.Report, a.complete = c.documents.keep("report", documentOf(rep)), true
	a.racy = rep.Count(report.Error) > len(severe(rep.Faults))
	a.Findings = findingsOf(rep)
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

// findingsOf returns the races and faults of a report, errors first.
func findingsOf(rep *report.Report) (list []*Finding) {
	for _, x := range rep.Races {
		f := &Finding{
			ID: x.ID, Severity: x.Severity, What: string(x.Cause), Kernel: report.Demangle(x.Kernel()),
			First: side(&x.First), Second: side(&x.Second),
			Where: strings.TrimSpace(x.Symbol + " in " + x.Space + " memory, " + string(x.Kind)), Missing: x.Missing,
			Fix: x.Hint,
		}
		list = append(list, f)
	}
	for _, x := range rep.Faults {
		at := fmt.Sprintf("%s at %s by thread %v of block %v", x.Message, x.At(), x.Thread, x.Block)
		list = append(list, &Finding{Severity: x.Severity, What: x.Class, Kernel: report.Demangle(x.Kernel), First: at})
	}
	rank := []string{report.Error, report.Warning, report.Info}
	slices.SortStableFunc(list, func(f, g *Finding) int {
		return slices.Index(rank, f.Severity) - slices.Index(rank,
			g.Severity)
	})
	return list
}

// side describes an access.
func side(a *report.Access) string {
	text := fmt.Sprintf("%s at %s, %s at %s:%d", a.Access, a.At(), a.Instruction, a.PTX.File, a.PTX.Line)
	if a.Operation != "" {
		return text + ", " + a.Operation
	}
	return fmt.Sprintf("%s, thread %v of block %v", text, a.Thread, a.Block)
}

// documentOf returns a report as JSON.
func documentOf(rep *report.Report) []byte {
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

// MaxAnswer limits an answer in bytes, so that it takes no more than its place in the context of a client's model.
const MaxAnswer = 16 << 10

// Limits of the parts of an answer.
const (
	mostReasons  = 8
	mostFindings = 8
	mostText     = 600     // bytes of a text
	mostEdits    = 2 << 10 // bytes of Repair.Edits
	mostPatch    = 4 << 10 // bytes of a patch that is no document of its own
	room         = 1 << 10 // of MaxAnswer, for what the protocol adds
)

// text returns the answer as JSON of at most MaxAnswer bytes. What does not fit is counted in Left.
func (a *Answer) text() string {
	short := *a
	short.Reasons = short.cut("reasons", a.Reasons, mostReasons)
	short.Proofs = short.cut("proofs", a.Proofs, mostReasons)
	short.Sync, short.Changes = short.cut("answers", a.Sync, mostSyncs), a.Changes.cut(&short)
	if a.Control != nil {
		control := *a.Control
		control.Planted = short.cut("planted races", control.Planted, mostReasons)
		short.Control = &control
	}
	short.Findings = nil
	for _, f := range a.Findings[:min(len(a.Findings), mostFindings)] {
		short.Findings = append(short.Findings, f.cut())
	}
	left := short.Left
	for {
		if n := len(a.Findings) - len(short.Findings); n > 0 {
			short.Left = append(slices.Clip(left), fmt.Sprintf("%d more findings: see the report", n))
		}
		text := encoded(&short)
		if len(text) <= MaxAnswer-room || len(short.Findings) == 0 {
			return text
		}
		short.Findings = short.Findings[:len(short.Findings)-1]
	}
}

// cut returns the first n texts of a list, cut, and counts the others in Left.
func (a *Answer) cut(what string, list []string, n int) (cut []string) {
	for _, text := range list[:min(n, len(list))] {
		cut = append(cut, shortened(text, mostText))
	}
	if more := len(list) - n; more > 0 {
		a.Left = append(slices.Clip(a.Left), fmt.Sprintf("%d more %s: see the report", more, what))
	}
	return cut
}

func (f *Finding) cut() *Finding {
	short := *f
	for _, text := range []*string{
		&short.Kernel, &short.Where, &short.First, &short.Second, &short.Missing,
		&short.Fix,
	} {
		*text = shortened(*text, mostText)
	}
	return &short
}

// shortened returns a text of at most n bytes, which ends at a whole character.
func shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// encoded returns a value as JSON.
func encoded(value any) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // values of this package have no other fields than texts, numbers and truth values
	}
	return strings.TrimSuffix(text.String(), "\n")
}

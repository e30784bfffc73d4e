// Results as text and JSON.

package fix

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/rewrite/diff"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Diff returns the repair as a patch of the PTX, "" when there is none.
func (r *Result) Diff() string {
	old := r.Original.AST.File
	return diff.Patch(old.Name, string(old.Src), string(r.Module.AST.File.Src))
}

// WriteText writes the races, the edits and how they were verified, for people.
func (r *Result) WriteText(w io.Writer) error {
	for _, x := range r.Races {
		if _, err := fmt.Fprintf(w, "race: %s: %s and %s: %s on %s\n", x.Kind, trial.Place(&x.First), trial.Place(&x.Second),
			x.Cause, x.Object()); err != nil {
			return err
		}
	}
	for _, x := range r.Weak {
		if _, err := fmt.Fprintf(w, "weak outcome: %s\n", x.Message); err != nil {
			return err
		}
	}
	if !r.Mended() {
		_, err := fmt.Fprintln(w, r.unmended())
		return err
	}
	for _, e := range r.Edits {
		for _, c := range e.Changes {
			if _, err := fmt.Fprintf(w, "repair: %s: %s\n", r.changePlace(&c), r.describe(e, &c)); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, r.Launches()+r.Verified.text())
	return err
}

// Launches says which launches the repair changes, "" for none.
func (r *Result) Launches() (text string) {
	for _, k := range repair.Cooperative(r.Edits) {
		text += fmt.Sprintf("repair: launches of %s become cooperative: cudaLaunchCooperativeKernel, or cooperative: true in a launch file; all blocks must fit on the device at once\n", k.Name)
	}
	for _, k := range repair.Halved(r.Edits) {
		text += fmt.Sprintf("repair: each launch of %s is followed by one of %s (in the PTX %s), with the same arguments\n", trial.BaseName(k.Name), trial.BaseName(k.Name)+repair.Rest, trial.SecondKernel(r.Module, k).Name)
	}
	return text
}

// text says how a repair was verified, and what it leaves.
func (v *Verified) text() string {
	text := fmt.Sprintf("verified: no race and no new fault under %s, and under %d with strict checks of synchronisation and late copies; results: %s\n", v.schedules(), v.Strict, v.Results)
	switch {
	case v.Remaining != "":
	case len(v.Blocks) > 0:
		text += fmt.Sprintf("verified: the same with blocks of other sizes: %s threads\n", words(v.Blocks))
	default:
		text += "not verified: blocks of other sizes: the launches fit none\n"
	}
	if v.Weak != "" && v.WeakLeft == "" {
		text += "verified: weak outcomes: " + v.Weak + "\n"
	}
	text += v.left()
	if v.Proof != "" {
		text += fmt.Sprintf("proved: no race in %s, under any schedule\n", v.Proof)
	}
	return text
}

// schedules says under which schedules a repair was verified.
func (v *Verified) schedules() string {
	if v.Every {
		return "every schedule, which one run stands for (docs/holds.md)"
	}
	return fmt.Sprintf("%d schedules (%s)", v.Schedules, v.Search)
}

// left says what a repair leaves.
func (v *Verified) left() (text string) {
	if v.Remaining != "" {
		text += "not mended: a race remains with " + v.Remaining + "\n"
	}
	if v.WeakLeft != "" {
		text += "not mended: a weak outcome: " + v.WeakLeft + "\n"
	}
	for _, other := range v.Others {
		text += "note: a race that these launches do not have: " + other + "\n"
	}
	if v.Fault != "" {
		text += "not mended: the original's fault: " + v.Fault + "\n"
	}
	return text
}

// words lists numbers as text.
func words(list []uint32) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// unmended says why there is no repair.
func (r *Result) unmended() string {
	switch {
	case r.Undecided != "":
		return "not decided: " + r.Undecided
	case r.Complete():
		return "nothing to mend: " + r.Why
	}
	return "not mended: " + r.Why
}

// describe describes a change in CUDA C++ and in PTX.
func (r *Result) describe(e *repair.Edit, c *repair.Change) string {
	switch c.Place {
	case repair.Before, repair.After:
		return fmt.Sprintf("%s %s this line (PTX line %d: %s)", e.Advice, r.spotOf(c).Place, c.At.Line, oneLine(c.Text))
	case repair.Cut:
		return fmt.Sprintf("%s begins before this line (PTX line %d: %s)", e.Advice, c.At.Line, c.At.Text())
	case repair.Strengthen:
		return fmt.Sprintf("%s (PTX line %d: %s to %s)", e.Advice, c.At.Line, session.OpcodeText(c.At), c.Opcode())
	}
	text := oneLine(c.Text)
	if text == "" {
		text = "nothing"
	}
	return fmt.Sprintf("%s (PTX line %d: %s to %s)", e.Advice, c.At.Line, c.At.Text(), text)
}

// oneLine joins the lines of a text, of a long one only the first.
func oneLine(text string) string {
	const most = 8
	if first, rest, _ := strings.Cut(text, "\n"); strings.Count(rest, "\n") > most {
		return fmt.Sprintf("%s and %d more lines", first, strings.Count(rest, "\n")+1)
	}
	out := []byte(text)
	for i, b := range out {
		if b == '\n' {
			out[i] = ' '
		}
	}
	return string(out)
}

// document is a result in JSON.
type document struct {
	Schema   int          `json:"schema"`
	Tool     report.Tool  `json:"tool"`
	Mended   bool         `json:"mended"`
	Why      string       `json:"why,omitempty"`
	Races    []string     `json:"races"`                   // identities, as in reports
	Weak     []string     `json:"weak_outcomes,omitempty"` // in words
	Cost     int          `json:"cost"`
	Attempts int          `json:"attempts"`
	Verified *Verified    `json:"verified,omitempty"`
	Edits    []editRecord `json:"edits"`
	Patch    string       `json:"patch,omitempty"` // unified diff of the PTX
	// Source is the repair in CUDA source, if one was to be edited and has all edits.
	Source *report.Patch `json:"source,omitempty"`
}

// editRecord is an edit in JSON.
type editRecord struct {
	Op      repair.Op       `json:"op"`
	Cost    int             `json:"cost"`
	Advice  string          `json:"advice"`
	Changes []report.Change `json:"changes"`
}

// WriteJSON writes the result as one JSON document, with the patch of a source unless that is nil.
func (r *Result) WriteJSON(w io.Writer, source *SourceFix) error {
	d := document{
		Schema: 1, Tool: report.Tool{Name: "ptxsan", Version: session.Version}, Mended: r.Mended() ||
			r.revised != nil, Why: r.Why,
		Races: []string{}, Cost: r.Cost, Attempts: r.Attempts, Edits: []editRecord{},
	}
	for _, x := range r.Races {
		d.Races = append(d.Races, x.ID)
	}
	for _, x := range r.Weak {
		d.Weak = append(d.Weak, x.Message)
	}
	if source != nil {
		d.Source = source.ForReport(r)
	}
	if r.Mended() {
		d.Verified, d.Patch = &r.Verified, r.Diff()
	} else if r.Undecided != "" {
		d.Why = r.unmended()
	}
	for _, e := range r.Edits {
		d.Edits = append(d.Edits, r.recordOf(e))
	}
	enc := json.NewEncoder(output.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&d)
}

func (r *Result) recordOf(e *repair.Edit) editRecord {
	return editRecord{Op: e.Op, Cost: e.Cost, Advice: e.Advice, Changes: r.changesOf(e.Changes)}
}

// changesOf returns changes as edits of the PTX.
func (r *Result) changesOf(changes []repair.Change) (list []report.Change) {
	for _, c := range changes {
		place := c.Place
		if place == repair.Strengthen {
			place = repair.Instead
		}
		list = append(list, report.Change{
			PTX:    report.Place{File: c.At.Func.Module.AST.File.Name, Line: c.At.Line},
			Source: r.spotOf(&c).Line, Function: c.At.Func.Name, Place: string(place), Old: c.At.Text() + ";",
			New: c.Statements(),
		})
	}
	return list
}

// Form selects the parts of a result to write.
type Form struct {
	Name   string     // text, json or sarif
	Patch  bool       // only the patch of the PTX
	Source *SourceFix // only the patch of the CUDA source
	Brief  bool       // after a report: no patch that is wrong or not decided, and without a repair only why there is none
}

// FormNames are the names of forms.
var FormNames = []string{"text", "json", "sarif"}

// Write writes the result: as JSON or SARIF, as a patch alone, or as text with the patch of the PTX.
func (r *Result) Write(w io.Writer, f Form) error {
	patch := r.Diff()
	switch {
	case f.Name == "json":
		return r.WriteJSON(w, f.Source)
	case f.Name == "sarif":
		return r.WriteSARIF(w, f.Source)
	case f.Brief && f.Source != nil && f.Source.Verdict == Wrong:
		patch = fmt.Sprintf("no patch of %s: %s\n", f.Source.Name, f.Source.Why)
	case f.Brief && f.Source != nil && f.Source.Verdict == NotDecided:
		patch = fmt.Sprintf("no patch of %s: %s\n", f.Source.Name, f.Source.Check())
	case f.Source != nil && !r.Mended() && r.revised == nil:
		patch = r.unmended() + "\n"
	case f.Source != nil:
		patch = r.Launches() + r.Verified.left() + f.Source.Check() + "\n" + f.Source.Patch() // patch(1) ignores text before a patch
		for _, e := range f.Source.Left {
			c := &e.Changes[len(e.Changes)-1]
			what := "not in this patch"
			if f.Source.Verdict == Checked {
				what = "not needed in the source"
			}
			patch = fmt.Sprintf("%s: %s: %s\n", what, r.changePlace(c), r.describe(e, c)) + patch
		}
	case f.Brief:
		patch = r.unmended() + "\n"
	case !f.Patch:
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, patch)
	return err
}

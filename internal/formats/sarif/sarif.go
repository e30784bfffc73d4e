// Package sarif writes reports in the form that code-scanning pages read: the Static Analysis
// Results Interchange Format, SARIF 2.1.0 (OASIS standard, 2020, with errata 01).
//
// A race is one result with both accesses as locations, a flow through the two threads, and the
// identity of the race as its fingerprint; a fault is a result, too. It must not know who made the
// report, nor where the output goes.
package sarif

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Fingerprint is the name under which results of races have report.Race.ID as a fingerprint.
const Fingerprint = "ptxsan/race/v2"

// Write writes a report, after report.Report.Finish, as one SARIF log with one run. Its patch is the fix of its races.
func Write(w io.Writer, r *report.Report) error {
	log := logOf(r)
	if r.Patch != nil {
		fixOf(r.Patch).addTo(log, r)
	}
	return log.write(output.JSON(w))
}

func (l *sarifLog) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(l)
}

// logOf returns the log of a report.
func logOf(r *report.Report) *sarifLog {
	d := &driver{Name: r.Tool.Name, Version: r.Tool.Version}
	for _, rule := range rules {
		d.add(rule)
	}
	list := []*result{} // never null
	for _, x := range r.Races {
		of := race(d, x)
		if r.Baseline != nil {
			of.BaselineState = "new"
		}
		list = append(list, of)
	}
	list = append(list, known(d, r)...)
	for _, f := range r.Faults {
		list = append(list, fault(d, f))
	}
	list = append(list, changeable(d, r)...)
	run := &logRun{Tool: tool{d}, ColumnKind: "unicodeCodePoints", Results: list, Invocations: []invocation{ended(r)}}
	if claims := r.Standing(); claims != nil {
		run.Properties = &properties{r.Weakest(), claims, r.Depends}
	}
	return &sarifLog{Schema: schemaURI, Version: version, Runs: []*logRun{run}}
}

// known returns the results of races that do not count: those of the baseline, and suppressed ones.
func known(d *driver, r *report.Report) (list []*result) {
	in := func(state string, races []*report.Race) {
		for _, x := range races {
			of := race(d, x)
			of.BaselineState = state
			list = append(list, of)
		}
	}
	if b := r.Baseline; b != nil {
		in("unchanged", b.Same)
		in("absent", b.Gone)
	}
	for _, x := range r.Suppressed {
		of := race(d, x)
		for _, by := range x.Suppressed {
			of.Suppressions = append(of.Suppressions, suppression{Kind: "external", Justification: by})
		}
		list = append(list, of)
	}
	return list
}

// ended returns the end of the run, with the notes of the report.
func ended(r *report.Report) invocation {
	end := invocation{Successful: true}
	say := func(level string, notes []string) {
		for _, note := range notes {
			end.Notifications = append(end.Notifications, notification{Level: level, Message: message{note}})
		}
	}
	say(levelWarning, append(r.CoverageNotes(), r.Notes...))
	say(levelNote, r.ProofNotes())
	say(levelNote, r.ClaimLines(report.Demangle))
	return end
}

// add adds a rule to the tool's unless it has the rule, and returns its index there.
func (d *driver) add(r rule) int {
	if i := slices.IndexFunc(d.Rules, func(have *descriptor) bool { return have.ID == r.id }); i >= 0 {
		return i
	}
	d.Rules = append(d.Rules, &descriptor{
		ID: r.id, Name: r.id, Short: message{r.short}, Full: message{r.short + " " + r.help},
		Help:    message{cmp.Or(r.help, r.short)},
		HelpURI: docs.CauseAddress(r.id), Default: configuration{levelError},
	})
	return len(d.Rules) - 1
}

// levels gives the level for each severity.
var levels = map[string]string{report.Error: levelError, report.Warning: levelWarning, report.Info: levelNote}

// race returns the result of a race.
func race(d *driver, x *report.Race) *result {
	name := x.Symbol
	if name == "" {
		name = x.Address.String()
	}
	text := fmt.Sprintf("Data race (%s) on %s memory %s: %s at %s and %s at %s.",
		x.Kind, x.Space, name, x.First.Access, x.First.At(), x.Second.Access, x.Second.At())
	if !x.Possible {
		text += fmt.Sprintf(" Missing: %s. Fix: %s.", x.Missing, x.Hint)
	}
	if x.Reason != "" {
		text += " Undecided: " + x.Reason + "."
	}
	if x.Replay != "" {
		text += " Replay: " + x.Replay
	}
	second, prints := accessOf(&x.Second), map[string]string{Fingerprint: x.ID}
	second.ID = 1
	return &result{
		RuleID: string(x.Cause), RuleIndex: d.add(rule{id: string(x.Cause), short: "A data race."}),
		Level: levels[x.Severity], Message: message{text},
		Locations: []*location{accessOf(&x.First)}, RelatedLocations: []*location{second},
		CodeFlows:    []codeFlow{flow(x)},
		Fingerprints: prints, PartialFingerprints: prints, OccurrenceCount: int(min(max(x.Count, 1), 1<<31-1)),
	}
}

// callRules are the rules of faults of calls in host code.
var callRules = map[string]string{
	report.LeakClass:          "The application ended without freeing memory of the device.",
	report.APIClass:           "A call of CUDA's APIs failed.",
	report.HostMemory:         "The application was ended for want of host memory.",
	"deadlock":                "An operation waits for others that never begin.",
	report.CollectiveMismatch: "Ranks of a communicator asked for different operations.",
	report.Uninitialised:      "Memory that nothing has written was used.",
	report.AsyncRegister:      "A register of an asynchronous operation was used before a wait, or without a fence.",
}

// fault returns the result of a fault.
func fault(d *driver, f *report.FaultEvent) *result {
	if f.OfCall() {
		return &result{
			RuleID: f.Class, RuleIndex: d.add(rule{id: f.Class, short: callRules[f.Class]}), Level: levels[f.Severity],
			Message:   message{f.Headline() + ". " + strings.Join(f.Lines(), " ")},
			Locations: []*location{place(f.Source, f.PTX, "", "")},
		}
	}
	text := fmt.Sprintf("%s: %s, by %s of kernel %s.", f.Class, f.Message, f.Actor(), report.Demangle(f.Kernel))
	if f.Hint != "" {
		text += " Fix: " + f.Hint + "."
	}
	if f.Replay != "" {
		text += " Replay: " + f.Replay
	}
	short := "The kernel faulted: a GPU would stop it, or never finish it." // a weak outcome has a rule already
	return &result{
		RuleID: f.Class, RuleIndex: d.add(rule{id: f.Class, short: short}), Level: levels[f.Severity],
		Message:   message{text},
		Locations: []*location{place(f.Source, f.PTX, f.Kernel, "")},
	}
}

// changeable returns a note for each synchronisation that can go, or for which a weaker one will do.
func changeable(d *driver, r *report.Report) (list []*result) {
	for i := range r.Sync {
		s := &r.Sync[i]
		if !s.Changeable() {
			continue
		}
		id := "synchronisation-" + string(s.Verdict)
		index := d.add(rule{id: id, short: "A synchronisation can go, or a weaker one will do."})
		d.Rules[index].HelpURI, d.Rules[index].Default.Level = docs.PageAddress("sync.md"), levelNote
		text := strings.Join(append([]string{s.Instruction + ": " + s.Headline()}, s.Details()...), ". ") + "."
		list = append(list, &result{
			RuleID: id, RuleIndex: index, Level: levelNote, Message: message{text},
			Locations: []*location{place(s.Source, s.PTX, s.Kernel, "")},
		})
	}
	return list
}

// accessOf returns the place of an access, with the thread that makes it.
func accessOf(a *report.Access) *location {
	return place(a.Source, a.PTX, a.Kernel, a.Access+" by "+a.Actor())
}

// flow returns the steps of the two threads: of the first one from its access on, and of the second one up to its
// access, as far as they are known.
func flow(x *report.Race) codeFlow {
	order := 0
	step := func(at *location) flowLocation {
		order++
		return flowLocation{order, at}
	}
	first, second := threadFlow{ID: "first"}, threadFlow{ID: "second"}
	first.Locations = append(first.Locations, step(accessOf(&x.First)))
	for _, o := range []*report.Operation{x.Fence, x.Publish} {
		if o != nil {
			first.Locations = append(first.Locations, step(place(o.Source, o.PTX, x.First.Kernel, o.Instruction)))
		}
	}
	if o := x.Observe; o != nil {
		second.Locations = append(second.Locations, step(place(o.Source, o.PTX, x.Second.Kernel, o.Instruction)))
	}
	second.Locations = append(second.Locations, step(accessOf(&x.Second)))
	return codeFlow{[]threadFlow{first, second}}
}

// place returns a place in the user's own source, or in the PTX if that is unknown.
func place(s *report.Source, p report.Place, kernel, text string) *location {
	file, line, column := p.File, p.Line, 0
	if s != nil {
		own := s.Own()
		file, line, column = own.File, own.Line, own.Column
	}
	at := &location{}
	if kernel != "" {
		at.Logical = []logicalLocation{{Name: report.Demangle(kernel), Decorated: kernel, Kind: "function"}}
	}
	if text != "" {
		at.Message = &message{text}
	}
	if file == "" {
		return at
	}
	at.Physical = &physicalLocation{Artifact: artifact{address(file)}}
	if line > 0 {
		at.Physical.Region = &region{StartLine: line, StartColumn: column}
	}
	return at
}

// address returns the URI of a file: relative if its name is, else with scheme file.
func address(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	u := url.URL{Path: path.Clean(file)}
	switch {
	case strings.HasPrefix(file, "/"):
		u.Scheme = "file"
	case len(file) > 2 && file[1] == ':' && file[2] == '/':
		u.Scheme, u.Path = "file", "/"+file
	}
	return u.String()
}

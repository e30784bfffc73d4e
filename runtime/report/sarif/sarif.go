// Package sarif writes reports in the form that code-scanning pages read: the Static Analysis
// Results Interchange Format, SARIF 2.1.0 (OASIS standard, 2020, with errata 01).
//
// A race is one result with both accesses as locations, a flow through the two threads, and the
// identity of the race as its fingerprint; a fault is a result, too. It must not know who made the
// report, nor where the output goes.
package sarif

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	sarif "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ptxsan/ptxsan/docs/causes"
	"github.com/ptxsan/ptxsan/runtime/output"
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
	return log.PrettyWrite(output.JSON(w))
}

// logOf returns the log of a report.
func logOf(r *report.Report) *sarif.Report {
	driver := sarif.NewToolComponent().WithName(r.Tool.Name).WithVersion(r.Tool.Version)
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver)).WithColumnKind("unicodeCodePoints")
	for _, rule := range rules {
		add(driver, rule)
	}
	for _, x := range r.Races {
		result := race(driver, x)
		if r.Baseline != nil {
			result.WithBaselineState("new")
		}
		run.AddResult(result)
	}
	if b := r.Baseline; b != nil {
		for _, x := range b.Same {
			run.AddResult(race(driver, x).WithBaselineState("unchanged"))
		}
		for _, x := range b.Gone {
			run.AddResult(race(driver, x).WithBaselineState("absent"))
		}
	}
	for _, x := range r.Suppressed {
		s := race(driver, x)
		for _, by := range x.Suppressed {
			s.AddSuppression(sarif.NewSuppression().WithKind("external").WithJustification(by))
		}
		run.AddResult(s)
	}
	for _, f := range r.Faults {
		run.AddResult(fault(driver, f))
	}
	ended := sarif.NewInvocation().WithExecutionSuccessful(true)
	for _, note := range append(r.CoverageNotes(), r.Notes...) {
		ended.AddToolExecutionNotification(sarif.NewNotification().WithLevel(sarif.LevelWarning).WithMessage(sarif.NewTextMessage(note)))
	}
	for _, note := range r.ProofNotes() {
		ended.AddToolExecutionNotification(sarif.NewNotification().WithLevel(sarif.LevelNote).WithMessage(sarif.NewTextMessage(note)))
	}
	return sarif.NewReport().AddRun(run.AddInvocation(ended))
}

// add adds a rule to the tool's unless it has the rule, and returns its index there.
func add(driver *sarif.ToolComponent, r rule) int {
	for i, have := range driver.Rules {
		if *have.ID == r.id {
			return i
		}
	}
	help := r.help
	if help == "" {
		help = r.short
	}
	rule := sarif.NewRule(r.id).WithName(r.id).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.short)).
		WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.short + " " + r.help)).
		WithHelp(sarif.NewMultiformatMessageString().WithText(help)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarif.LevelError))
	if address := causes.Address(r.id); address != "" {
		rule.WithHelpURI(address)
	}
	driver.AddRule(rule)
	return len(driver.Rules) - 1
}

// levels gives the level for each severity.
var levels = map[string]string{report.Error: sarif.LevelError, report.Warning: sarif.LevelWarning, report.Info: sarif.LevelNote}

// race returns the result of a race.
func race(driver *sarif.ToolComponent, x *report.Race) *sarif.Result {
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
	first, second := accessOf(&x.First), accessOf(&x.Second)
	return sarif.NewResult().WithRuleID(string(x.Cause)).WithRuleIndex(add(driver, rule{id: string(x.Cause), short: "A data race."})).
		WithLevel(levels[x.Severity]).WithMessage(sarif.NewTextMessage(text)).
		AddLocation(first).AddRelatedLocation(second.WithID(1)).
		WithFingerprints(map[string]string{Fingerprint: x.ID}).WithPartialFingerprints(map[string]string{Fingerprint: x.ID}).
		AddCodeFlow(flow(x)).WithOccurrenceCount(int(min(max(x.Count, 1), 1<<31-1)))
}

// callRules are the rules of faults of calls in host code.
var callRules = map[string]string{
	report.LeakClass: "The application ended without freeing memory of the device.", report.APIClass: "A call of CUDA's APIs failed.",
	report.Uninitialised: "Memory that nothing has written was used.",
	report.AsyncRegister: "A register of an asynchronous operation was used before a wait, or without a fence.",
}

// fault returns the result of a fault.
func fault(driver *sarif.ToolComponent, f *report.FaultEvent) *sarif.Result {
	if f.OfCall() {
		return sarif.NewResult().WithRuleID(f.Class).WithRuleIndex(add(driver, rule{id: f.Class, short: callRules[f.Class]})).
			WithLevel(levels[f.Severity]).WithMessage(sarif.NewTextMessage(f.Headline() + ". " + strings.Join(f.Lines(), " "))).
			AddLocation(location(f.Source, f.PTX, "", ""))
	}
	text := fmt.Sprintf("%s: %s, by %s of kernel %s.", f.Class, f.Message, f.Actor(), report.Demangle(f.Kernel))
	if f.Hint != "" {
		text += " Fix: " + f.Hint + "."
	}
	if f.Replay != "" {
		text += " Replay: " + f.Replay
	}
	short := "The kernel faulted: a GPU would stop it, or never finish it." // a weak outcome has a rule already
	return sarif.NewResult().WithRuleID(f.Class).
		WithRuleIndex(add(driver, rule{id: f.Class, short: short})).
		WithLevel(levels[f.Severity]).WithMessage(sarif.NewTextMessage(text)).
		AddLocation(location(f.Source, f.PTX, f.Kernel, ""))
}

// accessOf returns the place of an access, with the thread that makes it.
func accessOf(a *report.Access) *sarif.Location {
	return location(a.Source, a.PTX, a.Kernel, a.Access+" by "+a.Actor())
}

// flow returns the steps of the two threads: of the first one from its access on, and of the second one up to its access, as far
// as they are known.
func flow(x *report.Race) *sarif.CodeFlow {
	first := sarif.NewThreadFlow().WithID("first").AddLocation(step(1, accessOf(&x.First)))
	order := 1
	for _, o := range []*report.Operation{x.Fence, x.Publish} {
		if o != nil {
			order++
			first.AddLocation(step(order, location(o.Source, o.PTX, x.First.Kernel, o.Instruction)))
		}
	}
	second := sarif.NewThreadFlow().WithID("second")
	if o := x.Observe; o != nil {
		order++
		second.AddLocation(step(order, location(o.Source, o.PTX, x.Second.Kernel, o.Instruction)))
	}
	second.AddLocation(step(order+1, accessOf(&x.Second)))
	return sarif.NewCodeFlow().AddThreadFlow(first).AddThreadFlow(second)
}

func step(order int, at *sarif.Location) *sarif.ThreadFlowLocation {
	return sarif.NewThreadFlowLocation().WithExecutionOrder(order).WithLocation(at)
}

// location returns a place in the user's own source, or in the PTX if that is unknown.
func location(s *report.Source, p report.Place, kernel, text string) *sarif.Location {
	file, line, column := p.File, p.Line, 0
	if s != nil {
		own := s.Own()
		file, line, column = own.File, own.Line, own.Column
	}
	at := sarif.NewLocation().AddLogicalLocation(sarif.NewLogicalLocation().WithKind("function").
		WithName(report.Demangle(kernel)).WithDecoratedName(kernel))
	if text != "" {
		at.WithMessage(sarif.NewTextMessage(text))
	}
	if file == "" {
		return at
	}
	physical := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(address(file)))
	if line > 0 {
		region := sarif.NewRegion().WithStartLine(line)
		if column > 0 {
			region.WithStartColumn(column)
		}
		physical.WithRegion(region)
	}
	return at.WithPhysicalLocation(physical)
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

// What the command litmus prints.

package litmus

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// comment returns a launch file as comments of PTX.
func comment(launch string) string {
	return "// launch file:\n// " + strings.ReplaceAll(strings.TrimSuffix(launch, "\n"), "\n", "\n// ") + "\n"
}

// launchName returns the name of the launch file of a kernel.
func launchName(ptx string) string { return strings.TrimSuffix(ptx, filepath.Ext(ptx)) + ".yaml" }

func write(w io.Writer, format string, tests []*namedTest) error {
	if format == "json" {
		return writeJSON(w, tests)
	}
	for i, t := range tests {
		if i > 0 {
			fmt.Fprintln(w)
		}
		writeText(w, t)
	}
	return nil
}

// writeText writes one result: the states, the verdict on the condition, races.
func writeText(w io.Writer, t *namedTest) {
	r := t.result
	fmt.Fprintf(w, "%s: %s\n", t.name, r.Test.Name)
	for _, s := range r.States {
		mark := " "
		if s.Satisfies && s.Counts {
			mark = "*"
		}
		fmt.Fprintf(w, "%8d %s %s\n", s.Executions, mark, stateText(r.Test, s.Values))
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "%8d   no final state, %s: %s\n", f.Executions, f.Class, f.Message)
	}
	fmt.Fprintf(w, "%s %s: %s\n", r.Test.Condition.Quantifier, r.Test.Condition.Text, verdict(r))
	races := 0
	for _, x := range r.Races {
		what := x.Severity // what the model allows, and precise warns of
		if x.Severity == report.Error {
			what = "race"
			races++
		}
		fmt.Fprintf(w, "%s, %s: %s\n  and %s\n", what, x.Cause, accessText(x.First), accessText(x.Second))
	}
	how := ""
	if t.axioms {
		how = ", by the axioms"
	}
	fmt.Fprintf(w, "%s, %s, %s%s\n", plural(r.Executions, "execution"), plural(len(r.States), "state"),
		plural(races, "race"), how)
	if !r.Complete {
		fmt.Fprintf(w, "not all executions: %s\n", strings.Join(r.Limits, "; "))
	}
}

// verdict says whether the condition holds. An incomplete search decides it only by a state that was found.
func verdict(r *emulated.Result) string {
	yes := r.Holds()
	found := yes == (r.Test.Condition.Quantifier == litmus.Exists)
	switch {
	case !r.Complete && !found:
		return "unknown"
	case yes:
		return "yes"
	}
	return "no"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func stateText(t *litmus.Test, s litmus.State) string {
	var words []string
	for _, v := range t.Variables() {
		words = append(words, fmt.Sprintf("%s=%d", v, s[v]))
	}
	return strings.Join(words, " ")
}

func accessText(a emulated.Access) string {
	if a.Instruction == nil || a.Thread == nil {
		return "an access"
	}
	return fmt.Sprintf("%s in %s at %s", a.Instruction.Text, a.Thread.Name, a.Instruction.Pos)
}

// The JSON form of results. Names are fixed: docs/litmus.md.
type (
	jsonTest struct {
		File       string      `json:"file"`
		Name       string      `json:"name"`
		Quantifier string      `json:"quantifier"`
		Condition  string      `json:"condition"`
		Verdict    string      `json:"verdict"` // yes, no or unknown
		Executions int         `json:"executions"`
		Complete   bool        `json:"complete"`
		Limits     []string    `json:"limits,omitempty"`
		States     []jsonState `json:"states"`
		Faults     []jsonFault `json:"faults,omitempty"`
		Races      []jsonRace  `json:"races"`
	}
	jsonState struct {
		Values     map[string]int64 `json:"values"`
		Satisfies  bool             `json:"satisfies"`
		Executions int              `json:"executions"`
	}
	jsonFault struct {
		Class      string `json:"class"`
		Message    string `json:"message"`
		Executions int    `json:"executions"`
	}
	jsonRace struct {
		Cause    string     `json:"cause"`
		Kind     string     `json:"kind"`
		Severity string     `json:"severity"`
		First    jsonAccess `json:"first"`
		Second   jsonAccess `json:"second"`
	}
	jsonAccess struct {
		Thread      string `json:"thread,omitempty"`
		Instruction string `json:"instruction,omitempty"`
		Line        int    `json:"line,omitempty"`
		Column      int    `json:"column,omitempty"`
	}
)

func writeJSON(w io.Writer, tests []*namedTest) error {
	list := []jsonTest{}
	for _, t := range tests {
		list = append(list, jsonOf(t))
	}
	e := json.NewEncoder(output.JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(struct {
		Schema int        `json:"schema"`
		Tests  []jsonTest `json:"tests"`
	}{1, list})
}

func jsonOf(t *namedTest) jsonTest {
	r := t.result
	c := &r.Test.Condition
	x := jsonTest{
		File: t.name, Name: r.Test.Name, Quantifier: c.Quantifier.String(), Condition: c.Text, Verdict: verdict(r),
		Executions: r.Executions, Complete: r.Complete, Limits: r.Limits, States: []jsonState{}, Races: []jsonRace{},
	}
	for _, s := range r.States {
		values := map[string]int64{}
		for v, n := range s.Values {
			values[v.String()] = n
		}
		x.States = append(x.States, jsonState{values, s.Satisfies && s.Counts, s.Executions})
	}
	for _, f := range r.Faults {
		x.Faults = append(x.Faults, jsonFault(f))
	}
	for _, race := range r.Races {
		x.Races = append(x.Races, jsonRace{
			race.Cause, race.Kind, race.Severity, jsonAccessOf(race.First),
			jsonAccessOf(race.Second),
		})
	}
	return x
}

func jsonAccessOf(a emulated.Access) (x jsonAccess) {
	if a.Thread != nil {
		x.Thread = a.Thread.Name
	}
	if in := a.Instruction; in != nil {
		x.Instruction, x.Line, x.Column = in.Text, in.Pos.Line, in.Pos.Col
	}
	return x
}

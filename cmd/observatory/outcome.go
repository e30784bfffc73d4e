// What became of the programs of a list.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// outcomes are the results of a list: of the programs that were checked.
type outcomes struct {
	Programs []*outcome `json:"programs"`
}

// outcome is what became of one program.
type outcome struct {
	Name string `json:"name"`
	// Reason is why the program did not run to its end, "" if it did.
	Reason   string   `json:"reason,omitempty"`
	Verdict  string   `json:"verdict,omitempty"`
	Findings []string `json:"findings,omitempty"` // errors and warnings, each a cause and places
	Kernels  int      `json:"kernels"`
	Launches int      `json:"launches"`
	Accesses int      `json:"accesses"` // instructions that access memory, in the kernels
	Watched  int      `json:"watched"`  // of these compared with others
	Proved   int      `json:"proved"`   // of these proved free of races
	Every    int      `json:"every"`    // kernels whose verdict holds for every schedule (docs/holds.md)
	Claims   int      `json:"claims"`   // kernels for which a report says for which schedules its verdict holds
	// NotChecked counts launches by the reason why they were not checked.
	NotChecked map[string]int `json:"not_checked,omitempty"`
	Seconds    float64        `json:"seconds"` // of processor time
}

// readResults reads the results of a list, which may have none yet.
func readResults(file string) (*outcomes, error) {
	all := new(outcomes)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(text, all); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if slices.Contains(all.Programs, nil) {
		return nil, fmt.Errorf("%s: an empty program", file)
	}
	return all, nil
}

// write writes results in the order of a list, a line for each program. Those of programs that the list does not have,
// or leaves out, are dropped.
func (all *outcomes) write(file string, l *list) error {
	var lines []string
	for i := range l.programs {
		r := all.named(l.programs[i].name)
		if r == nil || l.programs[i].skip != "" {
			continue
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines = append(lines, string(line))
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	text := "{\"programs\": [\n" + strings.Join(lines, ",\n") + "\n]}\n"
	return os.WriteFile(file, []byte(text), 0o644)
}

// set replaces the result of a program.
func (all *outcomes) set(r *outcome) {
	all.Programs = append(slices.DeleteFunc(all.Programs, func(p *outcome) bool { return p.Name == r.Name }), r)
}

// named returns the result of a program, nil if there is none.
func (all *outcomes) named(name string) *outcome {
	if i := slices.IndexFunc(all.Programs, func(r *outcome) bool { return r.Name == name }); i >= 0 {
		return all.Programs[i]
	}
	return nil
}

// of returns a result for each program of a list, in its order. Programs without one have the reason.
func (all *outcomes) of(l *list) *outcomes {
	list := new(outcomes)
	for i := range l.programs {
		p := &l.programs[i]
		r := all.named(p.name)
		if r == nil || p.skip != "" {
			r = &outcome{Name: p.name, Reason: cmp.Or(p.skip, "not run yet")}
		}
		list.Programs = append(list.Programs, r)
	}
	return list
}

// fill takes over what a report says.
func (r *outcome) fill(rep *report.Report) {
	kernels := make(map[string]bool)
	for _, c := range rep.Coverage {
		kernels[c.Kernel] = true
		r.Accesses += c.Accesses
		r.Watched += c.Watched
		r.Proved += c.Proved
	}
	for _, n := range rep.NotChecked {
		kernels[n.Kernel] = true
		if r.NotChecked == nil {
			r.NotChecked = make(map[string]int)
		}
		r.NotChecked[general(n.Why)] += max(n.Launches, 1)
	}
	delete(kernels, "")
	r.Verdict, r.Kernels, r.Launches = rep.Verdict, len(kernels), rep.Stats.Launches
	for _, c := range rep.Claims {
		r.Claims++
		if c.Schedules == report.EverySchedule {
			r.Every++
		}
	}
	for _, x := range rep.Races {
		if x.Severity != report.Info {
			r.Findings = append(r.Findings, fmt.Sprintf("%s %s %s", x.Cause, x.First.At(), x.Second.At()))
		}
	}
	for _, f := range rep.Faults {
		if f.Severity != report.Info {
			r.Findings = append(r.Findings, f.Class+" "+faultPlace(f))
		}
	}
	slices.Sort(r.Findings)
	r.Findings = slices.Compact(r.Findings)
}

// faultPlace is where a fault is: a line, or a call of the host.
func faultPlace(f *report.FaultEvent) string {
	switch {
	case f.Call == nil || f.Source != nil || f.PTX.File != "":
		return f.At()
	case f.Call.Source == nil:
		return f.Call.Function
	}
	return f.Call.Function + " " + f.Call.Source.Own().String()
}

// particularNumber and particularName match what differs between reasons of the same kind.
var (
	particularNumber = regexp.MustCompile(`\d[\w.%@,]*`)
	particularName   = regexp.MustCompile(`^the (benchmark|autotuner of) \S+`)
)

// general replaces numbers and names in a reason, so that reasons of the same kind count together.
func general(why string) string {
	why, _, _ = strings.Cut(why, ", which --sample")
	return particularNumber.ReplaceAllString(particularName.ReplaceAllString(why, "the $1 X"), "N")
}

// line is one line about a result.
func (r *outcome) line() string {
	return fmt.Sprintf("%s: %s, %d findings, %d kernels, %d launches, %.1f s %s", r.Name, cmp.Or(r.Verdict, "no report"),
		len(r.Findings), r.Kernels, r.Launches, r.Seconds, r.Reason)
}

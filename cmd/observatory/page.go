// The page: tables of all results.

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// observed is a list with its results.
type observed struct {
	name string
	*list
	*outcomes
}

// writePages writes the page, and the table of bugs in found, from the lists and results below the root of the project.
func writePages(root string) error {
	pages, err := pageTexts(root)
	for name, text := range pages {
		err = errors.Join(err, os.WriteFile(filepath.Join(root, name), text, 0o644))
	}
	return err
}

// pageTexts returns the texts of both pages.
func pageTexts(root string) (map[string][]byte, error) {
	all, err := observedLists(root)
	if err != nil {
		return nil, err
	}
	before, err := os.ReadFile(filepath.Join(root, found))
	if err != nil {
		return nil, err
	}
	head, rest, begins := strings.Cut(string(before), tableBegin)
	_, tail, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		return nil, fmt.Errorf("%s: expected the lines %q and %q", found, tableBegin, tableEnd)
	}
	return map[string][]byte{page: tables(all), found: []byte(head + tableBegin + bugs(all) + tableEnd + tail)}, nil
}

// tables returns the text of the page.
func tables(all []observed) []byte {
	var b bytes.Buffer
	b.WriteString(`# Programs of public projects, checked

Written by ` + "`make observatory`" + ` from ` + "`" + results + "`" + `; [observatory.md](../observatory.md) says how
to repeat a row and what the columns mean. Findings are errors and warnings; their classification stands below the programs
of a project.

`)
	totals(&b, all)
	reasons(&b, all)
	for _, o := range all {
		o.section(&b)
	}
	return b.Bytes()
}

// bugs returns the table of the findings that were read as bugs.
func bugs(all []observed) string {
	var b strings.Builder
	b.WriteString("| project | finding | what is wrong, and what repairs it | since | repeat with `make observatory` | " +
		"draft of a report |\n|---|---|---|---|---|---|\n")
	for _, o := range all {
		found := o.seenByReading()
		for i := range o.readings {
			x := &o.readings[i]
			if s := found[x]; s != nil && x.is == isBug {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | `NAME=%s ONLY='^%s$'` | [%s](../examples/bugs/%s/report.md) |\n",
					o.project, s.text(), escaped(x.text), x.since, o.name, s.programs[0], x.bug, x.bug)
			}
		}
	}
	return b.String()
}

// escaped is text for a cell of a table.
func escaped(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

// observedLists reads all lists and results.
func observedLists(root string) (all []observed, err error) {
	files, err := filepath.Glob(filepath.Join(root, lists, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		o := observed{name: strings.TrimSuffix(filepath.Base(file), ".yaml")}
		if o.list, err = readList(file); err == nil {
			o.outcomes, err = readResults(filepath.Join(root, results, o.name+".json"))
		}
		if err != nil {
			return nil, err
		}
		o.outcomes = o.of(o.list)
		all = append(all, o)
	}
	return all, nil
}

// count is what the programs of a list come to.
type count struct {
	programs, ran, clean, kernels, launches int
	every, claims                           int
	findings                                map[string]int // by what they were read as
	seconds                                 float64
}

// add adds a count.
func (c *count) add(d *count) {
	c.programs, c.ran, c.clean = c.programs+d.programs, c.ran+d.ran, c.clean+d.clean
	c.kernels, c.launches, c.seconds = c.kernels+d.kernels, c.launches+d.launches, c.seconds+d.seconds
	c.every, c.claims = c.every+d.every, c.claims+d.claims
	for is, n := range d.findings {
		c.findings[is] += n
	}
}

// row is the row of a table.
func (c *count) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d of %d | %d | %d | %d | %d | %.0f |\n",
		name, c.programs, c.ran, c.clean, c.kernels, c.launches, c.every, c.claims,
		c.findings[isBug], c.findings[isDesign], c.findings[isRule], c.findings[isTest], c.seconds)
}

// count counts the programs of a list.
func (o *observed) count() *count {
	c := &count{findings: make(map[string]int)}
	seen := make(map[string]bool)
	for _, p := range o.Programs {
		c.add(&count{
			programs: 1, kernels: p.Kernels, launches: p.Launches, every: p.Every, claims: p.Claims, seconds: p.Seconds,
		})
		if p.Reason == "" {
			c.ran++
			if len(p.Findings) == 0 {
				c.clean++
			}
		}
		for _, f := range p.Findings {
			if x := o.read(f); x != nil && !seen[f] {
				c.findings[x.is]++
			}
			seen[f] = true
		}
	}
	return c
}

// totals writes the table of lists.
func totals(b *bytes.Buffer, all []observed) {
	b.WriteString("| list | programs | ran | without a finding | kernels | launches | " +
		"verdicts that hold for every schedule | bugs | by design | by the letter | tests | s |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	sum := &count{findings: make(map[string]int)}
	for i := range all {
		c := all[i].count()
		b.WriteString(c.row(fmt.Sprintf("[%s](#%s)", all[i].name, all[i].name)))
		sum.add(c)
	}
	b.WriteString(sum.row("all"))
}

// reasons writes the table of reasons why programs did not run.
func reasons(b *bytes.Buffer, all []observed) {
	programs, launches := make(map[string]int), make(map[string]int)
	for _, o := range all {
		for _, p := range o.Programs {
			if p.Reason != "" {
				programs[general(p.Reason)]++
			}
			for why, n := range p.NotChecked {
				launches[why] += n
			}
		}
	}
	b.WriteString("\n## What was not run\n\n| programs | why |\n|---|---|\n")
	ranking(b, programs)
	b.WriteString("\n| launches | why they were not checked |\n|---|---|\n")
	ranking(b, launches)
}

// ranking writes rows of numbers, the largest first.
func ranking(b *bytes.Buffer, numbers map[string]int) {
	byNumber := func(x, y string) int { return cmp.Or(cmp.Compare(numbers[y], numbers[x]), cmp.Compare(x, y)) }
	for _, what := range slices.SortedFunc(maps.Keys(numbers), byNumber) {
		fmt.Fprintf(b, "| %d | %s |\n", numbers[what], escaped(what))
	}
}

// section writes the programs of a list, and the classification of their findings.
func (o *observed) section(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n## %s\n\n%s %s, commit %s.\n\n", o.name, o.about, o.project, o.commit)
	b.WriteString("| program | kernels | launches | accesses | watched | proved | verdict | every schedule | s | not checked |\n" +
		"|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range o.Programs {
		if p.Verdict == "" {
			fmt.Fprintf(b, "| %s | | | | | | not run | | %s | %s |\n", p.Name, seconds(p.Seconds), escaped(p.Reason))
			continue
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %s | %d of %d | %s | %s |\n", p.Name, p.Kernels, p.Launches, p.Accesses,
			p.Watched, p.Proved, o.verdict(p), p.Every, p.Claims, seconds(p.Seconds), p.notChecked())
	}
	o.readingTable(b)
}

// seconds is a time of a table, "" for none.
func seconds(s float64) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", s)
}

// verdict is the verdict about a program, and what its findings were read as.
func (o *observed) verdict(p *outcome) string {
	number := make(map[string]int)
	for _, f := range p.Findings {
		is := "unread"
		if x := o.read(f); x != nil {
			is = x.is
		}
		number[is]++
	}
	text := p.Verdict
	for _, is := range slices.Sorted(maps.Keys(number)) {
		text += fmt.Sprintf(", %d %s", number[is], is)
	}
	return text
}

// notChecked is a cell about what was not checked of a program.
func (p *outcome) notChecked() string {
	var parts []string
	if p.Reason != "" && p.NotChecked[p.Reason] == 0 {
		parts = append(parts, p.Reason)
	}
	for _, why := range slices.Sorted(maps.Keys(p.NotChecked)) {
		parts = append(parts, fmt.Sprintf("%d: %s", p.NotChecked[why], why))
	}
	return escaped(strings.Join(parts, "; "))
}

// seen is what a reading was made of: programs with such findings, and these.
type seen struct {
	programs, findings []string
}

// seenByReading returns the programs and findings of the results by how they were read.
func (o *observed) seenByReading() map[*reading]*seen {
	all := make(map[*reading]*seen)
	for _, p := range o.Programs {
		for _, f := range p.Findings {
			x := o.read(f)
			if x == nil {
				continue
			}
			if all[x] == nil {
				all[x] = new(seen)
			}
			if s := all[x]; !slices.Contains(s.findings, f) {
				s.findings = append(s.findings, f)
			}
			if s := all[x]; !slices.Contains(s.programs, p.Name) {
				s.programs = append(s.programs, p.Name)
			}
		}
	}
	return all
}

// text is the first finding, and how many there are besides.
func (s *seen) text() string {
	text := "`" + escaped(s.findings[0]) + "`"
	if n := len(s.findings) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// readingTable writes how the findings of a list were read.
func (o *observed) readingTable(b *bytes.Buffer) {
	all := o.seenByReading()
	if len(all) == 0 {
		return
	}
	b.WriteString("\n| finding | is | what | in |\n|---|---|---|---|\n")
	for i := range o.readings {
		x := &o.readings[i]
		if s := all[x]; s != nil {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", s.text(), x.is, escaped(x.text), strings.Join(s.programs, ", "))
		}
	}
}

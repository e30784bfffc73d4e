// Answers about synchronisation as text: a listing of the source with the answers below its lines.

package report

import (
	"fmt"
	"slices"
	"strings"
)

// columns is the width of a listing.
const columns = 120

// synchronisation writes the answers, and the set of changes that stand together.
func (t *text) synchronisation(r *Report) {
	for rest := slices.Clone(r.Sync); len(rest) > 0; {
		first := rest[0]
		other := func(s Sync) bool { return !sameListing(&s, &first) }
		t.listing(slices.DeleteFunc(slices.Clone(rest), other))
		rest = slices.DeleteFunc(rest, func(s Sync) bool { return !other(s) })
	}
	for _, n := range r.CoverageNotes() {
		t.line("NOT CHECKED: %s", n)
	}
	for _, n := range r.Notes {
		t.line("%s %s", t.paint(yellow, "Note:"), n)
	}
	if set := r.SyncSet; set != nil {
		t.line("SET: these changes stand together")
		for _, line := range r.SyncChanges() {
			t.more("%s", line)
		}
		t.folded("VERIFIED: no race, no fault and no other result with all of them: " + set.Verified)
		t.folded("HOLDS FOR: these launches: " + set.Holds.tried())
	}
	t.line("SYNC SUMMARY: %s", r.SyncSummary())
}

// sameListing reports whether two answers are about one function and one file.
func sameListing(a, b *Sync) bool {
	of, _ := a.Where()
	file, _ := b.Where()
	return a.Kernel == b.Kernel && of == file
}

// listing writes the lines of a file with the answers for a function.
func (t *text) listing(list []Sync) {
	file, _ := list[0].Where()
	t.line("%s in %s", t.function(list[0].Kernel), base(file))
	slices.SortStableFunc(list, func(a, b Sync) int { return a.line() - b.line() })
	for i := range list {
		s := &list[i]
		if i == 0 || list[i-1].line() != s.line() {
			t.line("%5d | %s", s.line(), t.code(s))
		}
		t.wrapped("= ", s.Instruction+": "+s.Headline(), s.Verdict)
		for _, more := range s.Details() {
			t.wrapped("  ", more, "")
		}
	}
	t.end()
}

// line returns the number of the line that a listing shows.
func (s *Sync) line() int {
	_, line := s.Where()
	return line
}

// code returns the line of the source, or the instruction where the source cannot be read.
func (t *text) code(s *Sync) string {
	if file, n := s.Where(); t.Excerpt != nil {
		if line, ok := t.Excerpt(file, n); ok {
			return strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r\n")
		}
	}
	return s.Instruction
}

// wrapped writes an answer behind a mark in the margin of a listing, with the words of a verdict painted.
func (t *text) wrapped(mark, answer string, v SyncVerdict) {
	const margin = "       "
	lines := folded(answer, columns-len(Prefix)-len(margin)-len(mark))
	for i, line := range lines {
		if words := v.Words(); i == 0 && v != "" {
			line = strings.Replace(line, words, t.paint(bold, words), 1)
		}
		fmt.Fprintf(t.w, "%s%s%s%s\n", Prefix, margin, mark, line)
		mark = strings.Repeat(" ", len(mark))
	}
}

// folded writes a line, and what does not fit into it below.
func (t *text) folded(words string) {
	for i, line := range folded(words, columns-len(Prefix)-len("     ")) {
		if i == 0 {
			t.line("%s", line)
		} else {
			t.more("%s", line)
		}
	}
}

// folded returns a text in lines of at most so many columns, but for longer words.
func folded(text string, room int) (lines []string) {
	for text != "" {
		line := text
		if len(line) > room {
			at := strings.LastIndexByte(line[:room+1], ' ')
			if at <= 0 {
				at = strings.IndexByte(line+" ", ' ')
			}
			line = line[:at]
		}
		lines = append(lines, line)
		text = strings.TrimPrefix(text[len(line):], " ")
	}
	return lines
}

// Source lines quoted in a report, so that it can be shown without the sources.

package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Excerpt is consecutive lines of a file.
type Excerpt struct {
	File string   `json:"file"` // as places name it
	Line int      `json:"line"` // number of the first line
	Text []string `json:"text"`
}

const (
	quotedAround = 3   // lines quoted before and after one
	quotedLength = 400 // bytes of a line that are quoted at most
)

// Quote adds the lines around all places of the findings to the report; read returns line n of a file and whether it
// exists. Lines already in the report are kept.
func (r *Report) Quote(read func(file string, n int) (string, bool)) {
	wanted := make(map[string]map[int]string)
	for _, f := range r.places() {
		for n := max(f.Line-quotedAround, 1); n <= f.Line+quotedAround; n++ {
			if wanted[f.File][n] != "" {
				continue
			}
			text, ok := r.Quoted(f.File, n)
			if !ok {
				text, ok = read(f.File, n)
			}
			if !ok {
				continue
			}
			if wanted[f.File] == nil {
				wanted[f.File] = make(map[int]string)
			}
			text = strings.TrimRight(text, "\r\n")
			wanted[f.File][n] = strings.ToValidUTF8(text[:min(len(text), quotedLength)], "")
		}
	}
	r.Excerpts = nil
	for _, file := range slices.Sorted(maps.Keys(wanted)) {
		var last *Excerpt
		for _, n := range slices.Sorted(maps.Keys(wanted[file])) {
			if last == nil || last.Line+len(last.Text) != n {
				last = &Excerpt{File: file, Line: n}
				r.Excerpts = append(r.Excerpts, last)
			}
			last.Text = append(last.Text, wanted[file][n])
		}
	}
}

// Quoted returns line n of a file if the report quotes it.
func (r *Report) Quoted(file string, n int) (string, bool) {
	for _, e := range r.Excerpts {
		if e.File == file && n >= e.Line && n < e.Line+len(e.Text) {
			return e.Text[n-e.Line], true
		}
	}
	return "", false
}

// places returns the places of all accesses and faults, in the source or else in the PTX.
func (r *Report) places() (list []Frame) {
	add := func(s *Source, p Place) {
		if s != nil {
			own := s.Own()
			list = append(list, Frame{File: own.File, Line: own.Line})
		} else if p.File != "" {
			list = append(list, Frame{File: p.File, Line: p.Line})
		}
	}
	for _, x := range r.Pairs() {
		add(x.First.Source, x.First.PTX)
		add(x.Second.Source, x.Second.PTX)
		add(x.Launched, Place{})
	}
	for _, f := range r.Faults {
		add(f.Source, f.PTX)
		add(f.Launched, Place{})
	}
	for _, s := range r.Sync {
		add(s.Source, s.PTX)
	}
	slices.SortFunc(list, func(a, b Frame) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
	return slices.Compact(list)
}

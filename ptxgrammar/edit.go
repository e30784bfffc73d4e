// Replacing ranges of a text, with the origin of the new lines.

package ptxgrammar

import (
	"bytes"
	"fmt"
	"slices"
)

// Edit replaces the bytes [Start, End) of a text; Start == End inserts.
type Edit struct {
	Start, End uint32
	Text       string
}

// LineOrigin says where a line of an edited text came from.
type LineOrigin struct {
	Line int // 1-based line of the original, 0 when the whole line was inserted
	Edit int // index of the edit that wrote the line's first inserted byte, -1 when there is none
}

// Apply performs the edits together and returns the new text with the origin of
// each of its lines. Offsets are those of src. Edits may come in any order;
// insertions at one place, and an insertion before a replacement that starts
// there, appear in the order of the slice. A line that keeps at least one byte of
// the original other than blanks counts as that original line. The error names an
// edit outside the text, or two that overlap.
func Apply(src []byte, edits []Edit) (out []byte, lines []LineOrigin, err error) {
	order, size, err := sortEdits(src, edits)
	if err != nil {
		return nil, nil, err
	}
	w := editWriter{out: make([]byte, 0, size), lines: make([]LineOrigin, 0,
		bytes.Count(src, []byte{'\n'})+len(edits)+1)}
	w.startLine()
	at := uint32(0)
	for _, i := range order {
		e := &edits[i]
		w.copy(src[at:e.Start])
		w.insert(e.Text, i)
		w.skip(src[e.Start:e.End])
		at = e.End
	}
	w.copy(src[at:])
	w.endLine()
	if n := len(w.out); n == 0 || w.out[n-1] == '\n' {
		w.lines = w.lines[:len(w.lines)-1] // nothing stands after the last line end
	}
	return w.out, w.lines, nil
}

// sortEdits checks the edits and returns their indices in order of position, and the size of the result.
func sortEdits(src []byte, edits []Edit) (order []int, size int, err error) {
	size = len(src)
	order = make([]int, len(edits))
	for i, e := range edits {
		if e.Start > e.End || int(e.End) > len(src) {
			return nil, 0, fmt.Errorf("edit %d replaces bytes %d to %d of a text of %d bytes", i, e.Start, e.End,
				len(src))
		}
		order[i] = i
		size += len(e.Text) - int(e.End-e.Start)
	}
	slices.SortStableFunc(order, func(i, j int) int { return compareEdits(edits[i], edits[j]) })
	at, last := uint32(0), -1
	for _, i := range order {
		if edits[i].Start < at {
			return nil, 0, fmt.Errorf("edits %d and %d overlap: bytes %d to %d and %d to %d",
				last, i, edits[last].Start, edits[last].End, edits[i].Start, edits[i].End)
		}
		if edits[i].End > at || last < 0 {
			at, last = edits[i].End, i
		}
	}
	return order, size, nil
}

// compareEdits orders by start. An insertion precedes a replacement that starts at the same place, so that text
// inserted before a token stays before it.
func compareEdits(a, b Edit) int {
	if a.Start != b.Start {
		return int(int64(a.Start) - int64(b.Start))
	}
	aIns, bIns := a.Start == a.End, b.Start == b.End
	switch {
	case aIns == bIns:
		return 0
	case aIns:
		return -1
	}
	return 1
}

// editWriter builds the new text and records line origins.
type editWriter struct {
	out   []byte
	lines []LineOrigin
	src   int        // 1-based line of the original at the copy position
	cur   LineOrigin // of the line being written
	blank LineOrigin // origin if the line contains only blanks of the original
}

func (w *editWriter) startLine() {
	if w.src == 0 {
		w.src = 1
	}
	w.cur = LineOrigin{Line: 0, Edit: -1}
	w.blank = LineOrigin{Line: 0, Edit: -1}
}

func (w *editWriter) endLine() {
	if w.cur.Line == 0 && w.cur.Edit < 0 {
		w.cur = w.blank
	}
	w.lines = append(w.lines, w.cur)
	w.startLine()
}

// copy writes bytes of the original.
func (w *editWriter) copy(b []byte) {
	w.out = append(w.out, b...)
	for len(b) > 0 {
		n := bytes.IndexByte(b, '\n')
		part := b
		if n >= 0 {
			part = b[:n]
		}
		if len(bytes.TrimSpace(part)) > 0 && w.cur.Line == 0 {
			w.cur.Line = w.src
		} else if w.blank.Line == 0 {
			w.blank.Line = w.src
		}
		if n < 0 {
			return
		}
		w.endLine()
		w.src++
		b = b[n+1:]
	}
}

// insert writes text of an edit.
func (w *editWriter) insert(s string, edit int) {
	w.out = append(w.out, s...)
	for i := 0; i < len(s); i++ {
		if w.cur.Edit < 0 {
			w.cur.Edit = edit
		}
		if s[i] == '\n' {
			w.endLine()
		}
	}
}

// skip skips replaced bytes of the original.
func (w *editWriter) skip(b []byte) { w.src += bytes.Count(b, []byte{'\n'}) }

// Positions, ranges and errors with positions.

package ptxgrammar

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Range is a half-open range of byte offsets into a source file.
type Range struct{ Start, End uint32 }

// Position is a place in a source file for people: line and column count from 1, columns in bytes.
type Position struct {
	File      string
	Line, Col int
}

// String returns file:line:col.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// File is a source text with its line table.
type File struct {
	Name  string
	Src   []byte
	lines []uint32 // offset of the first byte of each line, built by NewFile
}

// NewFile prepares the line table of src.
func NewFile(name string, src []byte) *File {
	lines := make([]uint32, 1, 1+bytes.Count(src, []byte{'\n'}))
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			return &File{Name: name, Src: src, lines: lines}
		}
		at += n + 1
		lines = append(lines, uint32(at))
	}
}

// Line returns the 1-based line of a byte offset.
func (f *File) Line(off uint32) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > off })
}

// Position returns the place of a byte offset.
func (f *File) Position(off uint32) Position {
	l := f.Line(off)
	return Position{f.Name, l, int(off-f.lines[l-1]) + 1}
}

// LineText returns the text of the 1-based line without its end, "" when out of range.
func (f *File) LineText(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	end := uint32(len(f.Src))
	if line < len(f.lines) {
		end = f.lines[line]
	}
	return strings.TrimRight(string(f.Src[f.lines[line-1]:end]), "\r\n")
}

// Error is one problem in a source text. It prints as file:line:col: message.
type Error struct {
	Pos   Position
	Msg   string
	Limit error // ErrTooLarge, ErrTooDeep or ErrTooLong when the text exceeds a limit of Parse; otherwise another sentinel error of the reporter, or nil
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Unwrap returns Limit.
func (e *Error) Unwrap() error { return e.Limit }

// ErrorList is the error of Parse for a text that is not PTX: at least one *Error, in order of position.
type ErrorList []*Error

// Error returns the first message and the number of others.
func (l ErrorList) Error() string {
	switch len(l) {
	case 0:
		return "no errors"
	case 1:
		return l[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", l[0], len(l)-1)
}

// Unwrap returns the list in the form that package errors requires.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// Sort orders the list by line and column.
func (l ErrorList) Sort() {
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
}

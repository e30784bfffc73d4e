// Buffers as text and as NumPy arrays.

package session

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// Selection is a range of elements of a buffer, to be written as text.
type Selection struct {
	Buffer       *launch.Buffer
	First, Count uint64 // elements
	Hex          bool
}

// ParseSelection parses NAME[:n|:a-b][:hex], elements of a buffer of a launch file: all, the first n, or those from a
// to b. It omits elements that the buffer does not have.
func ParseSelection(arg string, file *launch.File) (Selection, error) {
	words := strings.Split(arg, ":")
	b := file.Buffer(words[0])
	if b == nil {
		return Selection{}, fmt.Errorf("%s: %s has no buffer %q", arg, file.Name, words[0])
	}
	p := Selection{Buffer: b, Count: b.Count}
	for i, word := range words[1:] {
		if word == "hex" && i == len(words)-2 {
			p.Hex = true
			continue
		}
		from, to, isRange := strings.Cut(word, "-")
		if !isRange {
			from, to = "0", word
		}
		first, err1 := strconv.ParseUint(from, 10, 64)
		n, err2 := strconv.ParseUint(to, 10, 64)
		if err1 != nil || err2 != nil || i > 0 || isRange && n < first {
			return p, fmt.Errorf("%s: expected NAME, NAME:n with a number of elements, or NAME:a-b with the first and the last one; each with :hex or without", arg)
		}
		if isRange {
			n = min(n, 1<<63) + 1 - first
		}
		p.First = min(first, b.Count)
		p.Count = min(n, b.Count-p.First)
	}
	return p, nil
}

// perLine is the number of elements in a line of a printed buffer.
const perLine = 8

// WriteSelection writes elements of a buffer, eight to a line.
func (s *Session) WriteSelection(w io.Writer, p Selection) error {
	fmt.Fprintf(w, "%s: %d x %s\n", p.Buffer.Name, p.Buffer.Count, p.Buffer.Type)
	format := p.Buffer.Type.Format
	if p.Hex {
		format = p.Buffer.Type.FormatHex
	}
	i, size := uint64(0), p.Buffer.Type.Size()
	err := s.copyBuffer(p.Buffer, p.First, p.Count, func(chunk []byte) error {
		for ; len(chunk) > 0; chunk = chunk[size:] {
			if i%perLine == 0 {
				fmt.Fprintf(w, "%6d:", p.First+i)
			}
			fmt.Fprintf(w, " %s", format(chunk))
			if i++; i%perLine == 0 || i == p.Count {
				fmt.Fprintln(w)
			}
		}
		return nil
	})
	if rest := p.Buffer.Count - p.First - p.Count; err == nil && rest > 0 {
		fmt.Fprintf(w, "        ... %d more\n", rest)
	}
	return err
}

// copyBuffer passes count elements of a buffer to f, from element first on, in pieces of whole elements.
func (s *Session) copyBuffer(b *launch.Buffer, first, count uint64, f func(p []byte) error) error {
	from := s.Object(b.Name)
	size := uint64(b.Type.Size())
	start, end := first*size, (first+count)*size
	buf := make([]byte, min(end-start, 1<<16))
	for off := start; off < end; off += uint64(len(buf)) {
		buf = buf[:min(end-off, uint64(len(buf)))]
		if err := from.Read(off, buf); err != nil {
			return err
		}
		if err := f(buf); err != nil {
			return err
		}
	}
	return nil
}

// WriteBuffer writes the bytes of a buffer, as a NumPy array (format .npy) when npy is set.
func (s *Session) WriteBuffer(w io.Writer, b *launch.Buffer, npy bool) error {
	if npy {
		if _, err := w.Write(launch.NPYHeader(b.Type, b.Count)); err != nil {
			return err
		}
	}
	return s.copyBuffer(b, 0, b.Count, func(p []byte) error { _, err := w.Write(p); return err })
}

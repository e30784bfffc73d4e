package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// outputFlags choose buffers to show after the run.
func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "print", Usage: "print buffer `NAME[:n|:a-b][:hex]`: all of it, the first n elements, or a to b; repeatable", Category: catOutput},
		&cli.StringSliceFlag{Name: "dump", Usage: "write buffer NAME to a file, as `NAME=FILE`: a NumPy array when FILE ends in .npy, else the bytes; repeatable", Category: catOutput},
	}
}

// outputs are the buffers to print and to write.
type outputs struct {
	print []printed
	dump  []dumped
}

// printed is elements of a buffer to print.
type printed struct {
	buffer       *launch.Buffer
	first, count uint64
	hex          bool
}

type dumped struct {
	buffer *launch.Buffer
	file   string
}

func outputsOf(c *cli.Context, file *launch.File) (outputs, error) {
	var o outputs
	for _, arg := range c.StringSlice("print") {
		p, err := parsePrint(arg, file)
		if err != nil {
			return o, err
		}
		o.print = append(o.print, p)
	}
	for _, arg := range c.StringSlice("dump") {
		name, path, ok := strings.Cut(arg, "=")
		b := file.Buffer(name)
		if !ok || path == "" {
			return o, usagef("--dump %s: expected NAME=FILE", arg)
		}
		if b == nil {
			return o, usagef("--dump %s: %s has no buffer %q", arg, file.Name, name)
		}
		o.dump = append(o.dump, dumped{b, path})
	}
	return o, nil
}

// parsePrint reads NAME[:n|:a-b][:hex].
func parsePrint(arg string, file *launch.File) (printed, error) {
	words := strings.Split(arg, ":")
	b := file.Buffer(words[0])
	if b == nil {
		return printed{}, usagef("--print %s: %s has no buffer %q", arg, file.Name, words[0])
	}
	p := printed{buffer: b, count: b.Count}
	for i, word := range words[1:] {
		if word == "hex" && i == len(words)-2 {
			p.hex = true
			continue
		}
		from, to, isRange := strings.Cut(word, "-")
		if !isRange {
			from, to = "0", word
		}
		first, err1 := strconv.ParseUint(from, 10, 64)
		n, err2 := strconv.ParseUint(to, 10, 64)
		if err1 != nil || err2 != nil || i > 0 || isRange && n < first {
			return p, usagef("--print %s: expected NAME, NAME:n with a number of elements, or NAME:a-b with the first and the last one; each with :hex or without", arg)
		}
		if isRange {
			n = min(n, 1<<63) + 1 - first
		}
		p.first = min(first, b.Count)
		p.count = min(n, b.Count-p.first)
	}
	return p, nil
}

// show prints and writes buffers.
func (o *outputs) show(c *cli.Context, run *session.Session) error {
	for _, p := range o.print {
		if err := printBuffer(c.App.Writer, run, p); err != nil {
			return err
		}
	}
	for _, d := range o.dump {
		if err := writeOutput(c, d.file, func(w io.Writer) error { return dumpBuffer(w, run, d) }); err != nil {
			return err
		}
	}
	return nil
}

// dumpBuffer writes a buffer raw or as a NumPy array.
func dumpBuffer(w io.Writer, run *session.Session, d dumped) error {
	if filepath.Ext(d.file) == ".npy" {
		if _, err := w.Write(launch.NPYHeader(d.buffer.Type, d.buffer.Count)); err != nil {
			return err
		}
	}
	return copyBuffer(run, d.buffer, 0, d.buffer.Count, func(p []byte) error { _, err := w.Write(p); return err })
}

// perLine is the number of elements in a line of a printed buffer.
const perLine = 8

func printBuffer(w io.Writer, run *session.Session, p printed) error {
	fmt.Fprintf(w, "%s: %d x %s\n", p.buffer.Name, p.buffer.Count, p.buffer.Type)
	format := p.buffer.Type.Format
	if p.hex {
		format = p.buffer.Type.FormatHex
	}
	i, size := uint64(0), p.buffer.Type.Size()
	err := copyBuffer(run, p.buffer, p.first, p.count, func(chunk []byte) error {
		for ; len(chunk) > 0; chunk = chunk[size:] {
			if i%perLine == 0 {
				fmt.Fprintf(w, "%6d:", p.first+i)
			}
			fmt.Fprintf(w, " %s", format(chunk))
			if i++; i%perLine == 0 || i == p.count {
				fmt.Fprintln(w)
			}
		}
		return nil
	})
	if rest := p.buffer.Count - p.first - p.count; err == nil && rest > 0 {
		fmt.Fprintf(w, "        ... %d more\n", rest)
	}
	return err
}

// copyBuffer passes count elements of a buffer on, from the first one given, in
// pieces of whole elements.
func copyBuffer(run *session.Session, b *launch.Buffer, first, count uint64, f func(p []byte) error) error {
	from := run.Object(b.Name)
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

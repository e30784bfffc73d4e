// The table of modules and entries of a file, as text.

package fatbin

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteList writes a table of the entries of all modules, a summary, and the modules without PTX; holds reports whether
// machine code has its PTX.
func (f *File) WriteList(w io.Writer, holds func(*Entry) bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "module\tkind\tarch\tversion\tsize\tstored\tcompression\tflags\toptions\tname")
	for i, m := range f.Modules {
		for _, e := range m.Entries {
			fmt.Fprintf(t, "%d\t%s\t%s\t%d.%d\t%d\t%d\t%s\t%s\t%s\t%s\n", i, e.Kind, e.Target(), e.Major, e.Minor,
				e.Size, e.Stored, e.Compression, strings.Join(e.Traits(), ","), orDash(printable(e.Options)),
				orDash(printable(e.Name)))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s: %s\n%s", f.Name, summary(f), remarks(f, holds))
	return err
}

// summary returns the numbers of modules and entries of a file.
func summary(f *File) string {
	ptx, rest := 0, 0
	for _, m := range f.Modules {
		n := len(m.PTX())
		ptx += n
		rest += len(m.Entries) - n
	}
	return fmt.Sprintf("%s, modules: %d, PTX entries: %d, other entries: %d", f.Format, len(f.Modules), ptx, rest)
}

// remarks returns what the table does not show about each module: its place, and why it has no PTX.
func remarks(f *File, holds func(*Entry) bool) string {
	var b strings.Builder
	for i, m := range f.Modules {
		var notes []string
		if m.Member != "" {
			notes = append(notes, "in "+printable(m.Member))
		}
		if m.Relocatable {
			notes = append(notes, "relocatable")
		}
		switch {
		case len(m.Entries) == 0:
			notes = append(notes, "empty")
		case len(m.PTX()) == 0 && slices.ContainsFunc(m.Entries, holds):
			notes = append(notes, "machine code with its PTX")
		case m.Linked && len(m.PTX()) == 0:
			notes = append(notes, "machine code linked at build time, no PTX of its own")
		case len(m.PTX()) == 0:
			notes = append(notes, "machine code only, no PTX to extract")
		}
		if len(notes) > 0 {
			fmt.Fprintf(&b, "module %d: %s\n", i, strings.Join(notes, ", "))
		}
	}
	return b.String()
}

// orDash returns s, or a dash if s is empty.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// printable replaces the control characters of a name from a file.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

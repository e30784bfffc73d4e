package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/rewrite/fatbin"
)

func extractCommand() *cli.Command {
	return &cli.Command{
		Name:      "extract",
		Category:  "Rewriting",
		Usage:     "list or take the PTX out of a program",
		ArgsUsage: "APP",
		Description: `Finds the fat binaries in an executable, a shared object, a relocatable object, a
static archive, a .fatbin file or C source with arrays, and writes their PTX. In a
binary file without any it finds PTX that is a string, as in the objects of Halide. One
entry goes to standard output or to --output; several go to files in --dir, named
APP.MODULE.sm_NN.ptx.

Examples:
   ptxsan extract --list app
   ptxsan extract --module 1 -o k.ptx app
   ptxsan extract --dir ptx libkernels.a`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list all entries, machine code too, and write nothing", Category: catOutput},
			moduleFlag(), archFlag(),
			&cli.StringFlag{Name: "dir", Aliases: []string{"d"}, Usage: "write one file for each entry to `DIR`, which is made when it is not there", Category: catOutput},
			outputFlag(),
		},
		Action: extractAction,
	}
}

func moduleFlag() cli.Flag {
	return &cli.IntFlag{Name: "module", Value: -1, DefaultText: "all", Usage: "only module `N`, as numbered by --list of extract", Category: catInput}
}

func archFlag() cli.Flag {
	return &cli.StringFlag{Name: "arch", Usage: "only PTX for `TARGET`, such as sm_70", Category: catInput}
}

// ptxEntry is one PTX entry of a file.
type ptxEntry struct {
	module, index int
	*fatbin.Entry
}

func extractAction(c *cli.Context) error {
	f, err := openBinary(c)
	if err != nil {
		return err
	}
	if c.Bool("list") {
		if c.IsSet("module") || c.IsSet("arch") || c.IsSet("dir") {
			return usagef("extract: --list shows all entries; --module, --arch and --dir do not go with it")
		}
		return writeOutput(c, c.String("output"), func(w io.Writer) error { return listEntries(w, f) })
	}
	entries, err := selectPTX(c, f)
	if err != nil {
		return err
	}
	if dir := c.String("dir"); dir != "" {
		return extractTo(c, dir, entries)
	}
	if len(entries) > 1 {
		return usagef("%s: %d PTX entries: %s; choose with --module and --arch, or give --dir", f.Name, len(entries), describeEntries(entries))
	}
	data, err := entries[0].Data()
	if err != nil {
		return badInput(err)
	}
	return writeBytes(c, c.String("output"), data)
}

// openBinary reads the file that is the first argument.
func openBinary(c *cli.Context) (*fatbin.File, error) {
	if c.NArg() == 0 {
		return nil, usagef("%s: expected a program or another file with PTX in it", c.Command.Name)
	}
	if c.Command.Name == "extract" && c.NArg() > 1 {
		return nil, usagef("extract: expected one file, found %d arguments: %q", c.NArg(), c.Args().Slice())
	}
	name := c.Args().First()
	data, err := readInput(c, name, limits.BinaryBytes)
	if err != nil {
		return nil, err
	}
	f, err := fatbin.Open(displayName(name), data)
	return f, badInput(err)
}

// selectPTX is the PTX of a file that --module and --arch name: at least one.
func selectPTX(c *cli.Context, f *fatbin.File) ([]ptxEntry, error) {
	module, arch := c.Int("module"), c.String("arch")
	if c.IsSet("module") && (module < 0 || module >= len(f.Modules)) {
		return nil, usagef("--module %d: %s has modules 0 to %d", module, f.Name, len(f.Modules)-1)
	}
	var all, selected []ptxEntry
	for i, m := range f.Modules {
		for _, j := range m.PTX() {
			e := ptxEntry{i, j, m.Entries[j]}
			all = append(all, e)
			if (!c.IsSet("module") || i == module) && (arch == "" || arch == e.Target()) {
				selected = append(selected, e)
			}
		}
	}
	switch {
	case len(all) == 0:
		return nil, usagef("%s: no PTX, only machine code for %s: compile with -gencode arch=compute_NN,code=compute_NN", f.Name, plainList(targets(f)))
	case len(selected) == 0:
		return nil, usagef("%s: no PTX as chosen with --module and --arch; PTX: %s", f.Name, describeEntries(all))
	}
	return selected, nil
}

// targets lists the architectures of a file, without repetition.
func targets(f *fatbin.File) (names []string) {
	seen := make(map[string]bool)
	for _, m := range f.Modules {
		for _, e := range m.Entries {
			if !seen[e.Target()] {
				seen[e.Target()] = true
				names = append(names, e.Target())
			}
		}
	}
	return names
}

// describeEntries lists entries in a message, but not hundreds of them.
func describeEntries(entries []ptxEntry) string {
	const most = 8
	var parts []string
	for i, e := range entries {
		if i == most {
			return fmt.Sprintf("%s and %d more", strings.Join(parts, ", "), len(entries)-most)
		}
		parts = append(parts, fmt.Sprintf("module %d %s", e.module, e.Target()))
	}
	return strings.Join(parts, ", ")
}

// extractTo writes each entry to a file of its own. The names of the files go to
// standard output.
func extractTo(c *cli.Context, dir string, entries []ptxEntry) error {
	if c.IsSet("output") {
		return usagef("extract: --dir and --output exclude each other")
	}
	texts, err := decodeAll(entries) // before any file is written
	if err != nil {
		return err
	}
	if err = os.MkdirAll(dir, 0o755); err != nil {
		return badInput(err)
	}
	base := filepath.Base(displayName(c.Args().First()))
	used := make(map[string]bool)
	for i, e := range entries {
		name := fmt.Sprintf("%s.%d.%s.ptx", base, e.module, e.Target())
		if used[name] {
			name = fmt.Sprintf("%s.%d.%d.%s.ptx", base, e.module, e.index, e.Target())
		}
		used[name] = true
		name = filepath.Join(dir, name)
		if err = writeBytes(c, name, texts[i]); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer, name)
	}
	return nil
}

func decodeAll(entries []ptxEntry) ([][]byte, error) {
	var texts [][]byte
	for _, e := range entries {
		data, err := e.Data()
		if err != nil {
			return nil, badInput(err)
		}
		texts = append(texts, data)
	}
	return texts, nil
}

// listEntries prints a table of all entries, and what has no PTX.
func listEntries(w io.Writer, f *fatbin.File) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "module\tkind\tarch\tversion\tsize\tstored\tcompression\tflags\toptions\tname")
	for i, m := range f.Modules {
		for _, e := range m.Entries {
			fmt.Fprintf(t, "%d\t%s\t%s\t%d.%d\t%d\t%d\t%s\t%s\t%s\t%s\n", i, e.Kind, e.Target(), e.Major, e.Minor,
				e.Size, e.Stored, e.Compression, strings.Join(e.Traits(), ","), orDash(printable(e.Options)), orDash(printable(e.Name)))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s: %s\n%s", f.Name, summary(f), remarks(f))
	return err
}

func summary(f *fatbin.File) string {
	ptx, rest := 0, 0
	for _, m := range f.Modules {
		n := len(m.PTX())
		ptx += n
		rest += len(m.Entries) - n
	}
	return fmt.Sprintf("%s, modules: %d, PTX entries: %d, other entries: %d", f.Format, len(f.Modules), ptx, rest)
}

// remarks says for each module what the table does not show.
func remarks(f *fatbin.File) string {
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

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// printable is text of a file without control characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

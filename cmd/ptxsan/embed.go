package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite/fatbin"
)

func embedCommand() *cli.Command {
	return &cli.Command{
		Name:      "embed",
		Category:  "Rewriting",
		Usage:     "put PTX back into a program",
		ArgsUsage: "APP P.ptx...",
		Description: `Writes APP with PTX replaced. Each file replaces the PTX that has the same kernels
and the same target; with one file, --module and --arch choose it. The machine code
of the modules concerned is dropped, so that the driver compiles the new PTX when
the program runs; all else stays as it is. The mode of APP is kept.

Examples:
   ptxsan embed -o app.checked app k.ptx
   ptxsan embed --module 1 -o app app k.ptx`,
		Flags: []cli.Flag{
			moduleFlag(), archFlag(),
			&cli.StringFlag{Name: "compression", Value: "keep", Usage: "`FORM` of the new entries: keep that of the old ones, none, lz4, zstd or zlib", Category: catOutput, Action: oneOf("compression", "keep", "none", "lz4", "zstd", "zlib")},
			&cli.BoolFlag{Name: "drop-ptx", Usage: "drop the other PTX of the modules, for other targets, too", Category: catOutput},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; it may be APP itself", Category: catOutput},
		},
		Action: embedAction,
	}
}

func embedAction(c *cli.Context) error {
	args := c.Args().Slice()
	switch {
	case len(args) < 2:
		return usagef("embed: expected a program and a PTX file, found %d arguments", len(args))
	case c.String("output") == "":
		return usagef("embed: expected --output FILE (- for standard output)")
	case len(args) > 2 && (c.IsSet("module") || c.IsSet("arch")):
		return usagef("embed: --module and --arch choose the place of one PTX file; found %d", len(args)-1)
	}
	f, err := openBinary(c)
	if err != nil {
		return err
	}
	repl, err := replacements(c, f, args[1:])
	if err != nil {
		return err
	}
	opts := fatbin.EmbedOptions{DropPTX: c.Bool("drop-ptx")}
	if how := c.String("compression"); how != "keep" {
		compression, failed := fatbin.ParseCompression(how)
		if failed != nil {
			return usagef("--compression: %w", failed)
		}
		opts.Compression = &compression
	}
	out, err := f.Embed(repl, opts)
	if err != nil {
		return badInput(err)
	}
	return writeProgram(c, args[0], out)
}

// writeProgram writes the output with the mode of the program that it replaces.
func writeProgram(c *cli.Context, like string, data []byte) error {
	name := c.String("output")
	if err := writeBytes(c, name, data); err != nil || name == "-" || like == "-" {
		return err
	}
	from, err := os.Stat(like)
	if err != nil {
		return err
	}
	if to, err := os.Stat(name); err != nil || !to.Mode().IsRegular() {
		return err
	}
	return os.Chmod(name, from.Mode().Perm())
}

// replacements finds the place of each PTX file.
func replacements(c *cli.Context, f *fatbin.File, names []string) ([]fatbin.Replacement, error) {
	entries, err := selectPTX(c, f)
	if err != nil {
		return nil, err
	}
	var kernelsOf [][]string
	if len(entries) != 1 || !c.IsSet("module") && !c.IsSet("arch") {
		if kernelsOf, err = kernelsOfEntries(entries); err != nil {
			return nil, err
		}
	}
	var out []fatbin.Replacement
	for _, name := range names {
		r, kernels, err := readReplacement(c, name)
		if err != nil {
			return nil, err
		}
		place, err := placeOf(c, name, r, kernels, entries, kernelsOf)
		if err != nil {
			return nil, err
		}
		r.Module, r.Entry = place.module, place.index
		out = append(out, *r)
	}
	return out, nil
}

// readReplacement reads a PTX file and lists its kernels, sorted.
func readReplacement(c *cli.Context, name string) (*fatbin.Replacement, []string, error) {
	src, err := readInput(c, name, limits.ProgramBytes)
	if err != nil {
		return nil, nil, err
	}
	tree, err := ptxgrammar.Parse(displayName(name), src)
	if err != nil {
		return nil, nil, badInput(err)
	}
	r := &fatbin.Replacement{PTX: src, Major: uint16(tree.Version / 10), Minor: uint16(tree.Version % 10)}
	if r.Arch, err = targetNumber(tree); err != nil {
		return nil, nil, badInput(err)
	}
	return r, kernelNames(tree), nil
}

// targetNumber is 70 for .target sm_70; a letter after the number is no part of it.
func targetNumber(tree *ptxgrammar.Module) (uint32, error) {
	for _, t := range tree.Target {
		digits, ok := strings.CutPrefix(t, "sm_")
		if n, err := strconv.ParseUint(strings.TrimRight(digits, "af"), 10, 32); ok && err == nil {
			return uint32(n), nil
		}
	}
	return 0, fmt.Errorf("%s: no target sm_NN", tree.File.Name)
}

func kernelNames(tree *ptxgrammar.Module) (names []string) {
	for i := range tree.Funcs {
		if f := &tree.Funcs[i]; f.Entry {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}

// kernelsOfEntries lists the kernels of each entry, sorted; nil where the text cannot be
// parsed.
func kernelsOfEntries(entries []ptxEntry) ([][]string, error) {
	list := make([][]string, len(entries))
	for i, e := range entries {
		data, err := e.Data()
		if err != nil {
			return nil, badInput(err)
		}
		if len(data) > limits.ProgramBytes {
			return nil, usagef("module %d %s has %d bytes of PTX, more than the limit of %d", e.module, e.Target(), len(data), limits.ProgramBytes)
		}
		if tree, failed := ptxgrammar.Parse(fmt.Sprintf("module %d", e.module), data); failed == nil {
			list[i] = append([]string{}, kernelNames(tree)...)
		}
	}
	return list, nil
}

// placeOf is the entry that a PTX file replaces: the only one chosen by flags, or
// else, when the kernels of the entries are given, the only one with the same kernels
// and target.
func placeOf(c *cli.Context, name string, r *fatbin.Replacement, kernels []string, entries []ptxEntry, kernelsOf [][]string) (*ptxEntry, error) {
	if kernelsOf == nil {
		return &entries[0], nil
	}
	var places []ptxEntry
	for i, e := range entries {
		if e.Arch == r.Arch && kernelsOf[i] != nil && slices.Equal(kernelsOf[i], kernels) {
			places = append(places, e)
		}
	}
	switch len(places) {
	case 1:
		return &places[0], nil
	case 0:
		return nil, usagef("%s: no PTX of %s has its target sm_%d and its kernels (%s); choose with --module and --arch from %s",
			name, c.Args().First(), r.Arch, plainList(kernels), describeEntries(entries))
	}
	return nil, usagef("%s: its kernels and its target are those of %s; choose with --module and --arch", name, describeEntries(places))
}

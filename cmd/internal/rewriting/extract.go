// The command extract.

package rewriting

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/cubin"
	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// Extract returns the command extract.
func Extract() *cli.Command {
	return &cli.Command{
		Name:      "extract",
		Category:  "Rewriting",
		Usage:     "list or take the PTX out of a program",
		ArgsUsage: "APP",
		Description: `Finds the fat binaries in an executable, a shared object, a relocatable object, a
static archive, a .fatbin file or C source with arrays, and writes their PTX. Of
machine code without PTX beside it, also of a .cubin, it takes the PTX that -lineinfo
and -G leave in it, with the lines of the source. In a binary file without fat
binaries it finds PTX that is a string, as in objects of Halide. One entry goes to standard output or to --output; several go to files in --dir, named
APP.MODULE.sm_NN.ptx.

Examples:
   ptxsan extract --list app
   ptxsan extract --module 1 -o k.ptx app
   ptxsan extract --dir ptx libkernels.a`,
		Flags: []cli.Flag{
			&cli.BoolFlag{
				Name: "list", Usage: "list all entries, including machine code, and write nothing",
				Category: command.CatOutput,
			},
			moduleFlag(), archFlag(),
			&cli.StringFlag{Name: "dir", Aliases: []string{"d"}, Usage: "write one file for each entry to `DIR`, which is made when it is not there", Category: command.CatOutput},
			command.OutputFlag(),
		},
		Action: extractAction,
	}
}

func moduleFlag() cli.Flag {
	return &cli.IntFlag{Name: "module", Value: -1, DefaultText: "all", Usage: "only module `N`, as numbered by --list of extract", Category: command.CatInput}
}

func archFlag() cli.Flag {
	return &cli.StringFlag{Name: "arch", Usage: "only PTX for `TARGET`, such as sm_70", Category: command.CatInput}
}

func extractAction(c *cli.Context) error {
	f, err := openBinary(c)
	if err != nil {
		return err
	}
	if c.Bool("list") {
		if c.IsSet("module") || c.IsSet("arch") || c.IsSet("dir") {
			return command.Usagef("extract: --list shows all entries; --module, --arch and --dir do not go with it")
		}
		return command.WriteOutput(c, c.String("output"), func(w io.Writer) error { return f.WriteList(w, cubin.Holds) })
	}
	all, err := cubin.Entries(f)
	if err != nil {
		return command.BadInput(err)
	}
	entries, err := selectPTX(c, f, all)
	if err != nil {
		return err
	}
	if dir := c.String("dir"); dir != "" {
		return extractTo(c, dir, entries)
	}
	if len(entries) > 1 {
		return command.Usagef("%s: %d PTX entries: %s; choose with --module and --arch, or give --dir", f.Name,
			len(entries), fatbin.DescribePTX(entries))
	}
	texts, err := decodeAll(entries)
	if err != nil {
		return err
	}
	return command.WriteBytes(c, c.String("output"), texts[0])
}

// openBinary reads the file of the first argument.
func openBinary(c *cli.Context) (*fatbin.File, error) {
	if c.NArg() == 0 {
		return nil, command.Usagef("%s: expected a program or another file with PTX in it", c.Command.Name)
	}
	if c.Command.Name == "extract" && c.NArg() > 1 {
		return nil, command.Usagef("extract: expected one file, found %d arguments: %q", c.NArg(), c.Args().Slice())
	}
	name := c.Args().First()
	data, err := command.ReadInput(c, name, limits.BinaryBytes)
	if err != nil {
		return nil, err
	}
	f, err := fatbin.Open(command.DisplayName(name), data)
	return f, command.BadInput(err)
}

// selectPTX returns those of all PTX entries of a file that --module and --arch select, or an error if there are none.
func selectPTX(c *cli.Context, f *fatbin.File, all []fatbin.PTXEntry) ([]fatbin.PTXEntry, error) {
	module, arch := c.Int("module"), c.String("arch")
	if c.IsSet("module") && (module < 0 || module >= len(f.Modules)) {
		return nil, command.Usagef("--module %d: %s has modules 0 to %d", module, f.Name, len(f.Modules)-1)
	}
	selected := slices.DeleteFunc(slices.Clone(all), func(e fatbin.PTXEntry) bool {
		return c.IsSet("module") && e.Module != module || arch != "" && arch != e.Target()
	})
	switch {
	case len(all) == 0:
		return nil, command.Usagef("%s: no PTX, only machine code for %s: compile with -lineinfo, or with "+
			"-gencode arch=compute_NN,code=compute_NN", f.Name, cmp.Or(strings.Join(f.Targets(), ", "), "none"))
	case len(selected) == 0:
		return nil, command.Usagef("%s: no PTX as chosen with --module and --arch; PTX: %s", f.Name,
			fatbin.DescribePTX(all))
	}
	return selected, nil
}

// extractTo writes each entry to a separate file, and prints the names of the files on standard output.
func extractTo(c *cli.Context, dir string, entries []fatbin.PTXEntry) error {
	if c.IsSet("output") {
		return command.Usagef("extract: --dir and --output exclude each other")
	}
	texts, err := decodeAll(entries) // before any file is written
	if err != nil {
		return err
	}
	if err = os.MkdirAll(dir, 0o755); err != nil {
		return command.BadInput(err)
	}
	base := filepath.Base(command.DisplayName(c.Args().First()))
	for i, name := range fatbin.FileNames(base, entries) {
		name = filepath.Join(dir, name)
		if err = command.WriteBytes(c, name, texts[i]); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer, name)
	}
	return nil
}

func decodeAll(entries []fatbin.PTXEntry) ([][]byte, error) {
	var texts [][]byte
	for _, e := range entries {
		p, err := cubin.Of(e.Entry)
		if err != nil {
			return nil, command.BadInput(err)
		}
		texts = append(texts, p.PTX)
	}
	return texts, nil
}

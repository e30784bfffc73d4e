// The command embed.

package rewriting

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/embed"
	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// Embed returns the command embed.
func Embed() *cli.Command {
	return &cli.Command{
		Name:      "embed",
		Category:  "Rewriting",
		Usage:     "put PTX back into a program",
		ArgsUsage: "[APP] P.ptx...",
		Description: `Writes APP with PTX replaced. Each file replaces the PTX that has the same kernels
and the same target; with one file, --module and --arch choose it. The machine code
of these modules is dropped, so that the driver compiles the new PTX when the program
runs; everything else, and the file mode of APP, stays as it is.

Without APP, writes a new fat binary with the PTX, for clang's
-Xclang -fcuda-include-gpubinary.

Examples:
   ptxsan embed -o app.checked app k.ptx
   ptxsan embed --module 1 -o app app k.ptx
   ptxsan embed -o k.fatbin k.ptx`,
		Flags: []cli.Flag{
			moduleFlag(), archFlag(),
			&cli.StringFlag{Name: "compression", Value: "keep", Usage: "`FORM` of the new entries: keep that of the old ones, none, lz4, zstd or zlib", Category: command.CatOutput, Action: command.OneOf("compression", "keep", "none", "lz4", "zstd", "zlib")},
			&cli.BoolFlag{
				Name: "drop-ptx", Usage: "also drop PTX of the modules for other targets",
				Category: command.CatOutput,
			},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`; it may be APP itself", Category: command.CatOutput},
		},
		Action: embedAction,
	}
}

func embedAction(c *cli.Context) error {
	args := c.Args().Slice()
	switch {
	case len(args) == 0:
		return command.Usagef("embed: expected a program and a PTX file, or a PTX file, found nothing")
	case c.String("output") == "":
		return command.Usagef("embed: expected --output FILE (- for standard output)")
	case len(args) == 1:
		return embedAlone(c, args[0])
	case len(args) > 2 && (c.IsSet("module") || c.IsSet("arch")):
		return command.Usagef("embed: --module and --arch choose the place of one PTX file; found %d", len(args)-1)
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
			return command.Usagef("--compression: %w", failed)
		}
		opts.Compression = &compression
	}
	out, err := f.Embed(repl, opts)
	if err != nil {
		return command.BadInput(err)
	}
	return writeProgram(c, args[0], out)
}

// embedAlone writes a new fat binary.
func embedAlone(c *cli.Context, name string) error {
	src, err := command.ReadInput(c, name, limits.ProgramBytes)
	if err != nil {
		return err
	}
	how := fatbin.Uncompressed
	if text := c.String("compression"); text != "keep" {
		if how, err = fatbin.ParseCompression(text); err != nil {
			return command.Usagef("--compression: %w", err)
		}
	}
	out, err := embed.New(command.DisplayName(name), src, how)
	if err != nil {
		return command.BadInput(err)
	}
	return command.WriteBytes(c, c.String("output"), out)
}

// writeProgram writes the output with the mode of the program that it replaces.
func writeProgram(c *cli.Context, like string, data []byte) error {
	name := c.String("output")
	if err := command.WriteBytes(c, name, data); err != nil || name == "-" || like == "-" {
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

// replacements finds the entry of the program that each PTX file replaces.
func replacements(c *cli.Context, f *fatbin.File, names []string) ([]fatbin.Replacement, error) {
	entries, err := selectPTX(c, f, f.PTX())
	if err != nil {
		return nil, err
	}
	places, err := embed.NewPlaces(c.Args().First(), entries, len(entries) == 1 &&
		(c.IsSet("module") || c.IsSet("arch")), limits.ProgramBytes)
	if err != nil {
		return nil, command.BadInput(err)
	}
	var out []fatbin.Replacement
	for _, name := range names {
		src, err := command.ReadInput(c, name, limits.ProgramBytes)
		if err != nil {
			return nil, err
		}
		r, err := places.Replacement(command.DisplayName(name), src)
		if err != nil {
			return nil, command.BadInput(err)
		}
		out = append(out, *r)
	}
	return out, nil
}

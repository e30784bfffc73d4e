// The command diff.

package rewriting

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

// Diff returns the command diff.
func Diff() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Category:  "Rewriting",
		Usage:     "compare two PTX files, or a file with what passes make of it",
		ArgsUsage: "A.ptx [B.ptx]",
		Description: `Prints what differs and exits with 1, or prints nothing and exits with 0. With
--passes the second text is the output of the pipeline over the first.

Lines are compared, and the output is a patch. With --semantic, instructions are
compared: layout, comments, debug information and the names of registers and
labels do not matter. Either shows changes one below the other, in two columns with
--side-by-side, as a page with --html, or as numbers with --stat.

Examples:
   ptxsan diff a.ptx b.ptx
   ptxsan diff --passes iguard --stat k.ptx
   ptxsan diff --semantic --side-by-side --color always a.ptx b.ptx | less -R
   ptxsan diff --passes iguard --semantic --html -o k.html k.ptx`,
		Flags: append(command.PipelineFlags(),
			command.NoCheckFlag(),
			&cli.BoolFlag{
				Name: "semantic", Aliases: []string{"s"},
				Usage: "compare instructions instead of lines, ignoring layout and names", Category: command.CatInput,
			},
			&cli.BoolFlag{
				Name: "side-by-side", Aliases: []string{"y"}, Usage: "show two columns",
				Category: command.CatOutput,
			},
			&cli.BoolFlag{
				Name: "html", Usage: "write an HTML page that needs no other files",
				Category: command.CatOutput,
			},
			&cli.BoolFlag{
				Name:  "stat",
				Usage: "print for each function how many instructions, registers and calls were inserted, removed and changed; implies --semantic", Category: command.CatOutput,
			},
			&cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Value: 3, Usage: "`N` lines of context", Category: command.CatOutput},
			&cli.IntFlag{Name: "width", Usage: "`N` characters for --side-by-side, from 40", DefaultText: "that of the terminal, or 130", Category: command.CatOutput},
			&cli.BoolFlag{
				Name: "cut", Usage: "cut lines that are too long for --side-by-side, instead of folding them",
				Category: command.CatOutput,
			},
			command.ColorFlag(),
			command.OutputFlag(),
		),
		Action: diffAction,
	}
}

func diffAction(c *cli.Context) error {
	if err := checkDiffFlags(c); err != nil {
		return err
	}
	d, err := diffOf(c)
	if err != nil {
		return err
	}
	if err := command.WriteOutput(c, c.String("output"),
		func(w io.Writer) error { return showDiff(c, d, w) }); err != nil || d.Same() {
		return err
	}
	return command.Exit(command.Findings)
}

func checkDiffFlags(c *cli.Context) error {
	shown := 0
	for _, name := range []string{"side-by-side", "html", "stat"} {
		if c.Bool(name) {
			shown++
		}
	}
	switch {
	case shown > 1:
		return command.Usagef("--side-by-side, --html and --stat exclude each other")
	case c.Int("unified") < 0:
		return command.Usagef("--unified: expected a number of lines, found %d", c.Int("unified"))
	case c.IsSet("width") && c.Int("width") < 40:
		return command.Usagef("--width: expected at least 40 characters, found %d", c.Int("width"))
	}
	return nil
}

// showDiff writes the comparison in the form that the flags select.
func showDiff(c *cli.Context, d *diff.Diff, w io.Writer) error {
	text := diff.TextOptions{Context: c.Int("unified"), Color: command.UseColor(c)}
	if text.Color {
		w = output.Raw(w)
	}
	switch {
	case c.Bool("html"):
		return d.HTML(w, diff.HTMLOptions{Context: text.Context})
	case c.Bool("stat"):
		return d.WriteStat(w)
	case c.Bool("side-by-side"):
		return d.SideBySide(w, diff.SideBySideOptions{TextOptions: text, Width: columns(c), Cut: c.Bool("cut")})
	}
	return d.Unified(w, text)
}

// columns returns the width of the terminal.
func columns(c *cli.Context) int {
	if c.IsSet("width") {
		return c.Int("width")
	}
	return terminal.Width(c.App.Writer, 130)
}

// diffOf compares the inputs that the arguments name.
func diffOf(c *cli.Context) (*diff.Diff, error) {
	a, b, err := diffSides(c)
	if err != nil {
		return nil, err
	}
	d, err := diff.Compare(a, b, c.Bool("semantic") || c.Bool("stat"))
	return d, command.BadInput(err)
}

func diffSides(c *cli.Context) (a, b diff.Input, err error) {
	args := c.Args().Slice()
	want := 2
	if c.IsSet("passes") || c.IsSet("passes-file") {
		want = 1
	}
	if len(args) != want {
		return a, b, command.Usagef("diff: expected two files, or one file with --passes; found %d files", len(args))
	}
	if want == 1 {
		return rewrittenSides(c, args[0])
	}
	if args[0] == "-" && args[1] == "-" {
		return a, b, command.Usagef("diff: standard input can be one of the files only")
	}
	if a, err = readSide(c, args[0]); err == nil {
		b, err = readSide(c, args[1])
	}
	return a, b, err
}

func readSide(c *cli.Context, name string) (diff.Input, error) {
	src, err := command.ReadInput(c, name, limits.ProgramBytes)
	return diff.Input{Text: diff.Text{Name: command.DisplayName(name), Text: string(src)}}, err
}

// rewrittenSides returns a file and the output of a pipeline for it.
func rewrittenSides(c *cli.Context, name string) (a, b diff.Input, err error) {
	p, err := command.PipelineOf(c)
	if err != nil {
		return a, b, err
	}
	k, err := command.PassTimerOf(c, p)
	if err != nil {
		return a, b, err
	}
	mod, err := command.ReadModule(c, name)
	if err != nil {
		return a, b, err
	}
	out, err := k.Run(mod)
	if err != nil {
		return a, b, err
	}
	name = command.DisplayName(name)
	a = diff.Input{Text: diff.Text{Name: name, Text: string(command.Text(mod))}, Tree: mod.AST}
	b = diff.Input{
		Text:   diff.Text{Name: name + " after " + p.String(), Text: string(command.Text(out.Module))},
		Tree:   out.Module.AST,
		Origin: originIn(out.Module),
	}
	return a, b, nil
}

// originIn returns a function that returns the origin of each line of a rewritten module.
func originIn(m *rewrite.Module) func(line int) diff.Origin {
	return func(line int) diff.Origin {
		o := m.Origin(line)
		return diff.Origin{Line: o.Line, Pass: o.Pass, For: o.For}
	}
}

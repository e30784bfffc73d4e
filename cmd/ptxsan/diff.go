package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/rewrite"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Category:  "Rewriting",
		Usage:     "compare two PTX files, or a file with what passes make of it",
		ArgsUsage: "A.ptx [B.ptx]",
		Description: `Prints a unified diff and exits with 1 when there is one. With --passes the second
text is the output of the pipeline over the first.

Examples:
   ptxsan diff a.ptx b.ptx
   ptxsan diff --passes iguard --stat k.ptx`,
		Flags: []cli.Flag{
			passesFlag(""),
			&cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Value: 3, Usage: "`N` lines of context", Category: catOutput},
			&cli.BoolFlag{Name: "stat", Usage: "print the numbers of inserted and deleted lines only", Category: catOutput},
			outputFlag(),
		},
		Action: diffAction,
	}
}

func diffAction(c *cli.Context) error {
	if c.Int("unified") < 0 {
		return usagef("--unified: expected a number of lines, found %d", c.Int("unified"))
	}
	a, b, err := diffSides(c)
	if err != nil {
		return err
	}
	d := rewrite.Unified(a.name, a.text, b.name, b.text, c.Int("unified"))
	shown := d
	if c.Bool("stat") {
		shown = diffStat(a.name, d)
	}
	err = writeOutput(c, c.String("output"), func(w io.Writer) error {
		_, failed := io.WriteString(w, shown)
		return failed
	})
	if err != nil || d == "" {
		return err
	}
	return exit(exitFindings)
}

// side is one of the two texts compared.
type side struct{ name, text string }

func diffSides(c *cli.Context) (a, b side, err error) {
	args := c.Args().Slice()
	want := 2
	if c.IsSet("passes") {
		want = 1
	}
	if len(args) != want {
		return a, b, usagef("diff: expected two files, or one file with --passes; found %d files", len(args))
	}
	if want == 2 {
		if a, err = readSide(c, args[0]); err == nil {
			b, err = readSide(c, args[1])
		}
		return a, b, err
	}
	p, err := parsePipeline(c.String("passes"))
	if err != nil {
		return a, b, err
	}
	mod, err := readModule(c, args[0])
	if err != nil {
		return a, b, err
	}
	out, err := runPipeline(p, mod)
	if err != nil {
		return a, b, err
	}
	name := displayName(args[0])
	return side{name, string(text(mod))}, side{name + " after " + c.String("passes"), string(text(out.Module))}, nil
}

func readSide(c *cli.Context, name string) (side, error) {
	src, err := readInput(c, name)
	return side{displayName(name), string(src)}, err
}

// diffStat sums up a unified diff in one line.
func diffStat(name, diff string) string {
	inserted, deleted := 0, 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			// The header comes first; in a hunk these are changed lines.
			if inserted+deleted > 0 {
				inserted += strings.Count(line[:1], "+")
				deleted += strings.Count(line[:1], "-")
			}
		case line[0] == '+':
			inserted++
		case line[0] == '-':
			deleted++
		}
	}
	return fmt.Sprintf("%s: %d insertions(+), %d deletions(-)\n", name, inserted, deleted)
}

// The command fmt.

package rewriting

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

// Fmt returns the command fmt.
func Fmt() *cli.Command {
	return &cli.Command{
		Name:      "fmt",
		Category:  "Rewriting",
		Usage:     "check PTX against the manual and print it in one layout",
		ArgsUsage: "FILE.ptx...",
		Description: `Prints the files with one statement per line, indented as nvcc and clang do; tokens,
comments and debug sections stay as they are. The files are checked first, for unknown
instructions, operands of the wrong type, undefined names, and instructions that the
.version or .target lacks. All problems are listed with file:line:col, and a file with
problems is not printed. --no-check prints every file that parses.

Exit codes: 0 clean; 1 with --check or --diff, when a file is not in this layout;
2 when a file has problems.

Examples:
   ptxsan fmt k.ptx
   ptxsan fmt -w *.ptx
   ptxsan fmt --check *.ptx`,
		Flags: []cli.Flag{
			command.NoCheckFlag(),
			&cli.BoolFlag{
				Name: "write", Aliases: []string{"w"},
				Usage: "replace files that are not in this layout, and print nothing", Category: command.CatOutput,
			},
			&cli.BoolFlag{
				Name: "diff", Aliases: []string{"d"}, Usage: "print what would change",
				Category: command.CatOutput,
			},
			&cli.BoolFlag{
				Name:     "check",
				Usage:    "print the names of the files that are not in this layout, and nothing else",
				Category: command.CatOutput,
			},
		},
		Action: fmtAction,
	}
}

func fmtAction(c *cli.Context) error {
	modes := 0
	for _, name := range []string{"write", "diff", "check"} {
		if c.Bool(name) {
			modes++
		}
	}
	switch {
	case c.NArg() == 0:
		return command.Usagef("fmt: expected PTX files (or - for standard input)")
	case modes > 1:
		return command.Usagef("fmt: expected at most one of --write, --diff and --check")
	}
	code := command.Clean
	for _, name := range c.Args().Slice() {
		one, err := fmtFile(c, name)
		if err != nil {
			return err
		}
		code = max(code, one)
	}
	return command.Exit(code)
}

// fmtFile handles one file and returns its exit code. It prints problems of the file. An error ends the command.
func fmtFile(c *cli.Context, name string) (int, error) {
	src, err := command.ReadInput(c, name, limits.ProgramBytes)
	if err != nil {
		return 0, err
	}
	out, err := layout(c, command.DisplayName(name), src)
	if err != nil {
		listProblems(c.App.ErrWriter, err)
		return command.BadUsage, nil
	}
	same := bytes.Equal(src, out)
	switch {
	case c.Bool("check"):
		if same {
			return command.Clean, nil
		}
		_, err = fmt.Fprintln(c.App.Writer, command.DisplayName(name))
		return command.Findings, err
	case c.Bool("diff"):
		if same {
			return command.Clean, nil
		}
		_, err = io.WriteString(c.App.Writer, diff.Unified(command.DisplayName(name), string(src),
			command.DisplayName(name)+" laid out", string(out), 3))
		return command.Findings, err
	case !c.Bool("write") || name == "-":
		_, err = command.Data(c).Write(out)
		return command.Clean, err
	case same:
		return command.Clean, nil
	}
	return command.Clean, command.WriteBytes(c, name, out)
}

// layout checks a text and returns it in the canonical layout.
func layout(c *cli.Context, name string, src []byte) ([]byte, error) {
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		return nil, err
	}
	if !c.Bool("no-check") {
		mod, err := rewrite.Check(tree)
		if err != nil {
			return nil, err
		}
		command.NoteNewer(c, mod)
	}
	return ptxgrammar.Canonical(tree), nil
}

// listProblems prints every problem of a text on a separate line.
func listProblems(w io.Writer, err error) {
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) {
		fmt.Fprintf(w, "ptxsan: %v\n", err)
		return
	}
	for _, e := range list {
		fmt.Fprintf(w, "ptxsan: %v\n", e)
	}
}

// The command isa.

package inspection

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/opcodes"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// ISA returns the command isa.
func ISA() *cli.Command {
	return &cli.Command{
		Name:      "isa",
		Category:  "Inspection",
		Usage:     "list the instructions of PTX, or describe some of them",
		ArgsUsage: "[OPCODE...]",
		Description: `Without opcodes, prints one line for each: the PTX version and target that introduced
it, and what it does. With opcodes, prints all forms in the manual's notation, with the
values of each set of modifiers where it is first used or changes, and how ptxsan
handles them.

Examples:
   ptxsan isa
   ptxsan isa ld atom.global.cas`,
		Flags: []cli.Flag{
			&cli.BoolFlag{
				Name:     "markdown",
				Usage:    "print the whole table as Markdown, with what ptxsan does with each opcode",
				Category: command.CatOutput,
			},
			command.OutputFlag(),
		},
		Action: isaAction,
	}
}

func isaAction(c *cli.Context) error {
	var b strings.Builder
	switch {
	case c.Bool("markdown") && c.NArg() > 0:
		return command.Usagef("isa: --markdown is about all opcodes, found %q", c.Args().Slice())
	case c.Bool("markdown"):
		b.WriteString(opcodes.Markdown())
	case c.NArg() == 0:
		opcodes.List(&b)
	}
	for i, name := range c.Args().Slice() {
		opcode, _, _ := strings.Cut(name, ".")
		in, ok := isa.Lookup(opcode)
		if !ok {
			return unknownOpcode(opcode)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		opcodes.Describe(&b, in)
	}
	return command.WriteText(c, b.String())
}

func unknownOpcode(name string) error {
	if near := isa.Suggest(name); near != "" {
		return command.Usagef("isa: no opcode %q, did you mean %q?", name, near)
	}
	return command.Usagef("isa: no opcode %q; ptxsan isa lists them", name)
}

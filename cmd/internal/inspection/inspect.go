// Package inspection implements the commands that describe a module, the instruction table and the
// passes: inspect, isa and passes.
package inspection

import (
	"cmp"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Inspect returns the command inspect.
func Inspect() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Category:  "Inspection",
		Usage:     "show kernels, parameters, control flow and synchronisation",
		ArgsUsage: "FILE.ptx",
		Description: `Shows, for each function, parameters, registers, shared memory, the size of the
control-flow graph, memory accesses, the acquire, release and lock patterns found,
and how many places each pass would instrument. Before the functions it lists what
the emulator lacks or only approximates, with the line of the first use.

--decoded shows instead the emulator's decoded form of the kernels and of the
functions that they call: registers by their place, instructions with their operands,
inlined calls, joins and loops, and the program that runs in assembly. --format json
writes the functions for programs (schema 1). With --schedule it takes no file and
shows a recorded schedule in words.

Examples:
   ptxsan inspect k.ptx
   ptxsan inspect --decoded --kernel 'reduce*' k.ptx
   ptxsan inspect --dot reduce k.ptx | dot -Tsvg -o cfg.svg`,
		Flags: []cli.Flag{
			command.KernelFlag(),
			command.NoCheckFlag(), command.FormatFlag(),
			&cli.StringFlag{Name: "dot", Usage: "print the control-flow graph of `KERNEL` (or device function) for Graphviz, and nothing else", Category: command.CatOutput},
			&cli.BoolFlag{
				Name: "decoded", Usage: "print only the emulator's decoded form of the kernels",
				Category: command.CatOutput,
			},
			&cli.StringFlag{Name: "schedule", Usage: "print a schedule in words, of a `FILE` that --record has written or its text, and nothing else", Category: command.CatOutput},
			command.TimeoutFlag(), command.OutputFlag(),
		},
		Action: command.Timed(inspectAction),
	}
}

func inspectAction(c *cli.Context) error {
	if c.IsSet("schedule") {
		return inspectSchedule(c)
	}
	name, err := command.OneFile(c)
	if err != nil {
		return err
	}
	mod, err := command.ReadModule(c, name)
	if err != nil {
		return err
	}
	var b strings.Builder
	switch dot := c.String("dot"); {
	case c.String("format") == "json" && (dot != "" || c.Bool("decoded")):
		err = command.Usagef("inspect: --format json is not for --dot and --decoded")
	case dot != "" && c.Bool("decoded"):
		err = command.Usagef("inspect: expected one of --dot and --decoded")
	case dot != "":
		var f *rewrite.Func
		if f, err = functionNamed(mod, dot); err == nil {
			b.WriteString(query.DOT(f.CFG()))
		}
	case c.Bool("decoded"):
		err = inspectDecoded(&b, mod, c.StringSlice("kernel"))
	default:
		err = inspectModule(&b, mod, c.StringSlice("kernel"), c.String("format") == "json")
	}
	if err != nil {
		return err
	}
	return command.WriteText(c, b.String())
}

func inspectModule(w io.Writer, mod *rewrite.Module, kernels report.Filter, asJSON bool) error {
	if _, err := session.KernelsMatching(mod, kernels, "--kernel"); err != nil {
		return err
	}
	facts, err := session.Inspect(mod)
	if err != nil {
		return err
	}
	shown := func(f *rewrite.Func) bool {
		return f.Entry && kernels.Chooses(f.Name) || !f.Entry && len(kernels) == 0
	}
	if asJSON {
		return facts.WriteJSON(w, mod, shown)
	}
	facts.WriteText(w, mod, shown)
	return nil
}

// functionNamed finds a defined function by its PTX or demangled name.
func functionNamed(mod *rewrite.Module, name string) (*rewrite.Func, error) {
	var names []string
	for _, f := range mod.Funcs {
		if !f.Defined() {
			continue
		}
		if f.Name == name || report.Matches(name, f.Name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, command.Usagef("--dot %s: no such function; functions: %s", name,
		cmp.Or(strings.Join(names, ", "), "none"))
}

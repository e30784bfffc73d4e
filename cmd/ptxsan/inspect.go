package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Category:  "Inspection",
		Usage:     "show kernels, parameters, control flow and synchronisation",
		ArgsUsage: "FILE.ptx",
		Description: `Shows, for each function, parameters, registers, shared memory, the size of the
control-flow graph, memory accesses, the acquire, release and lock patterns found,
and how many places each pass would instrument. Before them, what the program uses
that the emulator does not have or only approximates, by the line where it is first
used.

With --decoded it shows instead what the emulator makes of the kernels and of the
functions that they call: registers by their place, instructions with their operands,
inlined calls, joins and loops, and the program that runs in assembly. With --schedule
it takes no file and shows a recorded schedule in words.

Examples:
   ptxsan inspect k.ptx
   ptxsan inspect --decoded --kernel 'reduce*' k.ptx
   ptxsan inspect --dot reduce k.ptx | dot -Tsvg -o cfg.svg`,
		Flags: []cli.Flag{
			kernelFlag(),
			noCheckFlag(),
			&cli.StringFlag{Name: "dot", Usage: "print the control-flow graph of `KERNEL` (or device function) for Graphviz, and nothing else", Category: catOutput},
			&cli.BoolFlag{Name: "decoded", Usage: "print what the emulator decodes kernels to, and nothing else", Category: catOutput},
			&cli.StringFlag{Name: "schedule", Usage: "print a schedule in words, of a `FILE` that --record has written or its text, and nothing else", Category: catOutput},
			outputFlag(),
		},
		Action: inspectAction,
	}
}

func inspectAction(c *cli.Context) error {
	if c.IsSet("schedule") {
		return inspectSchedule(c)
	}
	name, err := oneFile(c)
	if err != nil {
		return err
	}
	mod, err := readModule(c, name)
	if err != nil {
		return err
	}
	var b strings.Builder
	switch dot := c.String("dot"); {
	case dot != "" && c.Bool("decoded"):
		err = usagef("inspect: expected one of --dot and --decoded")
	case dot != "":
		var f *rewrite.Func
		if f, err = functionNamed(mod, dot); err == nil {
			b.WriteString(f.CFG().DOT())
		}
	case c.Bool("decoded"):
		err = inspectDecoded(&b, mod, c.String("kernel"))
	default:
		err = inspectModule(&b, mod, c.String("kernel"))
	}
	if err != nil {
		return err
	}
	return writeText(c, b.String())
}

func inspectModule(w io.Writer, mod *rewrite.Module, glob string) error {
	if _, err := kernelsMatching(mod, glob); err != nil {
		return err
	}
	facts, err := session.Inspect(mod)
	if err != nil {
		return err
	}
	ast := mod.AST
	fmt.Fprintf(w, "%s: PTX %d.%d, target %s, %d-bit addresses\n", ast.File.Name, ast.Version/10, ast.Version%10, plainList(ast.Target), ast.AddressSize)
	for _, v := range mod.Globals {
		fmt.Fprintf(w, "  variable %s\n", describeVar(v))
	}
	for _, f := range facts.Failures {
		fmt.Fprintf(w, "  %s\n", f)
	}
	inspectLedger(w, mod)
	for _, f := range facts.Funcs {
		if f.Entry && session.MatchKernel(glob, f.Name) || !f.Entry && glob == "" {
			fmt.Fprintln(w)
			inspectFunc(w, f)
		}
	}
	return nil
}

func describeVar(v *rewrite.Var) string {
	s := fmt.Sprintf("%s: .%s .%s", v.Name, v.Space, v.Type)
	if v.Size == 0 {
		return s + ", size given by the launch"
	}
	return fmt.Sprintf("%s, %d bytes", s, v.Size)
}

func inspectFunc(w io.Writer, f *session.FuncInspection) {
	kind := "function"
	if f.Entry {
		kind = "kernel"
	}
	fmt.Fprintf(w, "%s %s at line %d\n", kind, signature(f.Name), f.Module.AST.File.Line(f.AST.NameAt.Start))
	for _, p := range session.KernelParams(f.Func) {
		fmt.Fprintf(w, "  parameter %s%s\n", session.DescribeParam(p), pointerNote(p))
	}
	fmt.Fprintf(w, "  registers: %s\n", describeCounts(f.Registers))
	for _, v := range f.Locals {
		if v.Space != isa.SpaceParam {
			fmt.Fprintf(w, "  variable %s\n", describeVar(v))
		}
	}
	fmt.Fprintf(w, "  control flow: %s\n", describeFlow(f))
	fmt.Fprintf(w, "  memory: %s\n", describeCounts(f.Accesses))
	fmt.Fprintf(w, "  synchronisation: %s\n", describeCounts(f.Synchronisation))
	for _, p := range f.Patterns {
		fmt.Fprintf(w, "  %s\n", describePattern(p))
	}
	for _, p := range f.Places {
		fmt.Fprintf(w, "  pass %s instruments %d places\n", p.Name, p.N)
	}
}

// signature is the demangled name, with the symbol when that is another.
func signature(name string) string {
	if s := report.Demangle(name); s != name {
		return s + " (" + name + ")"
	}
	return name
}

// describeCounts lists numbers of things.
func describeCounts(counts []passes.Count) string {
	var words []string
	for _, c := range counts {
		words = append(words, fmt.Sprintf("%d %s", c.N, c.Name))
	}
	return plainList(words)
}

func describeFlow(f *session.FuncInspection) string {
	s := fmt.Sprintf("%d instructions, %d blocks, %d edges", len(f.Insts), f.Blocks, f.Edges)
	if f.CFG().Degenerate {
		s += ", an indirect branch without target list"
	}
	return s
}

// describePattern is one line about a pattern: where, what, and the fences that
// make it one.
func describePattern(p *acqrel.Pattern) string {
	s := fmt.Sprintf("line %d%s: %s", p.Inst.Line, sourceNote(p.Inst), p)
	for i, f := range p.Fences {
		sep := ", with "
		if i > 0 {
			sep = " and "
		}
		s += fmt.Sprintf("%s%s at line %d", sep, session.OpcodeText(f), f.Line)
	}
	return s
}

func sourceNote(in *rewrite.Inst) string {
	if in.Loc == nil {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", filepath.Base(in.Loc.File), in.Loc.Line)
}

// functionNamed finds a defined function by its PTX or demangled name.
func functionNamed(mod *rewrite.Module, name string) (*rewrite.Func, error) {
	var names []string
	for _, f := range mod.Funcs {
		if !f.Defined() {
			continue
		}
		if f.Name == name || session.MatchKernel(name, f.Name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, usagef("--dot %s: no such function; functions: %s", name, plainList(names))
}

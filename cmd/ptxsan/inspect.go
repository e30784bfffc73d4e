package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/all"
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

Examples:
   ptxsan inspect k.ptx
   ptxsan inspect --dot reduce k.ptx | dot -Tsvg -o cfg.svg`,
		Flags: []cli.Flag{
			kernelFlag(),
			noCheckFlag(),
			&cli.StringFlag{Name: "dot", Usage: "print the control-flow graph of `KERNEL` (or device function) for Graphviz, and nothing else", Category: catOutput},
			outputFlag(),
		},
		Action: inspectAction,
	}
}

func inspectAction(c *cli.Context) error {
	name, err := oneFile(c)
	if err != nil {
		return err
	}
	mod, err := readModule(c, name)
	if err != nil {
		return err
	}
	var b strings.Builder
	if dot := c.String("dot"); dot != "" {
		var f *rewrite.Func
		if f, err = functionNamed(mod, dot); err == nil {
			b.WriteString(f.CFG().DOT())
		}
	} else {
		err = inspectModule(&b, mod, c.String("kernel"))
	}
	if err != nil {
		return err
	}
	return writeText(c, b.String())
}

// inspection is what the passes say about a module.
type inspection struct {
	patterns []*acqrel.Pattern
	sites    map[string]map[string]int // by pass, by function
	passes   []string                  // that instrument something
	failures []string                  // of passes that cannot run on the module
}

func inspectModule(w io.Writer, mod *rewrite.Module, glob string) error {
	if _, err := kernelsMatching(mod, glob); err != nil {
		return err
	}
	facts, err := inspectPasses(mod)
	if err != nil {
		return err
	}
	ast := mod.AST
	fmt.Fprintf(w, "%s: PTX %d.%d, target %s, %d-bit addresses\n", ast.File.Name, ast.Version/10, ast.Version%10, plainList(ast.Target), ast.AddressSize)
	for _, v := range mod.Globals {
		fmt.Fprintf(w, "  variable %s\n", describeVar(v))
	}
	for _, f := range facts.failures {
		fmt.Fprintf(w, "  %s\n", f)
	}
	inspectLedger(w, mod)
	for _, f := range mod.Funcs {
		if f.Defined() && (f.Entry && session.MatchKernel(glob, f.Name) || !f.Entry && glob == "") {
			fmt.Fprintln(w)
			inspectFunc(w, f, facts)
		}
	}
	return nil
}

func inspectPasses(mod *rewrite.Module) (*inspection, error) {
	facts := &inspection{sites: make(map[string]map[string]int)}
	for _, p := range all.Passes {
		pipeline, err := passes.ParsePipeline(p.Name, all.Passes)
		if err != nil {
			return nil, err
		}
		out, err := pipeline.Run(mod)
		if err != nil { // such as an instrumented module: the rest is worth showing
			facts.failures = append(facts.failures, err.Error())
			continue
		}
		if r, ok := out.Results[acqrel.Pass.Name].(*acqrel.Result); ok {
			facts.patterns = r.Patterns
		}
		if out.Module == mod || len(out.Sites) == 0 { // changes nothing, or counts in other ways than by place
			continue
		}
		count := make(map[string]int)
		for i := range out.Sites {
			count[out.Sites[i].Function]++
		}
		facts.sites[p.Name] = count
		facts.passes = append(facts.passes, p.Name)
	}
	return facts, nil
}

func describeVar(v *rewrite.Var) string {
	s := fmt.Sprintf("%s: .%s .%s", v.Name, v.Space, v.Type)
	if v.Size == 0 {
		return s + ", size given by the launch"
	}
	return fmt.Sprintf("%s, %d bytes", s, v.Size)
}

func inspectFunc(w io.Writer, f *rewrite.Func, facts *inspection) {
	kind := "function"
	if f.Entry {
		kind = "kernel"
	}
	fmt.Fprintf(w, "%s %s at line %d\n", kind, signature(f.Name), f.Module.AST.File.Line(f.AST.NameAt.Start))
	for _, p := range session.KernelParams(f) {
		fmt.Fprintf(w, "  parameter %s%s\n", session.DescribeParam(p), pointerNote(p))
	}
	fmt.Fprintf(w, "  registers: %s\n", registerCounts(f))
	for _, v := range f.Locals {
		if v.Space != isa.SpaceParam {
			fmt.Fprintf(w, "  variable %s\n", describeVar(v))
		}
	}
	fmt.Fprintf(w, "  control flow: %s\n", describeCFG(f))
	fmt.Fprintf(w, "  memory: %s\n", plainList(accessCounts(f)))
	fmt.Fprintf(w, "  synchronisation: %s\n", plainList(syncCounts(f)))
	for _, p := range facts.patterns {
		if p.Inst.Func == f {
			fmt.Fprintf(w, "  %s\n", describePattern(p))
		}
	}
	for _, name := range facts.passes {
		fmt.Fprintf(w, "  pass %s instruments %d places\n", name, facts.sites[name][f.Name])
	}
}

// signature is the demangled name, with the symbol when that is another.
func signature(name string) string {
	if s := report.Demangle(name); s != name {
		return s + " (" + name + ")"
	}
	return name
}

// tally counts words and lists them in order of first appearance.
type tally struct {
	order []string
	n     map[string]int
}

func (t *tally) add(word string) {
	if t.n == nil {
		t.n = make(map[string]int)
	}
	if t.n[word] == 0 {
		t.order = append(t.order, word)
	}
	t.n[word]++
}

func (t *tally) list() []string {
	var out []string
	for _, w := range t.order {
		out = append(out, fmt.Sprintf("%d %s", t.n[w], w))
	}
	return out
}

func registerCounts(f *rewrite.Func) string {
	var t tally
	for _, r := range f.Regs {
		t.add("." + r.Type.String())
	}
	slices.Sort(t.order)
	return plainList(t.list())
}

func describeCFG(f *rewrite.Func) string {
	cfg := f.CFG()
	edges := 0 // those to the exit, which is no block of the program, aside
	for _, b := range cfg.Blocks {
		for _, s := range b.Succs {
			if s != cfg.Exit {
				edges++
			}
		}
	}
	s := fmt.Sprintf("%d instructions, %d blocks, %d edges", len(f.Insts), len(cfg.Blocks)-1, edges)
	if cfg.Degenerate {
		s += ", an indirect branch without target list"
	}
	return s
}

// accessCounts lists memory accesses by space and kind.
func accessCounts(f *rewrite.Func) []string {
	var t tally
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessNone && in.Space != isa.SpaceParam {
			t.add(fmt.Sprintf("%s %s", in.Space, in.Access.Kind.Word()))
		}
	}
	return t.list()
}

// syncCounts lists fences, barriers and warp-level operations by opcode.
func syncCounts(f *rewrite.Func) []string {
	var t tally
	for _, in := range f.Insts {
		switch in.Instr.Class {
		case isa.ClassFence, isa.ClassBarrier, isa.ClassWarp:
			t.add(session.OpcodeText(in))
		default:
		}
	}
	return t.list()
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

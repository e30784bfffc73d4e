// The text of an inspection: what `ptxsan inspect` prints.

package inspect

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// WriteText writes an inspection of module mod: the module, what the emulator approximates, and
// the functions that shown selects.
func (x *Inspection) WriteText(w io.Writer, mod *rewrite.Module, shown func(*rewrite.Func) bool) {
	ast := mod.AST
	fmt.Fprintf(w, "%s: PTX %d.%d, target %s, %d-bit addresses\n", ast.File.Name, ast.Version/10, ast.Version%10,
		listOrNone(ast.Target), ast.AddressSize)
	for _, v := range mod.Globals {
		fmt.Fprintf(w, "  variable %s\n", describeVar(v))
	}
	for _, f := range x.Failures {
		fmt.Fprintf(w, "  %s\n", f)
	}
	x.writeDifferences(w)
	for _, f := range x.Funcs {
		if shown(f.Func) {
			fmt.Fprintln(w)
			f.writeText(w)
		}
	}
}

// writeDifferences writes what the module uses that the emulator approximates or does not support.
func (x *Inspection) writeDifferences(w io.Writer) {
	for _, d := range x.Differences {
		kind := "approximate"
		if d.Unsupported {
			kind = "unsupported"
		}
		fmt.Fprintf(w, "  %s, line %d: %s\n", kind, d.At[0].Line, &d)
	}
}

// describeVar describes a variable: name, space, type, size.
func describeVar(v *rewrite.Var) string {
	s := fmt.Sprintf("%s: .%s .%s", v.Name, v.Space, v.Type)
	if v.Size == 0 {
		return s + ", size given by the launch"
	}
	return fmt.Sprintf("%s, %d bytes", s, v.Size)
}

// writeText writes the properties of a function.
func (f *FuncInspection) writeText(w io.Writer) {
	kind := "function"
	if f.Entry {
		kind = "kernel"
	}
	fmt.Fprintf(w, "%s %s at line %d\n", kind, signature(f.Name), f.Module.AST.File.Line(f.AST.NameAt.Start))
	for _, p := range kernelcode.KernelParams(f.Func) {
		fmt.Fprintf(w, "  parameter %s%s\n", kernelcode.DescribeParam(p), kernelcode.PointerNote(p))
	}
	fmt.Fprintf(w, "  registers: %s\n", describeCounts(f.Registers))
	for _, v := range f.Locals {
		if v.Space != isa.SpaceParam {
			fmt.Fprintf(w, "  variable %s\n", describeVar(v))
		}
	}
	fmt.Fprintf(w, "  control flow: %s\n", f.describeFlow())
	fmt.Fprintf(w, "  memory: %s\n", describeCounts(f.Accesses))
	fmt.Fprintf(w, "  synchronisation: %s\n", describeCounts(f.Synchronisation))
	for _, p := range f.Patterns {
		fmt.Fprintf(w, "  %s\n", describePattern(p))
	}
	for _, p := range f.Places {
		fmt.Fprintf(w, "  pass %s instruments %d places\n", p.Name, p.N)
	}
}

// signature returns the demangled name, followed by the symbol if they differ.
func signature(name string) string {
	if s := report.Demangle(name); s != name {
		return s + " (" + name + ")"
	}
	return name
}

// describeCounts returns counts with their names.
func describeCounts(counts []passes.Count) string {
	var words []string
	for _, c := range counts {
		words = append(words, fmt.Sprintf("%d %s", c.N, c.Name))
	}
	return listOrNone(words)
}

// describeFlow returns the size of the control-flow graph as text.
func (f *FuncInspection) describeFlow() string {
	s := fmt.Sprintf("%d instructions, %d blocks, %d edges", len(f.Insts), f.Blocks, f.Edges)
	if f.CFG().Degenerate {
		s += ", an indirect branch without target list"
	}
	return s
}

// describePattern returns one line about a pattern: its place, its kind, and the fences that make it one.
func describePattern(p *acqrel.Pattern) string {
	s := fmt.Sprintf("line %d%s: %s", p.Inst.Line, sourceNote(p.Inst), p)
	for i, f := range p.Fences {
		sep := ", with "
		if i > 0 {
			sep = " and "
		}
		s += fmt.Sprintf("%s%s at line %d", sep, symbolize.OpcodeText(f), f.Line)
	}
	return s
}

// sourceNote returns the source line of an instruction, in parentheses.
func sourceNote(in *rewrite.Inst) string {
	if in.Loc == nil {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", filepath.Base(in.Loc.File), in.Loc.Line)
}

// listOrNone joins words with commas, or says "none".
func listOrNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// Package passes is the framework of analyses and transformations of PTX modules:
// what a pass is, pipelines of passes and their text form, and the manager that
// runs them.
//
// To write a pass, make a package with one variable
//
//	var Pass = &passes.Pass{
//		Name: "coverage", Doc: "count executions of basic blocks\n\n…",
//		Flags: func(fs *flag.FlagSet) any { … },
//		Run:   func(ctx *passes.Context) (any, error) { … },
//	}
//
// and add it to the list in passes/all. An analysis returns a result; a transformation edits
// through ctx.Edit and ctx.SetModule. A pass has access to its Context only, so that any driver
// can run it.
//
// The package works on modules and edits (rewrite) and the table of instrumented sites
// (runtime/abi). It must know neither the passes nor execution.
package passes

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is an analysis or a transformation. A Pass is immutable and may run in
// several pipelines at a time.
type Pass struct {
	Name string // as in a pipeline; lower-case letters and digits
	Doc  string // the first line is the title
	// Requires lists analyses whose results Run needs in Context.ResultOf. They run
	// on the same module, with default options.
	Requires []*Pass
	// Flags declares the options in fs and returns their storage, for Context.Options. Nil if there are none.
	Flags func(fs *flag.FlagSet) any
	Run   func(*Context) (any, error)
	// Last says that the pass replaces instructions of the user's program. Later passes would take these for inserted
	// code, so it must be the last pass of a pipeline.
	Last bool
	// WatchesOnly says that what the pass inserts only watches the program: the program reads nothing that inserted
	// code writes.
	WatchesOnly bool
	// Instruments reports, for the instruction coverage document, whether the pass inserts code around instructions of
	// a form. Nil for passes that do not.
	Instruments func(*isa.Instr, *isa.Form) bool
}

// Title returns the first line of Doc.
func (p *Pass) Title() string {
	title, _, _ := strings.Cut(p.Doc, "\n")
	return title
}

// flags returns a new set of the pass's flags and their storage.
func (p *Pass) flags() (*flag.FlagSet, any) {
	fs := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	if p.Flags == nil {
		return fs, nil
	}
	return fs, p.Flags(fs)
}

// Options describes the pass's options, in alphabetical order.
func (p *Pass) Options() []*flag.Flag {
	fs, _ := p.flags()
	var list []*flag.Flag
	fs.VisitAll(func(f *flag.Flag) { list = append(list, f) })
	return list
}

// Context is the interface of a running pass to its driver.
type Context struct {
	Module   *rewrite.Module // the module after the previous passes
	Options  any             // result of Pass.Flags, with the values of the pipeline
	ResultOf map[*Pass]any   // results of Pass.Requires

	pass    *Pass
	driver  *Driver
	out     *Output
	changed bool
}

// Given returns what the driver knows of the launches of a kernel.
func (c *Context) Given(kernel *rewrite.Func) address.Given { return c.driver.given(kernel.Name) }

// OnlyPlans reports whether only sites are needed, so that the module need not change.
func (c *Context) OnlyPlans() bool { return c.driver.OnlyPlan }

// Edit starts an editor of the module, with the pass as the provenance.
func (c *Context) Edit() *rewrite.Editor { return rewrite.NewEditor(c.Module, c.pass.Name) }

// SetModule replaces the module: the result of applying edits, or of linking.
func (c *Context) SetModule(m *rewrite.Module) {
	c.changed = c.changed || m != c.Module
	c.Module = m
}

// AddSite numbers an instrumented site, from 1 in the order of the calls.
func (c *Context) AddSite(s abi.Site) uint32 {
	s.ID = uint32(len(c.out.Sites) + 1)
	c.out.Sites = hugepage.Append(c.out.Sites, s)
	return s.ID
}

// Count adds n to one of the pass's statistics.
func (c *Context) Count(name string, n int) { c.out.count(c.pass.Name, name, n) }

// Report adds a diagnostic about a position in the context's module. It refers to the user's text if the line there is
// the user's.
func (c *Context) Report(pos ptxgrammar.Position, format string, args ...any) {
	if o := c.Module.Origin(pos.Line); o.Line > 0 {
		pos.Line = o.Line
	}
	c.out.Diagnostics = append(c.out.Diagnostics, Diagnostic{c.pass.Name, pos, fmt.Sprintf(format, args...)})
}

// Diagnostic is a message of a pass about a place.
type Diagnostic struct {
	Pass    string
	Pos     ptxgrammar.Position
	Message string
}

// String returns "file:line:col: message (pass)".
func (d Diagnostic) String() string { return fmt.Sprintf("%s: %s (%s)", d.Pos, d.Message, d.Pass) }

var validName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*$`) })

// Validate checks a list of passes: names must be well-formed and unique, titles present, and requirements acyclic and
// with a Run function.
func Validate(list []*Pass) error {
	var errs []error
	seen := map[string]*Pass{}
	var visit func(p *Pass, path []*Pass)
	visit = func(p *Pass, path []*Pass) {
		if slices.Contains(path, p) {
			errs = append(errs, fmt.Errorf("pass %s requires itself", p.Name))
			return
		}
		if seen[p.Name] == p {
			return
		}
		if seen[p.Name] != nil {
			errs = append(errs, fmt.Errorf("two passes are named %s", p.Name))
		}
		seen[p.Name] = p
		if !validName().MatchString(p.Name) {
			errs = append(errs, fmt.Errorf("pass name %q is not lower-case letters and digits", p.Name))
		}
		if p.Title() == "" || p.Run == nil {
			errs = append(errs, fmt.Errorf("pass %s has no title or no Run", p.Name))
		}
		for _, r := range p.Requires {
			visit(r, append(path, p))
		}
	}
	for _, p := range list {
		visit(p, nil)
	}
	return errors.Join(errs...)
}

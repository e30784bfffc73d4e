// The scanner as a whole.

package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// MaxFileBytes is the largest file of host code.
const MaxFileBytes = 16 << 20

// Source is a file of host code.
type Source struct {
	Name string
	Text []byte
}

// Options of Scan.
type Options struct {
	// Read reads a header that a file includes in quotes, by its path joined to that of the
	// file. Nil: there are no headers.
	Read func(name string) ([]byte, error)
	// Part says that there is more host code, which may call functions of these files.
	Part bool
	// Defines lists macros as NAME or NAME=TEXT.
	Defines []string
	// Includes lists folders that are searched for headers after the folder of the file.
	Includes []string
	// Args are the arguments of the program; nil: unknown.
	Args []string
}

// Scan returns the facts of all launches in a program. Each source is a file that is compiled separately, with its headers. Scan
// never fails: the notes of the result say what it did not understand.
func Scan(o Options, sources ...Source) *facts.File {
	x := &executor{open: true, vars: make(map[string]*facts.Var), laying: make(map[*structure]bool), buffers: make(map[string]bool), seen: make(map[string]bool), copies: make(map[string]int), pointed: make(map[*function]bool), rooted: make(map[*function]bool), done: make(map[*function]bool), pure: make(map[string]value), args: o.Args, skipped: make(map[facts.Pos]bool), idle: make(map[facts.Pos]bool), called: make(map[facts.Pos]bool)}
	out := new(facts.File)
	for _, src := range sources {
		u, pp := newUnit(src, o, x.names)
		x.units, x.names = append(x.units, u), pp.files
		out.Notes = append(out.Notes, pp.notes...)
		if len(pp.out) >= maxTokens {
			x.cut = true
			out.Notes = append(out.Notes, fmt.Sprintf("%s: only the first %d tokens were read", src.Name, maxTokens))
		}
		x.open = x.open && len(u.byName["main"]) == 0
	}
	if len(x.units) == 0 {
		return out
	}
	x.open = x.open || o.Part
	x.program()
	x.cut = x.cut || x.steps >= maxSteps || len(x.launches) >= maxLaunches
	out.Launches, out.Never = x.covered()
	facts.Change(out.Launches, x.changed())
	out.Notes = append(out.Notes, Started(o.Args)...)
	if x.steps >= maxSteps {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: not all of the host code was executed: more than %d steps", sources[0].Name, maxSteps))
	}
	return out
}

func (p *preprocessor) predefine(text string) {
	l := newLexer(text, 0)
	name := l.next(true)
	var body []token
	l.next(true) // =
	for t := l.next(true); t.kind != tokEnd; t = l.next(true) {
		body = append(body, t)
	}
	p.macros[name.text] = &macro{body: body}
}

// program executes main, and then every function that launches and was not reached.
func (x *executor) program() {
	for _, u := range x.units {
		for _, f := range u.byName["main"] {
			x.root(f, true)
		}
	}
	for {
		f := x.nextRoot()
		if f == nil {
			return
		}
		x.root(f, false)
	}
}

// maxVariants is the limit of different launches at one place.
const maxVariants = 24

// covered returns the launches. It adds a launch without facts for each place in the text that was not reached, or not in every
// possible way, or in too many ways. It also returns the kernels of places that the program never reaches.
func (x *executor) covered() (out []*facts.Launch, never []string) {
	type site struct {
		at     facts.Pos
		kernel string
	}
	siteOf := func(at facts.Pos, kernel string) site {
		kernel, _, _ = strings.Cut(kernel, "<")
		return site{at, kernel}
	}
	count := make(map[site]int)
	for _, l := range x.launches {
		count[siteOf(l.Site, l.Kernel)]++
	}
	for _, l := range x.launches {
		if !x.cut && count[siteOf(l.Site, l.Kernel)] <= maxVariants {
			out = append(out, l)
		}
	}
	done := make(map[site]bool)
	for _, x.unit = range x.units {
		for i := range x.ts {
			kernel, at, ok := x.launchAt(i)
			s := siteOf(at, kernel)
			if !ok || done[s] || !x.cut && count[s] > 0 && count[s] <= maxVariants {
				continue
			}
			done[s] = true
			if !x.cut && count[s] == 0 && x.leftOut(i, at) {
				never = append(never, kernel)
				continue
			}
			out = append(out, &facts.Launch{Kernel: kernel, Site: at, KernelPos: at, Unfollowed: true})
		}
	}
	slices.Sort(never)
	return out, slices.Compact(never)
}

// launchAt returns the kernel launched at a token <<<, or by a call of the runtime.
func (x *executor) launchAt(i int) (kernel string, at facts.Pos, ok bool) {
	switch t := &x.ts[i]; {
	case t.is("<<<"):
		k := i - 1
		for depth := 0; k > 0; k-- {
			if c := x.ts[k].text; c == ">" || c == ">>" {
				depth += len(c)
			} else if c == "<" {
				depth--
			}
			if depth <= 0 && x.ts[k].kind == tokName {
				return x.ts[k].text, x.pos(x.ts[k]), true
			}
			if depth <= 0 && !x.ts[k].is("<") || i-k > 200 {
				return "", facts.Pos{}, false
			}
		}
	case t.is("cudaLaunchKernel") || t.is("cudaLaunchCooperativeKernel"):
		if i+1 >= len(x.ts) || !x.ts[i+1].is("(") {
			return "", facts.Pos{}, false
		}
		args, _ := arguments(x.ts, i+1)
		for _, a := range args[0] {
			if a.kind == tokName && !numberWords[a.text] && !typeWords[a.text] && !casts[a.text] && a.text != "void" {
				kernel = a.text
			}
		}
		return kernel, x.pos(*t), kernel != ""
	}
	return "", facts.Pos{}, false
}

// nextRoot returns a function that launches and was not executed, preferably one that no other such function calls.
func (x *executor) nextRoot() *function {
	var first *function
	all := x.everyFunction()
	for _, f := range all {
		if x.rooted[f] || x.done[f] && !x.pointed[f] && (!x.open || f.static) || f.device || !x.mayLaunch(f, map[*function]bool{}) || x.unused(f, map[*function]bool{}) {
			continue
		}
		if first == nil {
			first = f
		}
		called := false
		if x.pointed[f] || x.open && !f.static {
			return f
		}
		for _, g := range all {
			called = called || g != f && !x.done[g] && !g.device && g.calls[f.name]
		}
		if !called {
			return f
		}
	}
	return first
}

// mayLaunch reports whether a function or one that it calls launches a kernel.
func (x *executor) mayLaunch(f *function, seen map[*function]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	found := f.calls["cudaLaunchKernel"] || f.calls["cudaLaunchCooperativeKernel"]
	walk(f.body, func(n *node) { found = found || n.kind == exLaunch })
	for name := range f.calls {
		for _, g := range x.functionsOf(f.unit, name) {
			found = found || !g.device && x.mayLaunch(g, seen)
		}
	}
	return found
}

// root executes a function that nothing calls, with unknown parameters.
func (x *executor) root(f *function, isMain bool) {
	x.done[f], x.rooted[f] = true, true
	x.unit, x.escaped = f.unit, make(map[*variable]bool)
	clear(x.pure)
	x.st = &state{values: make(map[*variable]value), init: make(map[*buffer]facts.Contents)}
	x.frame = &frame{f: f, scopes: []map[string]*variable{{}}, targs: make(map[string]value)}
	for _, name := range f.template {
		x.frame.targs[name] = value{}
	}
	x.makeGlobals(isMain)
	for i := range f.params {
		p := &f.params[i]
		v := x.newVariable(p.name, p.typ, false)
		x.frame.scopes[0][p.name] = v
		x.st.values[v] = x.uninitialised(p.typ)
		x.given(v)
	}
	if x.inMain = isMain; isMain {
		x.start(f)
	}
	x.list(f.body)
}

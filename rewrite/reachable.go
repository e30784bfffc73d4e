// What a run of some kernels can reach of a module: the rest is left out before it is resolved.

package rewrite

import (
	"bytes"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// OnlyReachable is the text of a module without the functions that the kernels named cannot
// reach, with the same lines; nil when all can be reached. A function reaches those that its text
// names, and every function is reached that something outside functions names.
func OnlyReachable(tree *ptxgrammar.Module, kernels []string) []byte {
	return newReacher(tree, kernels).text()
}

// LoadReachable is Load without the instructions of the functions that those named cannot reach, in the sense of OnlyReachable.
func LoadReachable(tree *ptxgrammar.Module, names []string) (*Module, error) {
	r, unread := newReacher(tree, names), make(map[string]bool)
	for i := range tree.Funcs {
		if !r.reached[i] {
			unread[tree.Funcs[i].Name] = true
		}
	}
	return loadTree(tree, loadKnown, unread)
}

// newReacher finds the functions of a module that those named reach.
func newReacher(tree *ptxgrammar.Module, names []string) *reacher {
	r := &reacher{tree: tree, named: make(map[string][]int), reached: make([]bool, len(tree.Funcs))}
	for i := range tree.Funcs {
		name := tree.Funcs[i].Name
		r.named[name] = append(r.named[name], i)
		if name != "" {
			r.begins[name[0]] = true
		}
	}
	for _, name := range names {
		r.reach(name)
	}
	for _, item := range tree.Items {
		switch item.Kind {
		case ptxgrammar.ItemDecl:
			r.reachNamed(tree.Decls[item.Index].Range)
		case ptxgrammar.ItemDirective:
			r.reachNamed(tree.Directives[item.Index].Range)
		}
	}
	for len(r.queue) > 0 {
		f := &tree.Funcs[r.queue[len(r.queue)-1]]
		r.queue = r.queue[:len(r.queue)-1]
		r.reachNamed(f.Range)
	}
	return r
}

type reacher struct {
	tree    *ptxgrammar.Module
	named   map[string][]int // indices of functions: declarations, and the definition
	begins  [256]bool        // first characters of their names
	reached []bool
	queue   []int // functions that have been reached and whose text has not been read
}

// reach notes that the functions of a name are reached.
func (r *reacher) reach(name string) {
	for _, i := range r.named[name] {
		if !r.reached[i] {
			r.reached[i] = true
			r.queue = append(r.queue, i)
		}
	}
}

// reachNamed notes that the functions whose names stand in a text are reached.
func (r *reacher) reachNamed(in ptxgrammar.Range) {
	src := r.tree.File.Src[in.Start:in.End]
	for i := 0; i < len(src); {
		from := i
		i++
		if c := src[from]; !inName(c) && c != '%' {
			continue
		}
		for i < len(src) && inName(src[i]) {
			i++
		}
		if !r.begins[src[from]] { // as mostly, since texts name registers
			continue
		}
		if list := r.named[string(src[from:i])]; list != nil { // no allocation
			r.reach(r.tree.Funcs[list[0]].Name)
		}
	}
}

// inName reports whether a character may be in the name of a function, not only at its beginning.
func inName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}

// text is the source without the functions that are not reached: of their lines the ends are left.
func (r *reacher) text() []byte {
	src := r.tree.File.Src
	var out []byte
	from, left := 0, false
	for _, item := range r.tree.Items {
		if item.Kind != ptxgrammar.ItemFunc || r.reached[item.Index] {
			continue
		}
		left = true
		f := r.tree.Funcs[item.Index].Range
		out = append(out, src[from:f.Start]...)
		for n := bytes.Count(src[f.Start:f.End], []byte("\n")); n > 0; n-- {
			out = append(out, '\n')
		}
		line := bytes.LastIndexByte(src[f.Start:f.End], '\n') + 1
		for range src[int(f.Start)+line : f.End] {
			out = append(out, ' ') // what follows keeps its column
		}
		from = int(f.End)
	}
	if !left {
		return nil
	}
	return append(out, src[from:]...)
}

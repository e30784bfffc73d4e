// Reduction of a module, before it is resolved, to what some kernels can reach.

package rewrite

import (
	"bytes"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// OnlyReachable returns the text of a module without the functions that the named kernels cannot reach, with the same
// lines; nil if all can be reached. A function reaches the functions that its text names. A function named outside of
// functions is always reached.
func OnlyReachable(tree *ptxgrammar.Module, kernels []string) []byte {
	return newReacher(tree, kernels).text()
}

// LoadReachable is Load without the instructions of functions that the named ones cannot reach, in the sense of
// OnlyReachable.
func LoadReachable(tree *ptxgrammar.Module, names []string) (*Module, error) {
	r, unread := newReacher(tree, names), make(map[string]bool)
	for i := range tree.Funcs {
		if !r.reached[i] {
			unread[tree.Funcs[i].Name] = true
		}
	}
	return loadTree(tree, loadKnown, unread)
}

// newReacher finds the functions of a module that the named ones reach.
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
	queue   []int // reached functions whose text has not been read
}

// reach marks the functions of a name as reached.
func (r *reacher) reach(name string) {
	for _, i := range r.named[name] {
		if !r.reached[i] {
			r.reached[i] = true
			r.queue = append(r.queue, i)
		}
	}
}

// reachNamed marks the functions named in a text as reached.
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
		if !r.begins[src[from]] { // most words are names of registers
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

// text returns the source without unreached functions, of whose lines only the ends remain.
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
			out = append(out, ' ') // keeps the column of the rest
		}
		from = int(f.End)
	}
	if !left {
		return nil
	}
	return append(out, src[from:]...)
}

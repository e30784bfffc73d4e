// Selection of a program's conditions and variables that are relevant to a launch.

package facts

import "github.com/ptxsan/ptxsan/internal/static/expr"

// Collect adds the conditions of a launch of its own, those of the path that are related to it, directly or through
// other conditions, and the variables of all of them, in the given order. In its Sample it keeps only such conditions.
func (l *Launch) Collect(path, own []Condition, vars []Var) {
	used := l.Mentioned()
	for _, c := range own {
		for _, v := range c.That.Vars() {
			used[v.Name] = true
		}
	}
	path = append(path[:len(path):len(path)], own...)
	required := len(path)
	path = append(path, l.Sample...)
	l.Sample = nil
	taken := make([]bool, len(path))
	for again := true; again; {
		again = false
		for i, c := range path {
			names := c.That.Vars()
			touches := len(names) == 0
			for _, v := range names {
				touches = touches || used[v.Name]
			}
			if taken[i] || !touches {
				continue
			}
			taken[i], again = true, true
			for _, v := range names {
				used[v.Name] = true
			}
		}
	}
	seen := make(map[string]bool)
	for i, c := range path {
		text := string(c.Class) + c.That.String()
		if !taken[i] || seen[text] {
			continue
		}
		seen[text] = true
		if i < required {
			l.Requires = append(l.Requires, c)
		} else {
			l.Sample = append(l.Sample, c)
		}
	}
	for _, v := range vars {
		if used[v.Name] {
			l.Vars = append(l.Vars, v)
		}
	}
}

// Mentioned returns the names of the variables in extents, arguments and allocations.
func (l *Launch) Mentioned() map[string]bool {
	used := make(map[string]bool)
	note := func(n *expr.Int) {
		if n != nil {
			for _, v := range n.Vars() {
				used[v.Name] = true
			}
		}
	}
	for i := range 3 {
		note(l.Grid[i])
		note(l.Block[i])
		note(l.Cluster[i])
	}
	note(l.Shared)
	for i := range l.Args {
		note(l.Args[i].Int)
		note(l.Args[i].Offset)
		for j := range l.Args[i].Fields {
			note(l.Args[i].Fields[j].Int)
			note(l.Args[i].Fields[j].Arg.Offset)
		}
	}
	for i := range l.Buffers {
		note(l.Buffers[i].Size)
	}
	return used
}

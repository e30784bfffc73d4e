// Recursion: which functions call themselves.

package query

import (
	"github.com/ptxsan/ptxsan/rewrite"
)

// Recursive reports whether f may call itself through direct calls, at once or through other functions.
func Recursive(m *rewrite.Module, f *rewrite.Func) bool {
	return m.Memo(recursiveKey{}, func() any { return recursive(m) }).(map[*rewrite.Func]bool)[f]
}

// recursiveKey is the key under which a module caches its recursive functions.
type recursiveKey struct{}

// recursive returns the functions that call themselves, or are in a strongly connected component of the call graph with
// others.
func recursive(m *rewrite.Module) map[*rewrite.Func]bool {
	index := make(map[*rewrite.Func]int, len(m.Funcs))
	for i, f := range m.Funcs {
		index[f] = i
	}
	set := make(map[*rewrite.Func]bool)
	callees := make([][]int, len(m.Funcs))
	for i, f := range m.Funcs {
		for _, in := range f.Insts {
			c, ok := in.Call()
			if !ok || c.Func == nil {
				continue
			}
			callee := c.Func
			if callee.Alias != nil {
				callee = callee.Alias
			}
			callees[i] = append(callees[i], index[callee])
			set[f] = set[f] || callee == f
		}
	}
	comp := rewrite.Components(callees)
	members := make([]int, len(m.Funcs))
	for _, c := range comp {
		members[c]++
	}
	for i, f := range m.Funcs {
		set[f] = set[f] || members[comp[i]] > 1
	}
	return set
}

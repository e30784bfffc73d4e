// Classes of accesses that cannot alias: a division of all accesses of a function by MayAlias,
// which the golden files of compiled kernels print and TestAliasClassesSeparate verifies.

package address

import "github.com/ptxsan/ptxsan/rewrite"

// aliasClasses divides the accesses of a function so that those of different
// classes never touch a common byte.
type aliasClasses struct {
	refs  []MemRef // as MemRefsOf returns them
	class []int    // by reference, numbered from 0 in order of appearance
	count int
}

// aliasClassesOf returns the finest such division that MayAlias allows without looking
// at offsets.
func aliasClassesOf(f *rewrite.Func, opt AliasOptions) *aliasClasses {
	c := &aliasClasses{refs: MemRefsOf(f)}
	var objects []object
	index := make(map[object]int)
	of := make([]int, len(c.refs))
	for i, r := range c.refs {
		o := r.object()
		if _, known := index[o]; !known {
			index[o] = len(objects)
			objects = append(objects, o)
		}
		of[i] = index[o]
	}
	group := unite(len(objects), func(i, j int) bool { return objects[i].mayOverlap(objects[j], opt) })
	number := make(map[int]int)
	for _, o := range of {
		g := group[o]
		if _, known := number[g]; !known {
			number[g] = c.count
			c.count++
		}
		c.class = append(c.class, number[g])
	}
	return c
}

// unite puts n things into groups, so that related ones are in one.
func unite(n int, related func(i, j int) bool) []int {
	parent := make([]int, n)
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range parent {
		parent[i] = i
		for j := range i {
			if related(i, j) {
				parent[root(i)] = root(j)
			}
		}
	}
	for i := range parent {
		parent[i] = root(i)
	}
	return parent
}

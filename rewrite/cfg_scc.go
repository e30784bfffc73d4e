// Strongly connected components, and blocks from which no exit is reachable.

package rewrite

// endless returns one node for each set of nodes that reach each other but
// nothing else, the node with the largest index; the set of exit is left out.
func endless(succs [][]int, exit int) []int {
	comp := Components(succs)
	last := make(map[int]int)    // component -> its largest node
	leaves := make(map[int]bool) // components with an edge to another
	for v, c := range comp {
		last[c] = max(last[c], v)
		for _, w := range succs[v] {
			if comp[w] != c {
				leaves[c] = true
			}
		}
	}
	var out []int
	for v, c := range comp {
		if last[c] == v && !leaves[c] && v != exit {
			out = append(out, v)
		}
	}
	return out
}

// Components numbers the strongly connected components (Tarjan's algorithm,
// without recursion).
func Components(succs [][]int) []int {
	n := len(succs)
	num, low, comp := filled(n), make([]int, n), filled(n)
	var stack []int
	type frame struct{ node, next int }
	count, comps := 0, 0
	var frames []frame
	push := func(v int) {
		num[v], low[v] = count, count
		count++
		stack = append(stack, v)
		frames = append(frames, frame{v, 0})
	}
	for root := range n {
		if num[root] >= 0 {
			continue
		}
		push(root)
		for len(frames) > 0 {
			top := &frames[len(frames)-1]
			v := top.node
			if top.next < len(succs[v]) {
				w := succs[v][top.next]
				top.next++
				if num[w] < 0 {
					push(w)
				} else if comp[w] < 0 {
					low[v] = min(low[v], num[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] != num[v] {
				continue
			}
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				comp[w] = comps
				if w == v {
					break
				}
			}
			comps++
		}
	}
	return comp
}

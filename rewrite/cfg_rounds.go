// Loop iterations: whether one block follows another in the same iteration.

package rewrite

// A walker finds the blocks that paths reach. It keeps its tables between walks.
type walker struct {
	round int
	seen  []int // last walk that visited each block
	work  []*Block
}

// walk returns the blocks that paths from the given ones reach without passing an end. The result is valid until the
// next walk.
func (w *walker) walk(from []*Block, ends ...*Block) []*Block {
	w.round++
	for _, e := range ends {
		w.seen[e.Index] = w.round
	}
	w.work = w.work[:0]
	w.visit(from)
	for i := 0; i < len(w.work); i++ {
		w.visit(w.work[i].Succs)
	}
	return w.work
}

func (w *walker) visit(blocks []*Block) {
	for _, s := range blocks {
		if w.seen[s.Index] != w.round {
			w.seen[s.Index] = w.round
			w.work = append(w.work, s)
		}
	}
}

// sameRound returns the first block at which the lanes that diverge at b are together in the same iteration of every
// loop around both. Usually it is b's immediate post-dominator. It is not if lanes of one side have to begin another
// iteration before they reach that, as after the continue of
//
//	for (;;) { if (again) continue; if (done) break; }
//
// if b is the second condition. In that case it is a post-dominator behind the loop. loops has the innermost loop of
// each block.
func (w *walker) sameRound(b *Block, loops []*Loop) *Block {
	end := b.IPDom
	for end.IPDom != nil && w.goesRound(b, end, loops) {
		end = end.IPDom
	}
	return end
}

// goesRound reports whether a path from b passes the header of a loop around b and end before it reaches end.
func (w *walker) goesRound(b, end *Block, loops []*Loop) bool {
	l := commonLoop(loops[b.Index], loops[end.Index])
	if l == nil {
		return false
	}
	w.walk(b.Succs, end)
	for ; l != nil; l = l.Parent {
		if l.Header != end && w.seen[l.Header.Index] == w.round {
			return true
		}
	}
	return false
}

// commonLoop returns the innermost loop in, or around, both of two loops, nil if there is none.
func commonLoop(l, m *Loop) *Loop {
	for l != m && l != nil && m != nil {
		if l.Depth >= m.Depth {
			l = l.Parent
		} else {
			m = m.Parent
		}
	}
	if l != m {
		return nil
	}
	return l
}

// inLoop reports whether b is in l, given the innermost loop of every block.
func inLoop(loops []*Loop, l *Loop, b *Block) bool {
	in := loops[b.Index]
	for in != nil && in.Depth > l.Depth {
		in = in.Parent
	}
	return in == l
}

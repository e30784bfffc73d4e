// Loop iterations: whether one instruction follows another in the same iteration.

package rewrite

// This file finds where the lanes that a branch parts meet without going round a loop
// once more.

// A walker finds what paths reach. It keeps its tables from one walk to the next.
type walker struct {
	round int
	seen  []int // by block: the last walk that visited it
	work  []*Block
}

// walk is the blocks that paths reach from any of those given, without passing the ends.
// The result is valid until the next walk.
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

// sameRound is the first block at which the lanes that b parts are together in the same
// round of every loop around both. It is b's immediate post-dominator but when lanes of one side have to
// go round a loop before they come there, as after the continue of
//
//	for (;;) { if (again) continue; if (done) break; }
//
// where that is the second condition. Then it is a post-dominator behind the loop. The
// loops are the innermost ones, by block.
func (w *walker) sameRound(b *Block, loops []*Loop) *Block {
	end := b.IPDom
	for end.IPDom != nil && w.goesRound(b, end, loops) {
		end = end.IPDom
	}
	return end
}

// goesRound reports whether a path from b passes the header of a loop around b and end
// before it comes to end.
func (w *walker) goesRound(b, end *Block, loops []*Loop) bool {
	l := loops[end.Index]
	for l != nil && !inLoop(loops, l, b) {
		l = l.Parent
	}
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

// inLoop reports whether b is in l, given the innermost loop of every block.
func inLoop(loops []*Loop, l *Loop, b *Block) bool {
	for in := loops[b.Index]; in != nil; in = in.Parent {
		if in == l {
			return true
		}
	}
	return false
}

// The control flow of a function: the order of its blocks, and its loops.

package llvm

import "slices"

// flow is the control flow of a function.
type flow struct {
	Order   []*Block // reverse postorder
	Loops   map[*Block]*Loop
	Tangled bool // it has a loop with two entries, or was not read as a whole, and is not executed
}

// Loop is a natural loop.
type Loop struct {
	Header *Block
	Blocks []*Block // in order, the header first
	In     map[*Block]bool
}

// Targets returns the successors of a block.
func (f *Function) Targets(b *Block) (list []*Block) {
	if len(b.Instrs) == 0 {
		return nil
	}
	last := b.Instrs[len(b.Instrs)-1]
	labels := last.Labels
	switch last.Op {
	case "br", "switch", "indirectbr", "invoke":
	default:
		return nil
	}
	for _, l := range labels {
		if to := f.ByLabel[l]; to != nil {
			list = append(list, to)
		}
	}
	return list
}

// Shape returns the order of blocks and the loops, computed on first use.
func (f *Function) Shape() *flow {
	if f.Flow != nil {
		return f.Flow
	}
	f.Flow = &flow{Loops: make(map[*Block]*Loop), Tangled: f.Unread}
	if len(f.Blocks) == 0 {
		return f.Flow
	}
	f.sort()
	preds := make(map[*Block][]*Block)
	for _, b := range f.Flow.Order {
		for _, to := range f.Targets(b) {
			preds[to] = append(preds[to], b)
		}
	}
	for _, b := range f.Flow.Order {
		for _, to := range f.Targets(b) {
			if to.index <= b.index {
				f.addLoop(to, b, preds)
			}
		}
	}
	for _, l := range f.Flow.Loops {
		slices.SortFunc(l.Blocks, func(a, b *Block) int { return a.index - b.index })
	}
	return f.Flow
}

// sort computes the reverse postorder without recursion.
func (f *Function) sort() {
	type visit struct {
		b    *Block
		next []*Block
	}
	seen := map[*Block]bool{f.Blocks[0]: true}
	stack := []visit{{f.Blocks[0], f.Targets(f.Blocks[0])}}
	var post []*Block
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if len(v.next) == 0 {
			post = append(post, v.b)
			stack = stack[:len(stack)-1]
			continue
		}
		to := v.next[len(v.next)-1]
		v.next = v.next[:len(v.next)-1]
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, f.Targets(to)})
		}
	}
	slices.Reverse(post)
	for i, b := range post {
		b.index = i
	}
	f.Flow.Order = post
}

// addLoop adds the blocks of a back edge's loop.
func (f *Function) addLoop(header, latch *Block, preds map[*Block][]*Block) {
	l := f.Flow.Loops[header]
	if l == nil {
		l = &Loop{Header: header, Blocks: []*Block{header}, In: map[*Block]bool{header: true}}
		f.Flow.Loops[header] = l
	}
	work := []*Block{latch}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if l.In[b] {
			continue
		}
		if b.index < header.index {
			f.Flow.Tangled = true
			return
		}
		l.In[b] = true
		l.Blocks = append(l.Blocks, b)
		work = append(work, preds[b]...)
	}
}

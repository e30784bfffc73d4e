// The control flow of a function: the order of its blocks, and its loops.

package hostir

import "slices"

// flow is the control flow of a function.
type flow struct {
	order   []*block // reverse postorder
	loops   map[*block]*loop
	tangled bool // it has a loop with two entries, or was not read as a whole, and is not executed
}

// loop is a natural loop.
type loop struct {
	header *block
	blocks []*block // in order, the header first
	in     map[*block]bool
	bound  []*binding // what it changes
	unsure bool       // a condition to leave it is not known entirely
	long   bool       // its iterations are too many to be executed one by one
}

// targets returns the successors of a block.
func (f *function) targets(b *block) (list []*block) {
	if len(b.instrs) == 0 {
		return nil
	}
	last := b.instrs[len(b.instrs)-1]
	labels := last.labels
	switch last.op {
	case "br", "switch", "indirectbr", "invoke":
	default:
		return nil
	}
	for _, l := range labels {
		if to := f.byLabel[l]; to != nil {
			list = append(list, to)
		}
	}
	return list
}

// shape returns the order of blocks and the loops, computed on first use.
func (f *function) shape() *flow {
	if f.flow != nil {
		return f.flow
	}
	f.flow = &flow{loops: make(map[*block]*loop), tangled: f.unread}
	if len(f.blocks) == 0 {
		return f.flow
	}
	f.sort()
	preds := make(map[*block][]*block)
	for _, b := range f.flow.order {
		for _, to := range f.targets(b) {
			preds[to] = append(preds[to], b)
		}
	}
	for _, b := range f.flow.order {
		for _, to := range f.targets(b) {
			if to.index <= b.index {
				f.addLoop(to, b, preds)
			}
		}
	}
	for _, l := range f.flow.loops {
		slices.SortFunc(l.blocks, func(a, b *block) int { return a.index - b.index })
	}
	return f.flow
}

// sort computes the reverse postorder without recursion.
func (f *function) sort() {
	type visit struct {
		b    *block
		next []*block
	}
	seen := map[*block]bool{f.blocks[0]: true}
	stack := []visit{{f.blocks[0], f.targets(f.blocks[0])}}
	var post []*block
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
			stack = append(stack, visit{to, f.targets(to)})
		}
	}
	slices.Reverse(post)
	for i, b := range post {
		b.index = i
	}
	f.flow.order = post
}

// addLoop adds the blocks of a back edge's loop.
func (f *function) addLoop(header, latch *block, preds map[*block][]*block) {
	l := f.flow.loops[header]
	if l == nil {
		l = &loop{header: header, blocks: []*block{header}, in: map[*block]bool{header: true}}
		f.flow.loops[header] = l
	}
	work := []*block{latch}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if l.in[b] {
			continue
		}
		if b.index < header.index {
			f.flow.tangled = true
			return
		}
		l.in[b] = true
		l.blocks = append(l.blocks, b)
		work = append(work, preds[b]...)
	}
}

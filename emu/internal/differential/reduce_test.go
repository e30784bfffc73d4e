// Reducing a program that shows a difference.

package differential

import "maps"

// Reduce removes statements from a program as long as it still differs. The result is a batch of that program alone.
func Reduce(p *Program, differs func(*Batch) bool) *Batch {
	best := &Batch{Programs: []*Program{p}, without: map[*stmt]bool{}}
	for n := (len(best.statements()) + 1) / 2; n > 0; {
		smaller := best.leaveOutChunks(n, differs)
		if n > 1 || smaller == best {
			n /= 2
		}
		best = smaller
	}
	return best
}

// leaveOutChunks tries to remove n statements at a time.
func (b *Batch) leaveOutChunks(n int, differs func(*Batch) bool) *Batch {
	for i := 0; ; {
		left := b.statements()
		if i >= len(left) {
			return b
		}
		if try := b.leaveOut(left[i:min(i+n, len(left))]); differs(try) {
			b = try
		} else {
			i += n
		}
	}
}

// leaveOut returns the batch without further statements.
func (b *Batch) leaveOut(list []*stmt) *Batch {
	without := maps.Clone(b.without)
	for _, s := range list {
		without[s] = true
	}
	return &Batch{Programs: b.Programs, Inputs: b.Inputs, without: without}
}

// statements returns the remaining statements, outer ones first.
func (b *Batch) statements() (list []*stmt) {
	var collect func(block []*stmt)
	collect = func(block []*stmt) {
		for _, s := range block {
			if b.without[s] {
				continue
			}
			list = append(list, s)
			for _, inner := range s.blocks {
				collect(inner)
			}
		}
	}
	for _, p := range b.Programs {
		collect(p.kernel.body)
		for _, f := range p.functions {
			collect(f.body)
		}
	}
	return list
}

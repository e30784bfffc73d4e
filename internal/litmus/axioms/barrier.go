// Barriers: which of them meet.

package axioms

import "github.com/ptxsan/ptxsan/internal/litmus"

// rendezvous names a barrier, and says how many threads it expects.
type rendezvous struct {
	name    any
	expects int
}

// meet adds the synchronisation of barriers. It returns false if a thread waits for ever.
func (c *candidate) meet() bool {
	type round struct {
		name any
		n    int
	}
	rounds := map[round][]*event{}
	times := map[[2]any]int{}
	for _, e := range c.events {
		if e.kind == barrier {
			k := [2]any{e.barrier.name, e.thread}
			at := round{e.barrier.name, times[k]}
			times[k]++
			rounds[at] = append(rounds[at], e)
		}
	}
	order := c.po // with the threads of a round as one
	for _, list := range rounds {
		for _, e := range list {
			if e.waits && len(list) < e.barrier.expects {
				return false
			}
			for _, f := range list {
				if e != f && f.waits {
					c.meeting.add(e.index, f.index)
					if e.waits { // what precedes either precedes what follows both
						for x := range c.n {
							if c.po.has(x, e.index) {
								order.add(x, f.index)
							}
						}
						continue
					}
					order.add(e.index, f.index)
				}
			}
		}
	}
	return order.acyclic(c.n)
}

// namer returns the barrier of each instruction, or an error if which threads meet is not fixed.
func namer(t *litmus.Test) (func(*litmus.Thread, *litmus.Instruction) rendezvous, error) {
	expects, err := t.Participants()
	if err != nil {
		return nil, err
	}
	return func(th *litmus.Thread, in *litmus.Instruction) rendezvous {
		return rendezvous{t.BarrierName(th, in), expects[in]}
	}, nil
}

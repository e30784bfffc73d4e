// Processes that share an order.

package order

// Share lets other processes join the order. From now on their operations may be between any two of this process.
func (t *Tracker) Share() {
	t.processes, t.several, t.divides = 1, true, true
}

// Join makes the process share the order of another one, in which its own operations so far count as ended. The hosts
// of all processes that share an order have one clock: what one has waited for, the others may have heard of.
func (t *Tracker) Join(with *Tracker) {
	streams := t.streams
	t.history, t.streams, t.several = with.history, make(map[Stream]*stream), true
	t.processes++
	for _, d := range t.devices {
		d.across = nil
	}
	for s, st := range streams {
		st.settled = true
		t.add(s, &stream{device: st.device, blocking: st.blocking, branch: st.branch})
	}
	clear(t.events)
	t.hosts.stale = true
}

// Leave ends the process's part in an order that it shares: all its operations have ended, which the others may have
// heard of.
func (t *Tracker) Leave() {
	for _, st := range t.streams {
		t.ended = append(t.ended, st)
	}
	t.SynchronizeAll()
	t.processes--
}

// SameEvent makes an event the same as one of another process that shares the order.
func (t *Tracker) SameEvent(event uint64, of *Tracker, theirs uint64) {
	t.events[event] = of.mark(theirs)
}

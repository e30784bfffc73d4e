// Values in memory that streams write and wait for: they order the streams as events do.

package order

// ValueWritten records that an operation, which writes memory at once, writes a value of 4 or 8 bytes. released says
// that earlier operations of its stream are visible to who reads the value.
func (t *Tracker) ValueWritten(o *Operation, address, size uint64, released bool) {
	t.Touch(o, valuePlace(size, released), address, size, true)
}

// ValueAwaited records that an operation has read the value of 4 or 8 bytes that its stream waits for: what follows in
// the stream follows the operation that wrote it.
func (t *Tracker) ValueAwaited(o *Operation, address, size uint64) {
	if w := t.who(t.wrote(address)); w.op != nil && w.releases() {
		o.before = t.after(o.before, w.op)
		st := t.of(o.Stream)
		st.others = t.after(st.others, w.op)
	}
	t.Touch(o, valuePlace(size, false), address, size, false)
}

// valuePlace is the place of an access to a value.
func valuePlace(size uint64, released bool) Place {
	p := Value32
	if released {
		p = Release32
	}
	if size > wordBytes {
		p++
	}
	return p
}

// wrote returns who wrote a word last.
func (t *Tracker) wrote(address uint64) touch {
	number := address / wordBytes
	if p := t.shadow[number/pageWords]; p != nil {
		return of(p.writes, number%pageWords)
	}
	return 0
}

// releases reports whether who reads what was written there follows the operation: not after a value without a
// fence, nor after a weak access of a kernel. Copies and fills are complete when what they have written is there.
func (w *toucher) releases() bool {
	return w.place == WholeOperation || w.place != Value32 && w.place != Value64 && w.signals()
}

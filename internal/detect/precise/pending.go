// What lanes may release or acquire with later operations.

package precise

// pendingSync is what a lane may release or acquire with later operations.
type pendingSync struct {
	fences *fences  // nil for none
	seen   acquired // observed by strong reads, but not acquired yet
	// after holds the releases of other threads' fence.sc that precede the lane's next fence.sc in Fence-SC order. If
	// there are no barriers, which pass that order on, it omits those that the lane acquires with what it has seen.
	after acquired
	// passes holds what strong writes pass on without a fence, in the papers' model; nil for nothing.
	passes *acquired
	// The latest strong read since the latest fence. If the location has not changed, the same instruction acquires
	// nothing more.
	polled         *location
	version, class uint32
}

// pendings holds the pending state of the lanes of a warp, most of which usually share one.
type pendings struct {
	own   [radix]pendingSync // for the lanes in apart
	apart uint32
	rest  pendingSync // for the other lanes
}

// pendingOf returns the pending state of a lane, for callers that do not change it.
func (w *warp) pendingOf(lane int) *pendingSync {
	switch p := w.pending; {
	case p == nil:
		return &nothingPending
	case p.apart>>lane&1 != 0:
		return &p.own[lane]
	default:
		return &p.rest
	}
}

var nothingPending pendingSync

// pendingFor returns the pending state of a lane, for callers that change it.
func (w *warp) pendingFor(lane int) *pendingSync {
	if w.pending == nil {
		w.pending = new(pendings)
	}
	return w.pending.of(lane)
}

// of returns the pending state of a lane, which no longer shares that of the others.
func (p *pendings) of(lane int) *pendingSync {
	if p.apart>>lane&1 == 0 {
		p.own[lane] = p.rest
		p.apart |= 1 << lane
	}
	return &p.own[lane]
}

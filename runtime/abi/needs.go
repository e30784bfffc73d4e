// What a listener needs of the events of a launch.

package abi

// Needs selects the kinds and parts of events that not every listener needs: a listener to the emulator, or a detector
// behind it. Runs are faster without the others.
type Needs struct {
	Values   bool // what accesses read and write
	Shared   bool // accesses by instructions with the state space .shared; those at generic addresses are always sent
	Branches bool // warps that part and meet again
	Lanes    bool // operations among lanes that are not barriers: shfl.sync, vote.sync and the like
	// Skips allows the emulator to send only the beginning and the end of a launch if the listener needs none of its
	// accesses. The emulator may then execute the launch's blocks in parallel.
	Skips bool
	// Used omits from accesses by weak loads the threads that do not use the loaded value, for all listeners: compilers
	// let threads execute such loads that the program does not execute (rewrite/query.DemandOf).
	Used bool
	// Of barriers of a block, NoArrivals omits the arrivals, NoPasses the events of threads that go on.
	NoArrivals, NoPasses bool
}

// Union returns what two listeners to one run need.
func (a Needs) Union(b Needs) Needs {
	// Without field names: if a new field is missing here, this does not compile.
	return Needs{a.Values || b.Values, a.Shared || b.Shared, a.Branches || b.Branches, a.Lanes ||
		b.Lanes, a.Skips && b.Skips, a.Used || b.Used, a.NoArrivals && b.NoArrivals, a.NoPasses && b.NoPasses}
}

// Wants reports whether an event is needed that is no access.
func (a *Needs) Wants(ev *Event) bool {
	switch ev.Kind {
	case EventBarrierArrive:
		return !a.NoArrivals
	case EventBarrierPass:
		return !a.NoPasses
	case EventWarpSync:
		return a.Lanes || ev.Sem == SemAcqRel
	case EventDiverge, EventConverge:
		return a.Branches
	}
	return true
}

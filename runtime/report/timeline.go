// Timelines: what the warps of a run did, for forms of the report that draw it.

package report

// Timeline is the course of a run, or of a part of it, in steps: instructions of warps in the order of the emulator.
// The JSON form of a report does not contain it.
type Timeline struct {
	Steps    uint64 // of the whole run
	From, To uint64 // the part that is here
	Lanes    []*Lane
	Races    []TimedRace
	Left     []string // what was left out, and why
}

// Lane is the course of a warp.
type Lane struct {
	Launch string // kernel and number: "kernel #1"
	Block  [3]uint32
	Warp   uint32
	Code   []Span // instructions of one source line each, in the order of time
	Waits  []Span // at barriers
	Marks  []Mark // fences and barriers
}

// Span is a part of the time: steps from From on, before To.
type Span struct {
	From, To uint64
	What     string
}

// Mark is a moment.
type Mark struct {
	At          uint64
	Class, What string // class: fence, barrier
}

// TimedRace is a pair of racing accesses, the earlier one first.
type TimedRace struct {
	Name string // "precise race: missing-barrier"
	Ends [2]TimedAccess
}

// TimedAccess is one access of a race: the number of its lane, when it was, and its line.
type TimedAccess struct {
	Lane  int
	At    uint64
	Place string // "k.cu:7"
}

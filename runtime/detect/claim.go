// What a verdict about a launch holds for beyond the one run, and what it depends on.

package detect

// Ground is what a verdict depends on.
type Ground string

// Grounds.
const (
	OnOrder    Ground = "order"    // in which threads execute
	OnContents Ground = "contents" // of a buffer when the launch begins
)

// Steering is what a value decides: where control goes, or which memory is accessed.
type Steering string

// Kinds of steering.
const (
	SteersAddress   Steering = "an address"
	SteersBranch    Steering = "a branch"
	SteersGuard     Steering = "whether an instruction is executed"
	SteersCall      Steering = "the target of a call"
	SteersLanes     Steering = "a mask of lanes"
	SteersBarrier   Steering = "a barrier"
	SteersSize      Steering = "the size of a copy"
	SteersSwap      Steering = "an operand of a compare-and-swap"
	SteersDescribed Steering = "a descriptor"
	SteersTrap      Steering = "a trap or an assertion"
)

// Dependence is a reason why a verdict about a launch may not hold for other schedules, or for other contents of a
// buffer. It is OnOrder with a Seed, a What or both, or OnContents with an Object.
type Dependence struct {
	On     Ground
	Seed   uint32   // site of the operation whose result or place in the order differs between schedules, 0 for none
	Sink   uint32   // site that the value steers, or of the other operation of an unordered pair, 0 for none
	Steers Steering // what the value decides at Sink; empty with a What
	// What replaces the standard text. Its placeholders {seed} and {sink} stand for the operations and their places.
	What string
	// Object is the address of the object whose contents steer, Space its space; 0 in SpaceShared for memory of a block
	// that was not written.
	Object uint64
}

// Claiming is a Detector that knows what its verdict depends on.
type Claiming interface {
	Detector
	// Dependences returns, after End, the reasons why the verdict about the launch may not hold for all schedules, each
	// once and in the same order for the same events. Undecided is why it was not found out, "" if it was.
	Dependences() (list []Dependence, undecided string)
}

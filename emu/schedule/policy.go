// Policies: their names and traits.

package schedule

// Policy is a scheduling policy.
type Policy uint8

// Policies.
const (
	ITS        Policy = iota // fair, independent threads: every runnable group progresses
	Lockstep                 // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random                   // seeded preemption at visible operations; may split converged groups
	PCT                      // probabilistic concurrency testing: seeded priorities, few changes of them
	RoundRobin               // turns of one length, in the order of threads; the seed chooses among variants
	PerThread                // every thread by itself, one operation each in turn, now and then two

	lastPolicy = PerThread
)

// Traits are what the emulator must know of a policy beside the turns that it gives.
type Traits struct {
	// Sleeps says that a group that spins may sleep until a word that its loop reads changes: the
	// policy does not count the rounds of the loop as turns.
	Sleeps bool
	// AnyOrder says that the policy does not choose the order of blocks that cannot see each
	// other: they may run in parts, on several processors.
	AnyOrder bool
	// SIMTStack says that the sides of a branch run one after the other up to the join. The side
	// that waits is no group that the policy knows.
	SIMTStack bool
	// NeverImpatient says that lanes that reach a join always wait there: the policy is not asked,
	// and lanes may diverge and reconverge in assembly. Of RoundRobin that depends on the
	// seed.
	NeverImpatient bool
}

// traits are the traits of the policies.
var traits = [lastPolicy + 1]Traits{
	ITS:      {Sleeps: true, AnyOrder: true, NeverImpatient: true},
	Lockstep: {Sleeps: true, AnyOrder: true, SIMTStack: true, NeverImpatient: true},
	PCT:      {NeverImpatient: true},
}

// Traits are the traits of the policy.
func (p Policy) Traits() Traits {
	if p > lastPolicy {
		p = ITS // as the emulator takes it
	}
	return traits[p]
}

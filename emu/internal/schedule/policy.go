// Policies: their names and traits.

package schedule

// Policy is a scheduling policy.
type Policy uint8

// Policies.
const (
	ITS        Policy = iota // fair, independent threads: every runnable group progresses
	Lockstep                 // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random                   // seeded preemption at visible operations; may split converged groups
	PCT                      // probabilistic concurrency testing: seeded priorities with few changes
	RoundRobin               // turns of equal length, in thread order; the seed selects a variant
	PerThread                // every thread separately, usually one operation per turn, sometimes two

	Executions // threads one after the other, each as far as it can

	lastPolicy = Executions
)

// Traits are the properties of a policy that the emulator depends on.
type Traits struct {
	// Sleeps says that a spinning group may sleep until a word that its loop reads changes: the policy does not count
	// the rounds of the loop as turns.
	Sleeps bool
	// ParksObserved says that a group is parked whose loop changes nothing but the memory of observers, such as a
	// detector's checks. With turns of one operation, waiting groups would still execute as many instructions: they
	// wait for each other's checks.
	ParksObserved bool
	// AnyOrder says that the policy does not choose the order of independent blocks: they may run in parts, on several
	// processors.
	AnyOrder bool
	// SIMTStack says that the sides of a branch run one after the other up to the join. The waiting side is not queued.
	SIMTStack bool
	// NeverImpatient says that lanes that reach a join always wait there, so that lanes may diverge and reconverge in
	// assembly. For RoundRobin this depends on the seed.
	NeverImpatient bool
}

// traits are the traits of the policies.
var traits = [lastPolicy + 1]Traits{
	ITS:        {Sleeps: true, ParksObserved: true, AnyOrder: true, NeverImpatient: true},
	Lockstep:   {Sleeps: true, ParksObserved: true, AnyOrder: true, SIMTStack: true, NeverImpatient: true},
	PCT:        {ParksObserved: true, NeverImpatient: true},
	RoundRobin: {ParksObserved: true},
}

// Traits returns the traits of the policy.
func (p Policy) Traits() Traits {
	if p > lastPolicy {
		p = ITS // the emulator's default
	}
	return traits[p]
}

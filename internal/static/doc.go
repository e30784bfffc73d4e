// Package static is the static race detector: it proves that the accesses of a kernel do not race
// for any input, or finds an input for which they do. It implements "A Case For Host Code Guided
// GPU Data Race Detector" (HGRD), on PTX.
//
//	Analyze    pairs of accesses, what each would need to race, verdicts
//
// For every two accesses of one object of which one writes (§6.1 of the paper), the conditions
// under which different threads make them at one address, between the same barriers, are formulas
// (internal/static/symbolic) that a solver decides together with what host code says of the launch
// (internal/static/facts, §6.3). A pair whose formulas no values satisfy is clean. Values that satisfy
// them are tried: both threads are executed with them (replay), and the pair is racy when they
// make the accesses and no synchronisation of theirs could order them. All other pairs are
// reported as possible, with the reason.
//
// An analysis goes through four packages, each of which knows only those before it:
//
//	query     asks the solver what no launch satisfies, within a budget
//	kernel    the accesses of a kernel, its barriers, and what is known of one or two accesses
//	rules     what orders two threads, or excludes a conflict of theirs, besides barriers and addresses
//	static    decides all pairs one after the other, and looks for witnesses
//
// "Race" is that of the PTX memory consistency model, as in docs/guarantees.md: accesses that
// are morally strong do not race, volatile accesses are strong, equal values are no excuse,
// lock-step orders nothing.
//
// What enters is a resolved kernel and launch facts; what leaves are verdicts with witnesses. The
// package must not know where facts come from, nor how reports look.
package static

// Package phases verifies, for the barriers of a launch that has been executed once, that each of their phases
// completes with the same arrivals and bytes in every schedule, and that each wait finds the phase that it found. It
// receives the events of barriers before package operations handles them, asks the vector clocks of causality what is
// ordered before what, and returns the reasons why a phase may be another one (detect.Dependence).
//
// # The argument
//
// The effects on a barrier are arrivals, bytes that are expected or completed, and increments of the pending count.
// Consider the first phase k of any barrier that a schedule completes with other effects than the run did. All waits
// have passed before as in the run, so the set of effects so far is closed under the order that the clocks hold. It is
// that of the run if three conditions hold, which package phases checks:
//
//   - Each effect of phase k+1 is ordered after all effects of phase k. Then the set has none of a later phase without
//     having had exactly those of phase k before, which complete it.
//   - Each expectation of bytes and each increment of phase k is ordered before an arrival of phase k, or is that
//     arrival. Then a set with all arrivals of the phase expects all its bytes, and lacks none of the operations that
//     complete them, each of which completes some.
//   - The arrivals of the phase are as many as are expected, its bytes as many as are completed.
//
// A wait names a phase by its parity. It finds phase k if it is ordered after the completion of phase k-1, and before
// an arrival of phase k+1: otherwise it might take phase k-2 or k+2 for phase k.
//
// A barrier of a block without a count needs no check: its phase completes when each thread of the block that has not
// exited waits at it, and a thread that waits makes no other step. So a thread arrives in phase k by its arrival number
// k, or has exited before, in every schedule. The same holds for the barrier of a cluster, where a thread waits between
// two arrivals (another order is a fault), and for bar.warp.sync, where the lanes of the mask wait. Groups of
// asynchronous operations belong to one thread, whose program order decides which ones a wait covers.
//
// The package must not know which accesses conflict.
package phases

// Operations on the times of a unit's threads on processors without assembly.

//go:build !amd64 || purego

package vclock

// latest sets each time to the later one of a and b.
func latest(to, a, b *[Radix]Time) { latestOf(to, a, b) }

// exceed returns the threads that have a later time in a, and in b.
func exceed(a, b *[Radix]Time) (byA, byB uint32) { return exceeding(a, b) }

// raiseRows sets each time in rows to the later one of it and that in by.
func raiseRows(rows, by [][Radix]Time) { raisingRows(rows, by) }

// exceedRows sets byA and byB to what exceed returns for each of the arrays, of which both have as many.
func exceedRows(a, b [][Radix]Time, byA, byB *laterLanes) { exceedingRows(a, b, byA, byB) }

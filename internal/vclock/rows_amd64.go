// Operations on the times of a unit's threads in AVX2.

//go:build amd64 && !purego

package vclock

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// latest sets each time to the later one of a and b.
func latest(to, a, b *[Radix]Time) {
	if hasAVX2 {
		latestAVX2(to, a, b)
		return
	}
	latestOf(to, a, b)
}

// exceed returns the threads that have a later time in a, and in b.
func exceed(a, b *[Radix]Time) (byA, byB uint32) {
	if hasAVX2 {
		return exceedAVX2(a, b)
	}
	return exceeding(a, b)
}

// raiseRows sets each time in rows to the later one of it and that in by.
func raiseRows(rows, by [][Radix]Time) {
	if hasAVX2 {
		raiseRowsAVX2(&rows[0], &by[0], len(rows))
		return
	}
	raisingRows(rows, by)
}

// exceedRows sets byA and byB to what exceed returns for each of the arrays, of which both have as many.
func exceedRows(a, b [][Radix]Time, byA, byB *laterLanes) {
	if hasAVX2 {
		exceedRowsAVX2(&a[0], &b[0], len(a), byA, byB)
		return
	}
	exceedingRows(a, b, byA, byB)
}

//go:noescape
func latestAVX2(to, a, b *[Radix]Time)

//go:noescape
func exceedAVX2(a, b *[Radix]Time) (byA, byB uint32)

//go:noescape
func raiseRowsAVX2(rows, by *[Radix]Time, n int)

//go:noescape
func exceedRowsAVX2(a, b *[Radix]Time, n int, byA, byB *laterLanes)

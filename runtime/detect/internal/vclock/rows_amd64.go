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

// exceed reports whether a has a later time than b for some thread, and b than a.
func exceed(a, b *[Radix]Time) (byA, byB bool) {
	if hasAVX2 {
		return exceedAVX2(a, b)
	}
	return exceeding(a, b)
}

//go:noescape
func latestAVX2(to, a, b *[Radix]Time)

//go:noescape
func exceedAVX2(a, b *[Radix]Time) (byA, byB bool)

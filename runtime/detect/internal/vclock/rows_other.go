// Operations on the times of a unit's threads on processors without assembly.

//go:build !amd64 || purego

package vclock

// latest sets each time to the later one of a and b.
func latest(to, a, b *[Radix]Time) { latestOf(to, a, b) }

// exceed reports whether a has a later time than b for some thread, and b than a.
func exceed(a, b *[Radix]Time) (byA, byB bool) { return exceeding(a, b) }

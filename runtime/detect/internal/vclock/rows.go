// Operations on the times of a unit's threads.

package vclock

// latestOf sets each time to the later one of a and b.
func latestOf(to, a, b *[Radix]Time) {
	for i := range to {
		to[i] = max(a[i], b[i])
	}
}

// exceeding reports whether a has a later time than b for some thread, and b than a.
func exceeding(a, b *[Radix]Time) (byA, byB bool) {
	var beyondA, beyondB Time
	for i, x := range a {
		y := b[i]
		latest := max(x, y)
		beyondA |= latest - x
		beyondB |= latest - y
	}
	return beyondB != 0, beyondA != 0
}

// areAll reports whether all times are t.
func areAll(times *[Radix]Time, t Time) bool {
	for _, x := range times {
		if x != t {
			return false
		}
	}
	return true
}

// coversRow reports whether times, but at least floor, are no earlier than those of another clock.
func coversRow(times *[Radix]Time, floor Time, of *[Radix]Time) bool {
	if _, later := exceed(times, of); !later || floor == 0 {
		return !later
	}
	for i, t := range times {
		if max(t, floor) < of[i] {
			return false
		}
	}
	return true
}

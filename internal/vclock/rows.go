// Operations on the times of a unit's threads.

package vclock

// latestOf sets each time to the later one of a and b.
func latestOf(to, a, b *[Radix]Time) {
	for i := range to {
		to[i] = max(a[i], b[i])
	}
}

// raisingRows sets each time in rows to the later one of it and that in by.
func raisingRows(rows, by [][Radix]Time) {
	for i := range rows {
		latestOf(&rows[i], &rows[i], &by[i])
	}
}

// exceedingRows sets byA and byB to what exceeding returns for each of the arrays.
func exceedingRows(a, b [][Radix]Time, byA, byB *laterLanes) {
	for i := range a {
		byA[i], byB[i] = exceeding(&a[i], &b[i])
	}
}

// exceeding returns the threads that have a later time in a, and in b.
func exceeding(a, b *[Radix]Time) (byA, byB uint32) {
	for i := Radix - 1; i >= 0; i-- {
		x, y := uint64(a[i]), uint64(b[i])
		byA, byB = byA<<1|uint32((y-x)>>63), byB<<1|uint32((x-y)>>63)
	}
	return byA, byB
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
	if _, later := exceed(times, of); later == 0 || floor == 0 {
		return later == 0
	}
	for i, t := range times {
		if max(t, floor) < of[i] {
			return false
		}
	}
	return true
}

// Binary search that begins at the end of a list.

package precise

import "sort"

// searchBack is sort.Search in time logarithmic in the distance of the result from n, for lists in order of time: most searches are for
// recent elements.
func searchBack(n int, is func(i int) bool) int {
	step := 1
	for n-step >= 0 && is(n-step) {
		n, step = n-step, 2*step
	}
	from := max(n-step+1, 0)
	return from + sort.Search(n-from, func(i int) bool { return is(from + i) })
}

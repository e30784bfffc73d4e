// Line comparison by go-diff, without a time limit.

package diff

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// exact aligns with the fewest differences. Its cost may be the product of the lengths. There must be no more than
// 1,112,064 distinct items, the number of runes that a string can hold.
func exact(a, b []uint32) []match {
	ids := make(map[uint32]rune)
	ra, rb := runes(a, ids), runes(b, ids)
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the default gives up after a second, and then the result depends on the machine
	var out []match
	i, j := 0, 0
	for _, d := range dmp.DiffMainRunes(ra, rb, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		case diffmatchpatch.DiffEqual:
			out = append(out, match{i, j, n})
			i, j = i+n, j+n
		}
	}
	return out
}

// runes maps items to runes that survive a conversion to string.
func runes(items []uint32, ids map[uint32]rune) []rune {
	out := make([]rune, len(items))
	for i, v := range items {
		r, ok := ids[v]
		if !ok {
			r = rune(len(ids))
			if r >= 0xd800 {
				r += 0x800 // surrogates are not characters
			}
			ids[v] = r
		}
		out[i] = r
	}
	return out
}

// Values of stores of more than eight bytes: events do not hold them, but which lanes store the same.

package emu

import "github.com/ptxsan/ptxsan/emu/internal/vector"

// numberAlike replaces the values of the lanes in m, of which rest has further bytes, by numbers: that of the lowest lane whose value
// and further bytes are equal. Numbers in place of values give the same result.
func numberAlike(values, rest *vector.Row, m lanes) {
	const slots = 64 // of a hash table, twice the number of lanes
	of := *values
	var table [slots]uint8 // the lane + 1
	for ; m != 0; m &= m - 1 {
		i := m.first()
		h := (of[i]*0x9e3779b97f4a7c15 ^ rest[i]) * 0xbf58476d1ce4e5b9 >> 58
		for ; ; h = (h + 1) % slots {
			k := int(table[h]) - 1
			if k < 0 {
				k, table[h] = i, uint8(i+1)
			}
			if of[k] == of[i] && rest[k] == rest[i] {
				values[i] = uint64(k)
				break
			}
		}
	}
}

// The spellings of a form: all combinations of its modifiers.

package isa

// maxSpellings limits the number of spellings of a form.
const maxSpellings = 1500

// Spellings returns combinations of modifiers for the form: all of them, or an even selection if there are too many.
func (f *Form) Spellings() [][]string {
	total := 1
	for i := range f.Mods {
		total = min(total*choices(&f.Mods[i]), 1<<40)
	}
	var out [][]string
	if total <= maxSpellings {
		for n := range total {
			out = append(out, spelling(f, n))
		}
		return out
	}
	for i, step := range f.Mods { // every modifier with the first of the others
		for k := range choices(&step) {
			n, weight := 0, 1
			for j := range f.Mods {
				if j == i {
					n += k * weight
				}
				weight *= choices(&f.Mods[j])
			}
			out = append(out, spelling(f, n))
		}
	}
	for n := range maxSpellings { // and an even selection of all
		out = append(out, spelling(f, n*(total/maxSpellings)+n))
	}
	return out
}

// choices returns the number of ways to fill a slot.
func choices(m *ModSlot) int {
	if m.Optional {
		return len(m.Values) + 1
	}
	return len(m.Values)
}

// spelling returns combination number n.
func spelling(f *Form, n int) []string {
	var mods []string
	for i := range f.Mods {
		m := &f.Mods[i]
		k := n % choices(m)
		n /= choices(m)
		if k < len(m.Values) {
			mods = append(mods, m.Values[k])
		}
	}
	return mods
}

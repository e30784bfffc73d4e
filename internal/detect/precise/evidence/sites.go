// What is known of the program's instructions, by site.

package evidence

// Sites says what the values of accesses mean to the program.
type Sites struct {
	Decisions, Guesses, Looks, Swaps, Consulted, Consumed, Stored, Awaited, Unheeded SiteSet // as in the methods Set… of precise.Detector

	Marks map[uint32]uint32 // SetMarks
}

// SiteSet is a set of sites; nil if the caller has set none.
type SiteSet []bool

// NewSiteSet returns the sites that a map has.
func NewSiteSet(sites map[uint32]bool) SiteSet {
	set := SiteSet{}
	for s, is := range sites {
		if is {
			set = append(set, make([]bool, max(0, int(s)+1-len(set)))...)
			set[s] = true
		}
	}
	return set
}

// Has reports whether a site is in the set.
func (s SiteSet) Has(site uint32) bool { return int(site) < len(s) && s[site] }

// Entries: accesses by lanes of one unit, as the record of accesses holds them.

package accesses

// Entry is an access by lanes of one unit. In the history of a line, lane i has accessed element i+shift of the line,
// where elements have the size of the access; package shadow has what shift is in the history of a part.
type Entry struct {
	Unit  unit
	Mask  uint32
	At    stamp
	Class uint32 // number of the access class
	Shift int32
}

// Over returns the lanes of an entry in a line's history that accessed an element which lanes in mask, whose entry has
// another shift, access as well.
func (e *Entry) Over(mask uint32, shift int32) uint32 {
	if by := e.Shift - shift; by >= 0 {
		return mask >> by
	}
	return mask << (shift - e.Shift)
}

// Replaced extends an entry by a later read, and reports whether it could: the read is of the same instruction and
// lanes, or by more lanes at the same time.
func (e *Entry) Replaced(later *Entry) bool {
	if e.Unit != later.Unit || e.Class != later.Class || e.Shift != later.Shift || e.Mask == 0 {
		return false
	}
	if e.At != later.At && e.Mask&^later.Mask != 0 {
		return false
	}
	e.Mask |= later.Mask
	e.At = later.At
	return true
}

// Same reports whether two entries differ only in their lanes.
func (e *Entry) Same(f *Entry) bool {
	return e.Unit == f.Unit && e.Class == f.Class && e.At == f.At && e.Shift == f.Shift && e.Mask != 0
}

// Equals reports whether two entries are equal, or none.
func (e *Entry) Equals(f *Entry) bool { return *e == *f || e.Mask|f.Mask == 0 }

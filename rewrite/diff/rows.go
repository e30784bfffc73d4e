// Rows of a comparison from paired statements.

package diff

// items holds the lines or statements of one side. heads and words show whether two items that differ are versions of
// each other.
type items struct {
	cells []Cell
	ids   []uint32 // equal for equal lines
	heads []uint32 // by opcode with modifiers
	words []uint32 // by opcode
}

// slice returns items i to j.
func (s items) slice(i, j int) items {
	return items{cells: s.cells[i:j], heads: s.heads[i:j], words: s.words[i:j]}
}

// rowsOf returns the rows of an alignment.
func rowsOf(a, b items, same []match) []Row {
	rows := make([]Row, 0, max(len(a.cells), len(b.cells)))
	i, j := 0, 0
	for _, m := range append(same, match{len(a.cells), len(b.cells), 0}) {
		rows = appendGap(rows, a.slice(i, m.a), b.slice(j, m.b))
		for k := range m.n {
			rows = append(rows, Row{Same, a.cells[m.a+k], b.cells[m.b+k]})
		}
		i, j = m.a+m.n, m.b+m.n
	}
	return rows
}

// appendGap appends rows for the items between two pairs. Items with a common beginning are versions of each other:
// first those with the same opcode and modifiers, and between them those with the same opcode.
func appendGap(rows []Row, a, b items) []Row {
	return a.between(b, align(a.heads, b.heads), rows, func(rows []Row, a, b items) []Row {
		return a.between(b, align(a.words, b.words), rows, appendOneSided)
	})
}

// between appends a row for each pair, and calls gap for the items between pairs.
func (s items) between(b items, versions []match, rows []Row, gap func(rows []Row, a, b items) []Row) []Row {
	i, j := 0, 0
	for _, m := range append(versions, match{len(s.cells), len(b.cells), 0}) {
		rows = gap(rows, s.slice(i, m.a), b.slice(j, m.b))
		for k := range m.n {
			rows = append(rows, Row{Changed, s.cells[m.a+k], b.cells[m.b+k]})
		}
		i, j = m.a+m.n, m.b+m.n
	}
	return rows
}

// appendOneSided appends rows for items without a version on the other side.
func appendOneSided(rows []Row, a, b items) []Row {
	for _, c := range a.cells {
		rows = append(rows, Row{Kind: Removed, A: c})
	}
	for _, c := range b.cells {
		rows = append(rows, Row{Kind: Added, B: c})
	}
	return rows
}

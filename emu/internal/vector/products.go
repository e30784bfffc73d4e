// Products of matrices, in double precision.

package vector

// Numbers is a matrix of numbers, row by row: the distance of rows is Stride numbers.
type Numbers struct {
	V      []float64
	Stride int
}

// From returns the submatrix from a row and a column on.
func (m Numbers) From(row, column int) Numbers {
	return Numbers{m.V[row*m.Stride+column:], m.Stride}
}

// Row returns columns numbers of a row.
func (m Numbers) Row(row, columns int) []float64 { return m.V[row*m.Stride:][:columns] }

// last returns the index of the last of rows by columns numbers.
func (m Numbers) last(rows, columns int) int { return (rows-1)*m.Stride + columns - 1 }

// AddProducts adds to each of rows by columns sums the k products of a row of a and a column of b, in order. Products
// must be exact in double precision, as are those of numbers with 26 significant bits that are neither too large nor
// too small.
func AddProducts(sums, a, b Numbers, rows, columns, k int) {
	if rows <= 0 || columns <= 0 || k <= 0 {
		return
	}
	_, _, _ = sums.V[sums.last(rows, columns)], a.V[a.last(rows, k)], b.V[b.last(k, columns)]
	done := 0
	if Available() {
		if done = columns &^ 7; done > 0 {
			addProducts(&sums.V[0], &a.V[0], &b.V[0], uint64(rows), uint64(done), uint64(k), uint64(sums.Stride),
				uint64(a.Stride), uint64(b.Stride))
		}
	}
	if done < columns {
		addInGo(sums.From(0, done), a, b.From(0, done), rows, columns-done, k)
	}
}

// addInGo is AddProducts without assembly.
func addInGo(sums, a, b Numbers, rows, columns, k int) {
	for row := range rows {
		to := sums.Row(row, columns)
		for i, x := range a.Row(row, k) {
			for n, y := range b.Row(i, columns) {
				to[n] += float64(x * y)
			}
		}
	}
}

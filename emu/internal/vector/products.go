// Products of rows with matrices, in double precision.

package vector

// AddProducts adds the products of a row and a matrix b to sums: to each of them those of the row's
// elements and of its column of b, in order, each rounded before it is added. Rows of b are stride apart.
func AddProducts(sums, row, b []float64, stride int) {
	if len(row) == 0 || len(sums) == 0 {
		return
	}
	_ = b[(len(row)-1)*stride+len(sums)-1]
	done := 0
	if Available() {
		if done = len(sums) &^ 7; done > 0 {
			addProducts(&sums[0], &row[0], &b[0], uint64(done), uint64(len(row)), uint64(stride))
		}
	}
	sums = sums[done:]
	for k, a := range row {
		if from := k*stride + done; len(sums) > 0 {
			of := b[from : from+len(sums)]
			for n, v := range of {
				sums[n] += float64(a * v)
			}
		}
	}
}

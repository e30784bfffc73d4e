// Workloads in which all threads do the same.

package main

func denseWorkloads() []*workload {
	long := []uint32{1 << 12, 1 << 16, 1 << 20, 1 << 22}
	edges := []uint32{16, 64, 128, 256}
	return []*workload{
		{"saxpy", long, linear, 3, saxpy},
		{"matmul", edges, cube, 3, func(n uint32) *problem { return matrixProduct("matmul", n) }},
		{"tiled", edges, cube, 3, func(n uint32) *problem { return matrixProduct("tiled", n) }},
		{"reduce", long, linear, 3, reduce},
		{"stencil", []uint32{64, 256, 1024, 2048}, square, 3, stencil},
	}
}

func saxpy(n uint32) *problem {
	x, y := floats(n), fill(n, func(i uint32) uint32 { return bits(float32(mix(i+7) % 16)) })
	return &problem{
		buffers: [][]uint32{x, y}, out: 1,
		want: fill(n, func(i uint32) uint32 { return bits(2*float(x[i]) + float(y[i])) }),
		run: func(l launcher) error {
			return rows(l, "saxpy", n, n, float32(2), buffer(0), buffer(1))
		},
	}
}

// matrixProduct multiplies two n by n matrices with one of two kernels.
func matrixProduct(kernel string, n uint32) *problem {
	a, b := floats(n*n), floats(n*n)
	return &problem{
		buffers: [][]uint32{a, b, make([]uint32, n*n)}, out: 2,
		want: fill(n*n, func(i uint32) uint32 {
			sum := float32(0)
			for k := range n {
				sum += float(a[i/n*n+k]) * float(b[k*n+i%n])
			}
			return bits(sum)
		}),
		run: func(l launcher) error {
			return tiles(l, kernel, n, n, buffer(0), buffer(1), buffer(2))
		},
	}
}

func reduce(n uint32) *problem {
	in := fill(n, mix)
	return &problem{
		buffers: [][]uint32{in, make([]uint32, n/256)}, out: 1,
		want: fill(n/256, func(block uint32) uint32 {
			sum := uint32(0)
			for _, v := range in[block*256:][:256] {
				sum += v
			}
			return sum
		}),
		run: func(l launcher) error { return rows(l, "reduce", n, buffer(0), buffer(1)) },
	}
}

func stencil(n uint32) *problem {
	in := floats(n * n)
	at := func(i uint32) float32 { return float(in[i]) }
	return &problem{
		buffers: [][]uint32{in, make([]uint32, n*n)}, out: 1,
		want: fill(n*n, func(i uint32) uint32 {
			x, y := i%n, i/n
			if x == 0 || x == n-1 || y == 0 || y == n-1 {
				return in[i]
			}
			return bits(at(i)/2 + (at(i-1)+at(i+1)+at(i-n)+at(i+n))/8)
		}),
		run: func(l launcher) error { return tiles(l, "stencil", n, n, buffer(0), buffer(1)) },
	}
}

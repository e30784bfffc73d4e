// Workloads in which threads do different things.

package main

import "slices"

// Workloads whose threads share words, take different paths, or need several
// launches.

func irregularWorkloads() []*workload {
	long := []uint32{1 << 12, 1 << 16, 1 << 20, 1 << 22}
	medium := []uint32{1 << 10, 1 << 14, 1 << 17, 1 << 20}
	return []*workload{
		{"histogram-global", long, linear, 2, func(n uint32) *problem { return histogram("histogram_global", n, 256) }},
		{"histogram-shared", long, linear, 2, func(n uint32) *problem { return histogram("histogram_shared", n, 4096) }},
		{"collatz", medium, linear, 3, collatz},
		{"spin-lock", []uint32{1 << 8, 1 << 12, 1 << 15, 1 << 18}, linear, 1, spinLock},
		{"spmv", medium, linear, 3, spmv},
		{"bfs", medium, linear, 2, bfs},
		{"mandelbrot", []uint32{16, 64, 256, 512}, square, 3, mandelbrot},
		{"sort", []uint32{1 << 10, 1 << 13, 1 << 16, 1 << 18}, network, 2, bitonicSort},
	}
}

// histogram counts the low bytes of n numbers; a block takes perBlock of them.
func histogram(kernel string, n, perBlock uint32) *problem {
	in, want := fill(n, mix), make([]uint32, 256)
	for _, v := range in {
		want[v&255]++
	}
	return &problem{
		buffers: [][]uint32{in, make([]uint32, 256)}, out: 1, want: want,
		run: func(l launcher) error {
			return l.launch(kernel, line((n+perBlock-1)/perBlock), line(256), n, buffer(0), buffer(1))
		},
	}
}

func collatz(n uint32) *problem {
	return &problem{
		buffers: [][]uint32{make([]uint32, n)},
		want: fill(n, func(i uint32) uint32 {
			steps := uint32(0)
			for v := i + 1; v != 1; steps++ {
				if v&1 != 0 {
					v = 3*v + 1
				} else {
					v /= 2
				}
			}
			return steps
		}),
		run: func(l launcher) error { return rows(l, "collatz", n, n, buffer(0)) },
	}
}

// spinLock has n threads in blocks of 64 add to one counter under one lock. The
// result is the lock and the counter.
func spinLock(n uint32) *problem {
	return &problem{
		buffers: [][]uint32{{0}, {0}}, out: 1, want: []uint32{n},
		run: func(l launcher) error {
			return l.launch("spin_lock", line(n/64), line(64), buffer(0), buffer(1))
		},
	}
}

// spmv multiplies a matrix of n rows with 1 to 16 elements each.
func spmv(n uint32) *problem {
	start := make([]uint32, n+1)
	for i := range n {
		start[i+1] = start[i] + 1 + mix(i)%16
	}
	column := fill(start[n], func(k uint32) uint32 { return mix(k) % n })
	value := fill(start[n], func(k uint32) uint32 { return bits(float32(mix(k+5) % 4)) })
	x := floats(n)
	return &problem{
		buffers: [][]uint32{start, column, value, x, make([]uint32, n)}, out: 4,
		want: fill(n, func(row uint32) uint32 {
			sum := float32(0)
			for k := start[row]; k < start[row+1]; k++ {
				sum += float(value[k]) * float(x[column[k]])
			}
			return bits(sum)
		}),
		run: func(l launcher) error {
			return rows(l, "spmv", n, n, buffer(0), buffer(1), buffer(2), buffer(3), buffer(4))
		},
	}
}

// bfs numbers the vertices of a random graph by their distance from the first one,
// one launch for each distance.
func bfs(n uint32) *problem {
	const unseen = ^uint32(0)
	edge := fill(4*n, func(k uint32) uint32 { return mix(k) % n })
	level := fill(n, func(i uint32) uint32 { return unseen })
	level[0] = 0
	want := slices.Clone(level)
	for queue := []uint32{0}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for _, w := range edge[4*v:][:4] {
			if want[w] == unseen {
				want[w] = want[v] + 1
				queue = append(queue, w)
			}
		}
	}
	first := make([]uint32, n)
	first[0] = 1
	return &problem{
		buffers: [][]uint32{edge, level, first, make([]uint32, n), {0}}, out: 1, want: want,
		run: func(l launcher) error { return searchLevels(l, n) },
	}
}

// searchLevels launches bfs_level until a level is empty.
func searchLevels(l launcher, n uint32) error {
	const found = buffer(4)
	here, there := buffer(2), buffer(3)
	for depth := uint32(1); ; depth++ {
		if err := l.setWord(found, 0); err != nil {
			return err
		}
		if err := rows(l, "bfs_level", n, n, depth, buffer(0), buffer(1), here, there, found); err != nil {
			return err
		}
		if v, err := l.word(found); err != nil || v == 0 {
			return err
		}
		here, there = there, here
	}
}

// mandelbrot counts iterations for n by n points; float32 is rounded after every
// operation, as the kernel does.
func mandelbrot(n uint32) *problem {
	const limit = 256
	step := 3 / float32(n)
	return &problem{
		buffers: [][]uint32{make([]uint32, n*n)},
		want: fill(n*n, func(i uint32) uint32 {
			cx, cy := float32(float32(i%n)*step)-2.25, float32(float32(i/n)*step)-1.5
			x, y, k := float32(0), float32(0), uint32(0)
			for ; k < limit && float32(x*x)+float32(y*y) < 4; k++ {
				x, y = float32(float32(x*x)-float32(y*y))+cx, float32(float32(2*x)*y)+cy
			}
			return k
		}),
		run: func(l launcher) error { return tiles(l, "mandelbrot", n, n, uint32(limit), buffer(0)) },
	}
}

// bitonicSort sorts n numbers, a power of two, one launch for each step.
func bitonicSort(n uint32) *problem {
	in := fill(n, mix)
	return &problem{
		buffers: [][]uint32{in}, want: slices.Sorted(slices.Values(in)),
		run: func(l launcher) error {
			for span := uint32(2); span <= n; span *= 2 {
				for distance := span / 2; distance > 0; distance /= 2 {
					if err := rows(l, "bitonic_step", n, buffer(0), span, distance); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}

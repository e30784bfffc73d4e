// Tensor maps of templates: boxes of as many bytes as mbarriers of the kernel expect.

package session

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

const (
	// mostBoxes is the number of sizes of boxes that are tried.
	mostBoxes = 6
	// boxesInTensor is how many boxes a tensor has in each of its first two dimensions, and mostBoxExtent the largest
	// extent of a box (CUDA driver API, cuTensorMapEncodeTiled).
	boxesInTensor, mostBoxExtent = 16, 256
	// leastBoxBytes is the unit of the innermost extent of a box.
	leastBoxBytes = 16
)

// boxBytes returns the sizes of boxes to try, in bytes: those that mbarriers expect, and parts of them, as for several
// copies; the size of the kernel's shared memory and parts of it where none is known. It is a single 0 for a kernel
// without tensor maps.
func boxBytes(k *rewrite.Func, tensors map[string]int) (list []int) {
	if len(tensors) == 0 {
		return []int{0}
	}
	sizes := kernelcode.ExpectedBytes(k)
	if len(sizes) == 0 {
		sizes = []uint64{kernelcode.StaticShared(k) &^ (leastBoxBytes - 1)}
	}
	for _, parts := range []uint64{1, 2, 4} {
		for _, size := range sizes {
			n := int(min(size, launch.MaxSharedBytes) / parts) //nolint:gosec // a size of shared memory
			if n%leastBoxBytes == 0 && n > 0 && len(list) < mostBoxes && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	if list == nil {
		list = []int{leastBoxBytes * isa.WarpSize}
	}
	return list
}

// tensorShapes returns the tensor maps of a template with boxes of a size.
func tensorShapes(tensors map[string]int, bytes int) map[string]launch.TensorShape {
	out := make(map[string]launch.TensorShape)
	for name, rank := range tensors {
		s := launch.TensorShape{Type: launch.F32, Box: boxOf(bytes/launch.F32.Size(), rank)}
		for i, extent := range s.Box {
			boxes := uint32(boxesInTensor)
			if i > 1 {
				boxes = 2
			}
			s.Dims = append(s.Dims, extent*boxes)
		}
		out[name] = s
	}
	return out
}

// boxOf divides elements among dimensions, about evenly and the first ones first.
func boxOf(n, rank int) []uint32 {
	box := slices.Repeat([]uint32{1}, rank)
	least := leastBoxBytes / launch.F32.Size()
	box[0] = uint32(least) //nolint:gosec // small
	for rest := n / least; rest > 1; {
		prime := 2
		for rest%prime != 0 {
			prime++
		}
		smallest := 0
		for i := range min(rank, 2) {
			if box[i] < box[smallest] {
				smallest = i
			}
		}
		box[smallest] *= uint32(prime) //nolint:gosec // at most n
		rest /= prime
	}
	for i := range box {
		box[i] = min(box[i], mostBoxExtent)
	}
	return box
}

// A launch file to start from, for a kernel without one.

package launch

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// maxParam is what the parameters of a kernel have at most, in bytes: PTX 8.1, sm_70.
	maxParam = 32764
	// largeStruct is the size in bytes above which a template writes double words.
	largeStruct = 1024
)

// Template is a launch file for a kernel, ready to be edited. block is the block
// extent that the kernel demands, zero when it demands none: then there are two warps.
// Sizes are 128, and buffers hold that many rows of that many.
func Template(kernel string, params []Param, blocks uint32, block [3]uint32, shared bool) string {
	const guessed = "   # numbers are guesses: with 0 for a size, most kernels do nothing"
	var buffers, args []string
	guess := ""
	for _, p := range params {
		switch {
		case p.Pointer:
			name := fmt.Sprintf("buf%d", len(buffers))
			elem := p.Elem
			if elem == TypeNone {
				elem = U32
			}
			buffers = append(buffers, fmt.Sprintf("  %s: {type: %s, count: 16384, init: 0}   # %s", name, elem, p.Name))
			args = append(args, name)
		case p.Array:
			args = append(args, zeroStruct(p.Size))
		case p.Type.Float():
			args = append(args, "1.0")
			guess = guessed
		default:
			args = append(args, "128")
			guess = guessed
		}
	}
	if block[0] == 0 {
		block = [3]uint32{64, 1, 1}
	}
	var b strings.Builder
	if len(buffers) > 0 {
		b.WriteString("buffers:\n" + strings.Join(buffers, "\n") + "\n")
	}
	dyn := ""
	if shared {
		dyn = ", shared: 1024"
	}
	fmt.Fprintf(&b, "launches:\n  - {kernel: %q, grid: [%d, 1, 1], block: [%d, %d, %d]%s, args: [%s]}%s\n",
		kernel, blocks, block[0], block[1], block[2], dyn, strings.Join(args, ", "), guess)
	return b.String()
}

// zeroStruct is a struct of size bytes with zeros. A plain 0 is a word; larger fields
// keep the list of a large struct short enough for a launch file, and smaller ones fill
// what is left. A size that no parameter can have is cut, since a template is shown even
// for a module that declares one.
func zeroStruct(size uint64) string {
	size = min(size, maxParam)
	var fields []string
	fill := func(bytes uint64, zero string) {
		fields = append(fields, slices.Repeat([]string{zero}, int(size/bytes))...)
		size %= bytes
	}
	if size > largeStruct {
		fill(8, "{u64: 0}")
	}
	fill(4, "0")
	fill(2, "{u16: 0}")
	fill(1, "{u8: 0}")
	return "[" + strings.Join(fields, ", ") + "]"
}

// A launch file to start from, for kernels without one.

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

// Skeleton is what a template is made of: a kernel and extents that suit it.
type Skeleton struct {
	Kernel      string // as in the PTX
	Params      []Param
	Grid, Block [3]uint32
	Shared      bool // the kernel uses shared memory whose size comes with the launch
	// Textures are parameters that are textures or surfaces, and variables, by name.
	Textures map[string]TextureShape
	Elements int // of the buffers of pointers
	Number   int // integer arguments
	Last     int // the last of them
}

// TextureShape is what instructions want of a texture or surface.
type TextureShape struct {
	Type                 Type // of a channel
	Dims, Channels       int
	Array, Cube, Samples bool
	Linear               bool // a plain buffer, as tex1Dfetch reads it
}

// Template is a launch file with one launch for each kernel, ready to be edited. Each launch has
// buffers of its own. Sizes are usually 128, and buffers hold that many rows of that many.
func Template(list []Skeleton) string {
	var buffers, launches strings.Builder
	var textures textureList
	count, guessed := 0, false
	for _, k := range list {
		var args []string
		textures.variables(k)
		last := lastNumber(k)
		for i, p := range k.Params {
			shape, texture := k.Textures[p.Name]
			switch {
			case texture:
				args = append(args, textures.add(fmt.Sprintf("tex%d", textures.count), p.Name, shape))
			case p.Pointer:
				name := fmt.Sprintf("buf%d", count)
				count++
				elem := p.Elem
				if elem == TypeNone {
					elem = U32
				}
				fmt.Fprintf(&buffers, "  %s: {type: %s, count: %d, init: 0}   # %s\n", name, elem, k.Elements, p.Name)
				args = append(args, name)
			case p.Array:
				args = append(args, zeroStruct(p.Size))
			case p.Type.Float():
				args, guessed = append(args, "1.0"), true
			case i == last:
				args, guessed = append(args, fmt.Sprint(k.Last)), true
			default:
				args, guessed = append(args, fmt.Sprint(k.Number)), true
			}
		}
		shared := ""
		if k.Shared {
			shared = ", shared: 1024"
		}
		fmt.Fprintf(&launches, "  - {kernel: %q, grid: %s, block: %s%s, args: [%s]}\n", k.Kernel, extent(k.Grid), extent(k.Block), shared, strings.Join(args, ", "))
	}
	text := ""
	if count+textures.count > 0 {
		text = "buffers:\n" + buffers.String() + textures.buffers.String()
	}
	if textures.count > 0 {
		text += "textures:\n" + textures.text.String()
	}
	if text += "launches:"; guessed {
		text += "   # numbers among the arguments are guesses: with 0 for a size, most kernels do nothing"
	}
	return text + "\n" + launches.String()
}

// lastNumber is the index of the last parameter that is an integer, -1 when there is none.
func lastNumber(k Skeleton) int {
	for i := len(k.Params) - 1; i >= 0; i-- {
		p := k.Params[i]
		if _, texture := k.Textures[p.Name]; !texture && !p.Pointer && !p.Array && !p.Type.Float() {
			return i
		}
	}
	return -1
}

func extent(e [3]uint32) string { return fmt.Sprintf("[%d, %d, %d]", e[0], e[1], e[2]) }

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

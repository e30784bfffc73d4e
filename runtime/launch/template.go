// A launch file template, for kernels without a launch file.

package launch

import (
	"fmt"
	"strings"
)

const (
	// maxParam is the maximum size of a kernel's parameters in bytes: PTX 8.1, sm_70.
	maxParam = 32764
	// largeStruct is the number of zero bytes from which a template uses double words.
	largeStruct = 1024
)

// Skeleton is the input of a template: a kernel and suitable extents.
type Skeleton struct {
	Kernel      string // as in the PTX
	Params      []Param
	Grid, Block [3]uint32
	Shared      int    // bytes of dynamic shared memory; 0 when the kernel uses none
	Static      int    // bytes of other shared memory, behind which parameters with addresses there lead
	Cooperative bool   // blocks wait for one another
	Cluster     uint32 // blocks of a cluster, 0 for none
	// Textures lists parameters and variables that are textures or surfaces, by name.
	Textures map[string]TextureShape
	Elements int    // of the buffers of pointers
	Contents string // of the buffers that the kernel only reads, as a value of init; "" is 0
	Number   int    // integer arguments
	Last     int    // the last integer argument
	Field    int    // integer fields of structs
}

// TextureShape is the kind of texture or surface that instructions require.
type TextureShape struct {
	Type                 Type // of a channel
	Dims, Channels       int
	Array, Cube, Samples bool
	Linear               bool // a plain buffer, as tex1Dfetch reads it
}

// Template returns the text of a launch file with one launch for each kernel, for users to edit. Each launch has separate
// buffers. Sizes are usually 128, and buffers hold 128 rows of 128 elements. With shaped, the blocks are no guesses.
func Template(list []Skeleton, shaped bool) string {
	var t templateText
	var launches strings.Builder
	for _, k := range list {
		var args []string
		t.textures.variables(k)
		last := lastNumber(k)
		for i, p := range k.Params {
			number := k.Number
			if i == last {
				number = k.Last
			}
			args = append(args, t.arg(k, p, number))
		}
		keys := ""
		if k.Shared > 0 {
			keys += fmt.Sprintf(", shared: %d", k.Shared)
		}
		if k.Cluster > 0 {
			keys += fmt.Sprintf(", cluster: %d", k.Cluster)
		}
		if k.Cooperative {
			keys += ", cooperative: true"
		}
		fmt.Fprintf(&launches, "  - {kernel: %q, grid: %s, block: %s%s, args: [%s]}\n", k.Kernel, extent(k.Grid), extent(k.Block), keys, strings.Join(args, ", "))
	}
	text := ""
	if t.count+t.textures.count > 0 {
		text = "buffers:\n" + t.buffers.String() + t.textures.buffers.String()
	}
	if t.textures.count > 0 {
		text += "textures:\n" + t.textures.text.String()
	}
	guessed := "true   # sizes, numbers and contents"
	if shaped {
		guessed = "numbers   # and contents; blocks are those of the host code"
	}
	return "guessed: " + guessed + "; remove this line when they are yours\n" + text + "launches:\n" + launches.String()
}

// templateText is the part of a template before its launches.
type templateText struct {
	buffers  strings.Builder
	textures textureList
	count    int // number of buffers
}

// arg returns an argument for a parameter, with the buffer or texture that it needs.
func (t *templateText) arg(k Skeleton, p Param, number int) string {
	shape, texture := k.Textures[p.Name]
	switch {
	case texture:
		return t.textures.add(fmt.Sprintf("tex%d", t.textures.count), p.Name, shape)
	case p.Pointer:
		contents := "0"
		if !p.Changed && k.Contents != "" {
			contents = k.Contents
		}
		return t.buffer(p.Elem, k.Elements, contents, p.Name)
	case p.Array:
		return t.structure(k, p)
	case p.Shared:
		return fmt.Sprint(k.sharedAt(p))
	}
	if p.Type.Float() {
		return "1.0"
	}
	return fmt.Sprint(number)
}

// sharedAt returns the address of the memory to which a parameter leads. Parameters share the dynamic shared memory evenly.
func (k *Skeleton) sharedAt(p Param) int {
	before, all := 0, 0
	for _, q := range k.Params {
		switch {
		case !q.Shared:
			continue
		case q.Name == p.Name:
			before = all
		}
		all++
	}
	const align = 16
	each := max(k.Shared-k.Static, 0) / max(all, 1) / align * align
	return k.Static + before*each
}

// buffer adds a buffer, and returns its name.
func (t *templateText) buffer(elem Type, elements int, contents, of string) string {
	name := fmt.Sprintf("buf%d", t.count)
	t.count++
	if elem == TypeNone {
		elem = U32
	}
	fmt.Fprintf(&t.buffers, "  %s: {type: %s, count: %d, init: %s}   # %s\n", name, elem, elements, contents, of)
	return name
}

// structure returns a struct with buffers and numbers in the known fields, and zeros elsewhere. A size larger than any
// parameter is truncated, since a template is shown even for a module that declares one.
func (t *templateText) structure(k Skeleton, p Param) string {
	size := min(int64(p.Size), maxParam) //nolint:gosec // what is negative has no field
	var fields []string
	at := int64(0)
	for _, f := range p.Fields {
		if f.Offset+int64(f.Type.Size()) > size {
			break
		}
		fields, at = append(fields, zeros(at, f.Offset)...), f.Offset+int64(f.Type.Size())
		switch {
		case f.Pointer:
			fields = append(fields, t.buffer(f.Elem, k.Elements, "0", fmt.Sprintf("%s+%d", p.Name, f.Offset)))
		case f.Type.Float():
			fields = append(fields, fmt.Sprintf("{%s: 1.0}", f.Type))
		case f.Type.Size() == 4:
			fields = append(fields, fmt.Sprint(k.Field))
		default:
			fields = append(fields, fmt.Sprintf("{u%d: %d}", 8*f.Type.Size(), k.Field))
		}
	}
	return "[" + strings.Join(append(fields, zeros(at, size)...), ", ") + "]"
}

// lastNumber returns the index of the last parameter that is an integer, -1 when there is none.
func lastNumber(k Skeleton) int {
	for i := len(k.Params) - 1; i >= 0; i-- {
		p := k.Params[i]
		if _, texture := k.Textures[p.Name]; !texture && !p.Pointer && !p.Shared && !p.Array && !p.Type.Float() {
			return i
		}
	}
	return -1
}

func extent(e [3]uint32) string { return fmt.Sprintf("[%d, %d, %d]", e[0], e[1], e[2]) }

// zeros returns the fields of a struct from one offset to another: zeros, each at a multiple of its size. A plain 0 is a word.
// Larger fields keep a list of many bytes short enough for a launch file, and smaller ones fill the rest.
func zeros(from, to int64) (fields []string) {
	largest := int64(4)
	if to-from > largeStruct {
		largest = 8
	}
	for from < to {
		size := largest
		for from%size != 0 || from+size > to {
			size /= 2
		}
		field := fmt.Sprintf("{u%d: 0}", 8*size)
		if size == 4 {
			field = "0"
		}
		fields, from = append(fields, field), from+size
	}
	return fields
}

// A launch file template, for kernels without a launch file.

package launch

import (
	"fmt"
	"slices"
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
	// Tensors lists parameters that are, or point to, tensor maps, by name.
	Tensors  map[string]TensorShape
	Elements int     // of the buffers of pointers
	Contents string  // of buffers that hold no flags or counters, as a value of init; "" is 0
	Number   int     // integer arguments
	Last     int     // the last integer argument
	Field    int     // integer fields of structs
	Given    []Given // of the first arguments
	Site     string  // place in host code that launches so, "" for a guess
}

// Given is what host code says of an argument or of a field of a struct. The zero value is nothing.
type Given struct {
	Number string          // as in a launch file
	Buffer *Allocation     // that a pointer leads to
	Offset uint64          // of the pointer, in bytes
	Fields map[int64]Given // of a struct, by their offsets in bytes
}

// Allocation is a buffer of host code, the same for all launches that have it.
type Allocation struct {
	Name      string
	Size      uint64 // in bytes, 0 if it is not known
	Init      string // as in a launch file, "" if it is not known
	Unwritten bool   // host code does not write to it
	Bytes     []byte // contents that host code gives, nil if they are not known
}

// Guesses is how much of a launch file is guessed, the value of the key guessed.
type Guesses string

// What launch files guess.
const (
	GuessedAll      Guesses = "true"
	GuessedNumbers  Guesses = "numbers"  // and contents: blocks are known
	GuessedContents Guesses = "contents" // of buffers: everything else is known
)

// note says what is guessed.
func (g Guesses) note() string {
	switch g {
	case GuessedNumbers:
		return "and contents; blocks are those of the host code"
	case GuessedContents:
		return "of buffers that host code does not show; all else is as it launches"
	case GuessedAll:
	}
	return "sizes, numbers and contents"
}

// TextureShape is the kind of texture or surface that instructions require.
type TextureShape struct {
	Type                 Type // of a channel
	Dims, Channels       int
	Array, Cube, Samples bool
	Linear               bool // a plain buffer, as tex1Dfetch reads it
}

// TensorShape is a tensor map of a template.
type TensorShape struct {
	Type      Type
	Dims, Box []uint32
}

// Template returns the text of a launch file with one launch for each kernel, for users to edit. Each launch has
// separate buffers, but those of host code. Sizes are usually 128, and buffers hold 128 rows of 128 elements.
func Template(list []Skeleton, guessed Guesses) string {
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
			args = append(args, t.arg(k, p, number, k.given(i)))
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
		if k.Site != "" {
			keys += fmt.Sprintf(", site: %q", k.Site)
		}
		fmt.Fprintf(&launches, "  - {kernel: %q, grid: %s, block: %s%s, args: [%s]}\n", k.Kernel, extent(k.Grid),
			extent(k.Block), keys, strings.Join(args, ", "))
	}
	text := ""
	if t.count+t.textures.count > 0 {
		text = "buffers:\n" + t.buffers.String() + t.textures.buffers.String()
	}
	if t.textures.count > 0 {
		text += "textures:\n" + t.textures.text.String()
	}
	if t.tensors.Len() > 0 {
		text += "tensormaps:\n" + t.tensors.String()
	}
	return fmt.Sprintf("guessed: %s   # %s; remove this line when they are yours\n%slaunches:\n%s", guessed,
		guessed.note(), text, &launches)
}

// given returns what is known of argument i.
func (k *Skeleton) given(i int) Given {
	if i < len(k.Given) {
		return k.Given[i]
	}
	return Given{}
}

// templateText is the part of a template before its launches.
type templateText struct {
	buffers  strings.Builder
	textures textureList
	tensors  strings.Builder
	maps     int // number of tensor maps
	count    int // number of buffers
	names    map[*Allocation]string
	taken    map[string]bool // names of allocations
}

// arg returns an argument for a parameter, with the buffer or texture that it needs.
func (t *templateText) arg(k Skeleton, p Param, number int, g Given) string {
	shape, texture := k.Textures[p.Name]
	switch {
	case g.Buffer != nil:
		return t.allocation(k, p.Elem, p.Changed, g, p.Name+deciding(p.Decides))
	case g.Number != "":
		return g.Number
	case k.Tensors[p.Name].Box != nil:
		return t.tensor(k, p)
	case texture:
		return t.textures.add(fmt.Sprintf("tex%d", t.textures.count), p.Name, shape)
	case p.Pointer:
		return t.buffer(p.Elem, k.Elements, k.contents(p.Elem, p.Changed), p.Name+deciding(p.Decides))
	case p.Array:
		return t.structure(k, p, g.Fields)
	case p.Shared:
		return fmt.Sprint(k.sharedAt(p))
	}
	if p.Type.Float() {
		return "1.0"
	}
	return fmt.Sprint(number)
}

// tensor adds a tensor map, and returns its name.
func (t *templateText) tensor(k Skeleton, p Param) string {
	shape := k.Tensors[p.Name]
	name, count := fmt.Sprintf("map%d", t.maps), 1
	t.maps++
	for _, extent := range shape.Dims {
		count *= int(extent)
	}
	list := func(extents []uint32) string { return strings.ReplaceAll(fmt.Sprint(extents), " ", ", ") }
	of := t.buffer(shape.Type, count, k.contents(shape.Type, true), p.Name)
	fmt.Fprintf(&t.tensors, "  %s: {buffer: %s, dims: %s, box: %s}\n", name, of, list(shape.Dims), list(shape.Box))
	return name
}

// contents returns the guessed contents of a buffer. Integers that the kernel changes may be flags, locks and counters,
// which begin with 0.
func (k *Skeleton) contents(elem Type, changed bool) string {
	if changed && !elem.Float() || k.Contents == "" {
		return "0"
	}
	return k.Contents
}

// allocation returns a pointer to a buffer of host code, which the first of its uses describes.
func (t *templateText) allocation(k Skeleton, elem Type, changed bool, g Given, of string) string {
	name := t.names[g.Buffer]
	if name == "" {
		name = t.newAllocation(k, elem, changed, g.Buffer, of)
	}
	if g.Offset == 0 {
		return name
	}
	return fmt.Sprintf("{buffer: %s, offset: %d}", name, g.Offset)
}

// newAllocation adds a buffer of host code, and returns its name.
func (t *templateText) newAllocation(k Skeleton, elem Type, changed bool, a *Allocation, of string) string {
	if t.names == nil {
		t.names, t.taken = make(map[*Allocation]string), make(map[string]bool)
	}
	name := a.Name
	for n := 2; t.taken[name] || reservedName(name); n++ {
		name = fmt.Sprintf("%s_%d", a.Name, n)
	}
	t.names[a], t.taken[name] = name, true
	t.count++
	if elem == TypeNone {
		elem = U32
	}
	if a.Init == "-1" && elem.Float() { // all bits are set
		elem = map[int]Type{2: S16, 4: S32, 8: S64}[elem.Size()]
	}
	count, init := uint64(k.Elements), a.Init
	if size := uint64(elem.Size()); a.Size > 0 {
		count = (a.Size + size - 1) / size
	}
	if init == "" && a.Bytes != nil {
		init = elem.list(a.Bytes)
	}
	if init == "" {
		init = k.contents(elem, changed)
	}
	keys := ", init: " + init
	if a.Unwritten {
		keys = ""
	}
	fmt.Fprintf(&t.buffers, "  %s: {type: %s, count: %d%s}   # %s\n", name, elem, count, keys, of)
	return name
}

// list returns contents of memory as a list of elements, "" if they are no whole number of them, or not all are finite.
func (t Type) list(p []byte) string {
	var list []string
	for size := t.Size(); len(p) >= size; p = p[size:] {
		text := t.Format(p[:size])
		if _, err := ParseNumber(text); err != nil {
			return ""
		}
		list = append(list, text)
	}
	if len(p) > 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// reservedName reports whether a name is another value in YAML, or one of those that a template gives.
func reservedName(name string) bool {
	for _, prefix := range []string{"buf", "tex", "map"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && strings.Trim(rest, "0123456789") == "" {
			return true
		}
	}
	return slices.Contains(strings.Fields("true false yes no on off y n null nan inf"), strings.ToLower(name))
}

// sharedAt returns the address of the memory to which a parameter leads. Parameters share the dynamic shared memory
// evenly.
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
func (t *templateText) structure(k Skeleton, p Param, given map[int64]Given) string {
	size := min(int64(p.Size), maxParam) //nolint:gosec // what is negative has no field
	var fields []string
	at := int64(0)
	for _, f := range p.Fields {
		if f.Offset+int64(f.Type.Size()) > size {
			break
		}
		fields, at = append(fields, zeros(at, f.Offset)...), f.Offset+int64(f.Type.Size())
		switch g := given[f.Offset]; {
		case g.Buffer != nil:
			fields = append(fields, t.allocation(k, f.Elem, true, g, f.of(p)))
		case g.Number != "":
			fields = append(fields, fmt.Sprintf("{%s: %s}", f.Type, g.Number))
		case f.Pointer:
			fields = append(fields, t.buffer(f.Elem, k.Elements, k.contents(f.Elem, true), f.of(p)))
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

// of returns the comment of a buffer that the field of a parameter leads to.
func (f *Field) of(p Param) string {
	return fmt.Sprintf("%s+%d%s", p.Name, f.Offset, deciding(f.Decides))
}

// deciding returns the end of the comment of a buffer: what its contents decide.
func deciding(what []string) string {
	if len(what) == 0 {
		return ""
	}
	return ": its contents decide " + strings.Join(what, ", ")
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

// zeros returns the fields of a struct from one offset to another: zeros, each at a multiple of its size. A plain 0 is
// a word. Larger fields keep a list of many bytes short enough for a launch file, and smaller ones fill the rest.
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

// Launch files for witnesses: arguments, and buffers with the contents that the race depends on.

package analysis

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// builder builds the text of a launch file for a witness.
type builder struct {
	witness *static.Witness
	given   *facts.Given
	kernel  *rewrite.Func
	least   int64 // minimum size of buffers in bytes, unless the size is known and exact is set
	exact   bool  // a buffer with a size in the facts has that size, even if the witness needs more
	middle  bool  // pointers of which nothing is known lead to the middle of their buffers
	varied  bool  // contents about which nothing is known differ from element to element
	buffers map[string]*buffer
	order   []string
	shapes  map[string]launch.TextureShape // of textures, which have zeros, by parameter or variable
	dynamic int64                          // end of the shared memory to which arguments lead; 0 for none
}

func (b *builder) text() string {
	b.buffers, b.order, b.dynamic = make(map[string]*buffer), nil, 0
	b.shapes = session.TextureShapes(b.kernel)
	var args []string
	for i, p := range session.KernelParams(b.kernel) {
		args = append(args, b.arg(i, p))
	}
	var text, textures strings.Builder
	if len(b.order)+len(b.shapes) > 0 {
		text.WriteString("buffers:\n")
	}
	for _, name := range b.order {
		text.WriteString(b.buffers[name].text(name, b.varied))
	}
	for _, name := range slices.Sorted(maps.Keys(b.shapes)) {
		buffer, texture := b.shapes[name].Text(name, "texels_of_"+name)
		text.WriteString(buffer + "\n")
		textures.WriteString(texture + "\n")
	}
	if textures.Len() > 0 {
		text.WriteString("textures:\n" + textures.String())
	}
	fmt.Fprintf(&text, "launches:\n  - {kernel: %q, grid: %s, block: %s%s%s, args: [%s]}\n", b.kernel.Name,
		extent(b.grid()), extent(b.witness.Block), b.cluster(), b.shared(), strings.Join(args, ", "))
	return text.String()
}

// grid returns the grid in the unit of the kernel's launches: in blocks, or in clusters.
func (b *builder) grid() [3]uint32 {
	grid := b.witness.Grid
	if emu.InClusters(b.kernel) {
		c := emu.RequiredCluster(b.kernel)
		for i, n := range [3]uint32{c.X, c.Y, c.Z} {
			grid[i] /= n
		}
	}
	return grid
}

// extent returns the text of an extent in the file.
func extent(n [3]uint32) string { return fmt.Sprintf("[%d, %d, %d]", n[0], n[1], n[2]) }

// cluster returns the key for the extent of clusters, "" without clusters, and where the kernel's launches count
// clusters of its own.
func (b *builder) cluster() string {
	if c := b.witness.Cluster; max(c[0], c[1], c[2]) > 1 && !emu.InClusters(b.kernel) {
		return ", cluster: " + extent(c)
	}
	return ""
}

// dynamicShared is the dynamic shared memory in bytes of a launch without a known value.
const dynamicShared = 32 << 10

// shared returns the key for the dynamic shared memory, "" without any.
func (b *builder) shared() string {
	n := b.value(b.given.Shared)
	if n == nil && slices.ContainsFunc(b.kernel.Module.Globals,
		func(v *rewrite.Var) bool { return v.Space == isa.SpaceShared && v.Size == 0 }) {
		n = big.NewInt(dynamicShared)
	}
	if n == nil && b.dynamic > 0 {
		n = big.NewInt(b.dynamic)
	}
	if n == nil || n.Sign() <= 0 || n.Cmp(big.NewInt(launch.MaxSharedBytes)) > 0 {
		return ""
	}
	return fmt.Sprintf(", shared: %d", n)
}

// buffer is a buffer of a launch file.
type buffer struct {
	bytes    int64
	initial  *big.Int
	contents map[int64]byte
}

// text returns the text of the buffer in the file: words, or a list of words if the race depends on its contents. What
// nothing is known of is 0, or if varied is set, the number of the word.
func (b *buffer) text(name string, varied bool) string {
	const word = 4
	n := (b.bytes + word - 1) / word
	zero := "0"
	if varied && b.initial == nil && len(b.contents) == 0 {
		zero = "iota"
	}
	if b.initial != nil {
		zero = new(big.Int).And(b.initial, big.NewInt(0xffffffff)).String()
	}
	if len(b.contents) == 0 {
		return fmt.Sprintf("  %s: {type: u32, count: %d, init: %s}\n", name, n, zero)
	}
	var last int64
	for at := range b.contents {
		last = max(last, at)
	}
	n = min(n, max(maxContents, last/word+1))
	list := make([]string, n)
	for i := range list {
		list[i] = zero
		var v uint32
		set := false
		for k := int64(0); k < word; k++ {
			if c, ok := b.contents[int64(i)*word+k]; ok {
				v |= uint32(c) << (8 * k)
				set = true
			}
		}
		if set {
			list[i] = fmt.Sprint(v)
		}
	}
	return fmt.Sprintf("  %s: {type: u32, init: [%s]}\n", name, strings.Join(list, ", "))
}

// arg returns the argument for a parameter.
func (b *builder) arg(i int, p launch.Param) string {
	w := b.witness
	key := facts.Param{Index: i}
	if _, texture := b.shapes[p.Name]; texture {
		return p.Name
	}
	switch {
	case p.Array:
		return b.fields(i, p)
	case p.Pointer:
		return b.pointer(key)
	}
	if p.Shared && !b.defines(facts.ParamVar(i, 0, 8*int(p.Size)).String()) {
		return b.sharedAt(key)
	}
	if v := w.Params[key]; v != nil {
		if p.Type.Float() {
			return "1.0"
		}
		return fit(v, 8*int(p.Size))
	}
	if p.Type.Float() {
		return "1.0"
	}
	return "1"
}

// defines reports whether a fact defines a variable.
func (b *builder) defines(name string) bool {
	return slices.ContainsFunc(b.given.Facts, func(f facts.Fact) bool { return f.Var == name })
}

// sharedAt returns an address in shared memory behind the variables and those of other parameters, with room for the
// accesses of the witness, or for those of a block of the usual size.
func (b *builder) sharedAt(p facts.Param) string {
	const align, usual = 16, 1 << 12
	at := max(b.dynamic, int64(session.StaticShared(b.kernel)))
	b.dynamic = at + (max(b.witness.SharedBytes[p], usual)+align-1)/align*align
	return fmt.Sprint(at)
}

// fit returns a value truncated to a number of bits.
func fit(v *big.Int, bits int) string {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(v, mod).String()
}

// fields returns the fields of a by-value struct: words with the values of the witness, or 1.
func (b *builder) fields(i int, p launch.Param) string {
	w := b.witness
	var list []string
	for at := uint64(0); at < p.Size; {
		key := facts.Param{Index: i, Offset: int64(at)}
		if at%8 == 0 && b.isPointer(key) {
			list = append(list, b.pointer(key))
			at += 8
			continue
		}
		bits := uint64(32)
		if p.Size-at < 4 {
			bits = 8
		}
		value := "1"
		if v := w.Params[key]; v != nil {
			if v.BitLen() > 31 && at%8 == 0 && p.Size-at >= 8 {
				bits = 64
			}
			value = fit(v, int(bits))
		}
		list = append(list, fmt.Sprintf("{u%d: %s}", bits, value))
		at += bits / 8
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// isPointer reports whether the facts or the accesses of the witness say that a field is a pointer.
func (b *builder) isPointer(p facts.Param) bool {
	_, given := b.given.Pointers[p]
	_, accessed := b.witness.MinBytes[p]
	return given || accessed
}

// pointer returns the buffer that a parameter points to, with the offset in it. Parameters that must be equal, and
// parameters of one allocation, share a buffer.
func (b *builder) pointer(p facts.Param) string {
	w := b.witness
	name := b.bufferOf(p)
	buf := b.buffers[name]
	if buf == nil {
		buf = &buffer{bytes: b.least, contents: make(map[int64]byte)}
		b.buffers[name] = buf
		b.order = append(b.order, name)
	}
	at := b.offset(p)
	buf.bytes = max(buf.bytes, at+w.MinBytes[p])
	if ptr, ok := b.given.Pointers[p]; ok {
		buf.initial = b.value(ptr.Initial)
		if size := b.value(ptr.Size); size != nil && size.IsInt64() {
			buf.bytes = max(buf.bytes, min(size.Int64(), maxWitnessBytes))
			if b.exact {
				buf.bytes = max(1, min(size.Int64(), maxWitnessBytes))
			}
		}
	}
	for _, c := range w.Memory {
		if c.Param != p {
			continue
		}
		for k := range c.Bytes {
			byteAt := at + c.Offset + int64(k)
			if byteAt >= 0 && byteAt < maxWitnessBytes {
				buf.contents[byteAt] = byte(new(big.Int).And(new(big.Int).Rsh(c.Value, uint(8*k)),
					big.NewInt(255)).Uint64())
				buf.bytes = max(buf.bytes, byteAt+1)
			}
		}
	}
	if at > 0 {
		return fmt.Sprintf("{buffer: %s, offset: %d}", name, at)
	}
	return name
}

// offset returns the offset of a pointer in its allocation. Where nothing is known of a pointer, it leads to the
// beginning, or to the middle, so that threads may also access what is before it.
func (b *builder) offset(p facts.Param) int64 {
	known, ok := b.given.Pointers[p]
	if at := b.value(known.Offset); at != nil && at.IsInt64() && 0 < at.Int64() && at.Int64() < maxWitnessBytes {
		return at.Int64()
	}
	if b.middle && !ok && len(b.witness.Memory) == 0 {
		return b.least / 2
	}
	return 0
}

// bufferOf names the buffer of a parameter.
func (b *builder) bufferOf(p facts.Param) string {
	for _, s := range b.witness.Same {
		for k, q := range s { // the least of the equal parameters
			if s[1-k] == p && (q.Index < p.Index || q.Index == p.Index && q.Offset < p.Offset) {
				return b.bufferOf(q)
			}
		}
	}
	name := fmt.Sprintf("buf%d", p.Index+1)
	if p.Offset != 0 {
		name += fmt.Sprintf("_%d", p.Offset)
	}
	if ptr, ok := b.given.Pointers[p]; ok {
		name = strings.Map(func(r rune) rune {
			if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, ptr.Buffer)
	}
	return name
}

// value evaluates an expression of the facts in the model of the witness. It returns nil if the expression has no value
// there.
func (b *builder) value(x *expr.Int) *big.Int {
	if x == nil || b.witness.Model == nil {
		return nil
	}
	v, err := x.Eval(b.witness.Model)
	if err != nil {
		return nil
	}
	return v
}

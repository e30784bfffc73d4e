// The CUDA runtime: allocations, memset, and the extents of a launch.

package hostir

import (
	"maps"
	"math"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// copied executes a copy to its first argument, in a stream if that is not 0.
func (x *executor) copied(args []value, stream int) {
	x.givesDevice(args[1])
	given := x.bytesAt(args)
	x.lose(args[0])
	if given != nil {
		x.st.init[args[0].to] = facts.Contents{Bytes: given}
	}
	if stream == 0 {
		return
	}
	w := write{ends: !x.later, stream: args[stream]}
	if o := args[0].to; o != nil && o.kind != foreign {
		x.st.writtenLater(o, w)
		return
	}
	for _, known := range []map[*object]bool{maps.Clone(x.st.escaped), x.shared()} {
		for o := range known {
			x.st.writtenLater(o, w)
		}
	}
}

// maxGiven is the largest copy whose contents are recorded, in bytes.
const maxGiven = 1 << 13

// bytesAt returns the contents of a copy(to, from, size) of known memory of the host to a whole allocation, nil for
// another copy.
func (x *executor) bytesAt(args []value) []byte {
	to, size := args[0].to, args[2].asSigned()
	from, at, ok := placeOf(args[1])
	if _, begin, known := placeOf(args[0]); !ok || !known || begin != 0 || to.kind != device || size == nil ||
		to.size == nil || !size.Equal(to.size) {
		return nil
	}
	n, known := size.Int64()
	if !known || n < 1 || n > maxGiven || from.kind == device {
		return nil
	}
	v, _ := x.st.get(from, at, n)
	out := make([]byte, n)
	if !v.encode(out) {
		return nil
	}
	return out
}

// encode writes a value as memory has it; ok is false if a part of it is not known.
func (v value) encode(out []byte) (ok bool) {
	if v.parts == nil {
		bits, known := v.bitsOf(int64(len(out)))
		for i := range min(len(out), 8) {
			out[i] = byte(bits >> (8 * i))
		}
		return known
	}
	end := int64(0)
	for _, p := range v.parts {
		if p.at != end || p.at+p.size > int64(len(out)) || !p.v.encode(out[p.at:p.at+p.size]) {
			return false
		}
		end += p.size
	}
	return end == int64(len(out))
}

// bitsOf returns a number of at most eight bytes as bits.
func (v value) bitsOf(size int64) (bits uint64, ok bool) {
	switch k, known := v.constant(); {
	case known && k.Sign() == 0:
		return 0, true
	case known && size <= 8 && k.IsInt64():
		return uint64(k.Int64()), true //nolint:gosec // its bits
	case v.real != nil && size == 4:
		return uint64(math.Float32bits(float32(*v.real))), true
	case v.real != nil && size == 8:
		return math.Float64bits(*v.real), true
	}
	return 0, false
}

// shared returns the objects with known contents, and the variables of the module, that code which is not followed may
// write to.
func (x *executor) shared() map[*object]bool {
	set := make(map[*object]bool)
	for o := range x.st.mem {
		set[o] = x.st.reachable(o)
	}
	for _, o := range x.statics {
		set[o] = x.st.reachable(o)
	}
	maps.DeleteFunc(set, func(_ *object, reachable bool) bool { return !reachable })
	return set
}

// givesDevice records that kernels get what a pointer of the host points to: addresses of the host in it, too.
func (x *executor) givesDevice(p value) {
	if p.to == nil || p.to.kind == device {
		return
	}
	for _, c := range x.st.mem[p.to] {
		x.st.writtenLater(c.v.to, write{})
		for _, part := range c.v.parts {
			x.st.writtenLater(part.v.to, write{})
		}
	}
}

// synchronised records that the host has waited for work in streams.
func (x *executor) synchronised(which func(stream value) bool) {
	maps.DeleteFunc(x.st.pending, func(_ *object, w write) bool { return w.ends && which(w.stream) })
}

// allocateHost executes cudaMallocHost(&p, size) and the like, whose memory kernels may write to.
func (x *executor) allocateHost(to value) {
	o := x.object(heap, "pinned", nil)
	x.st.writtenLater(o, write{})
	x.put(to, 8, value{to: o, off: expr.Const(0)})
}

func constantOf(k int64) value { return value{num: expr.Const(k), signed: true, bits: 32} }

// pushConfig keeps the extents of the next launch, and says that they were taken.
func (x *executor) pushConfig(args []value) value {
	x.config = args
	return constantOf(0)
}

// popConfig returns, to the stub of a kernel, the extents set by its caller.
func (x *executor) popConfig(args []value) {
	if len(x.config) < 5 {
		return
	}
	for i, from := range [][]int{{0, 1}, {2, 3}, {4}} {
		o, at, ok := placeOf(args[i])
		if !ok {
			continue
		}
		x.st.put(o, at, 8, x.config[from[0]])
		if len(from) == 2 {
			x.st.put(o, at+8, 4, x.config[from[1]])
		}
	}
	if o, at, ok := placeOf(args[3]); ok && len(x.config) > 5 {
		x.st.put(o, at, 8, x.config[5])
	}
}

// allocate executes cudaMalloc(&p, size) and related functions.
func (x *executor) allocate(args []value, managed bool) {
	size := args[1].asSigned()
	if size != nil && size.IsUnknown() {
		size = nil
	}
	x.newBuffer(args[0], size, managed)
	if size != nil {
		x.assume(expr.Gt(size, expr.Const(0)), facts.Sizes)
	}
}

// allocatePitch executes cudaMallocPitch(&p, &pitch, width, height), which chooses a pitch of at
// least width.
func (x *executor) allocatePitch(args []value) {
	hint := "pitch"
	if args[1].to != nil {
		hint = args[1].to.name
	}
	pitch := x.fromOutside(func() value { return x.leaf(hint, 64, false) })
	v := x.vars[pitch.num.Variable().Name]
	v.Lo, v.Hi = big.NewInt(1), big.NewInt(maxPitch)
	pitch.num = v.Int()
	var size *expr.Int
	if w := args[2].asSigned(); w != nil && !w.IsUnknown() {
		x.assume(expr.Gt(w, expr.Const(0)), facts.Sizes)
		x.assume(expr.Ge(pitch.num, w), facts.Sizes)
	}
	if h := args[3].asSigned(); h != nil && !h.IsUnknown() {
		x.assume(expr.Gt(h, expr.Const(0)), facts.Sizes)
		size = expr.Mul(pitch.num, h)
	}
	x.newBuffer(args[0], size, false)
	if args[1].to != nil {
		x.put(args[1], 8, pitch)
	}
}

// newBuffer makes an allocation and stores the pointer to it.
func (x *executor) newBuffer(to value, size *expr.Int, managed bool) {
	if to.to == nil {
		x.lose(to)
		return
	}
	at, _ := int64(0), false
	if to.off != nil {
		at, _ = to.off.Int64()
	}
	base := cleanName(x.hint(to.to, at))
	name := base
	for n := int64(2); x.buffers[name]; n++ {
		name = base + "." + itoa(n)
	}
	x.buffers[name] = true
	o := x.object(device, name, nil)
	o.size, o.site = size, x.here()
	if !managed { // host code writes to managed memory in many ways
		x.st.init[o] = facts.Contents{Sample: expr.Const(0)}
	}
	x.put(to, 8, value{to: o, off: expr.Const(0)})
}

// memset sets every byte of an allocation.
func (x *executor) memset(args []value) {
	o := args[0].to
	if o == nil || o.kind != device {
		x.lose(args[0])
		return
	}
	delete(x.st.init, o)
	size := args[2].asSigned()
	if _, at, ok := placeOf(args[0]); !ok || at != 0 || args[1].num == nil || size == nil || o.size == nil ||
		!size.Equal(o.size) {
		return
	}
	switch k, ok := args[1].num.Int64(); {
	case ok && byte(k) == 0:
		x.st.init[o] = facts.Contents{All: expr.Const(0)}
	case ok && byte(k) == 0xff:
		x.st.init[o] = facts.Contents{All: expr.Const(-1)}
	}
}

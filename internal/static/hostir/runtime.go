// The CUDA runtime: allocations, memset, and the extents of a launch.

package hostir

import (
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// cudaRuntime executes calls of the CUDA runtime.
type cudaRuntime struct{ *executor }

// copied executes a copy to its first argument, in a stream if that is not 0.
func (x cudaRuntime) copied(args []memory.Value, stream int) {
	x.givesDevice(args[1])
	given := x.bytesAt(args)
	x.lose(args[0])
	if given != nil {
		x.st.Init[args[0].To] = facts.Contents{Bytes: given}
	}
	if stream == 0 {
		return
	}
	w := memory.Write{Ends: !x.later, Stream: args[stream]}
	if to := args[0].Targets(); len(to) > 0 && !slices.ContainsFunc(to, func(o *memory.Object) bool {
		return o.Kind == memory.Foreign
	}) && !slices.ContainsFunc(args[0].Each(), func(v memory.Value) bool { return !v.Something() }) {
		for _, o := range to {
			x.st.WrittenLater(o, w)
		}
		return
	}
	for _, known := range []map[*memory.Object]bool{maps.Clone(x.st.Escaped), x.shared()} {
		for o := range known {
			x.st.WrittenLater(o, w)
		}
	}
}

// maxGiven is the largest copy whose contents are recorded, in bytes.
const maxGiven = 1 << 13

// bytesAt returns the contents of a copy(to, from, size) of known memory of the host to a whole allocation, nil for
// another copy.
func (x cudaRuntime) bytesAt(args []memory.Value) []byte {
	to, size := args[0].To, args[2].AsSigned()
	from, at, ok := placeOf(args[1])
	if _, begin, known := placeOf(args[0]); !ok || !known || begin != 0 || to.Kind != memory.Device || size == nil ||
		to.Size == nil || !size.Equal(to.Size) {
		return nil
	}
	n, known := size.Int64()
	if !known || n < 1 || n > maxGiven || from.Kind == memory.Device {
		return nil
	}
	v, _ := x.st.Get(from, at, n)
	out := make([]byte, n)
	if !encode(v, out) {
		return nil
	}
	return out
}

// encode writes a value as memory has it; ok is false if a part of it is not known.
func encode(v memory.Value, out []byte) (ok bool) {
	if v.Parts == nil {
		bits, known := bitsOf(v, int64(len(out)))
		for i := range min(len(out), 8) {
			out[i] = byte(bits >> (8 * i))
		}
		return known
	}
	end := int64(0)
	for _, p := range v.Parts {
		if p.At != end || p.At+p.Size > int64(len(out)) || !encode(p.Value, out[p.At:p.At+p.Size]) {
			return false
		}
		end += p.Size
	}
	return end == int64(len(out))
}

// bitsOf returns a number of at most eight bytes as bits.
func bitsOf(v memory.Value, size int64) (bits uint64, ok bool) {
	switch k, known := v.Constant(); {
	case known && k.Sign() == 0:
		return 0, true
	case known && size <= 8 && k.IsInt64():
		return uint64(k.Int64()), true //nolint:gosec // its bits
	case v.Real != nil && size == 4:
		return uint64(math.Float32bits(float32(*v.Real))), true
	case v.Real != nil && size == 8:
		return math.Float64bits(*v.Real), true
	}
	return 0, false
}

// shared returns the objects with known contents, and the variables of the module, that code which is not followed may
// write to.
func (x cudaRuntime) shared() map[*memory.Object]bool {
	set := make(map[*memory.Object]bool)
	for o := range x.st.Mem {
		set[o] = x.st.Reachable(o)
	}
	for _, o := range x.statics {
		set[o] = x.st.Reachable(o)
	}
	maps.DeleteFunc(set, func(_ *memory.Object, reachable bool) bool { return !reachable })
	return set
}

// givesDevice records that kernels get what a pointer of the host points to: addresses of the host in it, too.
func (x cudaRuntime) givesDevice(p memory.Value) {
	for _, from := range p.Targets() {
		for _, c := range x.st.Mem[from] {
			for _, o := range c.Value.Targets() {
				x.st.WrittenLater(o, memory.Write{})
			}
		}
	}
}

// allSynchronised executes a call that waits for all streams.
func (x cudaRuntime) allSynchronised([]memory.Value) {
	x.synchronised(func(memory.Value) bool { return true })
}

// synchronised records that the host has waited for work in streams.
func (x cudaRuntime) synchronised(which func(stream memory.Value) bool) {
	maps.DeleteFunc(x.st.Pending, func(_ *memory.Object, w memory.Write) bool { return w.Ends && which(w.Stream) })
}

// allocateHost executes cudaMallocHost(&p, size) and the like, whose memory kernels may write to.
func (x cudaRuntime) allocateHost(to memory.Value) {
	o := x.object(memory.Heap, "pinned", nil)
	x.st.WrittenLater(o, memory.Write{})
	x.put(to, 8, memory.Value{To: o, Offset: expr.Const(0)})
}

func constantOf(k int64) memory.Value {
	return memory.Value{Num: expr.Const(k), Signed: true, Bits: 32}
}

// pushConfig keeps the extents of the next launch, and says that they were taken.
func (x cudaRuntime) pushConfig(args []memory.Value) memory.Value {
	x.config = args
	return constantOf(0)
}

// popConfig returns, to the stub of a kernel, the extents set by its caller.
func (x cudaRuntime) popConfig(args []memory.Value) {
	if len(x.config) < 5 {
		return
	}
	for i, from := range [][]int{{0, 1}, {2, 3}, {4}} {
		o, at, ok := placeOf(args[i])
		if !ok {
			continue
		}
		x.st.Put(o, at, 8, x.config[from[0]])
		if len(from) == 2 {
			x.st.Put(o, at+8, 4, x.config[from[1]])
		}
	}
	if o, at, ok := placeOf(args[3]); ok && len(x.config) > 5 {
		x.st.Put(o, at, 8, x.config[5])
	}
}

// allocate executes cudaMalloc(&p, size) and related functions.
func (x cudaRuntime) allocate(args []memory.Value, managed bool) {
	size := args[1].AsSigned()
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
func (x cudaRuntime) allocatePitch(args []memory.Value) {
	hint := "pitch"
	if args[1].To != nil {
		hint = args[1].To.Name
	}
	pitch := x.fromOutside(func() memory.Value { return x.leaf(hint, 64, false) })
	v := x.vars[pitch.Num.Variable().Name]
	v.Lo, v.Hi = big.NewInt(1), big.NewInt(maxPitch)
	pitch.Num = v.Int()
	var size *expr.Int
	if w := args[2].AsSigned(); w != nil && !w.IsUnknown() {
		x.assume(expr.Gt(w, expr.Const(0)), facts.Sizes)
		x.assume(expr.Ge(pitch.Num, w), facts.Sizes)
	}
	if h := args[3].AsSigned(); h != nil && !h.IsUnknown() {
		x.assume(expr.Gt(h, expr.Const(0)), facts.Sizes)
		size = expr.Mul(pitch.Num, h)
	}
	x.newBuffer(args[0], size, false)
	if args[1].To != nil {
		x.put(args[1], 8, pitch)
	}
}

// newBuffer makes an allocation and stores the pointer to it.
func (x cudaRuntime) newBuffer(to memory.Value, size *expr.Int, managed bool) {
	if to.To == nil {
		x.lose(to)
		return
	}
	at, _ := int64(0), false
	if to.Offset != nil {
		at, _ = to.Offset.Int64()
	}
	base := cleanName(x.hint(to.To, at))
	name := base
	for n := int64(2); x.buffers[name]; n++ {
		name = base + "." + itoa(n)
	}
	x.buffers[name] = true
	o := x.object(memory.Device, name, nil)
	o.Size, o.Site = size, x.here()
	if !managed { // host code writes to managed memory in many ways
		x.st.Init[o] = facts.Contents{Sample: expr.Const(0)}
	}
	x.put(to, 8, memory.Value{To: o, Offset: expr.Const(0)})
}

// memset sets every byte of an allocation.
func (x cudaRuntime) memset(args []memory.Value) {
	o := args[0].To
	if o == nil || o.Kind != memory.Device {
		x.lose(args[0])
		return
	}
	delete(x.st.Init, o)
	size := args[2].AsSigned()
	if _, at, ok := placeOf(args[0]); !ok || at != 0 || args[1].Num == nil || size == nil || o.Size == nil ||
		!size.Equal(o.Size) {
		return
	}
	switch k, ok := args[1].Num.Int64(); {
	case ok && byte(k) == 0:
		x.st.Init[o] = facts.Contents{All: expr.Const(0)}
	case ok && byte(k) == 0xff:
		x.st.Init[o] = facts.Contents{All: expr.Const(-1)}
	}
}

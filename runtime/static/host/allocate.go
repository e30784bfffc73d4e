// Allocations of device memory, and their contents after cudaMemset.

package host

import (
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// allocates lists functions that allocate a buffer.
var allocates = setOf("cudaMalloc cudaMallocManaged cudaMallocAsync cudaMallocPitch")

// allocate executes cudaMalloc and related functions.
func (x *executor) allocate(name string, n *node) {
	to := x.eval(n.args[0], "")
	if name == "cudaMallocPitch" && len(n.args) == 4 {
		x.allocatePitch(to, n)
		return
	}
	size, _ := x.eval(n.args[1], "size").int()
	if size != nil && size.IsUnknown() {
		size = nil
	}
	x.newBuffer(to, size, n)
	if size != nil {
		x.assume(expr.Gt(size, expr.Const(0)), x.textOf(n)+": the size is positive", facts.Sizes, n.at, false)
	}
}

// MaxPitch is the largest pitch that the runtime returns (cudaDeviceProp::memPitch).
const MaxPitch = 1<<31 - 1

// allocatePitch executes cudaMallocPitch(&p, &pitch, width, height), which chooses a pitch of
// at least width.
func (x *executor) allocatePitch(to value, n *node) {
	pitchAt := x.eval(n.args[1], "")
	w, _ := x.eval(n.args[2], "width").int()
	h, _ := x.eval(n.args[3], "height").int()
	hint := "pitch"
	if pitchAt.to != nil {
		hint = pitchAt.to.name
		if pitchAt.field != "" {
			hint += "." + pitchAt.field
		}
	}
	pitch := x.fromOutside(func() value { return x.leafWithin(hint, "u64", 1, MaxPitch) })
	var size *expr.Int
	if w != nil && !w.IsUnknown() {
		x.assume(expr.Gt(w, expr.Const(0)), x.textOf(n)+": the width is positive", facts.Sizes, n.at, false)
		x.assume(expr.Ge(pitch.num, w), x.textOf(n)+": the pitch is at least the width", facts.Sizes, n.at, false)
	}
	if h != nil && !h.IsUnknown() {
		x.assume(expr.Gt(h, expr.Const(0)), x.textOf(n)+": the height is positive", facts.Sizes, n.at, false)
		size = expr.Mul(pitch.num, h)
	}
	x.newBuffer(to, size, n)
	if pitchAt.to != nil {
		if pitchAt.field == "" {
			x.st.values[pitchAt.to] = x.convert(pitch, pitchAt.to.typ, hint)
		} else {
			x.setField(pitchAt.to, pitchAt.field, pitch)
		}
	}
}

// newBuffer makes an allocation and stores the pointer to it.
func (x *executor) newBuffer(to value, size *expr.Int, n *node) {
	if to.to == nil {
		return
	}
	name := to.to.name
	if to.field != "" {
		name += "." + to.field
	}
	b := &buffer{name: x.bufferName(name), size: size, site: x.pos(n.at)}
	if n.x == nil || n.x.op != "cudaMallocManaged" { // host code writes to managed memory in many ways
		x.st.init[b] = facts.Contents{Sample: expr.Const(0)}
	}
	t := to.to.typ
	if of := x.st.values[to.to].of; of != nil {
		for i := range of.fields {
			if of.fields[i].name == to.field {
				t = of.fields[i].typ
			}
		}
	}
	v := value{buf: b, off: expr.Const(0), elem: x.kindOf(ctype{name: t.name, ptr: max(t.ptr-1, 0)}).size}
	if to.field == "" {
		x.st.values[to.to] = v
	} else {
		x.setField(to.to, to.field, v)
	}
}

func (x *executor) bufferName(hint string) string {
	base := cleanName(hint)
	name := base
	for n := 2; x.buffers[name]; n++ {
		name = base + "." + itoa(n)
	}
	x.buffers[name] = true
	return name
}

// memset sets every byte of an allocation.
func (x *executor) memset(args []value) {
	if len(args) < 3 || args[0].buf == nil {
		return
	}
	b := args[0].buf
	delete(x.st.init, b)
	k, ok := constantOf(args[1])
	size, _ := args[2].int()
	if !ok || size == nil || b.size == nil || args[0].off == nil {
		return
	}
	if from, zero := args[0].off.Int64(); !zero || from != 0 || !size.Equal(b.size) {
		return
	}
	switch byte(k) {
	case 0:
		x.st.init[b] = facts.Contents{All: expr.Const(0)}
	case 0xff:
		x.st.init[b] = facts.Contents{All: expr.Const(-1)}
	}
}

package racesuite

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// What the applications of the race suite compute, computed once more.

// appRun is an application after its last launch.
type appRun struct {
	t   *testing.T
	c   *Case
	dev *session.Session
}

// before returns a buffer as the launch file fills it.
func (r *appRun) before(name string) []uint32 {
	b := r.c.File.Buffer(name)
	p := make([]byte, b.Size())
	if err := b.Fill(func(off uint64, part []byte) error { copy(p[off:], part); return nil }); err != nil {
		r.t.Fatal(err)
	}
	return words(p)
}

// after returns a buffer at the end.
func (r *appRun) after(name string) []uint32 {
	return words(Bytes(r.t, r.dev, r.c.File.Buffer(name)))
}

func words(p []byte) []uint32 {
	out := make([]uint32, len(p)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(p[4*i:])
	}
	return out
}

// args returns the numbers among the arguments of a launch, in order.
func (r *appRun) args(i int) (out []uint32) {
	for _, a := range r.c.File.Launches[i].Args {
		if a.Kind == launch.ArgNumber {
			out = append(out, uint32(a.Value.Float64()))
		}
	}
	return out
}

func (r *appRun) equal(name string, want []uint32) {
	r.t.Helper()
	for i, got := range r.after(name) {
		if got != want[i] {
			r.t.Errorf("%s: %s[%d] is %d, want %d", r.c.Category, name, i, got, want[i])
			return
		}
	}
}

var appReferences = map[string]func(*appRun){
	"convolution-1d":        (*appRun).convolution,
	"gemm-sm90":             (*appRun).gemm,
	"gemm-sm100":            (*appRun).gemm,
	"reduction":             (*appRun).reduction,
	"rule-110":              (*appRun).rule110,
	"graph-colouring":       (*appRun).colouring,
	"graph-connectivity":    (*appRun).connectivity,
	"matrix-multiplication": (*appRun).multiplication,
	"tree-search":           (*appRun).treeSearch,
}

func (r *appRun) convolution() {
	in, filter := r.before("in"), r.before("filter")
	out := make([]uint32, len(in)+len(filter)-1)
	for i, x := range in {
		for k, f := range filter {
			out[i+k] += x * f
		}
	}
	r.equal("out", out)
}

func (r *appRun) reduction() {
	var sum uint32
	for _, x := range r.before("data") {
		sum += x
	}
	r.equal("out", []uint32{sum})
}

// rule110 follows the automaton by Wolfram's table: of the eight neighbourhoods, those
// that give 1 are 110, 101, 011, 010 and 001. Cells beyond the ends are 0.
func (r *appRun) rule110() {
	const alive = "110 101 011 010 001"
	cells, steps := r.before("cells"), r.args(0)[1]
	n := len(cells) / 2
	now := cells[:n]
	digit := func(i int) byte {
		if i < 0 || i >= n {
			return '0'
		}
		return '0' + byte(now[i])
	}
	for range steps {
		next := make([]uint32, n)
		for i := range now {
			if strings.Contains(alive, string([]byte{digit(i - 1), digit(i), digit(i + 1)})) {
				next[i] = 1
			}
		}
		now = next
	}
	at := int(steps%2) * n
	for i, got := range r.after("cells")[at : at+n] {
		if got != now[i] {
			r.t.Errorf("rule-110: cell %d is %d, want %d", i, got, now[i])
		}
	}
}

// colouring: every vertex has a colour, neighbours have different ones.
func (r *appRun) colouring() {
	from, to, colour := r.before("from"), r.before("to"), r.after("colour")
	for v, c := range colour {
		if c < 1 || c > 31 {
			r.t.Errorf("graph-colouring: vertex %d has colour %d", v, c)
		}
	}
	for i := range from {
		if a, b := from[i], to[i]; a != b && colour[a] == colour[b] {
			r.t.Errorf("graph-colouring: neighbours %d and %d have colour %d", a, b, colour[a])
		}
	}
}

// connectivity: a component is named after its smallest vertex.
func (r *appRun) connectivity() {
	from, to := r.before("from"), r.before("to")
	name := make([]uint32, len(r.before("component")))
	for v := range name {
		name[v] = uint32(v)
	}
	for changed := true; changed; {
		changed = false
		for i := range from {
			a, b := &name[from[i]], &name[to[i]]
			if *a != *b {
				*a, changed = min(*a, *b), true
				*b = *a
			}
		}
	}
	r.equal("component", name)
}

func (r *appRun) multiplication() {
	a, b, size := r.before("a"), r.before("b"), r.args(0)
	rows, inner, columns := size[0], size[1], size[2]
	c := make([]uint32, rows*columns)
	for i := range rows {
		for j := range columns {
			for k := range inner {
				c[i*columns+j] += a[i*inner+k] * b[k*columns+j]
			}
		}
	}
	r.equal("c", c)
}

// gemm multiplies rows of halves by rows of halves. The result is of halves, too, after sums in
// single precision.
func (r *appRun) gemm() {
	halves := func(words []uint32) (list []float64) {
		for _, w := range words {
			list = append(list, half(uint16(w)), half(uint16(w>>16)))
		}
		return list
	}
	a, b, c, size := halves(r.before("as")), halves(r.before("bs")), halves(r.after("cs")), r.args(0)
	rows, columns, inner := size[0], size[1], size[2]
	for i := range rows {
		for j := range columns {
			var want float64
			for k := range inner {
				want += a[i*inner+k] * b[j*inner+k]
			}
			if got := c[i*columns+j]; math.Abs(got-want) > 1e-3+math.Abs(want)/2048 {
				r.t.Fatalf("%s: element %d, %d is %v, want %v", r.c.Category, i, j, got, want)
			}
		}
	}
}

// half returns a number of half precision, not an infinity or NaN.
func half(bits uint16) float64 {
	e, f := int(bits>>10&31), float64(bits&1023)
	v := math.Ldexp(f, -24)
	if e > 0 {
		v = math.Ldexp(1024+f, e-25)
	}
	return math.Copysign(v, 1-2*float64(bits>>15))
}

// treeSearch visits all nodes, depth first. A node is a hash with its depth in the last
// four bits.
func (r *appRun) treeSearch() {
	size := r.args(1)
	depth, average := size[0], size[1]
	var nodes, sum uint32
	var visit func(node uint32)
	visit = func(node uint32) {
		nodes++
		sum += node
		if node%16 >= depth {
			return
		}
		for i := range (node >> 8) % (2*average + 1) {
			h := (node + i*0x9e3779b9) * 0x85ebca6b
			h = (h ^ h>>15) * 0xc2b2ae35
			visit((h^h>>13)&^15 | (node%16 + 1))
		}
	}
	for _, root := range r.before("roots") {
		visit(root)
	}
	r.equal("nodes", []uint32{nodes})
	r.equal("sum", []uint32{sum})
	if nodes < 200 {
		r.t.Errorf("tree-search: %d nodes; the launch file should give more to steal", nodes)
	}
}

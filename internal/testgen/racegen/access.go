// Accesses to memory, and fences.

package racegen

import (
	"fmt"
	"strings"
)

// index returns a register with the number of an element, which is below the number of elements.
func (g *generator) index(elements uint32) string {
	r := g.r32()
	base := pick(g, "%me", "%me", "%gid", "%gid", "%gid", "%cta", "%lane", "%warp", "%n", "%data")
	if g.large && elements > 64 { // thousands of threads at one address take long
		base = "%gid"
	}
	kinds := 12
	if g.large {
		kinds = 24
	}
	switch g.IntN(kinds) {
	case 0:
		g.emit("xor.b32 %s, %s, %s", r, base, pick(g, "1", "2", "32", "%n"))
	case 1:
		g.emit("shr.u32 %s, %s, %d", r, base, 1+g.IntN(5))
	case 2:
		g.emit("add.u32 %s, %s, %d", r, base, pick(g, 1, 2, 31, 32, -1))
	case 3:
		g.emit("mul.lo.u32 %s, %s, %d", r, base, pick(g, 2, 3, 5, 33))
	case 4:
		g.emit("sub.u32 %s, %d, %%gid", r, g.grid*g.block-1)
	case 5:
		g.emit("rem.u32 %s, %s, %d", r, base, pick(g, 2, 3, 7, 31))
	case 6:
		g.emit("mov.u32 %s, %d", r, g.IntN(5))
	default:
		g.emit("mov.u32 %s, %s", r, base)
	}
	if g.round != "" && g.one(2) {
		g.emit("mad.lo.u32 %s, %s, %d, %s", r, g.round, pick(g, 1, 3, int(g.block)), r)
	}
	g.emit("and.b32 %s, %s, %d", r, r, elements-1)
	return r
}

// address returns the state space of an access of some bytes, with the dot and "" for generic, and its operand.
func (g *generator) address(size int) (space, operand string) {
	scale := pick(g, size, size, size, 16)
	offset := size * pick(g, 0, 0, 0, 1, 3)
	if offset > offsets-size {
		offset = 0
	}
	switch g.IntN(8) {
	case 0, 1, 2:
		return g.sharedAddress(scale, offset)
	}
	distance, to := g.r64(), g.r64()
	space, base, elements := pick(g, ".global", ".global", ""), pick(g, "%a", "%a", "%a", "%b", "%b", "%g", "%c"),
		g.elements
	if base == "%c" { // generic addresses lead to constants, too
		space, elements = "", min(elements, constants)
	}
	g.emit("mul.wide.u32 %s, %s, %d", distance, g.index(elements), scale)
	g.emit("add.u64 %s, %s, %s", to, base, distance)
	return space, fmt.Sprintf("[%s+%d]", to, offset)
}

// sharedAddress is address for shared memory, perhaps that of the other block of the cluster.
func (g *generator) sharedAddress(scale, offset int) (space, operand string) {
	elements := min(g.elements, 64)
	to := g.r32()
	g.emit("mad.lo.u32 %s, %s, %d, %s", to, g.index(elements), scale, pick(g, "%s", "%s", "%t"))
	switch {
	case g.cluster && g.one(3):
		other := g.r32()
		g.emit("mapa.shared::cluster.u32 %s, %s, %d", other, to, g.IntN(2))
		return ".shared::cluster", fmt.Sprintf("[%s+%d]", other, offset)
	case g.one(6):
		wide, generic := g.r64(), g.r64()
		g.emit("cvt.u64.u32 %s, %s", wide, to)
		g.emit("cvta.shared.u64 %s, %s", generic, wide)
		return "", fmt.Sprintf("[%s+%d]", generic, offset)
	}
	return ".shared", fmt.Sprintf("[%s+%d]", to, offset)
}

// scope returns a scope.
func (g *generator) scope() string {
	if g.cluster && g.one(4) {
		return "cluster"
	}
	return pick(g, "gpu", "gpu", "cta", "sys")
}

// order returns the semantics of a load or store: weak, or strong with releases or acquires.
func (g *generator) order(pattern string) string {
	likely := 3
	if g.weak {
		likely = 10
	}
	switch {
	case !g.one(likely):
		return ""
	case g.one(5):
		return ".volatile"
	}
	return pick(g, ".relaxed.", ".relaxed.", pattern) + g.scope()
}

// guard returns the guard of an access, or nothing.
func (g *generator) guard() string {
	if !g.one(4) {
		return ""
	}
	return "@" + pick(g, "", "!") + g.condition() + " "
}

// condition returns a predicate that differs between threads, warps or blocks, or depends on what has been read.
func (g *generator) condition() string {
	p := g.pred()
	g.emit("setp.%s.u32 %s, %s, %d", pick(g, "eq", "ne", "lt", "gt"), p,
		pick(g, "%me", "%lane", "%warp", "%cta", "%gid", "%data"), pick(g, 0, 0, 1, 2, 5, 31, 32))
	return p
}

// access writes an access.
func (g *generator) access() {
	switch n := g.IntN(12); {
	case n < 4:
		g.load()
	case n < 8:
		g.store()
	case n < 11:
		g.atomic()
	default:
		g.called()
	}
}

// vector returns how an access of a random size is written, its number of elements, and their size.
func (g *generator) vector(order string) (suffix string, n, size int) {
	size = pick(g, 4, 4, 4, 1, 2, 8)
	if order != "" || !g.one(5) {
		return "", 1, size
	}
	if n = pick(g, 2, 4); n*size > 16 {
		n = 2
	}
	return fmt.Sprintf(".v%d", n), n, size
}

// list returns registers or values as an operand.
func list(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "{" + strings.Join(words, ", ") + "}"
}

func (g *generator) load() {
	order, guard := g.order(".acquire."), g.guard()
	suffix, n, size := g.vector(order)
	space, from := g.address(n * size)
	to := make([]string, n)
	for i := range to {
		if to[i] = g.r32(); size == 8 {
			to[i] = g.r64()
		}
	}
	g.emit("%sld%s%s%s.b%d %s, %s", guard, order, space, suffix, 8*size, list(to), from)
	if size < 8 && g.one(2) {
		g.emit("xor.b32 %%data, %%data, %s", to[0])
	}
}

func (g *generator) store() {
	order, guard := g.order(".release."), g.guard()
	suffix, n, size := g.vector(order)
	space, to := g.address(n * size)
	from := make([]string, n)
	for i := range from {
		if from[i] = pick(g, "%data", "%gid", "%me", "%n"); size == 8 {
			from[i] = "%wide"
		}
	}
	g.emit("%sst%s%s%s.b%d %s, %s", guard, order, space, suffix, 8*size, to, list(from))
}

// atomic writes an atomic operation or a reduction.
func (g *generator) atomic() {
	size := pick(g, 4, 4, 4, 8)
	guard := g.guard()
	space, at := g.address(size)
	value := map[int]string{4: "%gid", 8: "%wide"}[size]
	if g.one(2) {
		g.emit("%sred%s%s%s.add.u%d %s, %s", guard, pick(g, ".relaxed.", ".relaxed.", ".release."), g.scope(), space,
			8*size, at, value)
		return
	}
	op, result := pick(g, "add.u", "exch.b", "or.b", "max.u", "cas.b"), g.r32()
	if size == 8 {
		result = g.r64()
	}
	if op == "cas.b" {
		value = pick(g, "0", "1") + ", " + value
	}
	g.emit("%satom%s%s%s.%s%d %s, %s, %s", guard, pick(g, ".relaxed.", ".relaxed.", ".acquire.", ".release.",
		".acq_rel."), g.scope(), space, op, 8*size, result, at, value)
	if size == 4 && g.one(3) {
		g.emit("xor.b32 %%data, %%data, %s", result)
	}
}

// called writes a call of a function that increments a word.
func (g *generator) called() {
	_, at := g.address(4)
	for !strings.HasPrefix(at, "[%rd") {
		_, at = g.address(4) // calls take generic addresses
	}
	base, offset, _ := strings.Cut(strings.Trim(at, "[]"), "+")
	to := g.r64()
	g.emit("add.u64 %s, %s, %s", to, base, offset)
	g.emit("{ .param .b64 where; st.param.b64 [where], %s; call touch, (where); }", to)
}

// fence writes a fence.
func (g *generator) fence() {
	if g.one(4) {
		g.emit("%smembar.%s", g.guard(), pick(g, "gl", "cta", "sys"))
		return
	}
	g.emit("%sfence.%s.%s", g.guard(), pick(g, "acq_rel", "sc"), g.scope())
}

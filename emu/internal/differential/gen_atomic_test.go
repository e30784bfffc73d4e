// Generating atomic operations.

package differential

import "fmt"

// Each cell of global memory is used by one kind of operation, so that its final value does not depend on the order.
const (
	cellAdd = iota
	cellMin
	cellMax
	cellMinSigned
	cellMaxSigned
	cellAnd
	cellOr
	cellXor
	cellCount
	cellTaken
	cellFloat
	cellInc
	cellSwap
)

const (
	longAdd = iota
	longMin
	longMax
	longAnd
	longOr
	longXor
	longSwap
)

// atomic generates an operation on global memory whose result is unused.
func (g *generator) atomic(place) *stmt {
	if g.fn.name != "" {
		return nil
	}
	how := pickOne(g, []string{"atomic", "reduce"})
	word, long := g.expr(typeU32, 2), g.expr(typeU64, 2)
	on := func(op string, cell int) *stmt { return leaf("%s_%s(&mem->cells[%d], %s);", how, op, cell, word) }
	signed := func(op string, cell int) *stmt {
		return leaf("%s_%s((i32 *)&mem->cells[%d], (i32)%s);", how, op, cell, word)
	}
	onLong := func(op string, cell int) *stmt { return leaf("%s_%s(&mem->cells64[%d], %s);", how, op, cell, long) }
	return pickOne(g, []func() *stmt{
		func() *stmt { return on("add", cellAdd) },
		func() *stmt { return on("min", cellMin) },
		func() *stmt { return on("max", cellMax) },
		func() *stmt { return signed("min", cellMinSigned) },
		func() *stmt { return signed("max", cellMaxSigned) },
		func() *stmt { return on("and", cellAnd) },
		func() *stmt { return on("or", cellOr) },
		func() *stmt { return on("xor", cellXor) },
		func() *stmt { return leaf("take(&mem->cells[%d], &mem->cells[%d]);", cellCount, cellTaken) },
		func() *stmt {
			return leaf("%s_add((float *)&mem->cells[%d], (float)(%s & 15));", how, cellFloat, word)
		},
		func() *stmt { return leaf("%s_inc(&mem->cells[%d], 12u);", how, cellInc) },
		func() *stmt { return leaf("swap_add(&mem->cells[%d], %s);", cellSwap, word) },
		func() *stmt { return onLong("add", longAdd) },
		func() *stmt { return leaf("%s_min((i64 *)&mem->cells64[%d], (i64)%s);", how, longMin, long) },
		func() *stmt { return onLong("max", longMax) },
		func() *stmt { return onLong("and", longAnd) },
		func() *stmt { return onLong("or", longOr) },
		func() *stmt { return onLong("xor", longXor) },
		func() *stmt { return leaf("swap_add(&mem->cells64[%d], %s);", longSwap, long) },
	})()
}

// sharedAtomic generates an operation on shared memory.
func (g *generator) sharedAtomic(place) *stmt {
	v := g.expr(typeU32, 2)
	how := pickOne(g, []string{"atomic", "reduce"})
	return leaf("%s", pickOne(g, []string{
		fmt.Sprintf("%s_add(&shared_cells[0], %s);", how, v),
		fmt.Sprintf("%s_max(&shared_cells[1], %s);", how, v),
		fmt.Sprintf("%s_or(&shared_cells[2], %s);", how, v),
		fmt.Sprintf("%s_xor(&shared_cells[3], %s);", how, v),
		"take(&shared_cells[4], &shared_cells[5]);",
		fmt.Sprintf("trade(&shared_cells[6], &shared_cells[7], %s);", v),
	}))
}

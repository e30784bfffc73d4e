// Generating operations among the lanes of a warp, and the divergence around them.

package differential

import "fmt"

// GenerateShuffles makes a program that executes every shuffle with every width and all distances. The shuffled values
// do not depend on earlier results: two lanes that exchanged those would have equal values from then on.
func GenerateShuffles(seed uint64, sm int) *Program {
	g := newGenerator(seed, sm)
	g.p.Grid, g.p.Block = 1, 32
	g.fn = &function{kind: uniform}
	g.p.kernel = g.fn
	g.kernelHead()
	var body []*stmt
	for _, kind := range []string{"index", "up", "down", "xor"} {
		for width := 1; width <= 32; width *= 2 {
			body = append(body,
				leaf("h = mix(h, (u64)warp_%s(m, tid * 0x9e3779b9u + k, k, %d));", kind, width),
				leaf("h = mix(h, warp_%s(m, (u64)tid * 0x9e3779b97f4a7c15ull + k, k, %d));", kind, width))
		}
	}
	g.fn.body = []*stmt{{text: []string{"#pragma unroll 1\nfor (u32 k = 0; k < 32; k++) {", "}"}, blocks: [][]*stmt{body}}}
	g.fn.tail = "  mem->out[gid] = h;\n"
	return g.p
}

// maskedBranch generates an if statement. Each side has a variable with the mask of the lanes that execute it.
func (g *generator) maskedBranch(at place) *stmt {
	if at.mask == "" || at.depth >= maxDepth {
		return nil
	}
	c, yes, no := g.name("c"), g.name("m"), g.name("m")
	text := fmt.Sprintf("{\nbool %s = %s;\nu32 %s = warp_ballot(%s, %[1]s), %[5]s = %[4]s & ~%[3]s;\n(void)%[5]s;\nif (%[1]s) {", c, g.condition(2), yes, at.mask, no)
	in := at.inner()
	in.uniform, in.exits = false, false
	in.mask = yes
	s := &stmt{text: []string{text, "} else {", "}\n}"}}
	s.blocks = append(s.blocks, g.block(in, g.few()))
	in.mask = no
	s.blocks = append(s.blocks, g.block(in, g.IntN(3)))
	return s
}

// maskedLoop generates a loop whose trip count differs between threads. The mask variable holds the lanes still in the
// loop.
func (g *generator) maskedLoop(at place) *stmt {
	n := 2 + g.IntN(6)
	if at.mask == "" || at.depth >= maxDepth || !g.affords(at, 6*n) {
		return nil
	}
	i, c, m := g.name("j"), g.name("c"), g.name("m")
	text := fmt.Sprintf("{\nu32 %s = %s;\nfor (i32 %s = 0;; %[3]s++) {\nbool %s = %[3]s < %[5]d && %[6]s;\n%[1]s = warp_ballot(%[1]s, %[4]s);\nif (!%[4]s) break;", m, at.mask, i, c, n, g.condition(1))
	in := at.inner()
	in.mask, in.uniform, in.exits, in.leaves = m, false, false, m
	s := &stmt{text: []string{text, "}\n}"}, blocks: [][]*stmt{g.loopBody(i, in, n)}}
	if g.chance(3) {
		s.blocks[0] = append(s.blocks[0], g.maskedContinue(in))
	}
	return s
}

// maskedBreak generates a divergent break: some lanes of the enclosing loop's mask leave it.
func (g *generator) maskedBreak(at place) *stmt {
	if at.leaves == "" {
		return nil
	}
	c := g.name("c")
	return leaf("{\nbool %s = %s;\n%s = %[3]s & ~warp_ballot(%[3]s, %[1]s);\nif (%[1]s) break;\n}", c, g.condition(1), at.leaves)
}

// maskedContinue generates a divergent continue at the end of a loop's body: lanes that continue skip the statements in
// it.
func (g *generator) maskedContinue(at place) *stmt {
	c, m := g.name("c"), g.name("m")
	text := fmt.Sprintf("{\nbool %s = %s;\nu32 %s = %s & ~warp_ballot(%[4]s, %[1]s);\nif (%[1]s) continue;\n(void)%[3]s;", c, g.condition(1), m, at.mask)
	in := at.inner()
	in.mask = m
	return &stmt{text: []string{text, "}"}, blocks: [][]*stmt{g.block(in, g.few())}}
}

// maskedChoice generates a switch in which lanes with the same case execute together.
func (g *generator) maskedChoice(at place) *stmt {
	if at.mask == "" || at.depth >= maxDepth || g.sm < 70 {
		return nil
	}
	n := 2 + g.IntN(3)
	x, m := g.name("x"), g.name("m")
	text := fmt.Sprintf("{\nu32 %s = %s %% %d;\nu32 %s = warp_match(%s, %[1]s);\nswitch (%[1]s) {", x, g.expr(typeU32, 2), n, m, at.mask)
	in := at.inner()
	in.mask, in.uniform, in.exits = m, false, false
	s := &stmt{text: []string{text}}
	for i := range n {
		s.text[i] += fmt.Sprintf("\ncase %d:", i)
		s.blocks = append(s.blocks, g.block(in, 1+g.IntN(2)))
		s.text = append(s.text, "  break;")
	}
	s.text[n] += "\n}\n}"
	return s
}

// set assigns an expression that is evaluated once.
func (g *generator) set(e string, t scalar) *stmt {
	to := g.writable()
	return leaf("{ %s r = %s; %s = %s; }", t.c, e, to.expr, g.convert("r", t, to.typ))
}

func (g *generator) shuffleOne(at place) *stmt {
	if at.mask == "" {
		return nil
	}
	t := pickOne(g, []scalar{typeU32, typeI32, typeU64})
	v := g.expr(t, 2)
	if g.chance(3) {
		return g.set(fmt.Sprintf("shuffle<%s>(%s, %s, %s)", t.c, at.mask, v, g.expr(typeU32, 1)), t)
	}
	way := pickOne(g, []string{"up", "down", "xor"})
	width := 1 << g.IntN(6)
	return g.set(fmt.Sprintf("shuffle_%s<%s>(%s, %s, %s & %d, %d)", way, t.c, at.mask, v, g.expr(typeU32, 1), width-1, width), t)
}

func (g *generator) vote(at place) *stmt {
	if at.mask == "" {
		return nil
	}
	if g.chance(8) {
		return g.set("warp_self()", typeU32)
	}
	how := pickOne(g, []string{"ballot", "any", "all"})
	return g.set(fmt.Sprintf("warp_%s(%s, %s)", how, at.mask, g.condition(2)), typeU32)
}

func (g *generator) matchOne(at place) *stmt {
	if at.mask == "" || g.sm < 70 {
		return nil
	}
	if g.chance(3) {
		return g.set(fmt.Sprintf("warp_match_all(%s, (u32)%s)", at.mask, g.condition(1)), typeU32)
	}
	t := pickOne(g, []scalar{typeU32, typeU64})
	return g.set(fmt.Sprintf("warp_match(%s, (%s)(%s & 3))", at.mask, t.c, g.expr(t, 2)), typeU32)
}

func (g *generator) reduce(at place) *stmt {
	if at.mask == "" || g.sm < 80 {
		return nil
	}
	t := typeU32
	name := pickOne(g, []string{"sum", "least", "most", "and", "or", "xors"})
	if name == "least" {
		t = typeI32
	}
	return g.set(fmt.Sprintf("warp_%s(%s, %s)", name, at.mask, g.expr(t, 2)), t)
}

// exchange generates an exchange through shared memory.
func (g *generator) exchange(at place) *stmt {
	if at.mask == "" {
		return nil
	}
	return g.set(fmt.Sprintf("exchange(%s, %s, %s)", at.mask, g.expr(typeU64, 2), g.expr(typeU32, 1)), typeU64)
}

func (g *generator) blockExchange(at place) *stmt {
	if !at.uniform {
		return nil
	}
	return g.set(fmt.Sprintf("block_exchange(%s, %s)", g.expr(typeU32, 2), g.expr(typeU32, 1)), typeU32)
}

func (g *generator) blockVote(at place) *stmt {
	if !at.uniform {
		return nil
	}
	return g.set(fmt.Sprintf("block_%s((u32)%s)", pickOne(g, []string{"count", "all", "any"}), g.condition(1)), typeU32)
}

// uniformBranch generates an if statement with the same condition for all threads of the launch.
func (g *generator) uniformBranch(at place) *stmt {
	if !g.s.params || at.depth >= maxDepth {
		return nil
	}
	in := at.inner()
	s := &stmt{text: []string{fmt.Sprintf("if (p.c[%d] >> %d & 1) {", g.IntN(3), g.IntN(32)), "} else {", "}"}}
	s.blocks = [][]*stmt{g.block(in, g.few()), g.block(in, g.few())}
	return s
}

// uniformLoop generates a loop with the same trip count for all threads.
func (g *generator) uniformLoop(at place) *stmt {
	if !g.s.params || at.mask == "" || at.depth >= maxDepth || !g.affords(at, 5*4) {
		return nil
	}
	i := g.name("j")
	in := at.inner()
	in.exits = false
	return &stmt{
		text:   []string{fmt.Sprintf("for (i32 %s = 0; %[1]s < (i32)(p.c[%d] >> %d & 3) + 1; %[1]s++) {", i, g.IntN(3), g.IntN(30)), "}"},
		blocks: [][]*stmt{g.loopBody(i, in, 4)},
	}
}

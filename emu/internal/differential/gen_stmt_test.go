// Generating statements.

package differential

import "fmt"

// statementKinds returns the functions that generate a statement; those that are listed several times are chosen more
// often. Each returns nil if its kind is not allowed at the place.
func (g *generator) statementKinds() []func(place) *stmt {
	return []func(place) *stmt{
		g.assign, g.assign, g.assign, g.assign,
		g.mixOne,
		g.branch, g.branch,
		g.counted, g.variableLoop,
		g.choice,
		g.leave, g.leave, g.earlyReturn,
		g.copyRecord, g.copyQuad,
		g.call, g.call, g.call, g.callPointer,
		g.maskedBranch, g.maskedBranch, g.maskedLoop, g.maskedChoice,
		g.maskedBreak, g.maskedBreak,
		g.shuffleOne, g.shuffleOne, g.vote, g.matchOne, g.reduce, g.exchange,
		g.blockExchange, g.blockVote, g.uniformBranch, g.uniformLoop,
		g.atomic, g.sharedAtomic,
	}
}

// affords reports whether the function may execute cost more statements.
func (g *generator) affords(at place, cost int) bool {
	limit := maxCost
	if g.fn.name != "" {
		limit = maxCost / 20
	}
	return g.fn.cost+at.times*cost < limit
}

// block makes up to n statements.
func (g *generator) block(at place, n int) []*stmt {
	var list []*stmt
	for range n {
		if g.affords(at, 2) {
			list = append(list, g.statement(at))
		}
	}
	return list
}

func (g *generator) statement(at place) *stmt {
	g.fn.cost += at.times
	for {
		if s := pickOne(g, g.kinds)(at); s != nil {
			return s
		}
	}
}

// few returns the number of statements of a nested block.
func (g *generator) few() int { return 1 + g.IntN(2) }

func (g *generator) assign(place) *stmt {
	v := g.writable()
	return leaf("%s = %s;", v.expr, g.expr(v.typ, 1+g.IntN(3)))
}

// mixOne generates a statement that adds an expression to the thread's result.
func (g *generator) mixOne(place) *stmt {
	if g.fn.name != "" {
		return nil
	}
	t := pickOne(g, commonTypes)
	return leaf("h = mix(h, %s);", g.mixed(variable{expr: g.expr(t, 2), typ: t}))
}

// branch generates an if statement, in which the executing lanes are no longer known.
func (g *generator) branch(at place) *stmt {
	if at.depth >= maxDepth {
		return nil
	}
	in := at.inner()
	in.mask, in.uniform = "", false
	s := &stmt{text: []string{"if " + g.condition(2) + " {", "}"}, blocks: [][]*stmt{g.block(in, g.few())}}
	if g.chance(2) {
		s.text = []string{s.text[0], "} else {", "}"}
		s.blocks = append(s.blocks, g.block(in, g.few()))
	}
	return s
}

// loopBody generates a block in which the counter can be read.
func (g *generator) loopBody(counter string, at place, times int) []*stmt {
	g.s.scalars = append(g.s.scalars, variable{expr: counter, typ: typeI32, readonly: true})
	at.times *= times
	body := g.block(at, g.few())
	g.s.scalars = g.s.scalars[:len(g.s.scalars)-1]
	return body
}

// counted generates a loop whose trip count is known to the compiler.
func (g *generator) counted(at place) *stmt {
	n := 1 + g.IntN(8)
	if at.depth >= maxDepth || !g.affords(at, 3*n) {
		return nil
	}
	in := at.inner()
	in.mask, in.uniform, in.exits = "", false, true
	i := g.name("j")
	return &stmt{
		text:   []string{fmt.Sprintf("for (i32 %s = 0; %[1]s < %d; %[1]s++) {", i, n), "}"},
		blocks: [][]*stmt{g.loopBody(i, in, n)},
	}
}

// variableLoop generates a loop whose trip count differs between threads.
func (g *generator) variableLoop(at place) *stmt {
	if at.depth >= maxDepth || !g.affords(at, 3*8) {
		return nil
	}
	in := at.inner()
	in.mask, in.uniform, in.exits = "", false, true
	i := g.name("j")
	s := &stmt{text: []string{"", ""}, blocks: [][]*stmt{g.loopBody(i, in, 8)}}
	switch g.IntN(3) {
	case 0:
		s.text[0], s.text[1] = fmt.Sprintf("for (i32 %s = 0; %[1]s < (i32)(%s & 7); %[1]s++) {", i, g.expr(typeU32, 1)), "}"
	case 1:
		s.text[0], s.text[1] = fmt.Sprintf("for (i32 %s = 8; %[1]s > 0 && %s; %[1]s -= %[3]d) {", i, g.condition(1), 1+g.IntN(3)), "}"
	default:
		s.text[0], s.text[1] = fmt.Sprintf("{\ni32 %s = 0;\ndo {", i), fmt.Sprintf("} while (++%s < 8 && %s);\n}", i, g.condition(1))
	}
	return s
}

// leave generates a break or continue.
func (g *generator) leave(at place) *stmt {
	if !at.exits || at.mask != "" {
		return nil
	}
	return leaf("if %s %s;", g.condition(1), pickOne(g, []string{"break", "continue"}))
}

// earlyReturn generates a return from a function in which the executing lanes need not be known.
func (g *generator) earlyReturn(at place) *stmt {
	if g.fn.name == "" || g.fn.kind == warped || g.fn.kind == uniform {
		return nil
	}
	return leaf("if %s return result;", g.condition(1))
}

// choice generates a switch, with cases that fall through.
func (g *generator) choice(at place) *stmt {
	if at.depth >= maxDepth {
		return nil
	}
	in := at.inner()
	in.mask, in.uniform = "", false
	in.exits = false // break would leave the switch
	n := 2 << g.IntN(3)
	value := fmt.Sprintf("%s & %d", g.expr(typeU32, 2), n-1)
	if g.chance(3) {
		value = g.expr(typeI32, 1)
	}
	s := &stmt{text: []string{fmt.Sprintf("switch (%s) {", value)}}
	stride := 1 + g.IntN(2)*g.IntN(5)
	for i := range 2 + g.IntN(n) {
		s.text[i] += fmt.Sprintf("\ncase %d:", i*stride)
		s.blocks = append(s.blocks, g.block(in, 1+g.IntN(2)))
		s.text = append(s.text, pickOne(g, []string{"  break;", "  break;", "", "default:"}))
	}
	return g.endChoice(s)
}

// endChoice keeps at most one default in a switch.
func (g *generator) endChoice(s *stmt) *stmt {
	seen := false
	for i, text := range s.text {
		if len(text) >= 8 && text[:8] == "default:" {
			if seen {
				s.text[i] = text[8:]
			}
			seen = true
		}
	}
	s.text[len(s.text)-1] += "\n  ;\n}"
	return s
}

func (g *generator) copyRecord(place) *stmt {
	if len(g.s.records) == 0 {
		return nil
	}
	a, b := pickOne(g, g.s.records), pickOne(g, g.s.records)
	if a.typ != b.typ || a.expr == b.expr {
		return nil
	}
	return leaf("%s = %s;", a.expr, b.expr)
}

// copyQuad generates a copy of 16 bytes at once.
func (g *generator) copyQuad(place) *stmt {
	if g.fn.name != "" {
		return nil
	}
	return leaf("my->q[%s & 1] = my->q[%s & 1];", g.expr(typeU32, 1), g.expr(typeU32, 1))
}

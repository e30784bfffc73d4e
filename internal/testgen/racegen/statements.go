// Statements: barriers, branches, loops and ways to synchronise.

package racegen

// statements writes up to n statements, and no more than the budget has.
func (g *generator) statements(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		g.statement()
	}
}

// statement writes a statement, most often an access.
func (g *generator) statement() {
	switch n := g.IntN(24); {
	case n < 4:
		g.barrier()
	case n == 4:
		g.fence()
	case n < 7 && g.depth < 2:
		g.branch()
	case n == 7 && g.round == "" && g.depth < 2:
		g.loop()
	case n == 8:
		g.flag()
	case n == 9:
		g.lock()
	case n == 10:
		g.counter()
	case n == 11:
		g.copy()
	case n == 12 && g.uniform && g.round == "" && !g.exits && !g.waits:
		g.mbarrier()
	default:
		g.access()
	}
}

// barrier writes a barrier that all who are here can take part in.
func (g *generator) barrier() {
	switch n := g.IntN(8); {
	case n < 3 && g.uniform:
		g.emit("%s %d", pick(g, "bar.sync", "barrier.sync", "barrier.sync.aligned"), g.IntN(2))
	case n == 3 && g.uniform:
		g.emit("bar.red.popc.u32 %s, 0, %s", g.r32(), g.condition())
	case n == 4 && g.uniform && g.block == 64 && !g.exits:
		g.producers()
	case n == 5 && g.full && g.uniform && !g.exits:
		p := g.pred()
		g.emit("setp.lt.u32 %s, %%lane, 16", p)
		g.emit("@%s bar.warp.sync 0xffff", p)
		g.emit("@!%s bar.warp.sync 0xffff0000", p)
	case n == 6 && g.uniform && g.cluster && !g.exits:
		g.emit("barrier.cluster.arrive%s", pick(g, "", ".release", ".relaxed"))
		if g.one(3) {
			g.access()
		}
		g.emit("barrier.cluster.wait%s", pick(g, "", ".acquire"))
	case g.uniform:
		g.emit("bar.warp.sync -1")
	}
}

// producers writes a barrier at which one warp arrives and another waits.
func (g *generator) producers() {
	p, id := g.pred(), 2+g.IntN(3)
	first, second := pick(g, "arrive", "sync"), "sync"
	g.emit("setp.eq.u32 %s, %%warp, %d", p, g.IntN(2))
	g.emit("@%s bar.%s %d, 64", p, first, id)
	g.emit("@!%s bar.%s %d, 64", p, second, id)
}

// branch writes statements that some threads execute, sometimes with others for the rest, or the exit of some.
func (g *generator) branch() {
	uniform, otherwise, join := g.uniform, g.label(), g.label()
	g.emit("@%s bra %s", g.condition(), otherwise)
	g.uniform = false
	g.depth++
	g.statements(1 + g.IntN(3))
	if g.depth == 1 && g.one(8) {
		g.emit("exit")
		g.exits = true
	}
	g.emit("bra %s", join)
	g.place(otherwise)
	if g.one(3) {
		g.statements(1 + g.IntN(2))
	}
	g.depth--
	g.place(join)
	g.uniform = uniform
}

// loop writes a loop of a few rounds.
func (g *generator) loop() {
	top, p := g.label(), g.pred()
	g.round = g.r32()
	g.emit("mov.u32 %s, 0", g.round)
	g.place(top)
	g.depth++
	g.statements(1 + g.IntN(3))
	g.depth--
	g.emit("add.u32 %s, %s, 1", g.round, g.round)
	g.emit("setp.lt.u32 %s, %s, %d", p, g.round, 2+g.IntN(3))
	g.emit("@%s bra %s", p, top)
	g.round = ""
}

// often writes a fence, most of the time.
func (g *generator) often(semantics string) {
	if !g.one(3) {
		g.emit("fence.%s.%s", semantics, g.scope())
	}
}

// word returns the operand of one of the words for synchronisation.
func (g *generator) word(from, n int) string { return pick(g, words[from:from+n]...) }

// words are operands in the buffer of flags: flags, locks, counters.
var words = []string{"[%flags]", "[%flags+4]", "[%flags+64]", "[%flags+68]", "[%flags+128]", "[%flags+132]"}

// flag writes a message: a thread stores data and a flag, and those that see the flag read the data.
func (g *generator) flag() {
	flag, p, reads, join := g.word(0, 2), g.pred(), g.label(), g.label()
	g.emit("setp.ne.u32 %s, %s, 0", p, pick(g, "%gid", "%gid", "%me", "%cta"))
	g.emit("@%s bra %s", p, reads)
	g.access()
	g.often("acq_rel")
	g.emit("st%s%s.global.u32 %s, 1", pick(g, ".relaxed.", ".release."), g.scope(), flag)
	g.emit("bra %s", join)
	g.place(reads)
	seen, unseen := g.r32(), g.pred()
	g.emit("ld%s%s.global.u32 %s, %s", pick(g, ".relaxed.", ".acquire."), g.scope(), seen, flag)
	g.often("acq_rel")
	g.emit("setp.ne.u32 %s, %s, 1", unseen, seen)
	g.emit("@%s bra %s", unseen, join)
	g.access()
	g.place(join)
}

// lock writes a critical section for those that get a lock at once.
func (g *generator) lock() {
	lock, got, p, join := g.word(2, 2), g.r32(), g.pred(), g.label()
	g.emit("atom%s%s.global.cas.b32 %s, %s, 0, 1", pick(g, ".relaxed.", ".acquire."), g.scope(), got, lock)
	g.emit("setp.ne.u32 %s, %s, 0", p, got)
	g.emit("@%s bra %s", p, join)
	g.often("acq_rel")
	g.access()
	g.access()
	g.often("acq_rel")
	if g.one(2) {
		g.emit("st.release.%s.global.u32 %s, 0", g.scope(), lock)
	} else {
		g.emit("atom.relaxed.%s.global.exch.b32 %s, %s, 0", g.scope(), g.r32(), lock)
	}
	g.place(join)
}

// counter writes an access, and another for the thread that comes last.
func (g *generator) counter() {
	counter, before, p, join := g.word(4, 2), g.r32(), g.pred(), g.label()
	g.access()
	g.often(pick(g, "acq_rel", "sc"))
	g.emit("atom%s%s.global.add.u32 %s, %s, 1", pick(g, ".relaxed.", ".acq_rel."), g.scope(), before, counter)
	g.emit("setp.ne.u32 %s, %s, %d", p, before, g.grid*g.block-1)
	g.emit("@%s bra %s", p, join)
	g.often("acq_rel")
	g.access()
	g.place(join)
}

// fences writes rounds in which some threads execute fence.sc and a strong access of one word, so that the word has a
// record of the fences of each, and accesses of other words between them.
func (g *generator) fences() {
	word := g.word(0, len(words))
	for range 3 + g.IntN(6) {
		guard, scope := g.guard(), g.scope()
		if !g.one(4) {
			g.emit("%sfence.sc.%s", guard, scope)
		}
		switch g.IntN(5) {
		case 0:
			g.emit("%sst.relaxed.%s.global.u32 %s, %%gid", guard, scope, word)
		case 1:
			g.emit("%sld.relaxed.%s.global.u32 %s, %s", guard, scope, g.r32(), word)
		case 2:
			g.emit("%satom.relaxed.%s.global.exch.b32 %s, %s, %%gid", guard, scope, g.r32(), word)
		default:
			g.emit("%sred.relaxed.%s.global.add.u32 %s, 1", guard, scope, word)
		}
		if g.one(2) {
			g.emit("%sfence.sc.%s", guard, scope)
		}
		if g.one(2) {
			g.access()
		}
	}
}

// copy writes an asynchronous copy to shared memory, and a wait for it.
func (g *generator) copy() {
	size, from, to := pick(g, 4, 8, 16), g.r64(), g.r32()
	g.emit("mul.wide.u32 %s, %s, %d", from, g.index(g.elements), size)
	g.emit("add.u64 %s, %s, %s", from, from, pick(g, "%a", "%b"))
	g.emit("mad.lo.u32 %s, %s, %d, %s", to, g.index(min(g.elements, 64)), size, pick(g, "%s", "%t"))
	g.emit("cp.async.ca.shared.global [%s], [%s], %d", to, from, size)
	g.emit("cp.async.commit_group")
	if g.one(3) {
		g.access()
	}
	if !g.one(5) {
		g.emit("cp.async.wait_group %d", pick(g, 0, 0, 0, 1))
	}
	if g.one(2) {
		g.barrier()
	}
}

// mbarrier writes a phase of an mbarrier: all threads of a block arrive, and wait, between two accesses.
func (g *generator) mbarrier() {
	g.waits = true
	p, state, done, again := g.pred(), g.r64(), g.pred(), g.label()
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	g.emit("@%s mbarrier.init.shared::cta.b64 [%%bar], %d", p, g.block)
	g.emit("bar.sync 0")
	g.access()
	g.emit("mbarrier.arrive%s.shared::cta.b64 %s, [%%bar]", pick(g, "", ".release.cta", ".release.cluster"), state)
	g.place(again)
	g.emit("mbarrier.test_wait%s.shared::cta.b64 %s, [%%bar], %s", pick(g, "", ".acquire.cta", ".acquire.cluster"),
		done, state)
	g.emit("@!%s bra %s", done, again)
	g.access()
}

// Statements of random kernels: accesses, branches, loops, calls, barriers.

package regiongen

// block writes statements.
func (g *generator) block(n int) {
	g.depth++
	for range n {
		g.statement()
	}
	g.depth--
}

// statement writes a random statement, most often an access.
func (g *generator) statement() {
	switch n := g.rnd.IntN(24); {
	case n < 4:
		g.barrier()
	case n == 4 && g.depth < 4:
		g.loop()
	case n == 5 && g.depth < 4:
		g.uniform()
	case n == 6 && g.depth < 4:
		g.divergent()
	case n == 7:
		g.spill()
	case n == 8:
		g.shuffle()
	case n == 9 && g.depth == 1:
		g.exit()
	case n == 10:
		g.scalar()
	default:
		g.access()
	}
}

// barrier writes a barrier of the block, unless there have been too many.
func (g *generator) barrier() {
	if g.times > g.left || g.times == 0 {
		return
	}
	g.left -= g.times
	switch g.rnd.IntN(6) {
	case 0:
		g.emit("barrier.sync 0")
	case 1:
		g.emit("bar.sync 1")
	default:
		g.emit("bar.sync 0")
	}
	g.emit("add.u32 %%tag, %%tag, 0x10101010")
	g.relayout()
}

// meet writes a barrier of the warp.
func (g *generator) meet() { g.emit("bar.warp.sync -1") }

// within writes statements that may contain barriers, and usually a barrier after them if they do, so that the layouts
// before and after them do not overlap.
func (g *generator) within(f func()) {
	before := g.left
	f()
	if before != g.left && g.rnd.IntN(8) != 0 {
		g.barrier()
	}
}

// loop writes a loop with the same number of iterations for all threads.
func (g *generator) loop() {
	rounds := 1 + g.rnd.IntN(3)
	round, p, top := g.r32(), g.pred(), g.label()
	bound := "%n"
	if rounds != 1 || g.times*3 > g.left {
		bound = g.r32()
		g.emit("mov.u32 %s, %d", bound, rounds)
	} else {
		rounds = 3 // at most
	}
	g.emit("mov.u32 %s, 0", round)
	g.place(top)
	g.times *= rounds
	if g.times <= g.left && g.rnd.IntN(2) == 0 {
		g.barrier()
	}
	g.within(func() { g.block(1 + g.rnd.IntN(4)) })
	g.times /= rounds
	g.emit("add.u32 %s, %s, 1", round, round)
	g.emit("setp.lt.u32 %s, %s, %s", p, round, bound)
	g.emit("@%s bra %s", p, top)
}

// uniform writes a branch that is taken by all threads or none.
func (g *generator) uniform() {
	bit, p, other, join := g.r32(), g.pred(), g.label(), g.label()
	g.emit("and.b32 %s, %%flags, %d", bit, 1<<g.rnd.IntN(16))
	g.emit("setp.eq.u32 %s, %s, 0", p, bit)
	g.emit("@%s bra %s", p, other)
	g.within(func() {
		g.block(1 + g.rnd.IntN(3))
		g.emit("bra %s", join)
		g.place(other)
		if g.rnd.IntN(2) == 0 {
			g.block(1 + g.rnd.IntN(3))
		}
		g.place(join)
	})
}

// divergent writes a branch that some warps, or some lanes, take, without barriers.
func (g *generator) divergent() {
	p, join := g.pred(), g.label()
	switch g.rnd.IntN(4) {
	case 0:
		g.emit("setp.ne.u32 %s, %%warp, %d", p, g.rnd.IntN(3))
	case 1:
		g.emit("setp.lt.u32 %s, %%t, %d", p, g.rnd.IntN(g.threads+1))
	case 2:
		bit := g.r32()
		g.emit("and.b32 %s, %%lane, %d", bit, 1<<g.rnd.IntN(5))
		g.emit("setp.eq.u32 %s, %s, 0", p, bit)
	case 3: // depends on what has been read
		bit := g.r32()
		g.emit("shr.u32 %s, %%sum, %d", bit, 20+g.rnd.IntN(8))
		g.emit("and.b32 %s, %s, 3", bit, bit)
		g.emit("setp.eq.u32 %s, %s, 0", p, bit)
	}
	g.emit("@%s bra %s", p, join)
	g.site++
	g.touch()
	g.place(join)
	g.meet()
}

// spill keeps the sum in the thread's own memory.
func (g *generator) spill() {
	v := g.r32()
	switch g.rnd.IntN(5) {
	case 4:
		g.emit("st.param.b64 [a64], %%own")
		g.emit("st.param.b32 [a32], %%sum")
		g.emit("call update, (a64, a32)")
	case 0:
		g.emit("ld.global.u32 %s, [%%own]", v)
		g.read(v)
		g.emit("st.global.u32 [%%own], %%sum")
	case 1:
		g.emit("st.local.u32 [slot+%d], %%sum", 4*g.rnd.IntN(4))
	case 2:
		g.emit("ld.local.u32 %s, [slot+%d]", v, 4*g.rnd.IntN(4))
		g.read(v)
	case 3:
		g.emit("st.u32 [%%own], %%sum")
		g.emit("ld.u32 %s, [%%own]", v)
		g.read(v)
	}
}

// shuffle adds the sum of another lane, unless that lane may have exited.
func (g *generator) shuffle() {
	if g.alone {
		return
	}
	v := g.r32()
	g.emit("shfl.sync.bfly.b32 %s, %%sum, %d, 31, -1", v, 1<<g.rnd.IntN(5))
	g.read(v)
}

// exit ends some threads after a barrier, in whole warps or not. Exited threads take part in no later barrier, so
// whether their accesses race with those after a later barrier is a matter of definition.
func (g *generator) exit() {
	if g.rnd.IntN(3) != 0 || g.times > g.left {
		return
	}
	g.barrier()
	p, on, last := g.pred(), g.label(), 32*(1+g.rnd.IntN((g.threads+31)/32))
	if g.rnd.IntN(2) == 0 {
		last, g.alone = 1+g.rnd.IntN(g.threads), true
	}
	g.emit("setp.%s.u32 %s, %%t, %d", g.pick("lt", "lt", "ge"), p, last)
	g.emit("@%s bra %s", p, on)
	g.leave()
	g.place(on)
}

// read mixes a value into the sum.
func (g *generator) read(v string) { g.emit("mad.lo.u32 %%sum, %%sum, 0x85ebca6b, %s", v) }

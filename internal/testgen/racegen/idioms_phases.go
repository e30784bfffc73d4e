// Idioms in which phases of barriers are easily confused: drops, early bytes, second lives, clusters, exits.

package racegen

// dropped writes phases of an mbarrier of which the second one has a thread less.
func (g *idioms) dropped() {
	if g.rounds || g.block < 3 {
		return
	}
	bar := g.mbarriers(1, g.block)
	if bar < 0 {
		return
	}
	g.ready()
	at, p, join, other, r := g.tile(int(4*g.block)), g.pred(), g.label(), g.r32(), g.r32()
	g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%me"))
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	if g.flaw() { // it arrives, and stays expected
		g.emit("@%s mbarrier.arrive.shared.b64 %s, [%%bars+%d]", p, g.r64(), 8*bar)
	} else {
		g.emit("@%s mbarrier.arrive_drop.shared.b64 %s, [%%bars+%d]", p, g.r64(), 8*bar)
	}
	g.emit("@%s bra %s", p, join)
	for phase := range 2 {
		g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*bar)
		g.await(bar, phase)
	}
	g.emit("sub.u32 %s, %%me, 1", other)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, other))
	g.mix(r)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// early writes a copy that is issued before its bytes are expected, and perhaps before others have arrived.
func (g *idioms) early() {
	if g.rounds {
		return
	}
	count := g.block
	if g.flaw() {
		count = 1
	}
	bar := g.mbarriers(1, count)
	if bar < 0 {
		return
	}
	bytes, p, to, i, r := 16*(1+g.IntN(4)), g.pred(), g.r32(), g.r32(), g.r32()
	at := g.tile(bytes)
	g.ready()
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	g.emit("add.u32 %s, %%s, %d", to, at)
	g.emit("@%s cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%%in], %d, [%%bars+%d]", p, to,
		bytes, 8*bar)
	g.emit("@%s mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%%bars+%d], %d", p, 8*bar, bytes)
	g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*bar)
	g.await(bar, 0)
	g.emit("rem.u32 %s, %%me, %d", i, bytes/4)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, i))
	g.mix(r)
}

// again writes an mbarrier that is initialised a second time, between barriers of the block.
func (g *idioms) again() {
	if g.rounds {
		return
	}
	bar := g.mbarriers(1, g.block)
	if bar < 0 {
		return
	}
	g.ready()
	at, p, other, r := g.tile(int(8*g.block)), g.pred(), g.r32(), g.r32()
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	for life := range 2 {
		g.emit("st.shared.u32 %s, %%data", g.inTile(at+4*life*int(g.block), "%me"))
		g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*bar)
		g.await(bar, 0)
		if life > 0 {
			break
		}
		g.unless("bar.sync 0")
		g.emit("@%s mbarrier.inval.shared.b64 [%%bars+%d]", p, 8*bar)
		g.emit("@%s mbarrier.init.shared.b64 [%%bars+%d], %d", p, 8*bar, g.block)
		g.unless("bar.sync 0")
	}
	g.emit("xor.b32 %s, %%me, 1", other)
	g.emit("rem.u32 %s, %s, %d", other, other, g.block)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at+4*int(g.block), other))
	g.mix(r)
}

// remote writes arrivals of all threads of a cluster at the mbarrier of one of its blocks, whose threads wait.
func (g *idioms) remote() {
	if !g.cluster || g.rounds {
		return
	}
	count := 2 * g.block
	if g.flaw() {
		count = g.block
	}
	bar := g.mbarriers(1, count)
	if bar < 0 {
		return
	}
	word, to, rank, p, r, join := g.array(1), g.r32(), g.r32(), g.pred(), g.r32(), g.label()
	g.emit("fence.mbarrier_init.release.cluster")
	g.meet()
	g.emit("mov.u32 %s, %%cluster_ctarank", rank)
	g.emit("setp.eq.u32 %s, %%gid, %d", p, g.block)
	g.emit("@%s st.global.u32 [%%mem+%d], %%data", p, 4*word)
	g.emit("add.u32 %s, %%bars, %d", to, 8*bar)
	g.emit("mapa.shared::cluster.u32 %s, %s, 0", to, to)
	g.emit("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%s]", to)
	g.emit("setp.ne.u32 %s, %s, 0", p, rank)
	g.emit("@%s bra %s", p, join)
	q, wait := g.pred(), g.label()
	g.place(wait)
	g.emit("mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %s, [%%bars+%d], 0", q, 8*bar)
	g.emit("@!%s bra %s", q, wait)
	g.emit("setp.lt.u32 %s, %%gid, %d", q, g.block)
	g.emit("@%s ld.global.u32 %s, [%%mem+%d]", q, r, 4*word)
	g.mix(r)
	g.place(join)
	g.meet()
}

// turns writes a named barrier that two warps use by turns: one arrives, the other waits, and then the other way round.
func (g *idioms) turns() {
	if g.rounds || g.block < 64 || g.named >= 13 {
		return
	}
	first, second := g.named+1, g.named+2
	g.named += 2
	if g.flaw() {
		second = first
	}
	p, reads, join, r, s := g.pred(), g.label(), g.label(), g.r32(), g.r32()
	at := g.tile(8 * 32)
	g.emit("setp.ne.u32 %s, %%warp, 0", p)
	g.emit("@%s bra %s", p, reads)
	for range 2 {
		g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%lane"))
		g.emit("bar.arrive %d, 64", first)
		g.emit("bar.sync %d, 64", second)
	}
	g.emit("ld.shared.u32 %s, %s", s, g.inTile(at+128, "%lane"))
	g.mix(s)
	g.emit("bra %s", join)
	g.place(reads)
	g.emit("setp.ne.u32 %s, %%warp, 1", p)
	g.emit("@%s bra %s", p, join)
	for range 2 {
		g.emit("bar.sync %d, 64", first)
		g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, "%lane"))
		g.emit("st.shared.u32 %s, %s", g.inTile(at+128, "%lane"), r)
		g.unless("bar.arrive %d, 64", second)
	}
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// leave writes the exit of some threads, and a barrier at which the others meet.
func (g *idioms) leave() {
	p, at, r, other, stay := g.pred(), g.tile(int(4*g.block)), g.r32(), g.r32(), 1+g.IntN(int(g.block))
	g.emit("setp.ge.u32 %s, %%me, %d", p, stay)
	g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%me"))
	if g.flaw() {
		g.emit("bar.sync 0")
		g.emit("st.shared.u32 %s, %%me", g.inTile(at, "%me"))
	}
	g.emit("@%s exit", p)
	g.emit("bar.sync 0")
	g.emit("add.u32 %s, %%me, 1", other)
	g.emit("rem.u32 %s, %s, %d", other, other, stay)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, other))
	g.mix(r)
}

// tally writes reductions of a word of shared memory, and a load behind a barrier of the block.
func (g *idioms) tally() {
	if g.rounds {
		return
	}
	at, op, r := g.tile(4), pick(g.generator, "add.u32", "max.u32", "xor.b32", "inc.u32"), g.r32()
	p := g.pred()
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	g.emit("@%s st.shared.u32 [%%s+%d], 0", p, at)
	g.unless("bar.sync 0")
	value := map[bool]string{true: "1000", false: "%data"}[op == "inc.u32"]
	g.emit("red.shared.%s [%%s+%d], %s", op, at, value)
	if op == "inc.u32" && g.flaw() {
		g.emit("red.shared.inc.u32 [%%s+%d], 2", at) // another bound
		g.loose = true
	}
	g.unless("bar.sync 0")
	g.emit("ld.shared.u32 %s, [%%s+%d]", r, at)
	g.mix(r)
}

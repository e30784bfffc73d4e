// Idioms of barriers and copies: mbarriers, rings, copies, named barriers, clusters, lanes.

package racegen

// mbarriers returns the number of the first of n unused mbarriers, which a thread initialises with a count; -1 if there
// are no more.
func (g *idioms) mbarriers(n int, count uint32) int {
	if g.bars+n > barsMost {
		return -1
	}
	first, p := g.bars, g.pred()
	g.bars += n
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	for i := range n {
		g.emit("@%s mbarrier.init.shared.b64 [%%bars+%d], %d", p, 8*(first+i), count)
	}
	return first
}

// ready writes the barrier behind the initialisation of mbarriers.
func (g *idioms) ready() {
	g.emit("fence.proxy.async.shared::cta")
	g.unless("bar.sync 0")
}

// await writes a loop that waits for the phase of an mbarrier with a parity; seldom it looks once.
func (g *idioms) await(bar, parity int) {
	p, again := g.pred(), g.label()
	if g.flaw() {
		parity ^= 1
	}
	g.place(again)
	g.emit("mbarrier.%s.parity.shared.b64 %s, [%%bars+%d], %d", pick(g.generator, "try_wait", "test_wait"), p, 8*bar,
		parity)
	if g.flaw() {
		r := g.r32()
		g.emit("selp.u32 %s, 1, 0, %s", r, p)
		g.loosen(r)
		return
	}
	g.emit("@!%s bra %s", p, again)
}

// arrivals writes some phases of an mbarrier at which all threads of a block arrive and wait.
func (g *idioms) arrivals() {
	count := g.block
	if g.flaw() {
		count--
	}
	if g.rounds || count == 0 {
		return
	}
	bar := g.mbarriers(1, count)
	if bar < 0 {
		return
	}
	g.ready()
	for phase := range 1 + g.IntN(3) {
		at, other, r := g.tile(int(4*g.block)), g.r32(), g.r32()
		g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%me"))
		g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*bar)
		g.await(bar, phase&1)
		g.emit("xor.b32 %s, %%me, 1", other)
		g.emit("rem.u32 %s, %s, %d", other, other, g.block)
		g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, other))
		g.mix(r)
	}
}

// ring writes a producer, the first thread, that hands values to the other threads of its block in a ring of slots, each
// with an mbarrier for full and one for empty.
func (g *idioms) ring() {
	consumers := g.block - 1
	if g.flaw() && consumers > 1 {
		consumers--
	}
	if g.rounds || consumers == 0 {
		return
	}
	slots, items := 1+g.IntN(2), 2+g.IntN(3)
	full := g.mbarriers(slots, 1)
	if full < 0 {
		return
	}
	empty := g.mbarriers(slots, consumers)
	if empty < 0 {
		return
	}
	at, p, consume, join := g.tile(4*slots), g.pred(), g.label(), g.label()
	g.ready()
	g.emit("setp.ne.u32 %s, %%me, 0", p)
	g.emit("@%s bra %s", p, consume)
	for i := range items {
		slot := i % slots
		if i >= slots && !g.flaw() {
			g.await(empty+slot, (i/slots-1)&1)
		}
		r := g.r32()
		g.emit("add.u32 %s, %%data, %d", r, i)
		g.emit("st.shared.u32 [%%s+%d], %s", at+4*slot, r)
		g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*(full+slot))
	}
	g.emit("bra %s", join)
	g.place(consume)
	for i := range items {
		slot, r := i%slots, g.r32()
		g.await(full+slot, i/slots&1)
		g.emit("ld.shared.u32 %s, [%%s+%d]", r, at+4*slot)
		g.mix(r)
		g.emit("mbarrier.arrive.shared.b64 %s, [%%bars+%d]", g.r64(), 8*(empty+slot))
	}
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// bulk writes a copy of inputs to shared memory whose bytes an mbarrier counts.
func (g *idioms) bulk() {
	if g.rounds {
		return
	}
	bar := g.mbarriers(1, 1)
	if bar < 0 {
		return
	}
	bytes, p, to, i, r := 16*(1+g.IntN(4)), g.pred(), g.r32(), g.r32(), g.r32()
	at := g.tile(bytes)
	g.ready()
	expected := bytes
	if g.flaw() {
		expected = 0
	}
	g.emit("setp.eq.u32 %s, %%me, 0", p)
	g.emit("add.u32 %s, %%s, %d", to, at)
	g.emit("@%s mbarrier.arrive.expect_tx.shared.b64 %s, [%%bars+%d], %d", p, g.r64(), 8*bar, expected)
	g.emit("@%s cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%%in+%d], %d, [%%bars+%d]", p,
		to, 16*g.IntN(8), bytes, 8*bar)
	g.await(bar, 0)
	g.emit("rem.u32 %s, %%me, %d", i, bytes/4)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, i))
	g.mix(r)
}

// copied writes a copy of a word by each thread to shared memory, and a load of another thread's.
func (g *idioms) copied() {
	at, from, other, r := g.tile(int(4*g.block)), g.r64(), g.r32(), g.r32()
	g.emit("mul.wide.u32 %s, %%gid, 4", from)
	g.emit("add.u64 %s, %s, %%in", from, from)
	to := g.inTile(at, "%me")
	g.emit("cp.async.ca.shared.global %s, [%s], 4", to, from)
	g.emit("cp.async.commit_group")
	g.unless("cp.async.wait_group 0")
	g.unless("bar.sync 0")
	g.emit("xor.b32 %s, %%me, 1", other)
	g.emit("rem.u32 %s, %s, %d", other, other, g.block)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, other))
	g.mix(r)
	if g.rounds {
		g.unless("bar.sync 0")
	}
}

// lanes writes a shuffle or a vote of full warps.
func (g *idioms) lanes() {
	if !g.full {
		return
	}
	r := g.r32()
	switch g.IntN(3) {
	case 0:
		g.emit("shfl.sync.bfly.b32 %s, %%data, %d, 31, -1", r, pick(g.generator, 1, 2, 16))
	case 1:
		g.emit("vote.sync.ballot.b32 %s, %s, -1", r, g.predicate())
	default:
		g.emit("redux.sync.add.u32 %s, %%data, -1", r)
	}
	g.mix(r)
}

// pair writes a named barrier at which the first warp arrives, and for which the second one waits.
func (g *idioms) pair() {
	if g.rounds || g.block < 64 || g.named >= 14 {
		return
	}
	g.named++
	id, p, reads, join, r := g.named, g.pred(), g.label(), g.label(), g.r32()
	at := g.tile(4 * 32)
	g.emit("setp.ne.u32 %s, %%warp, 0", p)
	g.emit("@%s bra %s", p, reads)
	g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%lane"))
	g.unless("bar.arrive %d, 64", id)
	g.emit("bra %s", join)
	g.place(reads)
	g.emit("setp.ne.u32 %s, %%warp, 1", p)
	if g.block > 64 && g.flaw() { // the third warp arrives, too
		g.emit("@%s bar.arrive %d, 64", p, id)
	}
	g.emit("@%s bra %s", p, join)
	g.emit("bar.sync %d, 64", id)
	g.emit("ld.shared.u32 %s, %s", r, g.inTile(at, "%lane"))
	g.mix(r)
	g.place(join)
	g.emit("bar.warp.sync -1")
}

// neighbours writes an exchange of the blocks of a cluster through their shared memory.
func (g *idioms) neighbours() {
	if !g.cluster || g.rounds {
		return
	}
	at, other, rank, r := g.tile(int(4*g.block)), g.r32(), g.r32(), g.r32()
	g.emit("st.shared.u32 %s, %%data", g.inTile(at, "%me"))
	g.emit("barrier.cluster.arrive%s", pick(g.generator, "", ".release"))
	g.emit("barrier.cluster.wait%s", pick(g.generator, "", ".acquire"))
	g.emit("mov.u32 %s, %%cluster_ctarank", rank)
	g.emit("xor.b32 %s, %s, 1", rank, rank)
	g.emit("mad.lo.u32 %s, %%me, 4, %%s", other)
	g.emit("add.u32 %s, %s, %d", other, other, at)
	g.emit("mapa.shared::cluster.u32 %s, %s, %s", other, other, rank)
	g.emit("ld.shared::cluster.u32 %s, [%s]", r, other)
	g.mix(r)
	if !g.flaw() {
		g.meet()
	}
}

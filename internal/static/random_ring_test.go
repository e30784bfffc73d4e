// Random kernels with producers and consumers that use a ring of mbarriers in loops.

package static_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// ringMaker writes a kernel with mbarriers full and empty for each stage of a ring.
type ringMaker struct {
	*maker
	stages int
	bulk   bool // one thread produces by bulk copies
	warps  bool // one lane of a warp arrives
}

// ringKernel is a random kernel in which a warp fills the stages of a ring in a loop and others read them, of which many
// are wrong: a wait, an arrival or a fence is left out, or too early, a parity, count or number of stages is another.
func ringKernel(seed uint64) *random {
	m := &ringMaker{maker: &maker{Rand: rand.New(rand.NewPCG(seed, 0x72696e67)), r: 60, rd: 40, p: 20, uniform: true}}
	m.stages, m.bulk, m.warps = 1+m.IntN(4), m.oneIn(3), m.oneIn(3)
	m.emit("mov.u32 %%r20, tile")
	m.emit("mov.u32 %%r21, full")
	m.emit("mov.u32 %%r22, empty")
	m.emit("and.b32 %%r23, %%r2, 31")
	produced, consumed := 32, 32
	if m.bulk || m.warps {
		produced = 1
	}
	if m.warps {
		consumed = 1
	}
	leader := m.pred()
	m.emit("setp.ne.u32 %s, %%r2, 0", leader)
	m.under(leader, func() {
		for s := range m.stages {
			m.emit("mbarrier.init.shared.b64 [full+%d], %d", 8*s, m.about(produced))
			m.emit("mbarrier.init.shared.b64 [empty+%d], %d", 8*s, m.about(consumed))
		}
		m.rare(12, "fence.proxy.async")
	})
	m.seldom(20, "bar.sync 0")
	consumer := m.pred()
	m.emit("setp.ge.u32 %s, %%r2, 32", consumer)
	m.under(consumer, func() { m.role(true) })
	producer := m.pred()
	m.emit("setp.lt.u32 %s, %%r2, 32", producer)
	m.under(producer, func() { m.role(false) })
	k := m.kernel()
	k.text = strings.Replace(k.text, "sm_80", "sm_90", 1)
	k.text = strings.Replace(k.text, "\t.shared .align 16 .b8 tile[4096];\n",
		"\t.shared .align 16 .b8 tile[4096];\n\t.shared .align 8 .b64 full[8];\n\t.shared .align 8 .b64 empty[8];\n", 1)
	k.budget = 4_000_000
	l := &k.launches[0]
	l.block, l.grid, l.numbers, l.untold = 64, 1, []int64{1 + m.Int64N(9)}, !m.oneIn(3)
	return k
}

// about is a number, or seldom another one.
func (m *ringMaker) about(n int) int {
	if m.oneIn(60) {
		return max(1, n+m.IntN(3)-1)
	}
	return n
}

// role writes the loop of the producer or of the consumer.
func (m *ringMaker) role(produces bool) {
	i, s, ph, stages := m.reg(), m.reg(), m.reg(), m.stages
	if m.oneIn(30) {
		stages = 1 + m.IntN(4)
	}
	parity, only := 0, m.pred()
	if produces != m.oneIn(40) {
		parity = 1
	}
	m.emit("setp.ne.u32 %s, %%r23, 0", only)
	end := m.label()
	if produces && m.bulk {
		m.emit("@%s bra %s", only, end)
	}
	for _, x := range []string{i, s} {
		m.emit("mov.u32 %s, 0", x)
	}
	m.emit("mov.u32 %s, %d", ph, parity)
	again, out := m.label(), m.pred()
	m.text.WriteString(again + ":\n")
	full, empty := m.reg(), m.reg()
	m.emit("mad.lo.u32 %s, %s, 8, %%r21", full, s)
	m.emit("mad.lo.u32 %s, %s, 8, %%r22", empty, s)
	if produces {
		arrive := full
		if m.bulk { // by the copy
			arrive = ""
		}
		m.turn(empty, arrive, ph, func() { m.produce(full, s, i) }, only)
	} else {
		m.turn(full, empty, ph, func() { m.consume(s) }, only)
	}
	wrap := m.pred()
	m.emit("add.u32 %s, %s, 1", s, s)
	m.emit("setp.eq.u32 %s, %s, %d", wrap, s, stages)
	m.emit("selp.u32 %s, 0, %s, %s", s, s, wrap)
	flipped := m.reg()
	m.emit("xor.b32 %s, %s, 1", flipped, ph)
	m.emit("selp.u32 %s, %s, %s, %s", ph, flipped, ph, wrap)
	m.emit("add.u32 %s, %s, 1", i, i)
	m.emit("setp.lt.s32 %s, %s, %%r1", out, i)
	m.emit("@%s bra %s", out, again)
	m.text.WriteString(end + ":\n")
}

// turn writes a wait, what is done then, and an arrival.
func (m *ringMaker) turn(await, arrive, ph string, do func(), only string) {
	parts := []func(){
		func() {
			if !m.oneIn(30) {
				m.wait(await, ph)
			}
		},
		do,
		func() { m.arrival(arrive, only) },
	}
	if m.oneIn(30) {
		n := m.IntN(2)
		parts[n], parts[n+1] = parts[n+1], parts[n]
	}
	for _, part := range parts {
		part()
	}
}

// wait writes a wait for a phase.
func (m *ringMaker) wait(at, ph string) {
	again, p := m.label(), m.pred()
	m.emit("nanosleep.u32 1") // so that the two loops have headers of their own
	m.text.WriteString(again + ":\n")
	m.emit("mbarrier.try_wait.parity%s.shared.b64 %s, [%s], %s", m.pick("", "", "", "", "", "", "", "", ".relaxed.cta"), p, at,
		m.pick(ph, ph, ph, ph, ph, ph, ph, ph, ph, ph, ph, ph, "0", "1"))
	m.emit("@!%s bra %s", p, again)
}

// arrival writes the arrival of a thread, or of the first of its warp.
func (m *ringMaker) arrival(at, only string) {
	if m.oneIn(40) || at == "" {
		return
	}
	text := fmt.Sprintf("mbarrier.arrive%s.shared.b64 %s, [%s]", m.pick("", "", "", "", "", "", "", "", ".relaxed.cta"), m.wide(), at)
	if !m.warps {
		m.emit("%s", text)
		return
	}
	m.rare(10, "bar.warp.sync -1")
	m.under(only, func() { m.emit("%s", text) })
}

// produce writes the stage, by the thread or by a bulk copy with an arrival that expects its bytes.
func (m *ringMaker) produce(full, s, i string) {
	at := m.reg()
	m.emit("mad.lo.u32 %s, %s, 128, %%r20", at, s)
	if !m.bulk {
		m.emit("mad.lo.u32 %s, %%r23, 4, %s", at, at)
		m.emit("st.shared.u32 [%s], %s", at, i)
		return
	}
	size := m.pick("128", "128", "128", "128", "128", "128", "128", "112")
	m.emit("mbarrier.arrive.expect_tx.shared.b64 %s, [%s], %s", m.wide(), full, m.pick(size, size, size, size, size, size, "128"))
	m.emit("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%%rd1], %s, [%s]", at, size, full)
}

// consume reads the stage.
func (m *ringMaker) consume(s string) {
	at, other := m.reg(), m.reg()
	m.emit("mad.lo.u32 %s, %s, 128, %%r20", at, s)
	m.emit("sub.u32 %s, 31, %%r23", other)
	m.emit("mad.lo.u32 %s, %s, 4, %s", at, m.pick(other, "%r23", "0"), at)
	m.emit("ld.shared.u32 %s, [%s]", other, at)
}

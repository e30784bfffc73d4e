// Random kernels in which the last block to raise a counter looks at what the others have written.

package static_test

import (
	"fmt"
	"math/rand/v2"
)

// countingKernel is a random kernel with a counter that blocks raise, of which many are wrong: a fence or a barrier is
// left out, a scope is too narrow, a block raises the counter twice or not at all, the number that it is compared with
// is another.
func countingKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x636f756e)), r: 10, uniform: true, sync: true}
	m.emit("mov.u32 %%r8, %d", m.IntN(4))
	m.emit("add.s64 %%rd4, %%rd2, %d", 4*m.IntN(2))
	for m.oneIn(3) {
		m.part("%r2")
	}
	end, leader := m.label(), m.leads()
	if m.oneIn(3) { // all threads of the block write
		m.part(m.pick("%r5", "%r5", "%r3", "%r2"))
		if m.oneIn(3) {
			m.fence()
		}
		m.seldom(8, "bar.sync 0")
	}
	if m.oneIn(3) {
		m.fence()
	}
	old, told := m.reg(), !m.oneIn(3)
	m.emit("@%s bra %s", leader, end)
	if m.oneIn(2) {
		m.part("%r3")
	}
	if !m.oneIn(4) {
		m.fence()
	}
	m.raise(old)
	if m.oneIn(3) {
		return m.waiting(old, end)
	}
	last := m.reg()
	m.emit("add.s32 %s, %s, %s", last, m.pick("%r7", "%r7", "%r7", "%r7", "%r7", "%r7", "%r4"), m.pick("-1", "-1", "-1", "-1", "-1", "-1", "-1", "0", "-2"))
	p, out := m.pred(), m.label()
	m.emit("setp.%s %s, %s, %s", m.pick("eq.u32", "eq.u32", "eq.s32", "ge.u32", "ne.u32"), p, old, last)
	if told {
		flag := m.reg()
		m.emit("selp.u32 %s, 1, 0, %s", flag, p)
		m.emit("st.shared.u32 [%%rd3+2048], %s", flag)
		if !m.oneIn(3) {
			m.fence()
		}
		m.text.WriteString(end + ":\n")
		m.seldom(10, "bar.sync 0")
		read := m.reg()
		m.emit("ld.shared.u32 %s, [%%rd3+%s]", read, m.pick("2048", "2048", "2048", "2048", "2048", "2048", "2048", "2052"))
		if m.oneIn(3) {
			m.fence()
		}
		p = m.pred()
		m.emit("setp.ne.u32 %s, %s, 0", p, read)
	} else {
		m.fence()
	}
	m.emit("@!%s bra %s", p, out)
	if m.oneIn(4) {
		m.fence()
	}
	for range 1 + m.IntN(2) {
		m.part(m.pick("%r3", "%r2", "%r8", "0"))
	}
	if m.oneIn(4) {
		m.emit("st.global.u32 [%%rd4], 0")
	}
	m.text.WriteString(out + ":\n")
	if !told {
		m.text.WriteString(end + ":\n")
	}
	if m.oneIn(6) {
		m.part(m.pick("%r3", "%r5"))
	}
	return m.counted()
}

// waiting ends a kernel whose threads wait for all increments, of which many are wrong.
func (m *maker) waiting(old, end string) *random {
	read, p, top := m.reg(), m.pred(), m.label()
	m.text.WriteString(top + ":\n")
	if m.oneIn(3) {
		m.emit("atom%s.global.add.u32 %s, [%%rd4], 0", m.pick("", "", ".acquire.gpu", ".cta"), read)
	} else {
		m.emit("ld.%s.global.u32 %s, [%%rd4]", m.pick("volatile", "volatile", "acquire.gpu", "relaxed.gpu", "relaxed.cta"), read)
	}
	m.emit("setp.%s %s, %s, %s", m.pick("lt.u32", "lt.u32", "ne.s32", "lt.s32", "le.u32", "eq.u32"), p, read, m.pick("%r7", "%r7", "%r7", "%r7", "2", old))
	m.emit("@%s bra %s", p, top)
	if !m.oneIn(6) {
		m.fence()
	}
	if m.oneIn(3) {
		m.part(m.pick("%r3", "%r2", "%r8", "0"))
	}
	m.text.WriteString(end + ":\n")
	m.seldom(8, "bar.sync 0")
	for range 1 + m.IntN(2) {
		m.part(m.pick("%r3", "%r2", "%r8", "0", "%r5"))
	}
	return m.counted()
}

// counted is the kernel in a launch of few blocks.
func (m *maker) counted() *random {
	k := m.kernel()
	k.launches[0].zero = !m.oneIn(12)
	k.launches[0].grid = 1 + m.Uint32N(5)
	return k
}

// seldom writes an instruction that is seldom left out, or that seldom some threads only come to.
func (m *maker) seldom(n int, text string) {
	switch m.IntN(n) {
	case 0:
	case 1:
		m.emit("@%s %s", m.condition(), "bar.warp.sync -1")
	default:
		m.emit("%s", text)
	}
}

// leads is the condition that a thread does not raise the counter, which mostly all but one have.
func (m *maker) leads() string {
	p := m.pred()
	m.emit("setp.%s.u32 %s, %s, %s", m.pick("ne", "ne", "ne", "ne", "ne", "ne", "gt"), p, m.pick("%r2", "%r2", "%r2", "%r2", "%r2", "%r2", "%r6", "%r3"), m.pick("0", "0", "0", "0", "1"))
	return p
}

// raise raises the counter.
func (m *maker) raise(old string) {
	at := m.pick("%rd4", "%rd4", "%rd4", "%rd4", "%rd4", "%rd4", "%rd2")
	order := m.scope()
	if m.oneIn(6) {
		order = m.pick(".acq_rel.gpu", ".release.gpu", ".acquire.gpu", ".acq_rel.cta")
	}
	if m.oneIn(3) {
		m.emit("atom%s.global.inc.u32 %s, [%s], %s", order, old, at, m.pick("%r7", "%r7", "100", "1"))
	} else {
		m.emit("atom%s.global.add.u32 %s, [%s], %s", order, old, at, m.pick("1", "1", "1", "1", "1", "1", "1", "2"))
	}
	if m.oneIn(10) {
		m.emit("atom.global.add.u32 %s, [%%rd4], %s", m.reg(), m.pick("0", "1"))
	}
}

// part accesses an element of the first buffer.
func (m *maker) part(index string) {
	at := m.wide()
	if index == "0" {
		index = m.reg()
		m.emit("mov.u32 %s, 0", index)
	}
	m.emit("mad.wide.u32 %s, %s, 4, %%rd1", at, index)
	m.perform(fmt.Sprint(m.pick("", "", "", "@"+m.some()+" ")), "global", at, 4)
}

// some is a condition that holds for some threads.
func (m *maker) some() string {
	p := m.pred()
	m.emit("setp.%s.u32 %s, %%r2, 0", m.pick("eq", "ne"), p)
	return p
}

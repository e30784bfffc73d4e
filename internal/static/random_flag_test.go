// Random kernels whose threads leave loops and skip code by flags in shared memory.

package static_test

import "math/rand/v2"

// flagKernel has flags that one thread of a block sets, or several, and by which the threads branch, with and without
// barriers in between.
func flagKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x666c6167)), r: 10, uniform: true}
	for range 1 + m.IntN(3) {
		m.flagging(2)
	}
	return m.kernel()
}

// flagging writes a loop of few rounds, or a part of one.
func (m *maker) flagging(depth int) {
	i, p, top, out := m.reg(), m.pred(), m.label(), m.label()
	m.emit("mov.u32 %s, 0", i)
	m.text.WriteString(top + ":\n")
	for range 2 + m.IntN(5) {
		switch k := m.IntN(13); {
		case k < 3:
			m.setFlag(i)
		case k < 6:
			m.emit("bar.sync 0")
		case k < 8:
			m.followFlag(out)
		case k < 9 && depth > 0:
			m.flagging(depth - 1)
		case k < 10:
			m.access()
		case k < 11:
			m.emit("fence.acq_rel.cta")
		default:
			m.ownWord()
		}
	}
	m.emit("add.s32 %s, %s, 1", i, i)
	m.emit("setp.lt.u32 %s, %s, %s", p, i, m.pick("1", "3", "4", "%r2"))
	m.emit("@%s bra %s", p, top)
	m.text.WriteString(out + ":\n")
}

// flag is the address of one of three flags.
func (m *maker) flag() string { return m.pick("tile+1024", "tile+1024", "tile+1028", "tile+1032") }

// setFlag writes a store to a flag by some threads, most often by one of them.
func (m *maker) setFlag(round string) {
	value, p := m.pick("0", "0", "1", round, "%r2", "%r3"), m.pred()
	m.emit("setp.%s.u32 %s, %s, %s", m.pick("eq", "eq", "eq", "lt", "ne"), p, m.pick("%r2", "%r2", "%r2", "%r3", "%r5"), m.pick("0", "0", "0", "1", "3"))
	if m.IntN(4) == 0 {
		q := m.pred()
		m.emit("setp.%s.and.u32 %s, %s, %s, %s", m.pick("eq", "ge"), q, m.pick("%r2", "%r3"), m.pick("0", "1"), p)
		p = q
	}
	switch m.IntN(6) {
	case 0, 1, 2:
		m.emit("@%s st.%sshared.u32 [%s], %s", p, m.pick("", "", "", "", "volatile."), m.flag(), value)
		return
	case 3:
		m.emit("@%s atom.shared.exch.b32 %s, [%s], %s", p, m.reg(), m.flag(), value)
		return
	}
	over := m.label()
	m.emit("@%s%s bra %s", m.pick("!", "!", "!", ""), p, over)
	if m.IntN(3) == 0 {
		m.emit("ld.shared.u32 %s, [%s]", m.reg(), m.flag())
	}
	m.emit("st.shared.u32 [%s], %s", m.flag(), value)
	m.text.WriteString(over + ":\n")
}

// followFlag loads a flag and branches by it.
func (m *maker) followFlag(out string) {
	d, p := m.reg(), m.pred()
	m.emit("ld.%sshared.u32 %s, [%s]", m.pick("", "", "volatile."), d, m.flag())
	m.emit("setp.%s.u32 %s, %s, %s", m.pick("ne", "eq"), p, d, m.pick("0", "1"))
	switch m.IntN(4) {
	case 0:
		m.emit("@%s ret", p)
	case 1:
		over := m.label()
		m.emit("@%s bra %s", p, over)
		m.ownWord()
		if m.IntN(2) == 0 {
			m.emit("bar.sync 0")
		}
		m.text.WriteString(over + ":\n")
	default:
		m.emit("@%s bra %s", p, out)
	}
}

// ownWord writes an access to the word of the thread, or to that of a neighbour.
func (m *maker) ownWord() {
	at := m.wide()
	m.emit("mad.wide.u32 %s, %%r2, 4, %%rd3", at)
	if m.IntN(2) == 0 {
		m.emit("st.shared.u32 [%s], %%r2", at)
		return
	}
	m.emit("ld.shared.u32 %s, [%s%s]", m.reg(), at, m.pick("", "", "+4"))
}

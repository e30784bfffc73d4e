// Random kernels whose threads take locks, set flags and count who comes last.

package static_test

import (
	"fmt"
	"math/rand/v2"
)

// synchronisedKernel is a random kernel with locks and flags, of which some are wrong: a fence is
// left out, a scope is too narrow, threads take different locks, several threads set a flag.
func synchronisedKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x6c6f636b)), r: 10, uniform: true, sync: true}
	m.emit("mov.u32 %%r8, %d", m.IntN(4))
	m.narrow = m.oneIn(3)
	for range 1 + m.IntN(2) {
		switch m.IntN(7) {
		case 0:
			m.statement()
		case 1, 2, 3:
			m.critical()
		case 4, 5:
			m.handOver()
		default:
			m.comeLast()
		}
	}
	if m.IntN(4) == 0 {
		m.statement()
	}
	k := m.kernel()
	k.launches[0].zero = true
	if m.narrow {
		k.launches[0].grid = 1 + m.Uint32N(2)
	}
	return k
}

// oneIn is true once in n times.
func (m *maker) oneIn(n int) bool { return m.IntN(n) == 0 }

// fence is mostly one that reaches all threads.
func (m *maker) fence() {
	if m.narrow && !m.oneIn(8) {
		m.emit(m.pick("membar.cta", "membar.cta", "fence.acq_rel.cta"))
		return
	}
	switch m.IntN(16) {
	case 0: // none
	case 1:
		m.emit("membar.cta")
	case 2, 3:
		m.emit("fence.acq_rel.gpu")
	case 4:
		m.emit("fence.sc.gpu")
	default:
		m.emit("membar.gl")
	}
}

// scope is mostly that of the device.
func (m *maker) scope() string {
	if m.narrow {
		return m.pick("", ".cta", ".cta", ".gpu")
	}
	return m.pick("", "", "", "", ".gpu", ".gpu", ".sys", ".cta")
}

// only begins code that few threads execute, up to the label that is returned.
func (m *maker) only() string {
	end, p, r := m.label(), m.pred(), m.reg()
	switch m.IntN(8) {
	case 0, 1: // all
	case 2, 3:
		m.emit("setp.ne.u32 %s, %%r2, %d", p, m.IntN(2))
		m.emit("@%s bra %s", p, end)
	case 4:
		m.emit("setp.ne.u32 %s, %%r6, 0", p)
		m.emit("@%s bra %s", p, end)
	case 5:
		m.emit("setp.gt.u32 %s, %%r5, %d", p, m.IntN(5))
		m.emit("@%s bra %s", p, end)
	case 6:
		m.emit("and.b32 %s, %%r5, 15", r)
		m.emit("setp.ne.u32 %s, %s, 3", p, r)
		m.emit("@%s bra %s", p, end)
	default:
		m.emit("setp.eq.u32 %s, %%r3, %d", p, m.IntN(3))
		m.emit("@%s bra %s", p, end)
	}
	return end
}

// word is the address of one of the words that locks and flags are in.
func (m *maker) word() string {
	if !m.oneIn(3) {
		return fmt.Sprintf("%%rd2+%d", 4*m.IntN(2))
	}
	d, at := m.reg(), m.wide()
	index := m.index(1)
	if m.narrow && m.oneIn(2) {
		index = "%r3"
	}
	m.emit("and.b32 %s, %s, %s", d, index, m.pick("1", "3", "7"))
	m.emit("mad.wide.u32 %s, %s, 4, %%rd2", at, d)
	return at
}

// datum is the index of what is protected: mostly the same for all threads.
func (m *maker) datum() string {
	switch m.IntN(6) {
	case 0:
		return m.index(1)
	case 1:
		return "%r3"
	}
	return "%r8"
}

// critical is a critical section, or what looks like one.
func (m *maker) critical() {
	end, lock, index := m.only(), m.word(), m.datum()
	top, p, old := m.label(), m.pred(), m.reg()
	order := m.pick("", "", "", ".acquire", ".acq_rel", ".relaxed")
	if order != "" {
		order += m.pick(".gpu", ".gpu", ".gpu", ".cta")
	} else {
		order = m.scope()
	}
	m.text.WriteString(top + ":\n")
	m.emit("atom%s.global.cas.b32 %s, [%s], 0, %s", order, old, lock, m.pick("1", "1", "1", "%r2"))
	m.emit("setp.ne.u32 %s, %s, 0", p, old)
	if m.oneIn(3) {
		m.emit("@%s bra %s", p, end) // once only
	} else {
		m.emit("@%s bra %s", p, top)
	}
	m.fence()
	m.protected(index)
	for m.oneIn(3) {
		m.protected(m.datum())
	}
	m.fence()
	if m.oneIn(12) {
		lock = m.word()
	}
	m.set(lock, m.pick("0", "0", "0", "0", "0", "0", "0", "0", "0", "1"))
	if m.oneIn(10) {
		m.protected(index)
	}
	m.text.WriteString(end + ":\n")
}

// protected accesses an element of the first buffer.
func (m *maker) protected(index string) {
	at := m.wide()
	m.emit("mad.wide.u32 %s, %s, 4, %%rd1", at, index)
	m.perform("", "global", at, 4)
}

// set writes a word that others wait for.
func (m *maker) set(at, value string) {
	switch m.IntN(8) {
	case 0, 1, 2:
		m.emit("atom%s.global.exch.b32 %s, [%s], %s", m.scope(), m.reg(), at, value)
	case 3, 4:
		m.emit("st.volatile.global.u32 [%s], %s", at, value)
	case 5:
		m.emit("st.release.%s.global.u32 [%s], %s", m.pick("gpu", "gpu", "cta"), at, value)
	case 6:
		m.emit("st.relaxed.gpu.global.u32 [%s], %s", at, value)
	default:
		m.emit("st.global.u32 [%s], %s", at, value)
	}
}

// get reads a word that others set.
func (m *maker) get(at string) string {
	d := m.reg()
	switch m.IntN(6) {
	case 0, 1, 2:
		m.emit("ld.volatile.global.u32 %s, [%s]", d, at)
	case 3:
		m.emit("ld.acquire.%s.global.u32 %s, [%s]", m.pick("gpu", "gpu", "cta"), d, at)
	case 4:
		m.emit("atom%s.global.add.u32 %s, [%s], 0", m.scope(), d, at)
	default:
		m.emit("ld.relaxed.gpu.global.u32 %s, [%s]", d, at)
	}
	return d
}

// handOver lets one thread, or several, set a flag behind their writes, and others wait for it.
func (m *maker) handOver() {
	flag, index := m.word(), m.datum()
	who, number := m.pick("%r5", "%r5", "%r5", "%r2", "%r3"), m.IntN(2)
	other, end, p, q := m.label(), m.label(), m.pred(), m.pred()
	m.emit("setp.ne.u32 %s, %s, %d", p, who, number)
	m.emit("@%s bra %s", p, other)
	m.protected(index)
	m.fence()
	m.set(flag, m.pick("1", "1", "1", "%r2"))
	m.emit("bra %s", end)
	m.text.WriteString(other + ":\n")
	if m.oneIn(2) {
		m.emit("setp.gt.u32 %s, %s, %d", q, m.pick("%r5", "%r2"), 1+m.IntN(8))
		m.emit("@%s bra %s", q, end)
	}
	top, r := m.label(), m.pred()
	if m.oneIn(8) {
		flag = m.word()
	}
	m.text.WriteString(top + ":\n")
	m.emit("setp.%s %s, %s, %s", m.pick("eq.u32", "eq.u32", "ne.u32"), r, m.get(flag), m.pick("0", "0", "0", "1"))
	m.emit("@%s bra %s", r, m.pick(top, end, end))
	m.fence()
	m.protected(index)
	if m.oneIn(4) { // hand the flag on
		m.emit("atom%s.global.%s %s, [%s], 1", m.scope(), m.pick("add.u32", "add.u32", "exch.b32", "or.b32"), m.reg(), flag)
	}
	m.text.WriteString(end + ":\n")
}

// comeLast lets the thread that comes last, by a counter, access what the others have written.
func (m *maker) comeLast() {
	at, end, p, d := m.wide(), m.label(), m.pred(), m.reg()
	m.protected("%r5")
	m.fence()
	m.emit("add.s64 %s, %%rd2, 64", at)
	m.emit("atom%s.global.%s.u32 %s, [%s], %s", m.scope(), m.pick("add", "inc"), d, at, m.pick("1", "1", "1000"))
	last := m.reg()
	m.emit("mul.lo.u32 %s, %%r4, %%r7", last)
	m.emit("add.s32 %s, %s, -1", last, last)
	m.emit("setp.ne.u32 %s, %s, %s", p, d, last)
	m.emit("@%s bra %s", p, end)
	m.fence()
	m.protected(m.datum())
	m.text.WriteString(end + ":\n")
}

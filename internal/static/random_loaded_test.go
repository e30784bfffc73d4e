// Random kernels whose accesses depend on loaded values: tickets that are told, flags, and elements of threads.

package static_test

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var loading = family{"loaded values", loadedKernel}

// TestRandomLoaded: no random kernel whose accesses depend on loaded values is proved and races under precise, and none
// is called racy that does not race.
func TestRandomLoaded(t *testing.T) {
	n := uint64(*verdicts)
	if testing.Short() {
		n /= 4
	}
	c := &campaign{counts: make(map[string]map[string]int)}
	for i := uint64(0); i < n && !c.over(); i++ {
		c.judgeOf(&loading, *firstVerdict+i)
	}
	slices.Sort(c.wrong)
	for _, w := range c.wrong {
		t.Error(w)
	}
	t.Log(c)
	if m := c.counts[loading.name]; n >= 100 && m["clean clean"] < int(n)/10 {
		t.Errorf("too little is proved to tell: %v", m)
	}
}

// loadedKernel is a random kernel of one of the patterns, of which many are wrong: a barrier is left out, a counter or
// a word is set again, a value is not the one that decides.
func loadedKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x6c6f6164)), r: 10, uniform: true}
	switch m.IntN(3) {
	case 0:
		m.telling()
	case 1:
		m.flagged()
	default:
		m.pivots()
	}
	k := m.kernel()
	k.launches[0].buffers = []int{0, 1}
	k.launches[0].grid = 1 + m.Uint32N(4)
	return k
}

// rarely picks the first, or rarely one of the others.
func (m *maker) rarely(s ...string) string {
	if m.oneIn(7) {
		return m.pick(s...)
	}
	return s[0]
}

// element is the address of an element of the first buffer.
func (m *maker) element(index string) string {
	at := m.wide()
	m.emit("mad.wide.u32 %s, %s, 4, %%rd1", at, index)
	return at
}

// telling is a loop in which a thread of each block draws tickets and tells them.
func (m *maker) telling() {
	i, top, out, end, elect := m.reg(), m.label(), m.label(), m.label(), m.pred()
	m.emit("mov.u32 %s, 0", i)
	m.text.WriteString(top + ":\n")
	if m.emitMostly("bar.sync 0"); m.oneIn(9) {
		m.emit("st.shared.u32 [%%rd3+%s], %%r2", m.pick("2048", "2052"))
	}
	m.emit("setp.%s.u32 %s, %s, %s", m.rarely("ne", "gt", "eq"), elect, m.rarely("%r2", "%r5", "%r6", "%r3"), m.rarely("0", "1", "%r1"))
	m.emit("@%s bra %s", elect, out)
	drawn := m.reg()
	m.emit("atom.%sglobal.add.u32 %s, [%s], %s", m.rarely("", "cta."), drawn, m.rarely("%rd2", "%rd1"), m.pick("1", "1", m.rarely("%r4", "%r7", "2", "0")))
	stored, more := drawn, m.reg()
	switch m.IntN(9) {
	case 0:
		stored = m.reg()
		m.emit("%s %s, %s, %s", m.pick("shr.u32", "shl.b32", "and.b32"), stored, drawn, m.pick("1", "2"))
	case 1:
		stored = m.reg()
		m.emit("add.s32 %s, %s, %s", stored, drawn, m.pick("%r1", "%r2", "%r3"))
	case 2, 3: // no ticket
		stored = m.reg()
		m.emit("mad.lo.u32 %s, %s, %s, %s", stored, m.rarely("%r3", "%r2", "%r5"), m.pick("1", "1", "%r4", "2"), m.rarely("%r2", "%r1", i, "%r6"))
	}
	m.emit("st.shared.u32 [%%rd3+2048], %s", stored)
	two := m.oneIn(2)
	if two {
		m.emit("rem.u32 %s, %s, 3", more, drawn)
		m.emit("st.shared.u32 [%%rd3+2052], %s", more)
	}
	m.text.WriteString(out + ":\n")
	m.emitMostly("bar.sync 1")
	told, p, index := m.reg(), m.pred(), m.reg()
	m.emit("ld.%sshared.u32 %s, [%%rd3+2048]", m.rarely("", "volatile."), told)
	m.emit("setp.gt.u32 %s, %s, %s", p, told, m.pick("5", "9"))
	m.emit("@%s bra %s", p, end)
	m.emit("mad.lo.u32 %s, %s, %s, %s", index, told, m.pick("%r4", m.rarely("%r4", "1", "%r7")), m.rarely("%r2", "0", "%r3"))
	if two && m.oneIn(2) {
		m.emit("ld.shared.u32 %s, [%%rd3+2052]", more)
		m.emit("mad.lo.u32 %s, %s, %s, %s", index, more, m.pick("1000", "%r4"), index)
	}
	at := m.element(index)
	m.perform("", "global", at, 4)
	if m.oneIn(3) {
		m.perform("", "global", at+m.rarely("", "+4"), 4)
	}
	m.emit("add.u32 %s, %s, 1", i, i)
	q := m.pred()
	m.emit("setp.lt.u32 %s, %s, %s", q, i, m.pick("1", "3"))
	m.emit("@%s bra %s", q, top)
	m.text.WriteString(end + ":\n")
	if m.oneIn(9) {
		m.emit("st.global.u32 [%%rd2], 0")
	}
}

// emitMostly writes an instruction that is rarely left out.
func (m *maker) emitMostly(text string) {
	if !m.oneIn(9) {
		m.emit("%s", text)
	}
}

// flagged lets the launch's flags decide which elements threads access.
func (m *maker) flagged() {
	flag, at, p, other, end := m.reg(), m.wide(), m.pred(), m.label(), m.label()
	m.emit("mad.wide.u32 %s, %s, 4, %%rd2", at, m.pick("%r1", "%r1", "%r3", "%r2"))
	m.emit("ld.%sglobal.u32 %s, [%s]", m.rarely("", "volatile."), flag, at)
	m.emit("setp.eq.u32 %s, %s, %s", p, flag, m.pick("0", "1"))
	m.emit("@%s bra %s", p, other)
	m.perform("", "global", m.element("%r5"), 4)
	m.emit("%s", m.rarely("bar.sync 0", "bar.warp.sync -1"))
	m.perform("", "global", m.element("%r5"), 4)
	m.emit("bra %s", end)
	m.text.WriteString(other + ":\n")
	next := m.reg()
	m.emit("add.u32 %s, %%r5, 1", next)
	m.perform("", "global", m.element(next), 4)
	m.text.WriteString(end + ":\n")
	if m.oneIn(5) {
		m.emit("st.global.u32 [%%rd2+%s], 1", m.pick("0", "4"))
	}
}

// pivots is a loop in which threads look at their own element of the tile and at that of another, and change their own.
func (m *maker) pivots() {
	own, i, top, over, end := m.wide(), m.reg(), m.label(), m.label(), m.label()
	m.emit("mad.wide.u32 %s, %%r2, 4, %%rd3", own)
	start := m.reg()
	m.emit("and.b32 %s, %%r2, %s", start, m.pick("1", "3"))
	m.emit("st.shared.u32 [%s], %s", own, start)
	m.emit("mov.u32 %s, 0", i)
	m.text.WriteString(top + ":\n")
	m.emitMostly("bar.sync 0")
	v, w, p, q, at := m.reg(), m.reg(), m.pred(), m.pred(), m.wide()
	m.emit("ld.shared.u32 %s, [%s]", v, own)
	m.emit("setp.ne.u32 %s, %s, 0", p, v)
	m.emit("@%s bra %s", p, over)
	if m.oneIn(9) {
		m.emit("st.shared.u32 [%s%s], 1", own, m.pick("", "+4"))
	}
	m.emit("mad.wide.u32 %s, %s, 4, %%rd3", at, m.rarely(i, "%r1"))
	m.emit("ld.shared.u32 %s, [%s]", w, at)
	m.emit("setp.%s.u32 %s, %s, 0", m.rarely("eq", "ne"), q, w)
	m.emit("@%s bra %s", q, over)
	m.emit("st.shared.u32 [%s], %s", own, m.pick("2", "%r2"))
	m.text.WriteString(over + ":\n")
	m.emit("add.u32 %s, %s, 1", i, i)
	r := m.pred()
	m.emit("setp.lt.u32 %s, %s, 3", r, i)
	m.emit("@%s bra %s", r, top)
	m.text.WriteString(end + ":\n")
}

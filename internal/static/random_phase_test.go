// Random kernels in which threads wait for a phase of an mbarrier.

package static_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// phaseKernel is a random kernel with an mbarrier that threads arrive at, or bulk copies signal, of which many are
// wrong: the count is another, a wait, a fence or a barrier is left out or is for some of the threads, bytes are
// missing, and a part comes too late or too early.
func phaseKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x70686173)), r: 10, uniform: true}
	block := []uint32{4, 32, 33, 64}[m.IntN(4)]
	copied, leader := m.oneIn(2), m.leads()
	m.emit("mov.u64 %%rd4, ready")
	m.emit("mov.u32 %%r8, %d", m.IntN(8))
	count := 1
	if !copied {
		count = int(block)
		if m.oneIn(2) {
			count = []int{1, 2, 16, 32}[m.IntN(4)]
		}
	}
	said := count
	if m.oneIn(10) {
		said = max(1, count+m.IntN(3)-1)
	}
	m.under(leader, func() {
		m.emit("mbarrier.init.shared.b64 [%%rd4], %d", said)
		m.rare(8, "fence.proxy.async")
	})
	if m.oneIn(2) { // what the copies write over, or arrivals come behind
		m.tile(m.pick("%r2", "%r2", "%r8", "0"))
		m.rare(5, "fence.proxy.async")
	}
	if m.oneIn(3) {
		m.part(m.pick("%r5", "%r5", "%r3"))
	}
	m.seldom(14, "bar.sync 0")
	if copied {
		m.under(leader, m.transfers)
	} else {
		m.arrivals(count)
	}
	if m.oneIn(8) { // too early
		m.tile(m.pick("%r2", "%r8"))
	}
	m.awaits()
	for range 1 + m.IntN(3) {
		m.tile(m.pick("%r2", "%r2", "%r8", "0"))
	}
	if m.oneIn(3) {
		m.part(m.pick("%r5", "%r5", "%r3"))
	}
	k := m.kernel()
	k.text = strings.Replace(k.text, "sm_80", "sm_90", 1)
	k.text = strings.Replace(k.text, "\t.shared .align 16 .b8 tile[4096];\n", "\t.shared .align 16 .b8 tile[4096];\n\t.shared .align 8 .b64 ready[2];\n", 1)
	k.launches[0].block = block
	return k
}

// under writes what threads do for which a condition does not hold.
func (m *maker) under(not string, body func()) {
	end := m.label()
	m.emit("@%s bra %s", not, end)
	body()
	m.text.WriteString(end + ":\n")
}

// rare writes an instruction, or seldom does not.
func (m *maker) rare(n int, text string) {
	if !m.oneIn(n) {
		m.emit("%s", text)
	}
}

// tile accesses an element of the array in shared memory.
func (m *maker) tile(index string) {
	at := m.wide()
	if index == "0" {
		index = m.reg()
		m.emit("mov.u32 %s, 0", index)
	}
	m.emit("mad.wide.u32 %s, %s, 4, %%rd3", at, index)
	m.perform(m.pick("", "", "", "@"+m.some()+" "), "shared", at, 4)
}

// transfers are bulk copies, with an arrival that expects their bytes.
func (m *maker) transfers() {
	n, sum := 1+m.IntN(2), 0
	var list []string
	for i := range n {
		size := []int{16, 64, 128}[m.IntN(3)]
		sum += size
		from, to := m.wide(), m.wide()
		list = append(list, fmt.Sprintf("add.s64 %s, %s, %d", from, m.pick("%rd1", "%rd1", "%rd2"), 16*m.IntN(4)),
			fmt.Sprintf("add.s64 %s, %%rd3, %d", to, 128*i+m.overlap()),
			fmt.Sprintf("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%s], %d, [%%rd4]", to, from, size))
	}
	expected := sum
	if m.oneIn(8) {
		expected = max(16, sum-16)
	}
	arrival := fmt.Sprintf("mbarrier.arrive.expect_tx.shared.b64 %s, [%%rd4], %d", m.wide(), expected)
	if m.oneIn(3) {
		list = append(list, arrival)
	} else {
		list = append([]string{arrival}, list...)
	}
	if m.oneIn(12) {
		m.tile("%r2")
	}
	for _, text := range list {
		m.emit("%s", text)
	}
}

// overlap is seldom a distance by which a copy is moved into another.
func (m *maker) overlap() int {
	if m.oneIn(8) {
		return -m.IntN(2) * 16 * m.IntN(2)
	}
	return 0
}

// arrivals are those of the first threads, with what they do before.
func (m *maker) arrivals(count int) {
	p := m.pred()
	m.emit("setp.%s.u32 %s, %s, %d", m.pick("ge", "ge", "ge", "ge", "gt"), p, m.pick("%r2", "%r2", "%r2", "%r2", "%r2", "%r6"), count)
	if m.oneIn(4) {
		m.tile(m.pick("%r2", "%r8"))
	}
	m.under(p, func() {
		if !m.oneIn(4) {
			m.tile(m.pick("%r2", "%r2", "%r8"))
		}
		m.emit("mbarrier.arrive%s.shared.b64 %s, [%%rd4]", m.pick("", "", "", "", "", ".release.cta", ".relaxed.cta"), m.wide())
		if m.oneIn(10) {
			m.tile(m.pick("%r2", "%r8"))
		}
	})
}

// awaits writes a wait for a phase.
func (m *maker) awaits() {
	if m.oneIn(10) {
		return
	}
	again, p := m.label(), m.pred()
	body := func() {
		m.text.WriteString(again + ":\n")
		m.emit("mbarrier.%s.parity%s.shared.b64 %s, [%%rd4%s], %s", m.pick("test_wait", "try_wait"), m.pick("", "", "", "", "", ".acquire.cta", ".relaxed.cta"), p, m.pick("", "", "", "", "", "", "", "", "", "+8"),
			m.pick("0", "0", "0", "0", "0", "0", "0", "1"))
		m.emit("@!%s bra %s", p, again)
	}
	if m.oneIn(8) {
		m.under(m.condition(), body)
		return
	}
	body()
}

// Random kernels whose threads meet at barriers only.

package static_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker writes a random kernel.
type maker struct {
	*rand.Rand
	text          strings.Builder
	r, rd, p, lab int
	depth         int
	uniform       bool // all threads of the block are here
	data          bool // an index may be loaded
	sync          bool // the second buffer is of locks and flags
	copies        bool // asynchronous copies
	narrow        bool // fences and operations mostly have the scope of the block
}

func randomKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x68677264)), r: 10, uniform: true}
	m.data = m.IntN(6) == 0
	n := 2 + m.IntN(4)
	for range n {
		m.statement()
	}
	return m.kernel()
}

// copyingKernel has asynchronous copies, for which threads wait by groups.
func copyingKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x636f7079)), r: 10, uniform: true, copies: true}
	for range 2 + m.IntN(5) {
		m.statement()
	}
	return m.kernel()
}

// copying writes a copy, the end of a group, or a wait.
func (m *maker) copying() {
	switch k := m.IntN(10); {
	case k < 4:
		from, to, size := m.wide(), m.wide(), m.pick("4", "4", "8", "16")
		i := m.pick("%r2", "%r2", m.index(1))
		m.emit("mad.wide.u32 %s, %s, %s, %s", from, m.pick(i, i, "%r2"), size, m.pick("%rd1", "%rd2"))
		masked := m.reg()
		m.emit("and.b32 %s, %s, 127", masked, i)
		m.emit("mad.wide.u32 %s, %s, %s, %%rd3", to, masked, size)
		guard := ""
		if m.IntN(5) == 0 {
			guard = "@" + m.condition() + " "
		}
		m.emit("%scp.async.ca.shared.global [%s], [%s], %s", guard, to, from, size)
		if m.IntN(2) == 0 {
			m.emit("cp.async.commit_group")
			m.emit("cp.async.wait_group %s", m.pick("0", "0", "1"))
			if m.uniform {
				m.emit("bar.sync 0")
			}
		}
	case k < 5:
		m.emit("cp.async.commit_group")
	case k < 7:
		m.emit("cp.async.wait_group %s", m.pick("0", "0", "1", "2"))
	case k < 8:
		m.emit("cp.async.wait_all")
	case m.uniform:
		m.emit("bar.sync 0")
	}
}

// kernel is the kernel that was written, and a launch of it.
func (m *maker) kernel() *random {
	head := fmt.Sprintf(`.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)
{
	.reg .pred %%p<%d>;
	.reg .b32 %%r<%d>;
	.reg .b64 %%rd<%d>;
	.shared .align 16 .b8 tile[4096];
	ld.param.u64 %%rd1, [p];
	ld.param.u64 %%rd2, [q];
	mov.u64 %%rd3, tile;
	ld.param.u32 %%r1, [n];
	mov.u32 %%r2, %%tid.x;
	mov.u32 %%r3, %%ctaid.x;
	mov.u32 %%r4, %%ntid.x;
	mad.lo.s32 %%r5, %%r3, %%r4, %%r2;
	mov.u32 %%r6, %%laneid;
	mov.u32 %%r7, %%nctaid.x;
`, m.p+1, m.r+1, m.rd+6)
	l := randomLaunch{kernel: "k", grid: 1 + m.Uint32N(3), block: []uint32{1, 4, 32, 33, 64}[m.IntN(5)], buffers: []int{0, 1}, numbers: []int64{m.Int64N(70)}}
	if m.IntN(10) == 0 {
		l.buffers[1] = 0
	}
	return &random{text: head + m.text.String() + "\tret;\n}\n", size: 1 << 16, launches: []randomLaunch{l}}
}

func (m *maker) emit(format string, args ...any) { fmt.Fprintf(&m.text, "\t"+format+";\n", args...) }

func (m *maker) reg() string  { m.r++; return fmt.Sprintf("%%r%d", m.r-1) }
func (m *maker) wide() string { m.rd++; return fmt.Sprintf("%%rd%d", m.rd+4) }
func (m *maker) pred() string { m.p++; return fmt.Sprintf("%%p%d", m.p) }
func (m *maker) label() string {
	m.lab++
	return fmt.Sprintf("L%d", m.lab)
}

func (m *maker) pick(s ...string) string { return s[m.IntN(len(s))] }

// statement writes accesses, barriers, branches and loops.
func (m *maker) statement() {
	if m.copies && m.IntN(2) == 0 {
		m.copying()
		return
	}
	switch k := m.IntN(12); {
	case k < 2 && m.uniform:
		m.emit("%s", m.pick("bar.sync 0", "bar.sync 0", "barrier.sync 1", "bar.warp.sync -1"))
	case k < 4 && m.depth < 2:
		m.branch()
	case k < 6 && m.depth < 2:
		m.loop()
	default:
		m.access()
	}
}

func (m *maker) branch() {
	p, end, was := m.condition(), m.label(), m.uniform
	m.emit("@%s bra %s", p, end)
	m.depth, m.uniform = m.depth+1, m.uniform && m.IntN(6) == 0
	m.statement()
	if m.IntN(3) == 0 {
		other := m.label()
		m.emit("bra %s", other)
		m.text.WriteString(end + ":\n")
		m.statement()
		end = other
	}
	m.depth, m.uniform = m.depth-1, was
	m.text.WriteString(end + ":\n")
}

// loop is a loop of few rounds, whose counter indices may use.
func (m *maker) loop() {
	i, p, top := m.reg(), m.pred(), m.label()
	start := m.pick("0", "1", "%r2", "%r1", "%r4")
	m.emit("mov.u32 %s, %s", i, start)
	m.text.WriteString(top + ":\n")
	was := m.uniform
	m.depth, m.uniform = m.depth+1, m.uniform && start != "%r2"
	for range 1 + m.IntN(2) {
		m.statement()
	}
	switch m.IntN(4) {
	case 0, 1:
		m.accessAt(i)
	case 2:
		m.tree(i)
	}
	m.depth, m.uniform = m.depth-1, was
	switch m.IntN(4) {
	case 0:
		m.emit("add.s32 %s, %s, %s", i, i, m.pick("1", "2", "%r4"))
		m.emit("setp.lt.%s %s, %s, %s", m.pick("u32", "s32"), p, i, m.pick("3", "%r4", "70"))
	case 1:
		m.emit("add.s32 %s, %s, 1", i, i)
		m.emit("and.b32 %s, %s, 63", i, i)
		m.emit("setp.ne.s32 %s, %s, %s", p, i, m.pick("4", "0"))
	case 2:
		m.emit("shl.b32 %s, %s, 1", i, i)
		m.emit("max.u32 %s, %s, 1", i, i)
		m.emit("setp.lt.u32 %s, %s, %s", p, i, m.pick("70", "%r1", "300"))
	default:
		m.emit("shr.u32 %s, %s, 1", i, i)
		m.emit("setp.ne.u32 %s, %s, 0", p, i)
	}
	m.emit("@%s bra %s", p, top)
}

// tree is a step of a tree of sums in the tile: some threads access their own element, and the one at a distance.
func (m *maker) tree(distance string) {
	d, rest, p, own, other := m.reg(), m.reg(), m.pred(), m.wide(), m.wide()
	m.emit("shl.b32 %s, %s, %s", d, distance, m.pick("0", "1", "1"))
	m.emit("max.u32 %s, %s, 2", d, d)
	m.emit("rem.u32 %s, %%r2, %s", rest, d)
	m.emit("setp.eq.u32 %s, %s, 0", p, rest)
	m.emit("add.s32 %s, %%r2, %s", rest, distance)
	m.emit("and.b32 %s, %s, 255", rest, rest)
	m.emit("mad.wide.u32 %s, %%r2, 4, %%rd3", own)
	m.emit("mad.wide.u32 %s, %s, 4, %%rd3", other, rest)
	m.emit("@%s ld.shared.u32 %s, [%s]", p, rest, other)
	m.emit("@%s st.shared.u32 [%s], %s", p, own, rest)
}

func (m *maker) condition() string {
	p := m.pred()
	m.emit("setp.%s.%s %s, %s, %s", m.pick("eq", "ne", "lt", "ge", "gt", "le"), m.pick("u32", "s32"), p, m.index(1), m.pick("0", "1", "5", "31", "32", "%r1", "%r4"))
	return p
}

// index is a random expression of the indices.
func (m *maker) index(depth int) string {
	if depth == 0 || m.IntN(4) == 0 {
		return m.pick("%r2", "%r2", "%r3", "%r5", "%r5", "%r6", "%r1", "%r4", "%r7")
	}
	d, a := m.reg(), m.index(depth-1)
	switch m.IntN(14) {
	case 0, 1, 2:
		m.emit("add.s32 %s, %s, %s", d, a, m.pick("1", "4", "-1", "31", m.index(depth-1)))
	case 3, 4:
		m.emit("mul.lo.s32 %s, %s, %s", d, a, m.pick("2", "3", "5", "%r4", "%r1"))
	case 5:
		m.emit("shl.b32 %s, %s, %d", d, a, m.IntN(6))
	case 6:
		m.emit("shr.%s %s, %s, %d", m.pick("u32", "s32"), d, a, m.IntN(6))
	case 7:
		m.emit("and.b32 %s, %s, %s", d, a, m.pick("31", "-2", "7", "24", "1"))
	case 8:
		m.emit("rem.%s %s, %s, %s", m.pick("u32", "s32"), d, a, m.pick("3", "8", "10", "%r4"))
	case 9:
		m.emit("div.%s %s, %s, %s", m.pick("u32", "s32"), d, a, m.pick("2", "3", "7", "%r4"))
	case 10:
		m.emit("xor.b32 %s, %s, %s", d, a, m.pick("1", "3", "16"))
	case 11:
		m.emit("sub.s32 %s, %s, %s", d, m.pick("%r4", "63", "%r1", "0"), a)
	case 12:
		m.emit("%s.%s %s, %s, %s", m.pick("min", "max"), m.pick("u32", "s32"), d, a, m.pick("3", "%r1", "20"))
	default:
		p := m.pred()
		m.emit("setp.lt.s32 %s, %s, %s", p, a, m.pick("4", "16", "%r1"))
		m.emit("selp.b32 %s, %s, %s, %s", d, a, m.index(depth-1), p)
	}
	return d
}

func (m *maker) access() { m.accessAt(m.index(2)) }

// accessAt accesses a buffer or the tile at an element.
func (m *maker) accessAt(index string) {
	shared := m.IntN(3) == 0
	if m.data && m.IntN(2) == 0 {
		d, at := m.reg(), m.wide()
		m.emit("and.b32 %s, %s, 63", d, index)
		m.emit("mad.wide.u32 %s, %s, 4, %%rd2", at, d)
		m.emit("ld.global.u32 %s, [%s]", d, at)
		index = d
	}
	if m.IntN(4) > 0 {
		d := m.reg()
		m.emit("and.b32 %s, %s, %s", d, index, m.pick("127", "255"))
		index = d
	}
	size := []int{4, 4, 4, 1, 8}[m.IntN(5)]
	at := m.wide()
	base := m.pick("%rd1", "%rd1", "%rd2")
	if m.sync && m.IntN(3) > 0 {
		base = "%rd1"
	}
	space := m.pick("global", "global", "")
	if shared {
		base, space = "%rd3", "shared"
	}
	m.emit("mad.wide.%s %s, %s, %d, %s", m.pick("u32", "s32"), at, index, size, base)
	guard := ""
	if m.IntN(3) == 0 {
		guard = "@" + m.pick("", "!") + m.condition() + " "
	}
	m.perform(guard, space, at, size)
}

func (m *maker) perform(guard, space, at string, size int) {
	dot := space
	if dot != "" {
		dot = "." + dot
	}
	t := map[int]string{1: ".u8", 4: ".u32", 8: ".v2.u32"}[size]
	value := "%r2"
	if size == 8 {
		value = "{%r2, %r3}"
	}
	switch k := m.IntN(8); {
	case k < 4:
		m.emit("%sst%s%s [%s], %s", guard, dot, t, at, value)
	case k < 7 || size != 4:
		d := m.reg()
		if size == 8 {
			d = "{" + d + ", " + m.reg() + "}"
		}
		m.emit("%sld%s%s %s, [%s]", guard, dot, t, d, at)
	default:
		m.emit("%sred%s%s.add.u32 [%s], 1", guard, m.pick("", ".cta"), dot, at)
	}
}

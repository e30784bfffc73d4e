package emulated_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A litmus test is written as threads, a thread as operations: W or R, a location, the written value. "?" after a read:
// the thread continues only if it has read 1. "~": the operation is weak in all variants; it accesses the data that are
// passed, and not the flag.

// litmusOp is an operation of a litmus test.
type litmusOp struct {
	write, guard, weak bool
	loc                int // index in litmusLocations
	value              int
}

const litmusLocations = "xyd"

// litmusThread parses operations such as "Wd1~ Rx?".
func litmusThread(text string) (ops []litmusOp) {
	for _, word := range strings.Fields(text) {
		o := litmusOp{
			write: word[0] == 'W', loc: strings.IndexByte(litmusLocations, word[1]),
			guard: strings.Contains(word, "?"), weak: strings.Contains(word, "~"),
		}
		if o.write {
			o.value = int(word[2] - '0')
		}
		ops = append(ops, o)
	}
	return ops
}

// litmusSide is the synchronisation of a thread: the kind and scope of its accesses, and the fence between any two of
// them.
type litmusSide struct {
	access string // weak, volatile, relaxed or ordered: release and acquire
	scope  string // of relaxed and ordered accesses
	fence  string // "", or acq_rel or sc with a scope
}

var (
	litmusFences   = []string{"", "acq_rel.cta", "acq_rel.gpu", "sc.cta", "sc.gpu"}
	litmusAccesses = []litmusSide{
		{access: "weak"},
		{access: "volatile"},
		{access: "relaxed", scope: "cta"},
		{access: "relaxed", scope: "gpu"},
		{access: "ordered", scope: "cta"},
		{access: "ordered", scope: "gpu"},
	}
)

// litmusSides returns all ways to synchronise.
func litmusSides() (list []litmusSide) {
	for _, s := range litmusAccesses {
		for _, s.fence = range litmusFences {
			list = append(list, s)
		}
	}
	return list
}

// String returns such as "relaxed.gpu fence.sc.gpu".
func (s litmusSide) String() string {
	text := s.access
	if s.scope != "" {
		text += "." + s.scope
	}
	if s.fence != "" {
		text += " fence." + s.fence
	}
	return text
}

// modifier returns the modifiers of ld or st.
func (s litmusSide) modifier(o litmusOp) string {
	switch {
	case o.weak || s.access == "weak":
		return "weak"
	case s.access == "volatile":
		return "volatile"
	case s.access == "relaxed":
		return "relaxed." + s.scope
	case o.write:
		return "release." + s.scope
	}
	return "acquire." + s.scope
}

// litmusUnread is the result of a read that was not made.
const litmusUnread = 7

// litmusPTX returns the kernel of a test whose thread i synchronises as sides[i]. The threads are the first ones of
// warps, or of blocks if those have one thread each. Operation j of thread i stores the value that it reads in
// out[2i+j].
func litmusPTX(threads [][]litmusOp, sides []litmusSide) string {
	var b strings.Builder
	b.WriteString(`.version 7.5
.target sm_70
.address_size 64
.visible .entry k(.param .u64 mem, .param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [mem];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 31;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 ret;
	mov.u32 %r3, %ctaid.x;
	shr.u32 %r4, %r1, 5;
	add.u32 %r4, %r4, %r3;
`)
	for i, ops := range threads {
		fmt.Fprintf(&b, "\tsetp.ne.u32 %%p1, %%r4, %d;\n\t@%%p1 bra L%d;\n", i, i)
		for j, o := range ops {
			if j > 0 && sides[i].fence != "" {
				fmt.Fprintf(&b, "\tfence.%s;\n", sides[i].fence)
			}
			at, how := 4*o.loc, sides[i].modifier(o)
			if o.write {
				fmt.Fprintf(&b, "\tst.%s.global.u32 [%%rd1+%d], %d;\n", how, at, o.value)
				continue
			}
			fmt.Fprintf(&b, "\tld.%s.global.u32 %%r5, [%%rd1+%d];\n\tst.global.u32 [%%rd2+%d], %%r5;\n", how, at, 4*(2*i+j))
			if o.guard {
				b.WriteString("\tsetp.ne.u32 %p1, %r5, 1;\n\t@%p1 ret;\n")
			}
		}
		fmt.Fprintf(&b, "\tret;\nL%d:\n", i)
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// litmusYAML launches the kernel with n threads in one block or in blocks of their own.
func litmusYAML(n int, oneBlock bool) string {
	grid, block := n, 1
	if oneBlock {
		grid, block = 1, 32*(n-1)+1
	}
	return fmt.Sprintf(`buffers:
  mem: {type: u32, count: %d, init: 0}
  out: {type: u32, count: %d, init: %d}
launches: [{kernel: k, grid: %d, block: %d, args: [mem, out]}]
`, len(litmusLocations), 2*n, litmusUnread, grid, block)
}

// litmusOutcomes returns the final states, memory and then results, under sequential
// consistency: of all interleavings, one by one.
func litmusOutcomes(threads [][]litmusOp) []string {
	seen := map[string]bool{}
	var walk func(next, mem, out []int)
	walk = func(next, mem, out []int) {
		end := true
		for i, ops := range threads {
			if next[i] == len(ops) {
				continue
			}
			end = false
			n, m, r := slices.Clone(next), slices.Clone(mem), slices.Clone(out)
			o := ops[n[i]]
			if o.write {
				m[o.loc] = o.value
			} else {
				r[2*i+n[i]] = m[o.loc]
			}
			n[i]++
			if o.guard && m[o.loc] != 1 {
				n[i] = len(ops)
			}
			walk(n, m, r)
		}
		if end {
			seen[fmt.Sprint(mem, out)] = true
		}
	}
	walk(make([]int, len(threads)), make([]int, len(litmusLocations)), slices.Repeat([]int{litmusUnread}, 2*len(threads)))
	return slices.Sorted(maps.Keys(seen))
}

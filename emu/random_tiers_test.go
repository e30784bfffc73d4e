package emu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Random programs about what a run in assembly has bound: addresses in every state space
// and at the ends of what lies there, stacks that grow and shrink in the middle of code,
// calls in loops and recursion, memory that is allocated and freed, and grids that are
// launched by threads. Threads race for what they access: two runs under one schedule
// still do the same. Many programs fault; then the faults are compared.

// tierRegs is how many registers of each kind an activation has.
const tierRegs = 4

// tierDecls declares the registers of every function. %c is the address of an access, the
// %z are distances between lanes, the %ptr addresses of places; launchV2 uses the %rd and
// the higher %r.
var tierDecls = fmt.Sprintf(`	.reg .pred %%p<%[1]d>, %%q, %%l<16>; .reg .b16 %%h<%[1]d>; .reg .b32 %%r<32>, %%n<16>, %%lane;
	.reg .b64 %%d<%[1]d>, %%z<6>, %%c, %%s, %%t, %%u, %%v, %%ptr<12>, %%rd<32>; .reg .u64 %%f;
`, tierRegs)

// place is memory that a program may access: bytes from an address in a register on.
type place struct {
	reg   string
	space string // of its addresses, "" for generic ones
	bytes int
	fixed bool // stores are rare: they are faults, or make later loads some
}

// tierWriter writes a program.
type tierWriter struct {
	strings.Builder
	r      *rand.Rand
	places []place
	depth  int
	label  int
	wild   int  // one of so many accesses is about an end
	kernel bool // that the host launches: threads have lanes of their own
	calls  []string
}

// tierProgram is a random program, and the bytes of its two buffers.
func tierProgram(r *rand.Rand) (text string, sizes [2]uint64) {
	w := &tierWriter{r: r, wild: []int{10, 200, 2000}[r.IntN(3)]}
	sizes = [2]uint64{uint64(w.size()), uint64(w.size())}
	if r.IntN(40) == 0 {
		sizes[1] += 4 << 20 // whose pages come when they are touched
	}
	shared, constant, global := w.size(), w.size(), w.size()
	w.WriteString(header + deviceRuntime + ".extern .func (.param .b64 p) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n")
	fmt.Fprintf(w, ".shared .align 16 .b8 sh[%d];\n.const .align 16 .b8 cv[%d] = {1, 2, 3, 4, 5, 6, 7};\n.global .align 16 .b8 gv[%d];\n", shared, constant, global)
	module := []place{
		{"%ptr1", "shared", shared, false},
		{"%ptr2", "", shared, false},
		{"%ptr3", "const", constant, true},
		{"%ptr4", "", constant, true},
		{"%ptr5", "global", global, false},
	}
	w.function("leaf", module)
	w.function("down", module)
	w.entry("child", module, sizes)
	w.calls = []string{"leaf", "down"}
	w.kernel = true
	w.entry("k", module, sizes)
	return w.String(), sizes
}

// size is a number of bytes: some are no multiples of what one access moves.
func (w *tierWriter) size() int { return []int{1024, 1040, 1048, 1052, 528}[w.r.IntN(5)] }

// addresses makes the addresses of the module's variables, of local memory of the
// function, and of single lanes.
func (w *tierWriter) addresses(module []place, local int) {
	fmt.Fprintf(w, `	.local .align 16 .b8 lo[%d];
	mov.u64 %%ptr1, sh; cvta.shared.u64 %%ptr2, %%ptr1; mov.u64 %%ptr3, cv; cvta.const.u64 %%ptr4, %%ptr3; mov.u64 %%ptr5, gv;
	mov.u64 %%ptr6, lo; cvta.local.u64 %%ptr7, %%ptr6; mov.u64 %%ptr8, 0; mov.u64 %%ptr9, 0;
	mov.u32 %%lane, %%laneid; mul.wide.u32 %%z1, %%lane, 4; mul.wide.u32 %%z2, %%lane, 8; mul.wide.u32 %%z3, %%lane, 16; mov.u64 %%z0, 0;
	mul.lo.u32 %%r0, %%lane, 208; and.b32 %%r0, %%r0, 496; cvt.u64.u32 %%z4, %%r0; and.b64 %%z5, %%z3, 32;
	stacksave.u64 %%s;
`, local)
	w.places = append(append([]place{}, module...), place{"%ptr6", "local", local, false}, place{"%ptr7", "", local, false})
	for i := range tierRegs {
		fmt.Fprintf(w, "	mul.lo.u32 %%r%[1]d, %%lane, %[2]d; cvt.u64.u32 %%d%[1]d, %%r%[1]d; cvt.u16.u32 %%h%[1]d, %%r%[1]d; and.b32 %%r31, %%r%[1]d, 4; setp.ne.u32 %%p%[1]d, %%r31, 0;\n", i, 3+2*i)
	}
}

// entry writes a kernel of the two buffers.
func (w *tierWriter) entry(name string, module []place, sizes [2]uint64) {
	const params = 16 + 528
	fmt.Fprintf(w, ".entry %s(.param .u64 a, .param .u64 b, .param .align 16 .b8 more[528]) {\n%s", name, tierDecls)
	w.addresses(module, w.size())
	w.WriteString("	ld.param.u64 %ptr0, [a]; ld.param.u64 %ptr10, [b]; mov.b64 %ptr11, a; cvta.param.u64 %ptr11, %ptr11;\n")
	w.places = append(w.places, place{"%ptr0", "global", int(sizes[0]), false}, place{"%ptr10", "", int(sizes[1]), false},
		place{"%ptr10", "global", int(sizes[1]), false}, place{"%ptr11", "", params, true}, place{"%ptr11", "global", params, true})
	w.statements(6 + w.r.IntN(8))
	for i := range tierRegs {
		fmt.Fprintf(w, "	add.u64 %%c, %%ptr0, %%z2; st.global.b64 [%%c+%[1]d], %%d%[2]d; cvt.u64.u32 %%t, %%r%[2]d; add.u64 %%t, %%t, %%d%[2]d; st.global.b64 [%%c+%[1]d], %%t;\n", 8*i, i)
	}
	w.WriteString("	ret;\n}\n")
}

// function writes a function of a pointer to anywhere and a number. "down" calls itself
// with a smaller one.
func (w *tierWriter) function(name string, module []place) {
	fmt.Fprintf(w, ".func (.param .b64 ret) %s(.param .b64 ptr, .param .b32 n) {\n%s", name, tierDecls)
	w.addresses(module, 16*(1+w.r.IntN(12)))
	w.WriteString("	ld.param.b64 %ptr0, [ptr]; ld.param.b32 %r0, [n]; st.param.b64 [ret], %ptr0;\n")
	w.places = append(w.places, place{"%ptr0", "", 192, true}, place{"%ptr0", "", 192, false})
	w.statements(1 + w.r.IntN(5))
	if name == "down" {
		w.WriteString(`	ld.param.b32 %r0, [n]; and.b32 %r0, %r0, 3; setp.eq.u32 %q, %r0, 0; @%q bra BOTTOM; sub.u32 %r0, %r0, 1;
	{ .param .b64 a; .param .b32 b; .param .b64 o; st.param.b64 [a], %ptr7; st.param.b32 [b], %r0; call (o), down, (a, b); ld.param.b64 %d0, [o]; }
BOTTOM:
`)
		w.statements(1 + w.r.IntN(3))
	}
	fmt.Fprintf(w, "	st.param.b64 [ret], %%d%d;\n	ret;\n}\n", w.r.IntN(tierRegs))
}

func (w *tierWriter) statements(n int) {
	for range n {
		switch k := w.r.IntN(30); {
		case k < 3 && w.depth < 3:
			w.branch()
		case k < 6 && w.depth < 2:
			w.loop()
		case k < 10:
			w.stack()
		case k < 13 && len(w.calls) > 0:
			w.call()
		case k < 14:
			w.heap()
		case k < 15 && w.kernel && w.depth == 0:
			w.grid()
		case k < 17:
			w.together()
		case k < 20:
			w.compute()
		default:
			w.access()
		}
	}
}

// guard is one for about every fourth instruction.
func (w *tierWriter) guard() string {
	if w.r.IntN(4) > 0 {
		return ""
	}
	return fmt.Sprintf("@%s%%p%d ", []string{"", "!"}[w.r.IntN(2)], w.r.IntN(tierRegs))
}

// reg is a register of a class.
func (w *tierWriter) reg(class string) string {
	return fmt.Sprintf("%%%s%d", class, w.r.IntN(tierRegs))
}

// access is a load, store or atomic operation somewhere.
func (w *tierWriter) access() {
	p := w.places[w.r.IntN(len(w.places))]
	op := memoryOps[w.r.IntN(len(memoryOps))]
	for !p.allows(op) || p.fixed && !strings.HasPrefix(op, "ld") && w.r.IntN(100) > 0 {
		op = memoryOps[w.r.IntN(len(memoryOps))]
	}
	size := int(opSize(op))
	if p.space == "" {
		op = strings.Replace(op, ".S", "", 1)
	} else {
		op = strings.Replace(op, ".S", "."+p.space, 1)
	}
	lanes, reach := w.lanes(size)
	for size+reach > p.bytes && w.r.IntN(w.wild) > 0 && reach > 0 {
		lanes, reach = w.lanes(size)
	}
	op = strings.Replace(op, "%a", fmt.Sprintf("[%%c+%d]", w.offset(p.bytes, size, reach)), 1)
	for strings.Contains(op, "?") {
		op = strings.Replace(op, "?", fmt.Sprint(w.r.IntN(tierRegs)), 1)
	}
	fmt.Fprintf(w, "	add.u64 %%c, %s, %s; %s%s;\n", p.reg, lanes, w.guard(), op)
}

// allows reports whether there is such an operation in the state space.
func (p *place) allows(op string) bool {
	switch p.space {
	case "const":
		return strings.HasPrefix(op, "ld")
	case "local":
		return strings.HasPrefix(op, "ld") || strings.HasPrefix(op, "st")
	}
	return true
}

// lanes is how far the lanes of an access of size bytes are apart, and how far the last
// one is from the first.
func (w *tierWriter) lanes(size int) (reg string, reach int) {
	k := w.r.IntN(8)
	switch {
	case k < 2:
		return "%z0", 0
	case k < 5 && size == 4:
		return "%z1", 31 * 4
	case k < 5 && size == 8:
		return "%z2", 31 * 8
	case k < 6:
		return "%z3", 31 * 16
	case k < 7:
		return "%z4", 496
	}
	return "%z5", 32
}

// offset is that of an access in a place: within it as a rule, else about an end of it.
func (w *tierWriter) offset(bytes, size, reach int) int {
	last := bytes - size - reach
	if w.r.IntN(w.wild) > 0 {
		if last < 0 {
			return 0
		}
		return w.r.IntN(last/size+1) * size
	}
	return []int{last, last &^ (size - 1), last + size, bytes - size, bytes &^ (size - 1), bytes, -size, 1, 1 << 20, 1 << 30}[w.r.IntN(10)]
}

// stack takes memory on the stack, or gives all that the activation has taken back; what
// was taken is accessed, perhaps after it was given back.
func (w *tierWriter) stack() {
	switch n := 16 * w.r.IntN(40); w.r.IntN(5) {
	case 0:
		fmt.Fprintf(w, "	%sstackrestore.u64 %%s;\n", w.guard())
		if w.r.IntN(10) > 0 {
			w.places = slices.DeleteFunc(w.places, func(p place) bool { return p.reg == "%ptr8" || p.reg == "%ptr9" })
		}
	case 1:
		w.WriteString("	stacksave.u64 %t;\n")
		w.statements(1)
	default:
		if w.r.IntN(30) == 0 {
			n *= 100
		}
		align := []string{"", ", 16", ", 64"}[w.r.IntN(3)]
		fmt.Fprintf(w, "	%salloca.u64 %%ptr8, %d%s; cvta.local.u64 %%ptr9, %%ptr8;\n", w.guard(), n, align)
		if align != "" {
			w.places = append(w.places, place{"%ptr8", "local", n, false}, place{"%ptr9", "", n, false})
		}
		w.access()
	}
}

// branch is an if with an else that may be empty.
func (w *tierWriter) branch() {
	w.label++
	l, known := w.label, len(w.places)
	w.depth++
	fmt.Fprintf(w, "	@%s bra ELSE%d;\n", w.reg("p"), l)
	w.statements(1 + w.r.IntN(3))
	if w.r.IntN(12) == 0 {
		w.WriteString("	exit;\n")
	}
	fmt.Fprintf(w, "	bra END%d;\nELSE%[1]d:\n", l)
	w.statements(w.r.IntN(3))
	fmt.Fprintf(w, "END%d:\n", l)
	w.depth--
	w.places = w.places[:min(known, len(w.places))]
}

// loop is executed up to four times, as often by every thread or not.
func (w *tierWriter) loop() {
	w.label++
	l, c := w.label, w.label%16
	w.depth++
	if w.r.IntN(2) == 0 {
		fmt.Fprintf(w, "	mov.u32 %%n%d, %d;\n", c, 1+w.r.IntN(2))
	} else {
		fmt.Fprintf(w, "	and.b32 %%n%d, %s, 3;\n", c, w.reg("r"))
	}
	fmt.Fprintf(w, "LOOP%d:\n", l)
	w.statements(1 + w.r.IntN(3))
	fmt.Fprintf(w, "	setp.ne.u32 %%l%d, %%n%[1]d, 0; sub.u32 %%n%[1]d, %%n%[1]d, 1; @%%l%[1]d bra LOOP%d;\n", c, l)
	w.depth--
}

// call calls a function, by name or by address, with a pointer to any place.
func (w *tierWriter) call() {
	f, p := w.calls[w.r.IntN(len(w.calls))], w.places[w.r.IntN(len(w.places))]
	for p.space != "" && p.space != "global" {
		p = w.places[w.r.IntN(len(w.places))]
	}
	target, proto := f, ""
	if w.r.IntN(3) == 0 {
		w.label++
		target, proto = "%f", fmt.Sprintf(", P%d", w.label)
		fmt.Fprintf(w, "	mov.u64 %%f, %s; @%s mov.u64 %%f, %s;\nP%d: .callprototype (.param .b64 _) _ (.param .b64 _, .param .b32 _);\n", f, w.reg("p"), w.calls[0], w.label)
	}
	fmt.Fprintf(w, "	{ .param .b64 a; .param .b32 b; .param .b64 o; st.param.b64 [o], %%d0; st.param.b64 [a], %s; st.param.b32 [b], %s; %scall (o), %s, (a, b)%s; ld.param.b64 %s, [o]; }\n",
		p.reg, w.reg("r"), w.guard(), target, proto, w.reg("d"))
}

// heap allocates memory, accesses it, and perhaps frees it and accesses it again.
func (w *tierWriter) heap() {
	n := 16 * (1 + w.r.IntN(40))
	fmt.Fprintf(w, "	{ .param .b64 n; .param .b64 o; st.param.b64 [n], %d; call (o), malloc, (n); ld.param.b64 %%u, [o]; }\n", n)
	w.places = append(w.places, place{"%u", "", n, false})
	w.access()
	w.access()
	if w.r.IntN(2) == 0 {
		w.WriteString("	{ .param .b64 o; st.param.b64 [o], %u; call free, (o); }\n")
		if w.r.IntN(4) == 0 {
			w.access()
		}
	}
	w.places = w.places[:len(w.places)-1]
}

// grid launches a grid from one thread of each block and perhaps waits for it.
func (w *tierWriter) grid() {
	w.label++
	l := w.label
	fmt.Fprintf(w, "	mov.u32 %%r31, %%tid.x; setp.ne.u32 %%q, %%r31, %d; @%%q bra NOGRID%d; .reg .pred %%p3x%[2]d;\n", w.r.IntN(40), l)
	text := launchV2("cuda", "", "child", fmt.Sprint(1+w.r.IntN(2)), fmt.Sprint(1+w.r.IntN(40)), "0", "%ptr0", "%ptr10")
	w.WriteString(strings.ReplaceAll(text, "%p3", fmt.Sprintf("%%p3x%d", l)))
	if w.r.IntN(2) == 0 {
		w.WriteString(syncGrids)
	}
	fmt.Fprintf(w, "NOGRID%d:\n", l)
}

// together is an operation that threads perform together; where some are missing, it is a
// fault or waits for ever.
func (w *tierWriter) together() {
	if w.depth > 0 && w.r.IntN(8) > 0 {
		fmt.Fprintf(w, "	activemask.b32 %%r31; shfl.sync.idx.b32 %s, %s, %d, 31, %%r31;\n", w.reg("r"), w.reg("r"), w.r.IntN(32))
		return
	}
	fmt.Fprintf(w, "	%s\n", []string{
		"bar.sync 0;", "bar.warp.sync -1;",
		fmt.Sprintf("activemask.b32 %%r31; shfl.sync.bfly.b32 %s|%s, %s, %d, 31, %%r31;", w.reg("r"), w.reg("p"), w.reg("r"), w.r.IntN(32)),
		fmt.Sprintf("activemask.b32 %%r31; vote.sync.ballot.b32 %s, %s, %%r31;", w.reg("r"), w.reg("p")),
		fmt.Sprintf("shfl.sync.down.b32 %s, %s, %d, 31, -1;", w.reg("r"), w.reg("r"), w.r.IntN(32)),
	}[w.r.IntN(5)])
}

// compute is arithmetic.
func (w *tierWriter) compute() {
	d, r, p := w.reg("d"), w.reg("r"), w.reg("p")
	fmt.Fprintf(w, "	%s%s\n", w.guard(), []string{
		fmt.Sprintf("add.u64 %s, %s, %s;", d, w.reg("d"), w.reg("d")),
		fmt.Sprintf("mad.lo.u32 %s, %s, 1664525, %s;", r, w.reg("r"), w.reg("r")),
		fmt.Sprintf("cvt.u32.u64 %s, %s;", r, d),
		fmt.Sprintf("xor.b32 %s, %s, %%lane;", r, w.reg("r")),
		fmt.Sprintf("setp.lt.s32 %s, %s, %s;", p, w.reg("r"), w.reg("r")),
		fmt.Sprintf("mul.wide.u32 %s, %s, %s;", d, w.reg("r"), w.reg("r")),
		fmt.Sprintf("mov.b64 {%%r2, %%r1}, %s;", d),
		fmt.Sprintf("cvt.u16.u32 %s, %s;", w.reg("h"), r),
	}[w.r.IntN(8)])
}

// Generating functions and calls.

package differential

import (
	"fmt"
	"strings"
)

// function adds a device function to the program. It may call earlier ones.
func (g *generator) function() {
	f := &function{name: g.name("fn"), kind: functionKind(g.IntN(4)), inline: g.chance(3), result: value{typ: pickOne(g, commonTypes)}}
	outer := g.s
	g.fn = f
	g.chooseSignature()
	for i, v := range f.params {
		g.addParameter(fmt.Sprintf("p%d", i), v)
	}
	for range 2 + g.IntN(3) {
		g.declare()
	}
	g.prepareResult()
	f.body = g.block(g.entry(), 1+g.IntN(4))
	if f.recurses {
		f.body = append(f.body, g.recursion())
		f.cost *= 16
	}
	f.tail = "  return result;\n"
	g.s = outer
	g.p.functions = append(g.p.functions, f)
}

// chooseSignature chooses parameters and the result.
func (g *generator) chooseSignature() {
	f := g.fn
	if f.kind == pointed {
		f.inline = false
		f.result = value{typ: typeU32}
		f.params = []value{{typ: typeU32}, {typ: typeU32}}
		return
	}
	f.recurses = f.kind == pure && g.chance(4)
	f.inline = f.inline && !f.recurses
	if len(g.p.types) > 0 && g.chance(4) {
		f.result.record = pickOne(g, g.p.types)
	}
	f.params = append(f.params, value{typ: pickOne(g, commonTypes)})
	for range g.IntN(4) {
		f.params = append(f.params, g.parameterType())
	}
}

func (g *generator) parameterType() value {
	v := value{typ: pickOne(g, commonTypes), pointer: g.chance(4)}
	if len(g.p.types) > 0 && g.chance(3) {
		v.record = pickOne(g, g.p.types)
	}
	return v
}

// addParameter adds a parameter to the scope.
func (g *generator) addParameter(name string, v value) {
	if v.pointer {
		name = "(*" + name + ")"
	}
	if v.record != nil {
		g.addRecord(name, v.record)
		return
	}
	g.s.scalars = append(g.s.scalars, variable{expr: name, typ: v.typ})
}

// prepareResult declares the variable that the function returns.
func (g *generator) prepareResult() {
	r := g.fn.result
	if r.record == nil {
		g.head("%s result = %s;", r.typ.c, g.expr(r.typ, 1))
		g.s.scalars = append(g.s.scalars, variable{expr: "result", typ: r.typ})
		return
	}
	g.head("%s result;", r.record.name)
	g.head("__builtin_memset(&result, 0, sizeof result);")
	g.addRecord("result", r.record)
}

// entry returns the place at the beginning of the function's body.
func (g *generator) entry() place {
	at := place{times: 1}
	if g.fn.kind == warped || g.fn.kind == uniform {
		at.mask = "m"
	}
	at.uniform = g.fn.kind == uniform
	return at
}

// recursion generates one or two recursive calls.
func (g *generator) recursion() *stmt {
	s := &stmt{text: []string{fmt.Sprintf("if (depth > 0 && %s) {", g.condition(1)), "}"}, blocks: [][]*stmt{nil}}
	for range 1 + g.IntN(2) {
		if args, ok := g.arguments(g.fn); ok {
			s.blocks[0] = append(s.blocks[0], leaf("{ %s r = %s(depth - 1, %s); result = r; }", g.fn.result.c(), g.fn.name, args))
		}
	}
	return s
}

// call generates a call of a function that may be called at the place.
func (g *generator) call(at place) *stmt {
	if len(g.p.functions) == 0 {
		return nil
	}
	f := pickOne(g, g.p.functions)
	first := ""
	switch {
	case f.kind == warped && at.mask == "", f.kind == uniform && !at.uniform, !g.affords(at, f.cost):
		return nil
	case f.kind == warped || f.kind == uniform:
		first = at.mask + ", "
	case f.recurses:
		first = fmt.Sprintf("%d, ", g.IntN(4))
	}
	args, ok := g.arguments(f)
	if !ok {
		return nil
	}
	g.fn.cost += at.times * f.cost
	return g.storeResult(f.result, fmt.Sprintf("%s(%s%s)", f.name, first, args))
}

// storeResult assigns the result of a call after the call, which may change variables.
func (g *generator) storeResult(v value, call string) *stmt {
	if v.record == nil {
		to := g.writable()
		return leaf("{ %s r = %s; %s = %s; }", v.c(), call, to.expr, g.convert("r", v.typ, to.typ))
	}
	for _, r := range g.s.records {
		if r.typ == v.record {
			return leaf("{ %s r = %s; %s = r; }", v.c(), call, r.expr)
		}
	}
	return leaf("%s;", call)
}

// arguments returns expressions for a function's parameters. ok is false if there is no variable for a pointer
// parameter.
func (g *generator) arguments(f *function) (text string, ok bool) {
	var list []string
	for _, v := range f.params {
		arg := g.argument(v)
		if arg == "" {
			return "", false
		}
		list = append(list, arg)
	}
	return strings.Join(list, ", "), true
}

func (g *generator) argument(v value) string {
	if v.record == nil && !v.pointer {
		return g.expr(v.typ, 1)
	}
	ref := ""
	if v.pointer {
		ref = "&"
	}
	if v.record != nil {
		for _, r := range g.s.records {
			if r.typ == v.record && (ref == "" || !g.chance(3)) {
				return ref + r.expr
			}
		}
		return ""
	}
	for _, i := range g.Perm(len(g.s.scalars)) {
		if x := g.s.scalars[i]; x.typ == v.typ && !x.readonly && !x.field {
			return ref + x.expr
		}
	}
	return ""
}

// callPointer generates a call of one of the functions of the table; each thread selects one.
func (g *generator) callPointer(at place) *stmt {
	n, cost := 0, 0
	for _, f := range g.p.functions {
		if f.kind == pointed {
			n++
			cost = max(cost, f.cost)
		}
	}
	if n == 0 || g.fn.name != "" || !g.affords(at, cost) {
		return nil
	}
	g.fn.cost += at.times * cost
	return g.storeResult(value{typ: typeU32}, fmt.Sprintf("pointers[%s %% %d](%s, %s)", g.expr(typeU32, 1), n, g.expr(typeU32, 1), g.expr(typeU32, 1)))
}

// pointerTable returns the definition of the table.
func (p *Program) pointerTable() string {
	var names []string
	for _, f := range p.functions {
		if f.kind == pointed {
			names = append(names, f.name+",")
		}
	}
	return fmt.Sprintf("typedef u32 Pointed(u32, u32);\nCONSTANT Pointed *const pointers[] = {%s};\n", strings.Join(names, " "))
}

// kernel makes the kernel: collective operations first, then a part that each thread may leave separately.
func (g *generator) kernel() {
	g.fn = &function{kind: uniform}
	g.p.kernel = g.fn
	g.kernelHead()
	at := place{mask: "m", uniform: true, times: 1}
	f := g.fn
	f.body = g.block(at, 4+g.IntN(8))
	f.body = append(f.body, g.mixAll()...)
	f.body = append(f.body,
		leaf("block_barrier();\nif (tid == 0) for (u32 i = 0; i < 6; i++) h = mix(h, (u64)shared_cells[i]);\nif (tid == 0) h = mix(h, (u64)(shared_cells[6] ^ shared_cells[7]));\nblock_barrier();"),
		leaf("mem->out[gid] = h;"),
		leaf("if %s return;", g.condition(1)))
	f.body = append(f.body, g.block(place{times: 1}, 1+g.IntN(4))...)
	f.body = append(f.body, g.mixOne(at), g.mixOne(at))
	f.tail = "  mem->out[gid] = h;\n"
}

func (g *generator) kernelHead() {
	g.head("u32 tid = thread_index(), gid = block_index() * block_size() + tid, m = warp_members();")
	g.head("u64 h = gid;")
	g.head("Scratch *my = &mem->scratch[gid];")
	g.head("if (tid < 8) shared_cells[tid] = 0;")
	g.head("block_barrier();")
	g.s.params = true
	g.s.scalars = append(g.s.scalars,
		variable{expr: "tid", typ: typeU32, readonly: true}, variable{expr: "gid", typ: typeU32, readonly: true}, variable{expr: "h", typ: typeU64, readonly: true})
	g.s.arrays = append(g.s.arrays,
		array{"in->w", typeU32, 64, true}, array{"in->d", typeU64, 32, true}, array{"in->f", typeF32, 32, true}, array{"in->g", typeF64, 32, true})
	for range 4 + g.IntN(5) {
		g.declare()
	}
	g.addScratch("my->")
	if g.chance(3) {
		g.head("Scratch stack;\n  __builtin_memset(&stack, 0, sizeof stack);")
		g.head("Scratch *some = %s ? my : &stack;", g.condition(1))
		g.addScratch("some->")
	}
}

// mixAll adds all variables to the thread's result.
func (g *generator) mixAll() []*stmt {
	var list []*stmt
	for _, v := range g.s.scalars {
		if !v.readonly {
			list = append(list, leaf("h = mix(h, %s);", g.mixed(v)))
		}
	}
	for _, a := range g.s.arrays {
		if !a.readonly {
			list = append(list, leaf("#pragma unroll 1\nfor (u32 i = 0; i < %d; i++) h = mix(h, %s);", a.n, g.mixed(variable{expr: a.expr + "[i]", typ: a.elem})))
		}
	}
	return list
}

// mixed returns a variable as an argument of mix.
func (g *generator) mixed(v variable) string {
	if v.typ.float {
		return v.expr
	}
	return "(u64)" + v.read()
}

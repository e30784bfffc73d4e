// Calls of functions of the program, of known functions, and of others.

package host

import (
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// harmless lists functions that change nothing that facts are about. Their arguments keep their values, unless an address is
// passed.
var harmless = setOf(`printf fprintf sprintf snprintf puts fputs fflush fopen fclose perror malloc calloc realloc free atoi atol atoll atof strtol strtoul strtoll strtoull strtod
bzero memcmp strncpy strncat strchr strrchr strstr sscanf fscanf fread fwrite fgets fgetc feof ferror putchar fputc clock_gettime isdigit isspace toupper tolower sleep usleep
strcmp strncmp strcpy strlen strcat strdup memset memcpy memmove rand srand drand48 time clock getenv gettimeofday exit abort sqrt sqrtf pow powf exp log log2 fabs floor ceil ceilf
abs min max std fmin fmax fminf fmaxf assert dim3 make_int2 make_float4 cudaFree cudaFreeHost cudaDeviceSynchronize cudaThreadSynchronize cudaStreamSynchronize cudaGetLastError cudaPeekAtLastError cudaGetErrorString cudaGetErrorName
cudaSetDevice cudaGetDevice cudaGetDeviceCount cudaDeviceReset cudaEventCreate cudaEventRecord cudaEventSynchronize cudaEventElapsedTime cudaEventDestroy cudaStreamCreate cudaStreamDestroy
cudaMemcpyToSymbol cudaFuncSetAttribute cudaFuncSetCacheConfig cudaDeviceSetCacheConfig cudaProfilerStart cudaProfilerStop cudaMallocHost cudaHostAlloc
cudaMemGetInfo cudaGetDeviceProperties cudaDeviceGetAttribute sizeof static_cast`)

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// Harmless reports whether a function is known to change nothing that facts are about, except through addresses that it gets.
// Functions of the CUDA runtime are harmless.
func Harmless(name string) bool {
	rest, runtime := strings.CutPrefix(name, "cuda")
	return harmless[name] || runtime && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

// call executes a call.
func (x *executor) call(n *node, hint string) value {
	if n.x.kind != exName {
		defer x.forgetArrays(n.args)
		return x.method(n)
	}
	name := n.x.op
	x.reached(n.x)
	if !strings.HasPrefix(name, "getopt") {
		defer x.forgetArrays(n.args)
	}
	if Harmless(name) && len(x.functionsOf(x.unit, name)) == 0 { // it does not keep addresses
		defer x.keepsNone(n.args)()
	}
	switch {
	case x.calleeOf(name, len(n.args)) != nil:
		return x.inline(x.calleeOf(name, len(n.args)), n, hint)
	case Asserting(name) && len(n.args) > 0:
		x.assertion(name, n)
		return value{}
	case allocates[name] && len(n.args) >= 2:
		x.allocate(name, n)
		return value{}
	case x.structs[name] != nil || name == "dim3":
		return x.temporary(name, n, hint)
	}
	args := make([]value, len(n.args))
	for i, a := range n.args {
		args[i] = x.eval(a, hint)
	}
	if v, ok := x.onStrings(name, args); ok {
		return v
	}
	x.passes(name, args)
	switch name {
	case "cudaMemset", "cudaMemsetAsync":
		x.memset(args)
		return value{}
	case "cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemset2D":
		if len(args) > 0 && args[0].buf != nil {
			delete(x.st.init, args[0].buf)
		}
		return value{}
	case "cudaLaunchKernel", "cudaLaunchCooperativeKernel":
		x.launchCall(n, args)
		return value{}
	case "cudaGetDeviceProperties", "cudaMemGetInfo", "cudaDeviceGetAttribute", "cudaGetDevice", "cudaGetDeviceCount", "scanf", "fscanf", "sscanf":
		x.changes(args)
		x.input(args)
		return value{}
	case "min", "max", "fmin", "fmax":
		if len(args) == 2 {
			return x.extremum(name, args[0], args[1])
		}
	case "swap":
		if len(n.args) == 2 {
			x.store(n.args[0], args[1])
			x.store(n.args[1], args[0])
			return value{}
		}
	case "sqrt", "sqrtf":
		if len(args) == 1 {
			return squareRoot(args[0])
		}
	case "abs":
		if num, typ := args1(args); num != nil {
			return value{num: expr.Max(num, expr.Neg(num)), typ: typ}
		}
	}
	if parsing[name] {
		return x.parsed(name, n, hint)
	}
	x.changes(args)
	if !Harmless(name) {
		x.unknownCall(n)
	}
	return value{}
}

// keepsNone records which of the variables whose address is an argument have escaped already. The returned function marks the
// others as not escaped after the call.
func (x *executor) keepsNone(args []*node) func() {
	var own []*variable
	for _, a := range args {
		for a != nil && a.kind == exCast {
			a = a.x
		}
		if a == nil || a.kind != exUnary || a.op != "&" {
			continue
		}
		if v, _ := x.place(a.x); v != nil && !x.escaped[v] {
			own = append(own, v)
		}
	}
	return func() {
		for _, v := range own {
			delete(x.escaped, v)
		}
	}
}

// forgetArrays makes the elements of arrays passed to a function unknown, since it may change them.
func (x *executor) forgetArrays(args []*node) {
	for _, a := range args {
		for a != nil && (a.kind == exCast || a.kind == exIndex) {
			a = a.x
		}
		if a == nil || a.kind != exName || x.st == nil {
			continue
		}
		if v := x.lookup(a.op); v != nil && x.st.values[v].list != nil && !v.typ.konst {
			x.st.values[v] = value{}
		}
	}
}

func args1(args []value) (*expr.Int, string) {
	if len(args) != 1 {
		return nil, ""
	}
	return args[0].int()
}

// parsed returns the result of a function that returns the same for the same argument: a number that the program is given.
func (x *executor) parsed(name string, n *node, hint string) value {
	typ := "s32"
	switch {
	case strings.Contains(name, "ul"):
		typ = "u64"
	case strings.HasSuffix(name, "l"):
		typ = "s64"
	}
	text := x.textOf(n)
	if v, ok := x.pure[text]; ok {
		return v
	}
	if hint == "" {
		hint = name
	}
	v := x.fromOutside(func() value { return x.leaf(hint, typ) })
	if len(n.args) > 0 && n.args[0].kind == exIndex && n.args[0].y != nil && n.args[0].y.kind == exNumber {
		x.pure[text] = v
	}
	return v
}

// changes makes the targets of addresses among arguments unknown.
func (x *executor) changes(args []value) {
	for _, a := range args {
		if a.buf != nil {
			delete(x.st.init, a.buf)
		}
		if a.to == nil {
			continue
		}
		x.touched([]value{x.st.values[a.to]})
		x.handsOut(x.st.values[a.to])
		if a.field == "" {
			x.st.values[a.to] = x.uninitialised(a.to.typ)
		} else {
			x.setField(a.to, a.field, value{})
		}
	}
}

// unknownCall makes everything unknown that an unknown function may change: variables to which it may have references, global
// ones, and device memory.
func (x *executor) unknownCall(n *node) {
	for _, a := range n.args {
		if v, field := x.place(a); v != nil && a.kind != exUnary && !v.typ.konst && x.st.values[v].buf == nil {
			if field == "" {
				x.st.values[v] = x.uninitialised(v.typ)
			} else if x.st.values[v].of != nil {
				x.setField(v, field, value{})
			}
		}
	}
	x.forgetShared()
	x.forgetEscaped()
}

// method executes a call of a member function, which may change its object.
func (x *executor) method(n *node) value {
	args := make([]value, len(n.args))
	for i, a := range n.args {
		args[i] = x.eval(a, "")
	}
	x.changes(args)
	x.handsOut(args...)
	if n.x.kind == exMember {
		if f := x.calleeOf(n.x.op, len(n.args)); f != nil {
			return x.inline(f, n, "")
		}
		if v, _ := x.place(n.x.x); v != nil && x.st.values[v].of != nil {
			x.st.values[v] = value{of: x.st.values[v].of, fields: map[string]value{}}
		}
	} else {
		x.eval(n.x, "")
	}
	x.unknownCall(n)
	return value{}
}

// temporary evaluates T(args) or T{args}.
func (x *executor) temporary(name string, n *node, hint string) value {
	list := make([]value, len(n.args))
	for i, a := range n.args {
		list[i] = x.eval(a, hint)
	}
	x.handsOut(list...)
	if name == "dim3" {
		if len(list) == 1 && list[0].of == dim3Type {
			return list[0]
		}
		return x.construct(dim3Type, list, hint)
	}
	return value{of: x.structs[name], fields: map[string]value{}}
}

func (x *executor) extremum(name string, a, b value) value {
	n, m, typ := common(a, b)
	switch {
	case n == nil:
		return value{}
	case strings.HasSuffix(name, "min"):
		return value{num: expr.Min(n, m), typ: typ}
	}
	return value{num: expr.Max(n, m), typ: typ}
}

// calleeOf returns the function of the program that a call means; nil if there is none, or one for devices only. If several in
// other files have that many parameters, it returns nil, and each of them may be called with any arguments.
func (x *executor) calleeOf(name string, args int) *function {
	var found *function
	list := x.functionsOf(x.unit, name)
	for _, f := range list {
		for _, g := range list {
			if f != g && f.unit != x.unit && len(f.params) == len(g.params) {
				x.pointed[f], x.pointed[g] = true, true
				return nil
			}
		}
	}
	for _, f := range list {
		if f.device {
			continue
		}
		if len(f.params) == args {
			return f
		}
		if len(f.params) > args && found == nil {
			found = f
		}
	}
	return found
}

// inline executes a function of the program at a call.
func (x *executor) inline(f *function, n *node, hint string) value {
	args := make([]value, len(n.args))
	for i, a := range n.args {
		args[i] = x.eval(a, "")
	}
	for g, depth := x.frame, 0; g != nil; g, depth = g.outer, depth+1 {
		if g.f == f || depth >= maxCalls { // recursive, or nested too deep
			x.cut = x.cut || x.mayLaunch(f, map[*function]bool{})
			x.changes(args)
			x.handsOut(args...)
			x.unknownCall(n)
			return value{}
		}
	}
	fr := &frame{f: f, outer: x.frame, scopes: []map[string]*variable{{}}, targs: x.templateArgs(f, n.x)}
	for i := range f.params {
		if p := &f.params[i]; p.typ.ref && i < len(n.args) {
			if v, field := x.place(n.args[i]); v != nil && field == "" {
				fr.scopes[0][p.name] = v
			}
		}
	}
	back := x.enter(f)
	for i := range f.params {
		p := &f.params[i]
		if p.typ.ref && fr.scopes[0][p.name] != nil {
			continue
		}
		v := x.newVariable(p.name, p.typ, false)
		fr.scopes[0][p.name] = v
		if i < len(args) {
			x.st.values[v] = x.convert(args[i], p.typ, p.name)
		} else {
			x.st.values[v] = x.uninitialised(p.typ)
		}
	}
	x.frame = fr
	entry := len(x.st.path)
	fr.entry = entry
	start := x.serials
	fl := x.list(f.body)
	x.frame = fr.outer
	if fl == flowOn {
		fr.left = append(fr.left, x.st)
	}
	x.done[f] = true
	if len(fr.left) == 0 { // it does not return
		back()
		x.exited = true
		return value{}
	}
	path := returned(fr.left, entry)
	x.st = fr.left[0]
	for _, s := range fr.left[1:] {
		x.st = x.merge(x.st, s, nil)
	}
	x.st.path = path
	x.leave(fr.scopes[0], start-len(f.params))
	defer back()
	if len(fr.returns) == 1 && fl != flowOn {
		return fr.returns[0]
	}
	x.handsOut(fr.returns...)
	if k := x.kindOf(f.result); len(fr.returns) > 0 && f.result.ptr == 0 && k.typ != "" {
		if hint == "" {
			hint = f.name
		}
		return x.leaf(hint, k.typ)
	}
	return value{}
}

// returned returns the conditions after the return of a function: those at the call, and those inside that hold on every path to
// its end.
func returned(left []*state, entry int) []condition {
	path := left[0].path[:entry:entry]
	for _, c := range left[len(left)-1].path[entry:] {
		every := !c.local
		for _, s := range left[:len(left)-1] {
			has := false
			for _, d := range s.path[min(entry, len(s.path)):] {
				has = has || !d.local && d.That.Equal(c.That)
			}
			every = every && has
		}
		if every {
			path = append(path, c)
		}
	}
	return path
}

// templateArgs binds the template parameters of a function.
func (x *executor) templateArgs(f *function, callee *node) map[string]value {
	if len(f.template) == 0 {
		return nil
	}
	out := make(map[string]value)
	for i, name := range f.template {
		out[name] = value{}
		if i < len(callee.targs) {
			out[name] = x.eval(callee.targs[i], name)
		}
	}
	return out
}

// Memory contents: an abstract interpretation of a whole module that says in which kinds of memory
// addresses, or values derived from them, may lie.

package address

import (
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// host holds the facts about the program that launches a module's kernels.
type host struct {
	// Number reports whether size bytes of a kernel's parameter, from off on, are numbers in each launch, independent
	// of the addresses of the host's objects. Nil: a parameter is a number unless it is as wide as an address.
	Number func(v *rewrite.Var, off int64, size int) bool
	// Numbers identifies the results of Number for the parameters of a kernel. launched is false for a kernel that the
	// host does not launch. It is nil if Number is.
	Numbers func(kernel string) (id string, launched bool)
	// Plain says that the host stores no addresses in memory that kernels read. If it may, kernels are assumed to read
	// these addresses as a whole.
	Plain bool

	mu   sync.Mutex
	kept map[*rewrite.Module]*contents // contents computed so far
}

// executes reports whether threads may execute a function: a kernel only if the host launches it.
func (h *host) executes(f *rewrite.Func) bool {
	if h.Numbers == nil || !f.Entry {
		return f.Defined()
	}
	_, launched := h.Numbers(f.Name)
	return launched && f.Defined()
}

// contents says what the memory of a program may contain, in all launches of the module's
// kernels together: addresses, parts of addresses, values computed from addresses.
type contents struct {
	host   *host
	lies   lyings
	tables []*rewrite.Var // variables whose initial values have addresses
}

// lyings holds the possible contents of each kind of memory.
type lyings [memories]addressContents

// addressContents says whether one kind of memory may contain addresses.
type addressContents struct {
	whole bool // whole addresses
	parts bool // parts of addresses, or values derived from addresses
}

// memoryKind is a class of memory. Its locations are not distinguished.
type memoryKind uint8

const (
	deviceMemory memoryKind = iota // global and constant variables, and memory allocated by the host
	sharedMemory
	localMemory
	argumentMemory // narrow arguments and results of functions
	memories
)

// contentsKey is the key of a module's contents for an unknown host.
type contentsKey struct{}

// contentsOf returns the contents of a module's memory for a host, computed on first use.
func contentsOf(m *rewrite.Module, h *host) *contents {
	if h == nil {
		return m.Memo(contentsKey{}, func() any { return newContents(m, new(host)) }).(*contents)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept[m] == nil {
		if h.kept == nil {
			h.kept = make(map[*rewrite.Module]*contents)
		}
		h.kept[m] = newContents(m, h)
	}
	return h.kept[m]
}

func newContents(m *rewrite.Module, h *host) *contents {
	c := &contents{host: h, tables: proofRules.tables(m)}
	c.lies[deviceMemory].whole = !h.Plain
	for changed := true; changed; {
		before := c.lies
		for _, f := range m.Funcs {
			if h.executes(f) {
				c.lies = c.lies.or(contents{h, before, c.tables}.adds(f))
			}
		}
		changed = c.lies != before
	}
	return c
}

// rootsKey is the key of a function's roots: everything they depend on.
type rootsKey struct {
	lies    lyings
	known   bool   // which parameters are numbers
	numbers string // host.Numbers
}

// key returns the key of the roots of a function's addresses.
func (c *contents) key(f *rewrite.Func) rootsKey {
	k := rootsKey{lies: c.lies}
	if f.Entry && c.host.Numbers != nil {
		k.known = true
		k.numbers, _ = c.host.Numbers(f.Name)
	}
	return k
}

// rootsOf returns the roots of a function's addresses for these contents.
func (c contents) rootsOf(f *rewrite.Func) *Roots {
	return f.Memo(c.key(f), func() any { return newRoots(f, &c) }).(*Roots)
}

// addsKey is the key of what a function adds to the contents of memory.
type addsKey struct{ rootsKey }

// adds returns the contents of memory after the execution of a function, for these contents before.
func (c contents) adds(f *rewrite.Func) lyings {
	return f.Memo(addsKey{c.key(f)}, func() any {
		r := c.rootsOf(f)
		for _, in := range f.Insts {
			c.note(r, in)
		}
		return c.lies
	}).(lyings)
}

// addressTables returns the variables whose initial values contain addresses.
func addressTables(m *rewrite.Module) (out []*rewrite.Var) {
	all := slices.Clone(m.Globals)
	for _, f := range m.Funcs {
		all = append(all, f.Locals...)
	}
	for _, v := range all {
		if v.AST.Init >= 0 && v.InitAddresses(m) {
			out = append(out, v)
		}
	}
	return out
}

// note adds what an instruction may store in memory.
func (c *contents) note(r *Roots, in *rewrite.Inst) {
	if call, ok := in.Call(); ok {
		foreign := call.Func != nil && !call.Func.Defined() && call.Func.Alias == nil && !harmless[call.Func.Name]
		c.lies[argumentMemory].parts = c.lies[argumentMemory].parts || foreign
		return
	}
	if in.Instr.Calc == isa.CalcConvertAddress && in.Space == isa.SpaceParam {
		for _, k := range []memoryKind{deviceMemory, sharedMemory, localMemory} {
			c.lies[k].parts = true // parameters may be read as memory of any kind
		}
	}
	if !in.Effects().Has(isa.WritesMemory) {
		return
	}
	var from addressContents // contents of the source, for an instruction that copies memory
	for _, a := range in.Accesses {
		if a.Kind != isa.AccessStore {
			from = from.or(c.at(r, in, a))
		}
	}
	derives := r.data(in)
	from.parts = from.parts || !derives.plain() && derives.kind != absNothing
	for _, a := range in.Accesses {
		if a.Kind == isa.AccessLoad || a.Space == isa.SpaceParam && a.ElemSize*8 >= r.f.Module.AST.AddressSize {
			continue // a load of a wide argument is an address anyway
		}
		for _, k := range r.kinds(in, a) {
			c.lies[k] = c.lies[k].or(from)
		}
	}
}

func (l addressContents) or(m addressContents) addressContents {
	return addressContents{l.whole || m.whole, l.parts || m.parts}
}

func (l lyings) or(m lyings) lyings {
	for k := range l {
		l[k] = l[k].or(m[k])
	}
	return l
}

// kinds returns the kinds of memory that an access may go to.
func (r *Roots) kinds(in *rewrite.Inst, a isa.Access) []memoryKind {
	space := a.Space
	if space == isa.SpaceNone {
		space = r.space(in, a)
	}
	switch space {
	case isa.SpaceShared:
		return []memoryKind{sharedMemory}
	case isa.SpaceLocal:
		return []memoryKind{localMemory}
	case isa.SpaceParam:
		return []memoryKind{argumentMemory}
	case isa.SpaceNone:
		return []memoryKind{deviceMemory, sharedMemory, localMemory}
	}
	return []memoryKind{deviceMemory}
}

// space returns the state space of a generic access, SpaceNone if unknown.
func (r *Roots) space(in *rewrite.Inst, a isa.Access) isa.Space {
	if a.Indirect {
		return isa.SpaceGlobal
	}
	return r.Address(in, a.Addr).space(r.f)
}

// at returns the possible contents of the location that an access reads.
func (c *contents) at(r *Roots, in *rewrite.Inst, a isa.Access) addressContents {
	var out addressContents
	for _, k := range r.kinds(in, a) {
		out = out.or(c.lies[k])
		if k == deviceMemory {
			out.parts = out.parts || c.table(r, in, a)
		}
	}
	return out
}

// table reports whether an access may read an initial value that is an address.
func (c *contents) table(r *Roots, in *rewrite.Inst, a isa.Access) bool {
	if len(c.tables) == 0 || a.Indirect {
		return false
	}
	switch root := r.Address(in, a.Addr); root.Kind {
	case RootVar:
		return slices.Contains(c.tables, root.Var)
	case RootParam:
		return !r.f.Entry
	}
	return true
}

// read returns the abstract value of what an instruction reads from memory.
func (c *contents) read(r *Roots, in *rewrite.Inst) abstract {
	out := number
	for _, a := range in.Accesses {
		if a.Kind == isa.AccessStore {
			continue
		}
		size := a.ElemSize
		if size == 0 {
			size = r.f.Module.AST.AddressSize / 8
		}
		out = derived(out, proofRules.memory(c.at(r, in, a), size))
	}
	return out
}

// fromMemory returns the abstract value of a load of elements of size bytes. Kernels are assumed to read addresses
// stored by the host as a whole.
func fromMemory(lies addressContents, size int) abstract {
	if lies.parts || lies.whole && size >= 8 {
		return absTop
	}
	return number
}

// loaded returns the abstract value of a load, from a parameter or from any other memory.
func (r *Roots) loaded(in *rewrite.Inst) abstract {
	if in.Access.Space == isa.SpaceParam {
		return proofRules.argument(r, in)
	}
	return r.derive(in)
}

// parameter returns the abstract value of a load of a parameter: an address if the load is as wide as one and nothing
// else is known. A narrower load is a number if it reads the whole argument, or if the argument is narrower than an
// address.
func (r *Roots) parameter(in *rewrite.Inst) abstract {
	wide := r.f.Module.AST.AddressSize / 8
	a := r.effective(in, &in.Operands[in.Access.Addr])
	if a.kind != absAddress || !a.root.Exact || a.root.Kind != RootVar {
		return absTop
	}
	v, size := a.root.Var, in.Access.Size
	formal, whole := r.f.Formal(v), a.root.Off == 0 && v.Size == uint64(size) && len(v.Dims) == 0
	switch {
	case r.f.Entry && formal && r.mem.host.Number != nil && r.mem.host.Number(v, a.root.Off, size):
		return number
	case formal && size == wide && in.Access.ElemSize == size:
		return address(Root{Kind: RootParam, Var: v, At: a.root.Off, Exact: true})
	case r.f.Entry && formal && r.mem.host.Number == nil && v.Size < uint64(wide):
		return number // a part of an argument that is too narrow for an address
	case size >= wide || !whole:
		return absTop
	case r.f.Entry && formal:
		return number // too narrow for an address, whatever the argument
	}
	return r.mem.read(r, in)
}

// Proofs of the static detector about the launches of a program: accesses that precise need not check (in large
// launches, or with its option prove in all), and kernels that are free of races for every input.

package proofs

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	known "github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// proofs caches the results of static analyses of a program.
type proofs struct {
	exempt map[exemptKey]map[*rewrite.Inst]bool // accesses without races
	// decided is the work units of the first analysis to whose results more work units would have added nothing.
	decided     map[kernelKey]int64
	free        map[*rewrite.Func]freedom
	separations map[*rewrite.Func]*static.Separation
	separated   map[kernelKey]map[*rewrite.Inst]bool // accesses that barriers separate from all that they conflict with
	flags       map[kernelKey]map[*rewrite.Inst]bool // accesses to flags
}

func newProofs() proofs {
	return proofs{
		exempt: make(map[exemptKey]map[*rewrite.Inst]bool), decided: make(map[kernelKey]int64),
		free:        make(map[*rewrite.Func]freedom),
		separations: make(map[*rewrite.Func]*static.Separation), separated: make(map[kernelKey]map[*rewrite.Inst]bool),
		flags: make(map[kernelKey]map[*rewrite.Inst]bool),
	}
}

// Program is a program with the proofs about its launches, which it caches. Several goroutines may use it.
type Program struct {
	Module *rewrite.Module

	mu       sync.Mutex
	exempted map[kernelKey]Exemptions // by kernel and facts
	proofs   proofs
}

// NewProgram returns what is proved about a module, which is nothing yet.
func NewProgram(m *rewrite.Module) *Program {
	return &Program{Module: m, exempted: make(map[kernelKey]Exemptions), proofs: newProofs()}
}

// kernelKey identifies the facts about the launches of a kernel.
type kernelKey struct {
	kernel   *rewrite.Func
	launches string
	memory   any // address.Program.Memory
}

// exemptKey identifies the inputs of exemptIn.
type exemptKey struct {
	kernelKey
	units int64
}

// ExemptByAnalysis returns the accesses to global and shared memory that the static detector proves to race with
// nothing in the known launches. They are weak accesses of kernels all of whose accesses go to known objects, which the
// emulator verifies, and every pair of them is proved. Accesses that a strong access may observe are not included:
// without them, that access could be mistaken for synchronisation. Unless asked says that the user requested proofs, the static
// detector analyses only large launches, and only kernels that have an access which is not in exempt. In addition, the
// result has the accesses to shared memory that barriers separate (separatedIn), for kernels that worthSearch accepts.
func (p *Program) ExemptByAnalysis(f *Facts, asked bool, exempt map[*rewrite.Inst]bool) map[*rewrite.Inst]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make(map[*rewrite.Inst]bool)
	isExempt := func(in *rewrite.Inst) bool { return exempt[in] || out[in] }
	for _, k := range f.Order {
		if asked || worthSearch(k, isExempt, f.Of(k)) {
			maps.Copy(out, p.separatedIn(k, f))
		}
		units := worth(k, f.Of(k), asked, f.earned(k))
		if units == 0 || !asked && (!f.lasting(k) || allOf(k, isExempt)) {
			continue
		}
		maps.Copy(out, p.exemptOf(k, f, units))
	}
	return out
}

// allOf reports whether all accesses of a kernel to global and shared memory have a property, and the kernel calls no
// function.
func allOf(k *rewrite.Func, property func(in *rewrite.Inst) bool) bool {
	return !slices.ContainsFunc(k.Insts, func(in *rewrite.Inst) bool {
		return !property(in) && (in.Instr.Effects&isa.Calls != 0 || slices.ContainsFunc(in.Accesses, threadsShare))
	})
}

// separatedIn returns the accesses of a kernel to shared memory that barriers separate from all that they conflict
// with, unless linear addresses show that no two threads access the same bytes. Atomic operations are included only if
// nothing synchronises by strong accesses and nobody reads what they return. A store that is left out hides no
// synchronisation: a strong access that reads from it would seem to read from an earlier access, which is by the thread
// that stores, or before a barrier that orders the two anyway.
func (p *Program) separatedIn(k *rewrite.Func, f *Facts) map[*rewrite.Inst]bool {
	key := f.keyOf(p.Module, k)
	out, known := p.proofs.separated[key]
	if !known {
		s, known := p.proofs.separations[k]
		if !known {
			s = static.SeparationOf(k)
			p.proofs.separations[k] = s
		}
		out = s.Separated(address.SharedApart(k, f.Program.Given(k.Name)))
		all := tallies(k)
		maps.DeleteFunc(out, func(in *rewrite.Inst, _ bool) bool { return in.Access.Atomic() && !all })
		p.proofs.separated[key] = out
	}
	return out
}

// exemptOf returns the accesses of one kernel that race with nothing, with that many work units for each of its
// launches.
func (p *Program) exemptOf(k *rewrite.Func, f *Facts, units int64) map[*rewrite.Inst]bool {
	key := exemptKey{f.keyOf(p.Module, k), units}
	if enough, ok := p.proofs.decided[key.kernelKey]; ok {
		key.units = min(units, enough)
	}
	out, known := p.proofs.exempt[key]
	if known {
		return out
	}
	out = make(map[*rewrite.Inst]bool)
	p.proofs.exempt[key] = out
	if !rooted(k, f.Program) || exemptIn(k, f.Of(k), units, out) {
		p.proofs.decided[key.kernelKey] = units
	}
	return out
}

// rooted reports whether a kernel makes all accesses to global memory itself, and all of them go to known objects.
func rooted(k *rewrite.Func, p *address.Program) bool {
	for _, in := range k.Insts {
		if in.Instr.Effects&isa.Calls != 0 {
			return false
		}
		for _, x := range in.Accesses {
			if x.Kind == isa.AccessNone || x.Space != isa.SpaceGlobal && x.Space != isa.SpaceNone {
				continue
			}
			if kind := p.Root(in, x.Addr).Kind; kind != address.RootVar && kind != address.RootParam {
				return false
			}
		}
	}
	return true
}

// exemptIn adds the accesses of a kernel that race with nothing in any of the launches, as far as that many work units
// show it. If no access races and none synchronises, these are all accesses that the analysis has seen. It reports
// whether more work units would add nothing.
func exemptIn(k *rewrite.Func, launches []KnownLaunch, units int64, out map[*rewrite.Inst]bool) (decided bool) {
	good, unseen := make(map[*rewrite.Inst]bool), make(map[*rewrite.Inst]bool)
	all := tallies(k)
	decided = true
	for i := range launches {
		r, err := static.Analyze(context.Background(), k, launches[i].given(),
			static.Options{Budget: units, ProofOnly: true, Rough: true})
		if err != nil || len(r.Notes) > 0 {
			return true
		}
		all = all && r.Verdict == static.Clean && !slices.ContainsFunc(r.Needed, unverified)
		for _, in := range k.Insts {
			unseen[in] = unseen[in] || !r.Seen[in]
		}
		for _, pair := range r.Pairs {
			decided = decided && pair.Reason != "budget"
			clean := pair.Verdict == static.Clean && (pair.Space == isa.SpaceGlobal || pair.Space == isa.SpaceShared) &&
				!slices.ContainsFunc(pair.Needed, unverified)
			for _, x := range [][2]static.Access{{pair.First, pair.Second}, {pair.Second, pair.First}} {
				in := x[0].Inst
				if in == nil { // the start or end of a block
					continue
				}
				before, seen := good[in]
				good[in] = clean && ordinary(in) && (x[1].Inst == nil || !x[1].Inst.Strong()) &&
					len(x[0].Calls)+len(x[1].Calls) == 0 && (before || !seen)
			}
		}
	}
	for _, in := range k.Insts {
		if good[in] || all && len(in.Accesses) > 0 && !unseen[in] {
			out[in] = true
		}
	}
	return decided
}

// tallies reports whether all strong accesses of a kernel are relaxed atomic operations whose results are unused: then
// nothing synchronises through them, and no value that is used depends on their order.
func tallies(k *rewrite.Func) bool {
	used := make(map[*rewrite.Reg]bool)
	for _, in := range k.Insts {
		in.Uses(func(r *rewrite.Reg) { used[r] = true })
	}
	for _, in := range k.Insts {
		relaxed := !in.Sem.Acquires() && !in.Sem.Releases() && in.Instr.Class != isa.ClassFence
		read := false
		in.Defs(func(r *rewrite.Reg) { read = read || used[r] })
		if !relaxed || in.Strong() && (!in.Access.Atomic() || read) {
			return false
		}
	}
	return true
}

// ordinary reports whether an instruction makes one weak access in the generic proxy.
func ordinary(in *rewrite.Inst) bool {
	return len(in.Accesses) == 1 && !in.Access.Atomic() && !in.Strong() && in.Proxy() == isa.ProxyGeneric &&
		in.Instr.Class != isa.ClassAsync
}

// launchFact is the prefix of facts that a launch gives. Proofs that need other facts, such as that no access leaves
// its allocation, are not used.
const launchFact = "launch: "

// unverified reports whether a proof that needs a fact cannot be used: the launch does not give the fact, and the
// emulator does not verify it. It does verify that two objects of a launch are different allocations, since it books
// accesses on them.
func unverified(fact string) bool {
	return otherFact(fact) && !strings.HasPrefix(fact, "identity: "+objectName)
}

// directiveFact and disjointFact are the prefixes of facts that a directive of the kernel guarantees, and of the
// assumption that pointers of different parameters do not alias.
const directiveFact, disjointFact = "directive: ", "disjoint: "

// objectName is the prefix of the names of allocations that a launch gives a kernel.
const objectName = "object "

// otherFact reports whether a fact is neither given by a launch nor guaranteed by a directive.
func otherFact(fact string) bool {
	return !strings.HasPrefix(fact, launchFact) && !strings.HasPrefix(fact, directiveFact)
}

// given returns the launch in the form for the static detector.
func (l *KnownLaunch) given() *known.Given {
	g := &known.Given{Pointers: make(map[known.Param]known.Pointer)}
	define := func(what string, v *expr.Int, value int64) {
		x := expr.Const(value)
		g.Facts = append(g.Facts, known.Fact{
			Name: launchFact + what, Class: known.Relations, Text: what,
			Formula: expr.Eq(v, x), Var: v.String(), Value: x,
		})
	}
	for _, d := range []struct {
		register string
		extents  emu.Dim3
	}{{"nctaid", l.grid}, {"ntid", l.block}} {
		for i, n := range d.extents.Array() {
			axis := "xyz"[i]
			define(fmt.Sprintf("%s.%c", d.register, axis), known.Dim(d.register, axis), int64(n))
		}
	}
	for i, p := range kernelcode.KernelParams(&rewrite.Func{
		Entry: true, Module: l.kernel.Module,
		Params: l.kernel.Params, Insts: l.kernel.Insts,
	}) {
		a := &l.Args[i]
		if !a.Known {
			continue
		}
		for _, x := range a.Pointers {
			if x.At+PointerBytes <= len(a.Bytes) {
				offset := int64(binary.LittleEndian.Uint64(a.Bytes[x.At:]))
				g.Pointers[known.Param{Index: i, Offset: int64(x.At)}] = known.Pointer{Buffer: fmt.Sprint(objectName,
					x.Number), Offset: expr.Const(offset)}
			}
		}
		if len(a.Pointers) == 0 && !p.Array && !p.Type.Float() && len(a.Bytes) > 0 && len(a.Bytes) <= 8 {
			define(fmt.Sprintf("parameter %d", i+1), known.ParamVar(i, 0, 8*len(a.Bytes)), signed(a.Bytes))
		}
	}
	return g
}

// signed returns a little-endian number in two's complement.
func signed(b []byte) int64 {
	var wide [8]byte
	copy(wide[:], b)
	shift := 64 - 8*len(b)
	return int64(binary.LittleEndian.Uint64(wide[:])<<shift) >> shift
}

// ProvedFor reports whether a kernel is proved free of races for the arguments of its launches.
func (f *Facts) ProvedFor(ctx context.Context, k *rewrite.Func) bool {
	launches := f.Of(k)
	for i := range launches {
		r, err := static.Analyze(ctx, k, launches[i].given(), static.Options{Budget: proveBudget, ProofOnly: true})
		if err != nil || r.Verdict != static.Clean || len(r.Notes) > 0 || slices.ContainsFunc(r.Needed, otherFact) {
			return false
		}
	}
	return len(launches) > 0
}

// freedom says whether a kernel is proved free of races for every input, provided that pointers do not alias and that
// launches satisfy needs.
type freedom struct {
	Yes   bool
	Needs []string
}

func (f *freedom) Text() string {
	text := "proved free of data races for every launch whose pointers lead to different allocations"
	if len(f.Needs) > 0 {
		text += ", which needs " + strings.Join(f.Needs, "; ")
	}
	return text
}

// Free returns whether a kernel is proved free of races for every launch whose pointers lead to different allocations.
func (p *Program) Free(k *rewrite.Func) freedom {
	p.mu.Lock()
	defer p.mu.Unlock()
	out, done := p.proofs.free[k]
	if !done {
		g := known.Nothing()
		g.Disjoint = true
		open := func(p *static.Pair) bool { return p.Verdict != static.Clean }
		r, err := static.Analyze(context.Background(), k, g,
			static.Options{Budget: proveBudget, ProofOnly: true, Stop: open})
		if out.Yes = err == nil && r.Verdict == static.Clean && len(r.Notes) == 0; out.Yes {
			out.Needs = slices.DeleteFunc(r.Needed, func(n string) bool {
				return strings.HasPrefix(n, directiveFact) || strings.HasPrefix(n, disjointFact)
			})
		}
		p.proofs.free[k] = out
	}
	return out
}

// Exemptions returns the accesses of the program that cannot race, given the facts about its launches. Results are
// cached.
func (p *Program) Exemptions(f *Facts) Exemptions {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make(Exemptions)
	for _, k := range f.Order {
		if f.hopeless[k] {
			continue
		}
		key := f.keyOf(p.Module, k)
		if _, known := p.exempted[key]; !known {
			p.exempted[key] = address.Exempt(k, f.Program.Given(k.Name))
		}
		maps.Copy(out, p.exempted[key])
		f.hopeless[k] = f.application && len(p.exempted[key]) == 0
	}
	return out
}

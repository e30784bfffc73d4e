// Differences: the features of a module that the emulator approximates or refuses.

package support

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Difference is a feature that a module uses and that behaves differently here than on a device, or is not emulated.
type Difference struct {
	// Unsupported says that New refuses the module because of it, or that a thread that executes it stops with a fault;
	// otherwise it is emulated, with the difference described by Why.
	Unsupported bool
	// What is an opcode with its modifiers or a special register; "" if Why is sufficient.
	What string
	Why  string
	// At has the positions in the module where it is used, in file order.
	At []ptxgrammar.Position
	// First is the first instruction that uses it, nil for what New refuses.
	First *rewrite.Inst
}

// String describes the difference, without its positions.
func (e *Difference) String() string {
	s := e.Why
	if e.What != "" {
		s = e.What + ": " + s
	}
	if n := len(e.At) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// Differences lists the features of a module that are not emulated, then those that are only approximated, each ordered
// by first position in the file. It is empty for a module whose results are those of a device. Functions that no kernel
// can reach are ignored, unless New refuses the module.
func Differences(mod *rewrite.Module) []Difference {
	l := &collector{index: map[differenceKey]int{}}
	m, err := emu.New(mod, emu.Config{})
	var problems ptxgrammar.ErrorList
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			l.add(differenceKey{Unsupported: true, Why: p.Msg}, p.Pos, nil)
		}
	case err != nil:
		l.add(differenceKey{Unsupported: true, Why: err.Error()}, ptxgrammar.Position{}, nil)
	}
	for _, f := range mod.Funcs {
		if m == nil || m.Decoded(f) {
			for _, in := range f.Insts {
				l.inst(in)
			}
		}
	}
	slices.SortStableFunc(l.entries, compareEntries)
	return l.entries
}

// Of lists the features of the instructions of some functions, as Differences does.
func Of(functions []*rewrite.Func) []Difference {
	l := &collector{index: map[differenceKey]int{}}
	for _, f := range functions {
		for _, in := range f.Insts {
			l.inst(in)
		}
	}
	slices.SortStableFunc(l.entries, compareEntries)
	return l.entries
}

// differenceKey identifies an entry.
type differenceKey struct {
	Unsupported bool
	What, Why   string
}

type collector struct {
	entries []Difference
	index   map[differenceKey]int
}

func (l *collector) add(k differenceKey, at ptxgrammar.Position, first *rewrite.Inst) {
	i, ok := l.index[k]
	if !ok {
		i = len(l.entries)
		l.index[k] = i
		l.entries = append(l.entries, Difference{Unsupported: k.Unsupported, What: k.What, Why: k.Why, First: first})
	}
	e := &l.entries[i]
	if n := len(e.At); n == 0 || e.At[n-1] != at {
		e.At = append(e.At, at)
	}
}

func compareEntries(a, b Difference) int {
	if a.Unsupported != b.Unsupported {
		if a.Unsupported {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.At[0].Line, b.At[0].Line), cmp.Compare(a.At[0].Col, b.At[0].Col))
}

// inst adds why an instruction is not emulated, and the approximations of it and of the special registers that it
// reads.
func (l *collector) inst(in *rewrite.Inst) {
	if why := emu.Refuses(in); why != "" {
		l.add(differenceKey{Unsupported: true, What: in.Opcode(), Why: why}, in.Position(), in)
		return
	}
	for i := range approximated {
		if a := &approximated[i]; a.by(in) {
			l.add(differenceKey{What: in.Opcode(), Why: a.why}, in.Position(), in)
		}
	}
	l.specials(in, in.Operands)
}

// specials adds the special registers among operands.
func (l *collector) specials(in *rewrite.Inst, ops []rewrite.Operand) {
	for i := range ops {
		op := &ops[i]
		if op.Kind == rewrite.OperandSpecial {
			if why := specialApproximation(op.Special.Name); why != "" {
				l.add(differenceKey{What: op.Special.Name, Why: why}, in.Position(), in)
			}
		}
		l.specials(in, op.Elems)
	}
}

// specialApproximation describes how a special register differs from a device's, "" if it does not.
func specialApproximation(name string) string {
	switch {
	case emu.IsClock(name):
		return "counts warp instructions of the launch, not cycles or nanoseconds"
	case name == "%smid" || name == "%nsmid":
		return "the emulated device has one multiprocessor"
	case strings.HasPrefix(name, "%pm"), strings.HasPrefix(name, "%envreg"):
		return "reads 0: there is no driver or profiler that sets it"
	}
	return ""
}

// approximation is a class of instructions whose results may differ on a device.
type approximation struct {
	by  func(in *rewrite.Inst) bool
	why string
}

// approximated lists all approximations. It does not include instructions that the manual defines exactly, nor
// instructions without a result, such as cache hints.
var approximated = []approximation{
	{
		func(in *rewrite.Inst) bool { return in.Has("approx") || in.Has("full") },
		"computed in double precision and rounded once; a device's result may differ within the manual's error bound",
	},
	{
		sumsOfProducts,
		"the products are added in order in double precision and rounded once; order and precision on a device are unspecified",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "wmma" && !in.Has("mma") },
		"which thread holds which element of the fragment is unspecified; a device's choice differs",
	},
	{
		asynchronous,
		"performed at once unless operations are made late: a missing wait changes no result here",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("mma_async") },
		"each warp computes its rows at once: a missing wgmma.fence or wgmma.wait_group changes no result here",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("async") && in.Has("release") },
		"performed at once, as the store or reduction without .async is",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "cvta" && in.Type(0).Bits() == 32 },
		"generic addresses have 64 bits: this is the lower half of one, from which cvta.to gives the address back; an access through it is a fault",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("ashift") },
		"the rows of A move when they have been multiplied; the manual does not say that the product has them as they were before",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("im2col::w::128") && !in.Has("prefetch") },
		"the halos of the four groups of pixels lie behind all of them, the first pixel of each group first, as tcgen05.cp.4x256b takes them; the manual shows it in a figure only",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("ignore_oob") },
		"bytes whose source is ignored, which the manual calls indeterminate, keep their values here",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "cvt" && in.Has("rs") && in.Type(0).Lanes() == 4 },
		"which random bits each number gets follows the manual's text; the random bits stand against the uppermost discarded ones, which the manual does not say",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "multimem" },
		"an address that is not one of a multicast object stands for an object with one replica, whose address it is;" +
			" sums of 8 and 16 bits are rounded once",
	},
	{
		emu.LaunchesGrid,
		"a grid launched by a thread runs in one piece, not interleaved with the one that launched it; how deep cudaDeviceSynchronize may be nested is not limited",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "nanosleep" },
		"gives the turn to other threads; no time passes",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "tex" && in.Type(1).Float() },
		"linear filtering rounds its weights to 1/256 and the result once; a device may compute in another order",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "sust" && in.Has("p") },
		"components of the surface that the vector lacks, which the manual calls unpredictable, are 0 here; integers lose the bits that do not fit",
	},
	{
		func(in *rewrite.Inst) bool { return in.Instr.Name == "tex" && in.Has("grad") },
		"the level of detail is the logarithm of the longer gradient; a device may compute it otherwise",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("oob") },
		"which NaN means out of bounds is not in the manual: 0xffff here",
	},
	{
		func(in *rewrite.Inst) bool { return in.Has("tensor") && in.Has("mbarrier::complete_tx::bytes") },
		"which NaN fills what lies outside a tensor is not in the manual: that with all bits set here",
	},
}

// sumsOfProducts reports whether the instruction multiplies floating-point matrices.
func sumsOfProducts(in *rewrite.Inst) bool {
	switch in.Instr.Name {
	case "mma", "wgmma":
		return in.Type(0).Float()
	case "tcgen05":
		return in.Has("mma") && !in.Has("kind::i8")
	case "wmma":
		return in.Has("mma") && in.Type(0).Float()
	}
	return false
}

// asynchronous reports whether the instruction starts a change of memory that a later instruction waits for.
func asynchronous(in *rewrite.Inst) bool {
	if in.Instr.Name == "tcgen05" && (in.Has("mma") || in.Has("cp") || in.Has("shift") || in.Has("st")) {
		return true
	}
	return in.Has("async") && !in.Has("arrive") && !in.Has("release") && in.Instr.Effects.Has(isa.WritesMemory) &&
		len(in.Operands) > 1
}

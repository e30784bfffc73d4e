// Loads: the variables that stand for their results, and whether something writes what they read.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

type loadKey struct {
	f  *symbolic.Frame
	in *rewrite.Inst
}

// LoadName returns the variable for the value of a load, "" if there is none.
func (m *Model) LoadName(f *symbolic.Frame, in *rewrite.Inst, elem int) string {
	if elem != 0 || len(in.Operands) == 0 || in.Operands[0].Kind != rewrite.OperandReg {
		return ""
	}
	if m.loads == nil {
		m.loads = make(map[loadKey]string)
		for name, o := range m.Kernel.Origins() {
			if o.Inst != nil && o.Inst.Access.Kind == isa.AccessLoad {
				key := loadKey{o.Frame, o.Inst}
				if have, ok := m.loads[key]; !ok || name < have {
					m.loads[key] = name
				}
			}
		}
	}
	if name, ok := m.loads[loadKey{f, in}]; ok {
		return name
	}
	return ""
}

// Fixed reports whether the kernel does not write to the memory from which a load reads.
func (m *Model) Fixed(f *symbolic.Frame, in *rewrite.Inst) bool {
	key := loadKey{f, in}
	fixed, known := m.unwritten[key]
	if !known {
		if fixed = m.neverWritten(f, in); m.unwritten == nil {
			m.unwritten = make(map[loadKey]bool)
		}
		m.unwritten[key] = fixed
	}
	return fixed
}

// ItemsAt returns the items of an instruction.
func (m *Model) ItemsAt(f *symbolic.Frame, in *rewrite.Inst) []*Item {
	if m.byInst == nil {
		m.byInst = make(map[loadKey][]*Item)
		for _, it := range m.Items {
			key := loadKey{it.Access.Frame, it.Access.Inst}
			m.byInst[key] = append(m.byInst[key], it)
		}
	}
	return m.byInst[loadKey{f, in}]
}

// neverWritten reports whether a load reads an object that the kernel does not write to.
func (m *Model) neverWritten(f *symbolic.Frame, in *rewrite.Inst) bool {
	list := m.ItemsAt(f, in)
	if len(list) == 0 || list[0].Chosen || list[0].Object.Param == nil || len(m.Kernel.Unknown) > 0 {
		return false
	}
	return !slices.ContainsFunc(m.Items, func(it *Item) bool {
		if !it.Access.Writes() {
			return false
		}
		r, _, _ := m.Relate(list[len(list)-1], it)
		return r != Apart
	})
}

// ReaderOf returns the access whose result a variable stands for; nil for other variables, and for results of several
// elements.
func (m *Model) ReaderOf(v expr.Variable) *Item {
	o := m.Kernel.Origin(v.Name)
	if o == nil || o.Inst == nil || v.Bool || o.Loop() != nil || len(o.Inst.Operands) == 0 ||
		o.Inst.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	list := m.readers[loadKey{o.Frame, o.Inst}]
	if len(list) != 1 || list[0].Chosen || Async(list[0]) || !list[0].Access.Single() || list[0].Addr.IsUnknown() {
		return nil
	}
	return list[0]
}

// Reading is a value that a load or an atomic operation returns.
type Reading struct {
	By    *Item
	Value *expr.Int // variable
}

// maxReadings limits the readings of an access.
const maxReadings = 10

// Readings returns the values out of memory on which an access depends, those that decide from where others are read
// included.
func (m *Model) Readings(it *Item) (out []Reading) {
	if it.Data == "" || len(m.Kernel.Unknown) > 0 || m.Traits.Hidden != nil || m.Traits.Tex != nil {
		return nil
	}
	vars := expr.Vars([]*expr.Int{it.Addr}, append([]*expr.Bool{it.Cond}, it.Sides...))
	for i := 0; i < len(vars) && len(out) < maxReadings; i++ {
		by := m.ReaderOf(vars[i])
		if by == nil {
			continue
		}
		out = append(out, Reading{By: by, Value: expr.NewVar(vars[i])})
		for _, v := range by.Addr.Vars() {
			if !slices.ContainsFunc(vars, func(w expr.Variable) bool { return w.Name == v.Name }) {
				vars = append(vars, v)
			}
		}
	}
	return out
}

// Constant reports whether a weak load is of memory that no thread of the launch writes to, and with which facts.
func (m *Model) Constant(l *Item) ([]string, bool) {
	if l.Access.Inst.Strong() || l.Object.Base == "" ||
		l.Object.Space != isa.SpaceGlobal && l.Object.Space != isa.SpaceConst {
		return nil, false
	}
	if l.kept == nil {
		l.kept = &kept{ok: true}
		for _, w := range m.Items {
			if !w.Access.Writes() {
				continue
			}
			r, _, needed := m.Relate(l, w)
			l.kept.ok = l.kept.ok && r == Apart
			l.kept.needs = append(l.kept.needs, needed...)
		}
	}
	return l.kept.needs, l.kept.ok
}

// kept is the result of constant.
type kept struct {
	ok    bool
	needs []string
}

// ofOrdered reports whether a variable is an element of an ascending allocation.
func (m *Model) ofOrdered(v expr.Variable) bool {
	by := m.ReaderOf(v)
	if by == nil {
		return false
	}
	p := m.Pointer(&by.Object)
	return p != nil && p.Order == facts.Ascending
}

// Sized returns the need of a fact about elements for those that a load reads: 4-byte elements in order say nothing of
// their bytes.
func Sized(name string, l *Item) string {
	return fmt.Sprintf("%s, of size %d", name, l.Access.ElemSize)
}

// Loads: the variables that stand for their results, and whether something writes what they read.

package static

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

// loadName returns the variable for the value of a load, "" if there is none.
func (m *model) loadName(f *symbolic.Frame, in *rewrite.Inst, elem int) string {
	if elem != 0 || len(in.Operands) == 0 || in.Operands[0].Kind != rewrite.OperandReg {
		return ""
	}
	if m.loads == nil {
		m.loads = make(map[loadKey]string)
		for name, o := range m.kernel.Origins() {
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

// fixed reports whether the kernel does not write to the memory from which a load reads.
func (m *model) fixed(f *symbolic.Frame, in *rewrite.Inst) bool {
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

// itemsAt returns the items of an instruction.
func (m *model) itemsAt(f *symbolic.Frame, in *rewrite.Inst) []*item {
	if m.byInst == nil {
		m.byInst = make(map[loadKey][]*item)
		for _, it := range m.items {
			key := loadKey{it.acc.Frame, it.acc.Inst}
			m.byInst[key] = append(m.byInst[key], it)
		}
	}
	return m.byInst[loadKey{f, in}]
}

// neverWritten reports whether a load reads an object that the kernel does not write to.
func (m *model) neverWritten(f *symbolic.Frame, in *rewrite.Inst) bool {
	list := m.itemsAt(f, in)
	if len(list) == 0 || list[0].chosen || list[0].obj.param == nil || len(m.kernel.Unknown) > 0 {
		return false
	}
	return !slices.ContainsFunc(m.items, func(it *item) bool {
		if !it.acc.Writes() {
			return false
		}
		r, _, _ := m.relate(list[len(list)-1], it)
		return r != apart
	})
}

// readerOf returns the access whose result a variable stands for; nil for other variables, and for results of several
// elements.
func (m *model) readerOf(v expr.Variable) *item {
	o := m.kernel.Origin(v.Name)
	if o == nil || o.Inst == nil || v.Bool || o.Loop() != nil || len(o.Inst.Operands) == 0 ||
		o.Inst.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	list := m.readers[loadKey{o.Frame, o.Inst}]
	if len(list) != 1 || list[0].chosen || async(list[0]) || !list[0].acc.Single() || list[0].addr.IsUnknown() {
		return nil
	}
	return list[0]
}

// reading is a value that a load or an atomic operation returns.
type reading struct {
	by    *item
	value *expr.Int // variable
}

// maxReadings limits the readings of an access.
const maxReadings = 10

// readings returns the values out of memory on which an access depends, those that decide from where others are read
// included.
func (m *model) readings(it *item) (out []reading) {
	if it.data == "" || len(m.kernel.Unknown) > 0 || m.traits.hidden != nil || m.traits.tex != nil {
		return nil
	}
	vars := expr.Vars([]*expr.Int{it.addr}, append([]*expr.Bool{it.cond}, it.sides...))
	for i := 0; i < len(vars) && len(out) < maxReadings; i++ {
		by := m.readerOf(vars[i])
		if by == nil {
			continue
		}
		out = append(out, reading{by: by, value: expr.NewVar(vars[i])})
		for _, v := range by.addr.Vars() {
			if !slices.ContainsFunc(vars, func(w expr.Variable) bool { return w.Name == v.Name }) {
				vars = append(vars, v)
			}
		}
	}
	return out
}

// constant reports whether a weak load is of memory that no thread of the launch writes to, and with which facts.
func (m *model) constant(l *item) ([]string, bool) {
	if l.acc.Inst.Strong() || l.obj.base == "" || l.obj.space != isa.SpaceGlobal && l.obj.space != isa.SpaceConst {
		return nil, false
	}
	if l.kept == nil {
		l.kept = &kept{ok: true}
		for _, w := range m.items {
			if !w.acc.Writes() {
				continue
			}
			r, _, needed := m.relate(l, w)
			l.kept.ok = l.kept.ok && r == apart
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
func (m *model) ofOrdered(v expr.Variable) bool {
	by := m.readerOf(v)
	if by == nil {
		return false
	}
	p := m.pointer(&by.obj)
	return p != nil && p.Order == facts.Ascending
}

// sized returns the need of a fact about elements for those that a load reads: 4-byte elements in order say nothing of
// their bytes.
func sized(name string, l *item) string {
	return fmt.Sprintf("%s, of size %d", name, l.acc.ElemSize)
}

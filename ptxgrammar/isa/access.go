// Memory accesses of instructions: operand, kind, space, size.

package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// operandAccess is the access of an instruction at an address operand.
type operandAccess struct {
	kind     AccessKind
	op       string // for barrier objects; other operations are modifiers
	indirect bool   // through a tensor map, logical endpoint, texture or surface
	space    Space  // for indirect accesses
	size     int    // bytes; 0 when the form's type or another part determines it
	signals  bool   // the completion signal of an asynchronous operation on a barrier object
}

const barrierBytes = 8 // an mbarrier object, PTX ISA 9.7.13.15.1

// accessWords are the words for accesses in the tables: plain accesses; those through a tensor map or endpoint (t) or a
// texture or surface reference (tex); those of a barrier object, which are atomic operations with their own names; and
// the signals by which asynchronous operations report completion to a barrier object.
var accessWords = map[string]operandAccess{
	"load":      {kind: AccessLoad},
	"store":     {kind: AccessStore},
	"atomic":    {kind: AccessAtomic},
	"reduce":    {kind: AccessReduce},
	"tload":     {kind: AccessLoad, indirect: true, space: SpaceGlobal},
	"tstore":    {kind: AccessStore, indirect: true, space: SpaceGlobal},
	"treduce":   {kind: AccessReduce, indirect: true, space: SpaceGlobal},
	"texload":   {kind: AccessLoad, indirect: true, space: SpaceTex},
	"texstore":  {kind: AccessStore, indirect: true, space: SpaceTex},
	"texreduce": {kind: AccessReduce, indirect: true, space: SpaceTex},

	"barrier_init": {kind: AccessStore, size: barrierBytes},
	"barrier_test": {kind: AccessLoad, size: barrierBytes},
	"arrive":       {kind: AccessAtomic, op: "arrive", size: barrierBytes},
	"arrive_drop":  {kind: AccessAtomic, op: "arrive_drop", size: barrierBytes},
	"expect_tx":    {kind: AccessReduce, op: "expect_tx", size: barrierBytes},
	"complete_tx":  {kind: AccessReduce, op: "complete_tx", size: barrierBytes},

	"signal_arrive": {kind: AccessReduce, op: "arrive", size: barrierBytes, signals: true},
	"signal_tx":     {kind: AccessReduce, op: "complete_tx", size: barrierBytes, signals: true},
}

// parseAccess parses "load" or "store=16".
func parseAccess(s string) (*operandAccess, error) {
	word, size, sized := strings.Cut(s, "=")
	a, ok := accessWords[word]
	if !ok {
		return nil, fmt.Errorf("unknown access %q", word)
	}
	if sized {
		n, err := strconv.Atoi(size)
		if err != nil {
			return nil, err
		}
		a.size = n
	}
	return &a, nil
}

// resolveAccess assigns the access of the form to the first address operand, unless that has its own, and derives the
// form's effects.
func (f *Form) resolveAccess(word string) error {
	for i := range f.Operands {
		o := &f.Operands[i]
		if o.Role != RoleAddr {
			continue
		}
		if word != "" && o.access == nil {
			a, err := parseAccess(word)
			if err != nil {
				return err
			}
			o.access = a
		}
		word = ""
		if o.access == nil {
			continue
		}
		if f.Access == AccessNone {
			f.Access = o.access.kind
		}
		if o.access.kind != AccessStore {
			f.Effects |= ReadsMemory
		}
		if o.access.kind != AccessLoad {
			f.Effects |= WritesMemory
		}
	}
	if word != "" {
		return fmt.Errorf("an access without an address")
	}
	return nil
}

// resolveAccesses fills Accesses, Access and Copy.
func (d *Decoded) resolveAccesses() {
	spaces, addrs := d.spaces(), 0
	for i := range d.Operands {
		o := &d.Operands[i]
		if o.Role != RoleAddr {
			continue
		}
		if a := o.Spec.access; a != nil {
			d.Accesses = append(d.Accesses, d.accessAt(i, a, spaceAt(spaces, addrs, a)))
		}
		addrs++
	}
	d.pickAccess()
}

// spaceWords returns the modifiers that name state spaces.
func (d *Decoded) spaceWords() (words []string) {
	for _, m := range d.Mods {
		if _, ok := SpaceOf(m); ok {
			words = append(words, m)
		}
	}
	return words
}

// spaces returns the state spaces that the modifiers name.
func (d *Decoded) spaces() []Space {
	var spaces []Space
	for _, m := range d.spaceWords() {
		s, _ := SpaceOf(m)
		spaces = append(spaces, s)
	}
	return spaces
}

// spaceAt returns the space of the n-th address operand: modifiers name spaces in the order of the operands, and
// signalled barrier objects are in shared memory.
func spaceAt(spaces []Space, n int, a *operandAccess) Space {
	switch {
	case a.indirect:
		return a.space
	case len(spaces) == 0:
		return SpaceNone
	case a.signals && n > 0:
		return SpaceShared
	}
	return spaces[min(n, len(spaces)-1)]
}

// accessAt returns the access at the n-th operand.
func (d *Decoded) accessAt(n int, o *operandAccess, space Space) Access {
	a := Access{
		Kind: o.kind, AtomOp: o.op, Space: space, Addr: n, Indirect: o.indirect, Value: -1, ElemSize: o.size,
		Scalar: o.size, Size: o.size, Replicas: d.Instr.Name == "multimem" && space != SpaceShared,
	}
	if o.op == "" && (a.Atomic() || d.Has("ld_reduce")) {
		if i := slices.IndexFunc(d.Mods, isAtomOp); i >= 0 {
			a.AtomOp = d.Mods[i]
		}
	}
	if o.size == 0 && !o.indirect && len(d.Types) > 0 {
		d.resolveValue(&a)
	}
	return a
}

// resolveValue finds the operand that is loaded or stored, and its size. A copy of memory has no such operand.
func (d *Decoded) resolveValue(a *Access) {
	want := RoleSrc
	if a.Kind == AccessLoad {
		want = RoleDst
	}
	a.Value = slices.IndexFunc(d.Operands, func(o OperandInfo) bool { return o.Role == want })
	if a.Value < 0 || d.copies() || d.operandNamed("size") >= 0 {
		a.Value = -1 // the source operand is the size
		return
	}
	if v := d.Operands[a.Value]; v.Spec.Elems == ElemsVec {
		a.ElemSize = v.Type.Size()
		a.Scalar = a.ElemSize / v.Type.Lanes()
		a.Size = a.ElemSize * v.Vec
	}
}

// copies reports whether the instruction copies memory to memory.
func (d *Decoded) copies() bool {
	n := 0
	for i := range d.Operands {
		if a := d.Operands[i].Spec.access; a != nil && !a.signals {
			n++
		}
	}
	return n > 1
}

// pickAccess sets Access and Copy: the load and the store of a copy, or the only access that is no signal. Instructions
// that access memory through a tensor map, a texture or a surface have neither, since no operand is the address.
func (d *Decoded) pickAccess() {
	var own []Access
	for _, a := range d.Accesses {
		if a.Indirect {
			return
		}
		if !d.Operands[a.Addr].Spec.access.signals || len(d.Accesses) == 1 {
			own = append(own, a)
		}
	}
	switch {
	case len(own) == 1:
		d.Access = own[0]
	case len(own) == 2 && own[1].Kind == AccessLoad:
		d.Copy, d.Access = own[0], own[1]
	}
}

var atomOps = []string{"add", "and", "cas", "dec", "exch", "inc", "max", "min", "or", "xor"}

func isAtomOp(mod string) bool { return slices.Contains(atomOps, mod) }

// CopySize returns the index of the operand with the number of bytes that an instruction copies from memory to memory,
// or -1 if it copies nothing or a tensor map determines the size.
func (d *Decoded) CopySize() int {
	if d.Copy.Kind == AccessNone {
		return -1
	}
	return d.operandNamed("cp_size", "size")
}

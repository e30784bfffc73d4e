// Decoding: matching an opcode with modifiers and operands to a form and its facts.

package isa

import (
	"slices"
	"sync"
)

// decodeCache holds the decoded spellings of one opcode. Its limit bounds the memory for texts with many modifier
// combinations.
type decodeCache struct {
	mu        sync.RWMutex
	spellings map[string]*Decoded
}

const (
	decodeCacheLimit = 1 << 14
	maxOperands      = 255 // more than any form has; fits a byte of the cache key
)

// Decode matches an instruction's modifiers (without dots, in source order) and
// its number of top-level operands against the row's forms. The result is
// cached and shared. The error names the offending modifier or the operand
// count and lists the closest form. Safe for concurrent use.
func (in *Instr) Decode(mods []string, operands int) (*Decoded, error) {
	return in.DecodeAs(mods, operands, anyOperands)
}

// Addresses has a bit for each of the first operands that is written as an address, in brackets.
type Addresses uint16

// anyOperands is the value for operands of which only the number is known.
const anyOperands Addresses = 1<<16 - 1

// DecodeAs is Decode for operands of which it is known which are addresses. Of the forms with as many operands, it
// prefers one that has addresses at these places.
func (in *Instr) DecodeAs(mods []string, operands int, addresses Addresses) (*Decoded, error) {
	if operands < 0 || operands > maxOperands {
		return nil, in.explain(mods, operands)
	}
	var buf [128]byte
	key := append(buf[:0], byte(operands), byte(addresses), byte(addresses>>8))
	for _, m := range mods {
		key = append(append(key, '.'), m...)
	}
	c := &in.cache
	c.mu.RLock()
	d := c.spellings[string(key)]
	c.mu.RUnlock()
	if d != nil {
		return d, nil
	}
	d, err := in.decode(mods, operands, addresses)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.spellings[string(key)]; first != nil {
		return first, nil
	}
	if c.spellings == nil {
		c.spellings = map[string]*Decoded{}
	}
	if len(c.spellings) < decodeCacheLimit {
		c.spellings[string(key)] = d
	}
	return d, nil
}

// decode tries every form with modifiers in the manual's order, then in any order.
func (in *Instr) decode(mods []string, operands int, addresses Addresses) (*Decoded, error) {
	var other func() *Decoded // a form with other places for addresses
	for _, loose := range []bool{false, true} {
		for _, f := range in.Forms {
			matched := f.match(mods, loose)
			if matched == nil {
				continue
			}
			specs := f.operands(matched, operands)
			switch {
			case specs == nil || f.fault(matched) != "":
			case addresses.fit(specs):
				return in.resolve(f, matched, specs), nil
			case other == nil:
				other = func() *Decoded { return in.resolve(f, matched, specs) }
			}
		}
	}
	if other != nil {
		return other(), nil
	}
	return nil, in.explain(mods, operands)
}

// Decode describes a spelling of the form itself, even if another form of the opcode comes first for it. It returns an
// error if the form has no such spelling.
func (f *Form) Decode(mods []string, operands int) (*Decoded, error) {
	in, _ := Lookup(f.opcode)
	if matched := f.assign(mods); matched != nil && f.fault(matched) == "" {
		if specs := f.operands(matched, operands); specs != nil {
			return in.resolve(f, matched, specs), nil
		}
	}
	return nil, in.explain(mods, operands)
}

// fit reports whether the operands of a form have addresses at these places.
func (a Addresses) fit(specs []*OperandSpec) bool {
	for i, s := range specs {
		if a == anyOperands || i == 16 {
			return true
		}
		if s.Role != RoleNone && (s.Role == RoleAddr) != (a>>i&1 != 0) {
			return false
		}
	}
	return true
}

// resolve derives the facts of a matched form from its modifiers.
func (in *Instr) resolve(f *Form, mods []string, specs []*OperandSpec) *Decoded {
	d := &Decoded{Instr: in, Form: f, Mods: mods, Vec: 1, Requirement: f.Requirement}
	for i, m := range mods {
		if m == "" {
			d.Requirement = d.and(f.Mods[i].absent)
			continue
		}
		d.Requirement = d.and(f.Mods[i].needs(m))
		if t, ok := TypeOf(m); ok {
			d.Types = append(d.Types, t)
		}
		if s, ok := SpaceOf(m); ok && d.Space == SpaceNone {
			d.Space = s
		}
		if s, ok := ScopeOf(m); ok && d.Scope == ScopeNone {
			d.Scope = s
		}
		if s, ok := SemOf(m); ok && d.Sem == SemNone {
			d.Sem = s
		}
		if n := vecWidth(m); n != 0 {
			d.Vec = n
		}
	}
	d.resolveDefaults()
	if f.wide(mods) {
		d.Requirement = d.and(wideVectors)
	}
	d.Operands = make([]OperandInfo, len(specs))
	for i, o := range specs {
		d.Operands[i] = d.operand(o)
	}
	d.resolveAccesses()
	return d
}

// resolveDefaults sets the default semantics and scope of synchronisation without explicit ones (PTX ISA 9.7.13).
// membar is fence.sc, and fence alone is fence.acq_rel. An arrival at a barrier releases and a wait acquires; for an
// mbarrier, the scope is the block.
func (d *Decoded) resolveDefaults() {
	object := false
	switch d.Instr.Name {
	case "membar":
		d.Sem = SemSC
	case "fence":
		if d.Sem == SemNone {
			d.Sem = SemAcqRel
		}
	case "barrier":
		if d.Scope == ScopeCluster && d.Sem == SemNone {
			d.Sem = arrivalSem(d.Mods)
		}
	case "mbarrier":
		if d.Sem == SemNone {
			d.Sem = arrivalSem(d.Mods)
		}
		object = d.Sem != SemNone
	}
	switch {
	case object && d.Scope == ScopeNone:
		d.Scope = ScopeCTA
	case d.Instr.Class == ClassFence && d.Scope == ScopeNone:
		d.Sem = SemNone // a proxy fence orders proxies, not threads
	}
}

// arrivalSem returns the default semantics of an operation on a barrier.
func arrivalSem(mods []string) Sem {
	for _, m := range mods {
		switch m {
		case "arrive", "arrive_drop":
			return SemRelease
		case "wait", "test_wait", "try_wait":
			return SemAcquire
		case "expect_tx", "complete_tx":
			return SemRelaxed
		}
	}
	return SemNone
}

func vecWidth(mod string) int {
	switch mod {
	case "v2":
		return 2
	case "v4":
		return 4
	case "v8":
		return 8
	}
	return 0
}

func (d *Decoded) operand(o *OperandSpec) OperandInfo {
	info := OperandInfo{Spec: o, Role: o.Role, Type: d.typeNamed(o.Type), PairType: d.typeNamed(o.PairType), Vec: 1}
	if o.Widen {
		info.Type = info.Type.Widened()
	}
	if o.Vector {
		switch o.Elems {
		case ElemsVec:
			info.Vec = d.Vec
		case ElemsAny, ElemsPacked:
			info.Vec = 0
		case ElemsFragment:
			info.Single = info.Type
			info.Type, info.Vec = d.fragment(o.Name)
		default:
			info.Vec = o.Elems
		}
	}
	return info
}

// typeNamed returns the type of a set of the form, or the type of a name.
func (d *Decoded) typeNamed(name string) Type {
	if i := d.Form.slot(name); i >= 0 {
		name = d.Mods[i]
	}
	t, _ := TypeOf(name)
	return t
}

// Mod returns the modifier of the named set, "" when absent.
func (d *Decoded) Mod(set string) string {
	if i := d.Form.slot(set); i >= 0 {
		return d.Mods[i]
	}
	return ""
}

// Has reports whether the literal modifier (such as "ftz" or "wide") is present.
func (d *Decoded) Has(mod string) bool { return mod != "" && slices.Contains(d.Mods, mod) }

// Effects returns the effects of the form with these modifiers: the form's effects, with Orders for acquire or release
// semantics and without it for relaxed semantics.
func (d *Decoded) Effects() Effect {
	e := d.Form.Effects
	switch {
	case d.Sem.Acquires() || d.Sem.Releases():
		e |= Orders
	case d.Sem == SemRelaxed:
		e &^= Orders
	}
	return e
}

// operandNamed returns the index of the operand with one of the manual's names, -1 when it is absent.
func (d *Decoded) operandNamed(names ...string) int {
	return slices.IndexFunc(d.Operands, func(o OperandInfo) bool { return slices.Contains(names, o.Spec.Name) })
}

// BranchIndex returns the index of the operand that selects among the labels of a branch, -1 when the instruction is no
// branch or has one label.
func (d *Decoded) BranchIndex() int {
	if d.Effects()&Branches == 0 {
		return -1
	}
	return slices.IndexFunc(d.Operands, func(o OperandInfo) bool { return o.Role == RoleSrc })
}

// EffectsOf returns the effects of the opcode with these modifiers, for any operands.
func (in *Instr) EffectsOf(mods []string) Effect {
	var e Effect
	for _, f := range in.Forms {
		if f.assign(mods) != nil {
			e |= f.Effects
		}
	}
	return e
}

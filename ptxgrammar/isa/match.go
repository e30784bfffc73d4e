// Matching modifiers and operands with forms.

package isa

import (
	"fmt"
	"slices"
	"strings"
)

// match assigns modifiers to the form's slots: in the manual's order, or, when loose, in any order that is unambiguous.
// Older compilers and hand-written code use orders that the manual no longer shows (atom.global.cta.add,
// vote.ballot.sync), and ptxas accepts them. The result has one entry per slot, nil when there is no match; its strings
// belong to the table, not to the caller's source.
func (f *Form) match(mods []string, loose bool) []string {
	if len(mods) > len(f.Mods) {
		return nil
	}
	out := make([]string, len(f.Mods))
	if loose && f.fill(mods, out) || !loose && f.ordered(mods, 0, out) {
		return out
	}
	return nil
}

// assign is match in the manual's order, else in any.
func (f *Form) assign(mods []string) []string {
	if m := f.match(mods, false); m != nil {
		return m
	}
	return f.match(mods, true)
}

// ordered matches mods against the slots from slot on.
func (f *Form) ordered(mods []string, slot int, out []string) bool {
	if slot == len(f.Mods) {
		return len(mods) == 0
	}
	m := &f.Mods[slot]
	if len(mods) > 0 {
		if v := m.accept(mods[0]); v != "" {
			out[slot] = v
			if f.ordered(mods[1:], slot+1, out) {
				return true
			}
			out[slot] = ""
		}
	}
	return m.Optional && f.ordered(mods, slot+1, out)
}

// fill assigns each modifier to the first free slot that accepts it, so that modifiers of one kind (the two types of
// cvt) keep their order.
func (f *Form) fill(mods []string, out []string) bool {
	if len(mods) == 0 {
		return !slices.ContainsFunc(f.missing(out), func(s *ModSlot) bool { return !s.Optional })
	}
	for i := range f.Mods {
		if out[i] != "" {
			continue
		}
		v := f.Mods[i].accept(mods[0])
		if v == "" {
			continue
		}
		out[i] = v
		if f.fill(mods[1:], out) {
			return true
		}
		out[i] = ""
	}
	return false
}

// missing returns the slots without a modifier.
func (f *Form) missing(out []string) []*ModSlot {
	var free []*ModSlot
	for i := range f.Mods {
		if out[i] == "" {
			free = append(free, &f.Mods[i])
		}
	}
	return free
}

// accept returns the table's copy of mod, "" when the slot does not accept it.
func (m *ModSlot) accept(mod string) string {
	for _, v := range m.Values {
		if v == mod {
			return v
		}
	}
	return ""
}

// exclusion is two lists of modifiers none of which goes with one of the other list.
type exclusion struct{ some, others modList }

// modList is a list of modifiers, or pairs of adjacent ones (u8.u16), perhaps those of a set.
type modList struct {
	set   string
	words []string
}

// parseExclusion parses "! L2::cache_hint with shared local".
func parseExclusion(line string) (exclusion, error) {
	some, others, ok := strings.Cut(line[1:], " with ")
	if !ok {
		return exclusion{}, fmt.Errorf("bad exclusion")
	}
	return exclusion{parseModList(some), parseModList(others)}, nil
}

func parseModList(s string) modList {
	words := strings.Fields(s)
	if set, ok := strings.CutPrefix(words[0], "."); ok {
		return modList{set, words[1:]}
	}
	return modList{"", words}
}

// find returns the first of the list among matched modifiers, "" for none.
func (l modList) find(f *Form, mods []string) string {
	if l.set != "" {
		i := f.slot(l.set)
		if i < 0 {
			return ""
		}
		mods = mods[i : i+1]
	}
	written := "." + strings.Join(mods, ".") + "."
	for _, w := range l.words {
		if strings.Contains(written, "."+w+".") {
			return w
		}
	}
	return ""
}

// fault says why matched modifiers do not go together, "" if they do.
func (f *Form) fault(mods []string) string {
	for i := range f.Mods {
		if m := &f.Mods[i]; m.Tied && (mods[i] == "") != (mods[i-1] == "") {
			if mods[i] == "" {
				return fmt.Sprintf(".%s needs %s", mods[i-1], m.expectation())
			}
			return fmt.Sprintf(".%s needs %s", mods[i], f.Mods[i-1].expectation())
		}
	}
	for _, x := range f.excluded {
		if one, other := x.some.find(f, mods), x.others.find(f, mods); one != "" && other != "" {
			return fmt.Sprintf(".%s does not go with .%s", one, other)
		}
	}
	return f.vectorFault(mods)
}

// operands returns the specs of n written operands: all required ones, the optional ones whose modifier is present,
// then the other optional ones from the left. It returns nil when n does not match.
func (f *Form) operands(mods []string, n int) []*OperandSpec {
	lo, hi := f.arity(mods)
	if n < lo || n > hi {
		return nil
	}
	free := n - lo
	specs := make([]*OperandSpec, 0, n)
	for i := range f.Operands {
		o := &f.Operands[i]
		switch {
		case o.required(mods):
		case o.Needs != "" || free == 0:
			continue
		default:
			free--
		}
		specs = append(specs, o)
	}
	return specs
}

// arity returns the minimum and maximum number of operands with these modifiers.
func (f *Form) arity(mods []string) (lo, hi int) {
	for i := range f.Operands {
		o := &f.Operands[i]
		if o.required(mods) {
			lo++
			hi++
		} else if o.Needs == "" {
			hi++
		}
	}
	return lo, hi
}

func (o *OperandSpec) required(mods []string) bool {
	return !o.Optional || o.Needs != "" && slices.ContainsFunc(mods, func(m string) bool {
		return m == o.Needs || strings.HasPrefix(m, o.Needs+"::") // .multicast::cluster, .multicast::cluster::32b
	})
}

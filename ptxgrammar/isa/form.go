package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The tables hold forms as text, one per line, in the manual's notation:
//
//	ld{.weak}{.ss}{.vec}.type d, [a]{, cache_policy}
//	setp.CmpOp{.ftz}.type p:pred{|q:pred}, a, b
//
// with these additions, which Form.Syntax does not show:
//
//	.type = u16 u32 u64   a set of modifiers, for the lines that follow in the row
//	d:type                an operand's type: a set's name, a type, or one of the
//	                      words label, callee, symbol (a role), any (no role: a
//	                      value or an address) and none (no type). Without it the
//	                      operand has the form's .type, or its only type
//	d:type*2              twice as wide
//	d<4>  d<*>  d<+>      a vector of four, of any number, or packed into the type
//	=x  =+x               x is written, or read and written; a first operand d or
//	                      p is written without saying so
//	form ; 7.8 sm_90 load since-version, minimum target, effects, access
//
// A modifier is a set when the row or commonSets defines its name, else literal.

// row is one opcode of a table.
type row struct {
	name    string
	since   Version
	minSM   int
	ref     string
	doc     string
	effects Effect     // of every form
	access  AccessKind // of every form
	forms   string
}

// sets maps a set's name to its values.
type sets map[string][]string

// instr builds the table entry; a malformed row is a programming error.
func (r *row) instr(class Class) *Instr {
	in := &Instr{Name: r.name, Class: class, Since: r.since, MinSM: r.minSM, Ref: r.ref, Doc: r.doc}
	local := sets{}
	for line := range strings.Lines(r.forms) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line[0] == '.':
			name, values, ok := strings.Cut(line[1:], "=")
			if !ok {
				panic(fmt.Sprintf("BUG: isa: %s: bad set %q", r.name, line))
			}
			local[strings.TrimSpace(name)] = strings.Fields(values)
		default:
			f, err := parseForm(r, local, line)
			if err != nil {
				panic(fmt.Sprintf("BUG: isa: %s: %v in %q", r.name, err, line))
			}
			in.Forms = append(in.Forms, f)
			in.Effects |= f.Effects
		}
	}
	return in
}

func (s sets) lookup(name string) ([]string, bool) {
	if v, ok := s[name]; ok {
		return v, true
	}
	v, ok := commonSets[name]
	return v, ok
}

func parseForm(r *row, local sets, line string) (*Form, error) {
	f := &Form{Since: r.since, MinSM: r.minSM, Effects: r.effects, Access: r.access}
	text, tags, _ := strings.Cut(line, ";")
	if err := f.parseTags(tags); err != nil {
		return nil, err
	}
	switch f.Access {
	case AccessLoad:
		f.Effects |= ReadsMemory
	case AccessStore:
		f.Effects |= WritesMemory
	case AccessAtomic, AccessReduce:
		f.Effects |= ReadsMemory | WritesMemory
	}
	head, operands, _ := strings.Cut(strings.TrimSpace(text), " ")
	mods, ok := strings.CutPrefix(head, r.name)
	if !ok {
		return nil, fmt.Errorf("form of another opcode")
	}
	if err := f.parseMods(local, mods); err != nil {
		return nil, err
	}
	if err := f.parseOperands(strings.TrimSpace(operands)); err != nil {
		return nil, err
	}
	f.Syntax = head
	for i := range f.Operands {
		f.Syntax += f.Operands[i].syntax(i)
	}
	return f, f.resolveTypes()
}

// parseTags reads what follows the semicolon.
func (f *Form) parseTags(tags string) error {
	for _, w := range strings.Fields(tags) {
		if sm, ok := strings.CutPrefix(w, "sm_"); ok {
			n, err := strconv.Atoi(sm)
			if err != nil {
				return err
			}
			f.MinSM = n
		} else if i := slices.Index(effectNames[:], w); i >= 0 {
			f.Effects |= 1 << i
		} else if i := slices.Index(accessNames[:], w); i > 0 {
			f.Access = AccessKind(i)
		} else if major, minor, ok := strings.Cut(w, "."); ok {
			a, err1 := strconv.Atoi(major)
			b, err2 := strconv.Atoi(minor)
			if err1 != nil || err2 != nil || b > 9 {
				return fmt.Errorf("bad version %q", w)
			}
			f.Since = Version(10*a + b)
		} else {
			return fmt.Errorf("unknown tag %q", w)
		}
	}
	return nil
}

// parseMods reads ".a{.b}.c".
func (f *Form) parseMods(local sets, s string) error {
	for s != "" {
		var word string
		optional := s[0] == '{'
		if optional {
			end := strings.IndexByte(s, '}')
			if end < 0 {
				return fmt.Errorf("unclosed brace")
			}
			word, s = s[1:end], s[end+1:]
		} else {
			end := strings.IndexAny(s[1:], ".{") + 1
			if end == 0 {
				end = len(s)
			}
			word, s = s[:end], s[end:]
		}
		name, ok := strings.CutPrefix(word, ".")
		if !ok || name == "" || strings.ContainsAny(name, ".{} ") {
			return fmt.Errorf("bad modifier %q", word)
		}
		slot := ModSlot{Optional: optional}
		if values, ok := local.lookup(name); ok {
			slot.Set, slot.Values = name, values
		} else {
			slot.Values = []string{name}
		}
		f.Mods = append(f.Mods, slot)
	}
	return nil
}

// resolveTypes gives operands without a type the form's own, marks the operands
// that .vec applies to, and checks that every type named exists.
func (f *Form) resolveTypes() error {
	own, vec := f.ownType(), f.slot("vec") >= 0
	for i := range f.Operands {
		o := &f.Operands[i]
		if o.Type == "" {
			if own == "" {
				return fmt.Errorf("operand %s needs a type", o.Name)
			}
			o.Type = own
			if vec && o.Role != RoleAddr {
				o.Vector = true
			}
		}
		for _, t := range []*string{&o.Type, &o.PairType} {
			if *t == "none" {
				*t = ""
			}
			if _, ok := TypeOf(*t); *t != "" && !ok && f.slot(*t) < 0 {
				return fmt.Errorf("operand %s: no type or set %q", o.Name, *t)
			}
		}
	}
	return nil
}

// ownType is the name of the form's .type, or of its only type modifier.
func (f *Form) ownType() string {
	if f.slot("type") >= 0 {
		return "type"
	}
	own := ""
	for _, m := range f.Mods {
		if _, ok := TypeOf(m.Values[0]); ok {
			if own != "" {
				return ""
			}
			own = m.Set
			if own == "" {
				own = m.Values[0]
			}
		}
	}
	return own
}

// slot is the position of a set among the form's modifiers, -1 when absent.
func (f *Form) slot(set string) int {
	for i := range f.Mods {
		if f.Mods[i].Set == set && set != "" {
			return i
		}
	}
	return -1
}

// Forms: parsing the rows of the table.

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
//	.type = u16 b128@83/70 a set of modifiers, for the lines that follow in the row
//	v@83/70+72            since-version 8.3, targets; of a value or a modifier
//	{.sem.scope}          optional modifiers that are written together
//	d:type                an operand's type: a set's name, a type, or one of the
//	                      words label, callee, symbol (a role), any (no role: a
//	                      value or an address) and none (no type). Without it the
//	                      operand has the form's .type, or its only type
//	d:type*2              twice as wide
//	d<4>  d<*>  d<+>      a vector of four, of any number, or packed into the type
//	d<frag>               a matrix fragment; its shape and type decide (fragment.go)
//	a<frag>:b64           the same, or one operand of the type in its place
//	n:u32#4|8  n#0..15  n#24..256/8  n#0..  n#any   a constant with one of these
//	                      values, of a range in steps, or any
//	{.a!14} {.a!20/20}    a modifier that is required from version 1.4 on, or from 2.0 on for sm_20
//	@-65                  until version 6.5
//	! a b with c d        none of the modifiers a, b goes with c or d, in the forms that follow; c.d stands for
//	                      adjacent ones, and .set before c d limits them to those of a set
//	=x  =+x               x is written, or read and written; a first operand d or
//	                      p is written without saying so
//	[a]:load  [a]:store=8 the access at an address operand: a word of accessWords,
//	                      and the bytes where no type says them
//	~ 9.3    ~ a b: why   not emulated: what needs this version, any of these modifiers
//	form ; 7.8 sm_90 load since-version, targets, effects, access of the first address
//	# text                a note on the next form
//	OP{.ftz}.type d, a    a form that opcodes share, each under its own name
//
// A modifier is a set when the row or commonSets defines its name, else literal.

// row is one opcode of a table.
type row struct {
	name    string
	calc    Calc
	since   Version
	minSM   int
	only    string // target words like sm_90a, for features specific to architectures
	ref     string
	doc     string
	effects Effect // of every form
	access  string // of every form, a word of accessWords
	forms   string
	made    func() string // generates the forms of the row
}

// instr returns the table entry of a row. A malformed row is a programming error.
func (r *row) instr(class Class) *Instr {
	in := &Instr{
		Name: r.name, Class: class, Calc: r.calc, Requirement: Requirement{Since: r.since, MinSM: r.minSM},
		Ref: r.ref, Doc: r.doc,
	}
	for w := range strings.FieldsSeq(r.only) {
		if err := in.addTarget(w); err != nil {
			panic(fmt.Sprintf("BUG: isa: %s: %v", r.name, err))
		}
	}
	local, note, forms := sets{}, "", r.forms
	var excluded []exclusion
	if r.made != nil {
		forms = r.made()
	}
	for line := range strings.Lines(forms) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line[0] == '#':
			note = strings.TrimSpace(line[1:])
		case line[0] == '!':
			x, err := parseExclusion(line)
			if err != nil {
				panic(fmt.Sprintf("BUG: isa: %s: %v in %q", r.name, err, line))
			}
			excluded = append(excluded, x)
		case line[0] == '~':
			if err := in.unemulated.parse(line); err != nil {
				panic(fmt.Sprintf("BUG: isa: %s: %v in %q", r.name, err, line))
			}
		case line[0] == '.':
			if err := local.define(line); err != nil {
				panic(fmt.Sprintf("BUG: isa: %s: %v in %q", r.name, err, line))
			}
		default:
			f, err := parseForm(r, in.Requirement, local, line)
			if err != nil {
				panic(fmt.Sprintf("BUG: isa: %s: %v in %q", r.name, err, line))
			}
			f.Note, note, f.excluded = note, "", slices.Clip(excluded)
			in.Forms = append(in.Forms, f)
			in.Effects |= f.Effects
		}
	}
	if err := in.checkUnemulated(); err != nil {
		panic(fmt.Sprintf("BUG: isa: %s: %v", r.name, err))
	}
	return in
}

func parseForm(r *row, needs Requirement, local sets, line string) (*Form, error) {
	f := &Form{opcode: r.name, Requirement: needs, Effects: r.effects, vectorLimit: vectorLimits[r.name]}
	text, tags, _ := strings.Cut(line, ";")
	access, err := f.parseTags(tags)
	if err != nil {
		return nil, err
	}
	head, operands, _ := strings.Cut(strings.TrimSpace(text), " ")
	mods, ok := strings.CutPrefix(head, r.name)
	if !ok {
		mods, ok = strings.CutPrefix(head, "OP")
	}
	if !ok {
		return nil, fmt.Errorf("form of another opcode")
	}
	f.head = mods
	if err := f.parseMods(local, mods); err != nil {
		return nil, err
	}
	if err := f.parseOperands(strings.TrimSpace(operands)); err != nil {
		return nil, err
	}
	if access == "" {
		access = r.access
	}
	if err := f.resolveAccess(access); err != nil {
		return nil, err
	}
	return f, f.resolveTypes()
}

// Syntax returns the form in the manual's notation.
func (f *Form) Syntax() string {
	var b strings.Builder
	b.WriteString(f.opcode)
	needs := false // within the text for what a modifier needs
	for _, c := range f.head {
		switch c {
		case '@', '!':
			needs = true
		case '.', '{', '}':
			needs = false
		}
		if !needs {
			b.WriteRune(c)
		}
	}
	for i := range f.Operands {
		b.WriteString(f.Operands[i].syntax(i))
	}
	return b.String()
}

// parseTags parses the text after the semicolon; access is the word for the access at the first address operand.
func (f *Form) parseTags(tags string) (access string, err error) {
	specific := false
	for w := range strings.FieldsSeq(tags) {
		major, minor, isVersion := strings.Cut(w, ".")
		switch i := slices.Index(effectNames[:], w); {
		case strings.HasPrefix(w, "sm_"):
			if !specific {
				f.Only, specific = nil, true // the form's targets replace the opcode's
			}
			err = f.addTarget(w)
		case i >= 0:
			f.Effects |= 1 << i
		case accessWords[w].kind != AccessNone:
			access = w
		case strings.HasPrefix(w, "gone"):
			f.Gone, err = parseVersion(major[len("gone"):], minor)
			f.GoneSM = goneSM
		case strings.HasPrefix(w, "until"):
			f.Gone, err = parseVersion(major[len("until"):], minor)
		case isVersion:
			f.Since, err = parseVersion(major, minor)
		default:
			err = fmt.Errorf("unknown tag %q", w)
		}
		if err != nil {
			return "", err
		}
	}
	return access, nil
}

func parseVersion(major, minor string) (Version, error) {
	a, err1 := strconv.Atoi(major)
	b, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil || b > 9 {
		return 0, fmt.Errorf("bad version %q", major+"."+minor)
	}
	return Version(10*a + b), nil
}

// parseMods parses ".a{.b}.c".
func (f *Form) parseMods(local sets, s string) error {
	f.Mods = make([]ModSlot, 0, strings.Count(s, "."))
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
		if err := f.parseSlots(local, word, optional); err != nil {
			return err
		}
	}
	return nil
}

// parseSlots parses one modifier, or the modifiers that braces hold.
func (f *Form) parseSlots(local sets, words string, optional bool) error {
	if words == "" || words[0] != '.' {
		return fmt.Errorf("bad modifier %q", words)
	}
	for i, part := range strings.Split(words[1:], ".") {
		word, must, _ := strings.Cut(part, "!")
		name, needs, _ := strings.Cut(word, "@")
		if name == "" || strings.ContainsAny(name, "{} ") {
			return fmt.Errorf("bad modifier %q", words)
		}
		slot, err := newSlot(local, name, needs)
		if err != nil {
			return err
		}
		slot.Optional, slot.Tied = optional, i > 0
		if slot.absent, err = parseMust(must); err != nil {
			return err
		}
		f.Mods = append(f.Mods, slot)
	}
	return nil
}

// parseMust parses 14 or 20/20: the version from which on a modifier is required, and the target.
func parseMust(s string) (r Requirement, err error) {
	if s == "" {
		return r, nil
	}
	r, err = parseNeeds(s)
	return Requirement{Gone: r.Since, GoneSM: r.MinSM}, err
}

// newSlot returns the slot of a set, or of a literal modifier.
func newSlot(local sets, name, needs string) (ModSlot, error) {
	if set, ok := local.lookup(name); ok {
		if needs != "" {
			return ModSlot{}, fmt.Errorf("needs of set %q belong to its values", name)
		}
		return ModSlot{Set: name, Values: set.values, needed: set.needed}, nil
	}
	r, err := parseNeeds(needs)
	slot := ModSlot{Values: []string{name}}
	if r.isSet() {
		slot.needed = []Requirement{r}
	}
	return slot, err
}

// resolveTypes assigns the form's type to operands without a type, marks the operands to which .vec applies, and checks
// that every named type exists.
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

// ownType returns the name of the form's .type, or of its only type modifier.
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

// slot returns the index of a set among the form's modifiers, -1 when absent.
func (f *Form) slot(set string) int {
	for i := range f.Mods {
		if f.Mods[i].Set == set && set != "" {
			return i
		}
	}
	return -1
}

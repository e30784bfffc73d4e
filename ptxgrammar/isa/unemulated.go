// What the emulator does not execute: lines of the rows of the table that begin with ~.

package isa

import (
	"fmt"
	"slices"
	"strings"
)

// unemulatedForms is the spellings of an opcode that are not emulated. An opcode without such lines has semantics for
// all of its forms.
type unemulatedForms struct {
	from Version // those that need this version or a later one; 0 for none
	mods []unemulatedModifiers
}

// unemulatedModifiers is modifiers with the reason why no spelling with one of them is emulated, "" for none.
type unemulatedModifiers struct {
	words []string
	why   string
}

// parse adds a line of a row: "~ 9.3", "~ exclusive kind::ti16" or "~ generic::fabric: the fabric proxy is not
// emulated".
func (u *unemulatedForms) parse(line string) (err error) {
	words, why, _ := strings.Cut(line[1:], ": ")
	m := unemulatedModifiers{strings.Fields(words), why}
	if len(m.words) == 0 {
		return fmt.Errorf("neither a version nor modifiers")
	}
	if major, minor, is := strings.Cut(m.words[0], "."); is {
		u.from, err = parseVersion(major, minor)
		return err
	}
	u.mods = append(u.mods, m)
	return nil
}

// check returns an error if no form of the opcode has one of the modifiers.
func (in *Instr) checkUnemulated() error {
	for _, m := range in.unemulated.mods {
		for _, w := range m.words {
			if !slices.ContainsFunc(in.Forms, func(f *Form) bool { return f.has(w) }) {
				return fmt.Errorf("no form has a modifier .%s", w)
			}
		}
	}
	return nil
}

// has reports whether a form has a modifier with some value.
func (f *Form) has(value string) bool {
	return slices.ContainsFunc(f.Mods, func(m ModSlot) bool { return m.accept(value) != "" })
}

// NotEmulated reports whether the table says that the emulator does not execute the spelling, and why, "" if there is
// no particular reason.
func (d *Decoded) NotEmulated() (why string, is bool) {
	u := &d.Instr.unemulated
	for _, m := range u.mods {
		if slices.ContainsFunc(d.Mods, func(mod string) bool { return slices.Contains(m.words, mod) }) {
			return m.why, true
		}
	}
	return "", u.from != 0 && d.Requires().Since >= u.from
}

// Emulated reports whether the emulator executes a form of the opcode.
func (in *Instr) Emulated() bool { return in.unemulated.from == 0 || in.Since < in.unemulated.from }

// Renaming of module-scope symbols.

package rewrite

import "fmt"

// Rename renames a module-scope variable or function everywhere in the module: in declarations, instructions,
// initialisers, lists of targets, aliases and debug sections. It is an error if the new name is used anywhere in the
// module. Text inserted by this editor must use the old name, since renaming follows all other edits. Programs that
// launch a kernel or link the module by the old name must be changed, too.
func (e *Editor) Rename(s Symbol, name string) error {
	if e.m.symbols[s.SymbolName()] != s {
		return fmt.Errorf("%q is not a module-scope symbol", s.SymbolName())
	}
	if !validName().MatchString(name) {
		return fmt.Errorf("%s: %q cannot be renamed to %q, which is not a PTX name", symbolPosition(e.m, s),
			s.SymbolName(), name)
	}
	if was := e.renamed[s]; was != "" {
		return fmt.Errorf("%s: %q is renamed twice, to %q and to %q", symbolPosition(e.m, s), s.SymbolName(), was, name)
	}
	if at, used := e.wordAt(name); used {
		return fmt.Errorf("%s: %q is in use, %q cannot get that name", e.m.AST.File.Position(at), name, s.SymbolName())
	}
	if other := e.newNames[name]; other != nil {
		return fmt.Errorf("%q and %q are both renamed to %q", other.SymbolName(), s.SymbolName(), name)
	}
	if e.vars[name] != nil {
		return fmt.Errorf("%s: a variable %q is added, %q cannot get that name", symbolPosition(e.m, s), name,
			s.SymbolName())
	}
	for _, r := range e.ranges {
		if r.declares(name) {
			return fmt.Errorf("%s: %q cannot be renamed to %q: the registers %s<%d> of %s get that name",
				symbolPosition(e.m, s), s.SymbolName(), name, r.d.Name, r.d.Count, r.f.Name)
		}
	}
	if e.renamed == nil {
		e.renamed, e.newNames = make(map[Symbol]string), make(map[string]Symbol)
	}
	e.renamed[s], e.newNames[name] = name, s
	return nil
}

// wordAt returns the first position of a name in the module.
func (e *Editor) wordAt(name string) (at uint32, used bool) {
	if e.words == nil {
		e.words = make(map[string]uint32)
		for at, word := range words(string(e.m.Source())) {
			if _, known := e.words[word]; !known {
				e.words[word] = uint32(at)
			}
		}
	}
	at, used = e.words[name]
	return at, used
}

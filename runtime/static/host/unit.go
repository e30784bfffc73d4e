// Files of one program: the meaning of names in each, and calls between them.

package host

// unit is a file of the program with its headers. Names of types, functions and variables have their meaning in that file.
type unit struct {
	*parser
	globals map[string]*variable
}

// newUnit parses a file; names are those of all files parsed so far.
func newUnit(src Source, o Options, names []string) (*unit, *preprocessor) {
	pp := &preprocessor{read: o.Read, folders: o.Includes, files: names, once: make(map[string]bool), macros: make(map[string]*macro)}
	for _, name := range []string{"__CUDACC__=1", "__cplusplus=201703L", "__linux__=1", "__x86_64__=1", "__NVCC__=1"} {
		pp.predefine(name)
	}
	for _, d := range o.Defines {
		pp.predefine(d)
	}
	pp.file(src.Name, src.Text, 0)
	u := &unit{parser: newParser(pp.out)}
	u.unit()
	for _, f := range u.functions {
		f.unit = u
	}
	return u, pp
}

// everyFunction returns the functions of all files.
func (x *executor) everyFunction() []*function {
	if len(x.units) == 1 {
		return x.units[0].functions
	}
	var list []*function
	for _, u := range x.units {
		list = append(list, u.functions...)
	}
	return list
}

// functionsOf returns the functions that a name means in a file: those defined in the file or, if it is only declared there,
// those of other files that can be called from elsewhere. It returns functions of a header that several files include only once.
func (x *executor) functionsOf(u *unit, name string) []*function {
	if own := u.byName[name]; len(own) > 0 || !u.declared[name] {
		return own
	}
	var list []*function
	for _, other := range x.units {
		for _, f := range other.byName[name] {
			again := f.static || f.device
			for _, g := range list {
				again = again || g.at.file == f.at.file && g.at.line == f.at.line && g.at.col == f.at.col
			}
			if !again {
				list = append(list, f)
			}
		}
	}
	return list
}

// enter switches to the file of a function, and returns a function that switches back. A name that a file uses but does not
// declare may be a variable that functions of another file change.
func (x *executor) enter(f *function) (back func()) {
	from := x.unit
	if f.unit == from {
		return func() {}
	}
	x.forgetUndeclared()
	x.unit = f.unit
	return func() {
		x.forgetUndeclared()
		x.unit = from
	}
}

// forgetUndeclared makes variables unknown that no file declares.
func (x *executor) forgetUndeclared() {
	if x.st == nil {
		return
	}
	for _, v := range x.ordered(x.st.values) {
		if v.undeclared {
			x.st.values[v] = value{}
		}
	}
}

// makeGlobals makes the variables of all files. A variable that is not private to a file is the same in all files that declare
// it.
func (x *executor) makeGlobals(isMain bool) {
	now := x.unit
	shared := make(map[string]*variable)
	for _, u := range x.units {
		u.globals = make(map[string]*variable)
	}
	for _, x.unit = range x.units {
		for _, s := range x.parser.globals {
			for _, d := range s.decls {
				x.global(d, isMain, shared)
			}
		}
	}
	x.unit = now
}

// global makes a variable of file scope. Its initial value is known in main, and for a constant everywhere.
func (x *executor) global(d *decl, isMain bool, shared map[string]*variable) {
	v, outer := shared[d.name], !d.typ.konst && !d.hidden
	if v == nil || !outer {
		v = x.newVariable(d.name, d.typ, true)
	} else if d.init == nil && d.args == nil {
		x.globals[d.name] = v
		return
	}
	if outer {
		shared[d.name] = v
	}
	x.globals[d.name] = v
	val := x.uninitialised(d.typ)
	if d.array {
		val = value{}
		if isMain && x.args != nil && d.typ.name == "option" && d.init != nil { // the table of getopt_long
			val = x.eval(d.init, d.name)
		}
	} else if d.init != nil && (isMain || d.typ.konst) {
		val = x.convert(x.eval(d.init, d.name), d.typ, d.name)
	} else if d.args != nil && (isMain || d.typ.konst) {
		val = x.constructed(d)
	}
	x.st.values[v] = val
}

// Directives, and the versions that they require.

package isa

// Directive describes a dotted word that is no instruction: a directive, or an attribute of a declaration.
type Directive struct {
	Name string // without the dot
	Requirement
	Ref string // section of the PTX ISA manual, numbered as in 8.7
	Doc string
}

// directives lists the directives and attributes of PTX ISA chapters 5 and 11, in the manual's order.
var directives = []Directive{
	{"align", Requirement{Since: 10}, "5.4.5", "alignment of a variable in bytes"},
	{"attribute", Requirement{Since: 40}, "5.4.8", "attributes of a variable or function"},
	{"managed", Requirement{Since: 40, MinSM: 30}, "5.4.8.1", "the variable is in unified memory"},
	{"unified", Requirement{Since: 80, MinSM: 90}, "5.4.8.1", "the variable or function has one address in host and device"},
	{"hidden", Requirement{Since: 91}, "5.1.6", "parameter that the host does not pass (NVVM 13.1 writes it; the manual does not describe it)"},
	{"version", Requirement{Since: 10}, "11.1.1", "version of the PTX ISA"},
	{"target", Requirement{Since: 10}, "11.1.2", "architecture and options"},
	{"address_size", Requirement{Since: 23}, "11.1.3", "bits of an address"},
	{"entry", Requirement{Since: 10}, "11.2.1", "kernel"},
	{"func", Requirement{Since: 10}, "11.2.2", "function"},
	{"alias", Requirement{Since: 63, MinSM: 30}, "11.2.3", "second name of a function"},
	{"noreturn", Requirement{Since: 64, MinSM: 30}, "11.4.6", "the function does not return"},
	{"branchtargets", Requirement{Since: 21, MinSM: 20}, "11.3.1", "possible targets of brx.idx"},
	{"calltargets", Requirement{Since: 21, MinSM: 20}, "11.3.2", "possible callees of an indirect call"},
	{"callprototype", Requirement{Since: 21, MinSM: 20}, "11.3.3", "signature of an indirect call"},
	{"maxnreg", Requirement{Since: 13}, "11.4.1", "most registers of a thread"},
	{"maxntid", Requirement{Since: 13}, "11.4.2", "most threads of a block"},
	{"reqntid", Requirement{Since: 21}, "11.4.3", "exact size of a block"},
	{"minnctapersm", Requirement{Since: 20}, "11.4.4", "least blocks on a multiprocessor"},
	{"maxnctapersm", Requirement{Since: 13}, "11.4.5", "most blocks on a multiprocessor"},
	{"pragma", Requirement{Since: 20}, "11.4.7", "hint to the compiler"},
	{"abi_preserve", Requirement{Since: 90, MinSM: 80}, "11.4.8", "registers that the callee preserves"},
	{"abi_preserve_control", Requirement{Since: 90, MinSM: 80}, "11.4.9", "control registers that the callee preserves"},
	{"minperctamemory", Requirement{Since: 94, MinSM: 80}, "11.4.10 (9.4)", "least bytes of global memory for each block"},
	{"dwarf", Requirement{Since: 10}, "11.5.1", "debugging data of old compilers, behind @@"},
	{"section", Requirement{Since: 20}, "11.5.2", "debugging data"},
	{"file", Requirement{Since: 10}, "11.5.3", "source file by number"},
	{"loc", Requirement{Since: 10}, "11.5.4", "source place of the code that follows"},
	{"function_name", Requirement{Since: 72}, "11.5.4", "inlined function, on .loc"},
	{"inlined_at", Requirement{Since: 72}, "11.5.4", "place of the call that was inlined, on .loc"},
	{"loc_intermediate", Requirement{Since: 94}, "11.5.5 (9.4)", "place in an intermediate language of the code that follows"},
	{"nv_intermediate_source_section", Requirement{Since: 94}, "11.5.6 (9.4)", "text in an intermediate language"},
	{"extern", Requirement{Since: 10}, "11.6.1", "defined in another module"},
	{"visible", Requirement{Since: 10}, "11.6.2", "visible to other modules"},
	{"weak", Requirement{Since: 31}, "11.6.3", "may be defined in several modules"},
	{"common", Requirement{Since: 50, MinSM: 20}, "11.6.4", "may be declared in several modules, of any size"},
	{"reqnctapercluster", Requirement{Since: 78, MinSM: 90}, "11.7.1", "exact size of a cluster in blocks"},
	{"explicitcluster", Requirement{Since: 78, MinSM: 90}, "11.7.2", "the launch gives the cluster's size"},
	{"maxclusterrank", Requirement{Since: 78, MinSM: 90}, "11.7.3", "most blocks of a cluster"},
	{"blocksareclusters", Requirement{Since: 90, MinSM: 90}, "11.8.1", "the grid is given in clusters"},
	{"language", Requirement{Since: 93}, "11.8.2 (9.4)", "source languages of a function"},
}

var directiveByName = func() map[string]Directive {
	m := make(map[string]Directive, len(directives))
	for _, d := range directives {
		m[d.Name] = d
	}
	return m
}()

// DirectiveOf returns the directive or attribute spelled name, without the dot.
func DirectiveOf(name string) (Directive, bool) {
	d, ok := directiveByName[name]
	return d, ok
}

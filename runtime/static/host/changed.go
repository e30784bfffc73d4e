// Variables in device memory that the host may change.

package host

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// changed returns the variables in device memory that may hold something else than their declarations say: those that the code of the host
// names, in whatever way, other than to read them. It is facts.AnyVariable where the host asks for a variable by a name that the text does
// not show, or where not all of the text was read.
func (x *executor) changed() []string {
	declared, found := make(map[string]bool), make(map[string]bool)
	at := make(map[*token]bool)
	for _, u := range x.units {
		u.deviceVariables(declared, at)
	}
	for _, u := range x.units {
		if len(u.ts) >= maxTokens {
			found[facts.AnyVariable] = true
		}
		u.names(declared, at, found)
	}
	return slices.Sorted(maps.Keys(found))
}

// deviceVariables adds the names of the variables in device memory that a file declares, and where it does.
func (u *unit) deviceVariables(names map[string]bool, at map[*token]bool) {
	for i := 0; i < len(u.ts); i++ {
		if t := &u.ts[i]; !t.is("__constant__") && !t.is("__device__") && !t.is("__managed__") {
			continue
		}
		for i++; i+1 < len(u.ts) && !u.ts[i].is(";") && !u.ts[i].is("("); i++ { // a ( is that of a function
			t, next := &u.ts[i], &u.ts[i+1]
			switch {
			case attributes[t.text] && next.is("("):
				i = u.closing(i + 1)
			case t.is("["), t.is("{"):
				i = u.closing(i)
			case t.is("<"):
				i = max(i, u.closingAngle(i))
			case t.kind == tokName && (next.is("[") || next.is("=") || next.is(";") || next.is(",") || next.is("{")):
				names[t.text], at[t] = true, true
			}
		}
	}
}

// maxAsked limits the tokens of the arguments in which the name of a variable is looked for.
const maxAsked = 200

// names adds the declared variables that the code of the host in a file names, and those that it asks the runtime or the driver for.
func (u *unit) names(declared map[string]bool, at map[*token]bool, found map[string]bool) {
	begins := make(map[int]*function)
	for _, f := range u.functions {
		begins[f.from] = f
	}
	end := 0 // of the function around a token
	for i := 0; i < len(u.ts); i++ {
		if f := begins[i]; f != nil && (f.device || AsksFor(f.name)) {
			i = max(i, f.to-1)
			continue
		} else if f != nil {
			end = max(end, f.to)
		}
		t := &u.ts[i]
		calls := t.kind == tokName && i+1 < len(u.ts) && u.ts[i+1].is("(")
		switch {
		case calls && Reads(t.text):
			i = u.closing(i + 1)
		case declared[t.text] && !at[t]:
			found[t.text] = true
		case t.kind == tokName && AsksFor(t.text) && i < end: // not a declaration of such a function
			if args := u.ts[i+1 : min(i+maxAsked, len(u.ts))]; !calls || !asked(args, declared, found) {
				found[facts.AnyVariable] = true
			}
		}
	}
}

// asked adds the variables that are named by the arguments of a call that asks for one, which begin with a (. It reports whether there is
// one, and the arguments end.
func asked(args []token, declared, found map[string]bool) (named bool) {
	depth := 0
	for k := range args {
		switch t := &args[k]; {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.kind == tokString || declared[t.text]:
			found[strings.Trim(t.text, `"`)], named = true, true
		}
		if depth == 0 {
			return named
		}
	}
	return false
}

// AsksFor reports whether a function of the runtime or the driver with that name writes to a variable of device memory, or returns the
// address of one (CUDA Runtime API, "Memory Management"; CUDA Driver API, "Module Management").
func AsksFor(name string) bool {
	return strings.Contains(name, "ToSymbol") || strings.Contains(name, "GetSymbolAddress") || strings.Contains(name, "GetGlobal")
}

// Reads reports whether a function of the runtime with that name copies from a variable of device memory.
func Reads(name string) bool { return strings.Contains(name, "cudaMemcpyFromSymbol") }

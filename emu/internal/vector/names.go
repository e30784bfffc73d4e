// Names of operations, for listings.

package vector

import "strconv"

// Names of operations, for listings of programs.

// String is the operation's name, as in the enumeration.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return "Op(" + strconv.Itoa(int(op)) + ")"
}

// Op is the operation that Set has made in, found by its handlers. It reports false where
// there are no handlers, and for an Inst that Set has not made.
func (in *Inst) Op() (Op, bool) {
	op, ok := in.executes()
	if op >= numOps {
		op = runs[op-numOps].steps[0].op
	}
	return op, ok
}

// Run is the name of the run that begins with in, "" if there is none.
func (in *Inst) Run() string {
	if op, _ := in.executes(); op >= numOps {
		return op.String()
	}
	return ""
}

// Lone is the name of the lone run that begins with in, "" if there is none.
func (in *Inst) Lone() string {
	for i := range runs {
		if op := Op(numOps + i); runs[i].lone && in.handlers.one != 0 && find(op).one == in.handlers.one {
			return op.String()
		}
	}
	return ""
}

// executes returns the operation or run, if it is not a lone one, with the handlers of in.
func (in *Inst) executes() (Op, bool) {
	if in.handlers.full == 0 {
		return 0, false
	}
	for op := range Op(numHandlers) { // the first match is not a lone run, which has a greater number than its first operation
		if find(op).full == in.handlers.full {
			return op, true
		}
	}
	return 0, false
}

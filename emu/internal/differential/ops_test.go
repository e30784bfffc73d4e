// The table of operations that programs use.

package differential

import (
	"fmt"
	"strings"
)

// An operation is a function that generated programs call: on the device one or a few PTX instructions, on the host
// their definition according to the manual.
type operation struct {
	name   string
	result scalar
	args   []scalar
	// ptx is an opcode, or text in which %r is the result and %a to %d are the arguments.
	ptx string
	// host is an expression over a to d, or statements that return a value.
	host string
	sm   int // first architecture that supports it, 0 for all
}

// operations lists all operations, always in the same order.
var operations = buildOperations()

func buildOperations() []operation {
	var t opTable
	t.integers()
	t.bits()
	t.products()
	t.saturating()
	t.floats()
	t.conversions()
	t.halves()
	return t.ops
}

// opTable collects operations.
type opTable struct{ ops []operation }

func (t *opTable) add(name string, result scalar, args []scalar, ptx, host string) *operation {
	t.ops = append(t.ops, operation{name: name, result: result, args: args, ptx: ptx, host: host})
	return &t.ops[len(t.ops)-1]
}

// same returns n arguments of one type.
func same(t scalar, n int) []scalar {
	args := make([]scalar, n)
	for i := range args {
		args[i] = t
	}
	return args
}

// parameters returns the text of the function's parameters.
func (op *operation) parameters() string {
	var list []string
	for i, t := range op.args {
		list = append(list, fmt.Sprintf("%s %c", t.c, 'a'+i))
	}
	return strings.Join(list, ", ")
}

// device returns the definition for the device, in inline assembly.
func (op *operation) device() string {
	text := op.ptx
	if !strings.Contains(text, "%") {
		text += " %r" + ", %a, %b, %c, %d"[:4*len(op.args)] + ";"
	}
	names := []string{"%r", "%0"}
	var in []string
	for i, t := range op.args {
		names = append(names, fmt.Sprintf("%%%c", 'a'+i), fmt.Sprintf("%%%d", i+1))
		in = append(in, fmt.Sprintf(`"%s"(%c)`, t.constraint, 'a'+i))
	}
	return fmt.Sprintf("DEVICE inline %s %s(%s) {\n  %[1]s r;\n  asm(\"%[4]s\" : \"=%[5]s\"(r) : %[6]s);\n  return r;\n}\n",
		op.result.c, op.name, op.parameters(), strings.NewReplacer(names...).Replace(text), op.result.constraint, strings.Join(in, ", "))
}

// reference returns the definition for the host.
func (op *operation) reference() string {
	body := op.host
	if !strings.Contains(body, ";") {
		body = "return " + body
	}
	return fmt.Sprintf("static %s %s(%s) { %s; }\n", op.result.c, op.name, op.parameters(), body)
}

// OperationNames returns the functions for single instructions that programs for an architecture may call.
func OperationNames(sm int) []string {
	var names []string
	for _, op := range operationsFor(sm) {
		names = append(names, op.name+"(")
	}
	return names
}

// operationsFor returns the operations that an architecture supports.
func operationsFor(sm int) []operation {
	var ops []operation
	for _, op := range operations {
		if op.sm <= sm {
			ops = append(ops, op)
		}
	}
	return ops
}

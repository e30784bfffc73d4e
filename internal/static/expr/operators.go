// The binary operators of C expressions: their precedence and meaning.

package expr

// An Operator is the meaning of a binary operator: one of its functions is set.
type Operator struct {
	Level   int                    // precedence, from 0
	Integer func(x, y *Int) *Int   // of two integers
	Compare func(x, y *Int) *Bool  // of two integers, the truth of a comparison
	Logic   func(x, y *Bool) *Bool // of two conditions
	Masks   bool                   // of an integer and a condition, Integer is the condition that holds if the integer is odd, too
}

// Operators has the binary operators of C, except assignments and the comma.
var Operators = map[string]Operator{
	"||": {Level: 0, Logic: func(x, y *Bool) *Bool { return Any(x, y) }},
	"&&": {Level: 1, Logic: func(x, y *Bool) *Bool { return All(x, y) }},
	"|":  {Level: 2, Integer: Or},
	"^":  {Level: 3, Integer: Xor},
	"&":  {Level: 4, Integer: And, Masks: true},
	"==": {Level: 5, Compare: Eq},
	"!=": {Level: 5, Compare: Ne},
	"<":  {Level: 6, Compare: Lt},
	"<=": {Level: 6, Compare: Le},
	">":  {Level: 6, Compare: Gt},
	">=": {Level: 6, Compare: Ge},
	"<<": {Level: 7, Integer: Shl},
	">>": {Level: 7, Integer: Shr},
	"+":  {Level: 8, Integer: func(x, y *Int) *Int { return Add(x, y) }},
	"-":  {Level: 8, Integer: Sub},
	"*":  {Level: 9, Integer: func(x, y *Int) *Int { return Mul(x, y) }},
	"/":  {Level: 9, Integer: Div},
	"%":  {Level: 9, Integer: Rem},
}

// apply applies an operator to integers and conditions of the text form.
func (o Operator) apply(x, y value) value {
	switch {
	case o.Logic != nil:
		return value{b: o.Logic(x.bool(), y.bool())}
	case o.Compare != nil:
		return value{b: o.Compare(x.int(), y.int())}
	case o.Masks && (x.b != nil || y.b != nil):
		return value{b: All(x.odd(), y.odd())}
	}
	return value{i: o.Integer(x.int(), y.int())}
}

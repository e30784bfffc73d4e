// Arithmetic on linear forms, the lattice of the analysis in linear.go.

package address

// Linear is a linear form in bytes: the address of Object + Const + Tid·%tid + Cta·%ctaid.
type Linear struct {
	Object   uint64 // the number of an object, as in ParamValue; 0 for none
	Const    int64
	Tid, Cta [3]int64 // factors of x, y, z
}

// constant reports whether the form is a number, the same in all threads.
func (l Linear) constant() bool { return l == Linear{Const: l.Const} }

// linear is an element of the lattice: a value of w bits equals it modulo 2^w.
type linear struct {
	kind  linearKind
	form  Linear
	id    int32 // identifies a number that is the same in all threads, or a pair
	scale int64 // of a partner
}

type linearKind uint8

const (
	linearNothing linearKind = iota // bottom: no path with a value has been found yet
	linearForm                      // the form
	linearSame                      // an unknown number, the same in all threads of the launch
	linearIndex                     // the partner of the form, an index of 32 bits
	linearPartner                   // the form plus scale times the difference of partner and index
	linearAny                       // top: any value
)

var linearTop = linear{kind: linearAny}

func linearConst(v int64) linear { return linear{kind: linearForm, form: Linear{Const: v}} }

// meetLinear returns the meet of two lattice elements: a value that may be either.
func meetLinear(a, b linear) linear {
	switch {
	case a == b || b.kind == linearNothing:
		return a
	case a.kind == linearNothing:
		return b
	}
	return linearTop
}

// addLinear returns a + b.
func addLinear(a, b linear) linear {
	if b.kind == linearPartner {
		a, b = b, a
	}
	if a.kind != linearForm && a.kind != linearPartner || b.kind != linearForm {
		return notLinear(a, b)
	}
	if a.form.Object != 0 && b.form.Object != 0 {
		return linearTop
	}
	a.form.Object |= b.form.Object
	a.form.Const += b.form.Const
	for i := range 3 {
		a.form.Tid[i] += b.form.Tid[i]
		a.form.Cta[i] += b.form.Cta[i]
	}
	return a
}

// subLinear returns a - b. The difference of two addresses in one object is a number.
func subLinear(a, b linear) linear {
	if b.kind == linearForm && b.form.Object != 0 && a.kind == linearForm {
		if a.form.Object != b.form.Object {
			return linearTop
		}
		a.form.Object, b.form.Object = 0, 0
	}
	return addLinear(a, timesLinear(b, linearConst(-1)))
}

// timesLinear returns a * b; one factor must be constant for the product to be linear.
func timesLinear(a, b linear) linear {
	if a.kind == linearForm && a.form.constant() {
		a, b = b, a
	}
	if a.kind != linearForm && a.kind != linearPartner || b.kind != linearForm {
		return notLinear(a, b)
	}
	k := b.form.Const
	if !b.form.constant() || a.form.Object != 0 && k != 1 {
		return linearTop
	}
	if a.kind == linearPartner && (k <= 0 || k > mostScale/a.scale) {
		return linearTop
	}
	a.scale *= k
	a.form.Const *= k
	for i := range 3 {
		a.form.Tid[i] *= k
		a.form.Cta[i] *= k
	}
	return a
}

// notLinear returns the result of an operation with an operand that is no form: bottom while an operand may still
// become one, else top.
func notLinear(a, b linear) linear {
	if a.kind != linearAny && b.kind != linearAny && (a.kind == linearNothing || b.kind == linearNothing) {
		return linear{}
	}
	return linearTop
}

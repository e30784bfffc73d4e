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

// linear is an element of the lattice: a value of w bits equals the form modulo 2^w.
type linear struct {
	kind linearKind
	form Linear
}

type linearKind uint8

const (
	linearNothing linearKind = iota // bottom: no path with a value is known yet
	linearForm                      // the form
	linearAny                       // top: any value
)

var linearTop = linear{kind: linearAny}

func linearConst(v int64) linear { return linear{linearForm, Linear{Const: v}} }

// meetLinear is the meet of two lattice elements: a value that may be either.
func meetLinear(a, b linear) linear {
	switch {
	case a == b || b.kind == linearNothing:
		return a
	case a.kind == linearNothing:
		return b
	}
	return linearTop
}

// addLinear is a + b.
func addLinear(a, b linear) linear {
	if a.kind != linearForm || b.kind != linearForm {
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

// subLinear is a - b. The difference of two addresses in one object is a number.
func subLinear(a, b linear) linear {
	if b.kind == linearForm && b.form.Object != 0 && a.kind == linearForm {
		if a.form.Object != b.form.Object {
			return linearTop
		}
		a.form.Object, b.form.Object = 0, 0
	}
	return addLinear(a, timesLinear(b, linearConst(-1)))
}

// timesLinear is a * b; one factor must be constant for the product to be linear.
func timesLinear(a, b linear) linear {
	if a.kind != linearForm || b.kind != linearForm {
		return notLinear(a, b)
	}
	if a.form.constant() {
		a, b = b, a
	}
	k := b.form.Const
	if !b.form.constant() || a.form.Object != 0 && k != 1 {
		return linearTop
	}
	a.form.Const *= k
	for i := range 3 {
		a.form.Tid[i] *= k
		a.form.Cta[i] *= k
	}
	return a
}

// notLinear is the result when an operand is no form: top if one is top, else bottom.
func notLinear(a, b linear) linear {
	if a.kind == linearAny || b.kind == linearAny {
		return linearTop
	}
	return linear{}
}

// Values of the symbolic execution.

package memory

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/clib"
)

// Value is the content of a register or a piece of memory. The zero value is unknown.
type Value struct {
	Num      *expr.Int  // an integer
	Signed   bool       // num is in the range of signed integers of that width, else of unsigned ones
	Bits     int64      // of num and cond
	Cond     *expr.Bool // a condition, or 0 and 1
	To       *Object    // a pointer
	Offset   *expr.Int  // of the pointer, in bytes; nil: unknown
	Function string     // the address of a function
	Null     bool       // a null pointer
	Parts    []Cell     // of a struct, or of an integer that consists of two others
	Cases    []Case     // it is one of these values, see Choose

	Text    *string      // a string with its terminating zero, in its memory layout
	Real    *float64     // a floating-point number
	Options *clib.Getopt // the state of getopt
}

// Cell is a value at an offset in bytes.
type Cell struct {
	At, Size int64
	Value    Value
}

// Known reports whether a value is an integer that is not entirely unknown.
func (v Value) Known() bool { return v.Cond != nil || v.Num != nil && !v.Num.IsUnknown() }

// Something reports whether anything is known of a value.
func (v Value) Something() bool {
	return v.Known() || v.Null || v.To != nil || v.Function != "" || v.Parts != nil || v.Text != nil || v.Real != nil ||
		v.Options != nil || v.Cases != nil
}

// Points reports whether a value has an address in it.
func (v Value) Points() bool {
	return v.To != nil || slices.ContainsFunc(v.Parts, func(p Cell) bool { return p.Value.Points() }) ||
		slices.ContainsFunc(v.Cases, func(c Case) bool { return c.Value.Points() })
}

// Has reports whether every address in another value is in this one, whatever it may be.
func (v Value) Has(w Value) bool {
	if w.Cases != nil {
		return v.Equal(w)
	}
	if w.To != nil {
		return v.To == w.To || slices.ContainsFunc(v.Parts, func(p Cell) bool { return p.Value.Has(w) })
	}
	return !slices.ContainsFunc(w.Parts, func(p Cell) bool { return p.Value.Points() && !v.Has(p.Value) })
}

// Int returns the value as an integer; a condition is 0 or 1. Nil: unknown.
func (v Value) Int() *expr.Int {
	if v.Cond != nil {
		return expr.Ite(v.Cond, expr.Const(1), expr.Const(0))
	}
	return v.Num
}

// AsSigned returns the value as a signed integer. Integers of 64 bits are exact.
func (v Value) AsSigned() *expr.Int {
	n := v.Int()
	if n == nil || v.Cond != nil || v.Signed || v.Bits >= 64 || v.Bits < 1 {
		return n
	}
	if _, hi := n.Range(); hi != nil && int64(hi.BitLen()) < v.Bits {
		return n
	}
	return expr.Wrap(n, int(v.Bits), true)
}

// AsUnsigned returns the value as an unsigned integer.
func (v Value) AsUnsigned() *expr.Int {
	n := v.Int()
	if n == nil || v.Cond != nil || !v.Signed || v.Bits >= 64 || v.Bits < 1 {
		return n
	}
	if lo, _ := n.Range(); lo != nil && lo.Sign() >= 0 {
		return n
	}
	return expr.Wrap(n, int(v.Bits), false)
}

// Bool returns the value as a condition.
func (v Value) Bool() *expr.Bool {
	switch {
	case v.Cond != nil:
		return v.Cond
	case v.Known():
		return expr.Ne(v.Num, expr.Const(0))
	}
	return expr.Maybe()
}

// Equal reports whether two values are known to be the same.
func (v Value) Equal(w Value) bool {
	switch {
	case v.Cases != nil || w.Cases != nil:
		return slices.EqualFunc(v.Cases, w.Cases, func(c, d Case) bool {
			return c.When.Equal(d.When) && (c.Value.Equal(d.Value) || !c.Value.Something() && !d.Value.Something())
		})
	case v.Null || w.Null:
		return v.Null && w.Null
	case v.Cond != nil && w.Cond != nil:
		return v.Cond.Equal(w.Cond)
	case v.Known() && w.Known():
		return v.Signed == w.Signed && v.Int().Equal(w.Int())
	case v.To != nil || w.To != nil:
		return v.To == w.To && (v.Offset == nil) == (w.Offset == nil) && (v.Offset == nil || v.Offset.Equal(w.Offset))
	case v.Function != "" || w.Function != "":
		return v.Function == w.Function
	case v.Text != nil && w.Text != nil:
		return *v.Text == *w.Text
	case v.Real != nil && w.Real != nil:
		return *v.Real == *w.Real
	case v.Options != nil && w.Options != nil:
		return v.Options.Equal(w.Options)
	case v.Parts != nil && len(v.Parts) == len(w.Parts):
		for i, p := range v.Parts {
			if q := w.Parts[i]; p.At != q.At || p.Size != q.Size || !p.Value.Equal(q.Value) {
				return false
			}
		}
		return true
	}
	return false
}

// NewConstant makes an integer.
func NewConstant(k *big.Int, bits int64) Value {
	return Value{Num: expr.Big(k), Signed: k.Sign() < 0 || int64(k.BitLen()) < bits, Bits: bits}
}

// Piece returns the part of a value of some size at an offset, in its memory layout.
func (v Value) Piece(at, size int64) Value {
	for _, p := range v.Parts {
		switch {
		case p.At == at && p.Size == size:
			return p.Value
		case p.At <= at && at+size <= p.At+p.Size:
			return p.Value.Piece(at-p.At, size)
		}
	}
	if v.Text != nil && size == 1 && at >= 0 && at <= int64(len(*v.Text)) {
		c := int64(0)
		if at < int64(len(*v.Text)) {
			c = int64(int8((*v.Text)[at]))
		}
		return Value{Num: expr.Const(c), Signed: true, Bits: 8}
	}
	var parts []Cell
	for _, p := range v.Parts {
		if p.At >= at && p.At+p.Size <= at+size {
			parts = append(parts, Cell{p.At - at, p.Size, p.Value})
		}
	}
	if parts != nil {
		return Value{Parts: parts}
	}
	if k, ok := v.Constant(); ok && size <= 8 { // of a number
		k = new(big.Int).Rsh(k, uint(8*at))
		k.And(k, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*size)), big.NewInt(1)))
		return NewConstant(k, 8*size)
	}
	if n := v.AsUnsigned(); n != nil && !n.IsUnknown() && v.Bits == 64 && size == 4 {
		return Value{Num: expr.Wrap(expr.Shr(n, expr.Const(8*at)), 32, false), Bits: 32}
	}
	return Value{}
}

// Zero reports whether a value is known to be 0 or a null pointer.
func (v Value) Zero() bool {
	k, ok := v.Constant()
	return v.Null || ok && k.Sign() == 0
}

// Constant returns the value of a known integer; ok is false for others.
func (v Value) Constant() (*big.Int, bool) {
	if v.Num == nil || v.Bits < 1 {
		return nil, false
	}
	return v.Num.Const()
}

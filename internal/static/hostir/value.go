// Values of the symbolic execution.

package hostir

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// value is the content of a register or a piece of memory. The zero value is unknown.
type value struct {
	num    *expr.Int  // an integer
	signed bool       // num is in the range of signed integers of that width, else of unsigned ones
	bits   int64      // of num and cond
	cond   *expr.Bool // a condition, or 0 and 1
	to     *object    // a pointer
	off    *expr.Int  // of the pointer, in bytes; nil: unknown
	fn     string     // the address of a function
	null   bool       // a null pointer
	parts  []cell     // of a struct, or of an integer that consists of two others

	text    *string  // a string with its terminating zero, in its memory layout
	real    *float64 // a floating-point number
	options *Getopt  // the state of getopt
}

// cell is a value at an offset in bytes.
type cell struct {
	at, size int64
	v        value
}

// known reports whether a value is an integer that is not entirely unknown.
func (v value) known() bool { return v.cond != nil || v.num != nil && !v.num.IsUnknown() }

// something reports whether anything is known of a value.
func (v value) something() bool {
	return v.known() || v.null || v.to != nil || v.fn != "" || v.parts != nil || v.text != nil || v.real != nil ||
		v.options != nil
}

// points reports whether a value has an address in it.
func (v value) points() bool {
	return v.to != nil || slices.ContainsFunc(v.parts, func(p cell) bool { return p.v.points() })
}

// has reports whether every address in another value is in this one.
func (v value) has(w value) bool {
	if w.to != nil {
		return v.to == w.to || slices.ContainsFunc(v.parts, func(p cell) bool { return p.v.has(w) })
	}
	return !slices.ContainsFunc(w.parts, func(p cell) bool { return p.v.points() && !v.has(p.v) })
}

// int returns the value as an integer; a condition is 0 or 1. Nil: unknown.
func (v value) int() *expr.Int {
	if v.cond != nil {
		return expr.Ite(v.cond, expr.Const(1), expr.Const(0))
	}
	return v.num
}

// asSigned returns the value as a signed integer. Integers of 64 bits are exact.
func (v value) asSigned() *expr.Int {
	n := v.int()
	if n == nil || v.cond != nil || v.signed || v.bits >= 64 || v.bits < 1 {
		return n
	}
	if _, hi := n.Range(); hi != nil && int64(hi.BitLen()) < v.bits {
		return n
	}
	return expr.Wrap(n, int(v.bits), true)
}

// asUnsigned returns the value as an unsigned integer.
func (v value) asUnsigned() *expr.Int {
	n := v.int()
	if n == nil || v.cond != nil || !v.signed || v.bits >= 64 || v.bits < 1 {
		return n
	}
	if lo, _ := n.Range(); lo != nil && lo.Sign() >= 0 {
		return n
	}
	return expr.Wrap(n, int(v.bits), false)
}

// bool returns the value as a condition.
func (v value) bool() *expr.Bool {
	switch {
	case v.cond != nil:
		return v.cond
	case v.known():
		return expr.Ne(v.num, expr.Const(0))
	}
	return expr.Maybe()
}

// equal reports whether two values are known to be the same.
func (v value) equal(w value) bool {
	switch {
	case v.null || w.null:
		return v.null && w.null
	case v.cond != nil && w.cond != nil:
		return v.cond.Equal(w.cond)
	case v.known() && w.known():
		return v.signed == w.signed && v.int().Equal(w.int())
	case v.to != nil || w.to != nil:
		return v.to == w.to && (v.off == nil) == (w.off == nil) && (v.off == nil || v.off.Equal(w.off))
	case v.fn != "" || w.fn != "":
		return v.fn == w.fn
	case v.text != nil && w.text != nil:
		return *v.text == *w.text
	case v.real != nil && w.real != nil:
		return *v.real == *w.real
	case v.options != nil && w.options != nil:
		return v.options.Equal(w.options)
	case v.parts != nil && len(v.parts) == len(w.parts):
		for i, p := range v.parts {
			if q := w.parts[i]; p.at != q.at || p.size != q.size || !p.v.equal(q.v) {
				return false
			}
		}
		return true
	}
	return false
}

// constant makes an integer.
func constant(k *big.Int, bits int64) value {
	return value{num: expr.Big(k), signed: k.Sign() < 0 || int64(k.BitLen()) < bits, bits: bits}
}

// piece returns the part of a value of some size at an offset, in its memory layout.
func (v value) piece(at, size int64) value {
	for _, p := range v.parts {
		switch {
		case p.at == at && p.size == size:
			return p.v
		case p.at <= at && at+size <= p.at+p.size:
			return p.v.piece(at-p.at, size)
		}
	}
	if v.text != nil && size == 1 && at >= 0 && at <= int64(len(*v.text)) {
		c := int64(0)
		if at < int64(len(*v.text)) {
			c = int64(int8((*v.text)[at]))
		}
		return value{num: expr.Const(c), signed: true, bits: 8}
	}
	var parts []cell
	for _, p := range v.parts {
		if p.at >= at && p.at+p.size <= at+size {
			parts = append(parts, cell{p.at - at, p.size, p.v})
		}
	}
	if parts != nil {
		return value{parts: parts}
	}
	if k, ok := v.constant(); ok && size <= 8 { // of a number
		k = new(big.Int).Rsh(k, uint(8*at))
		k.And(k, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*size)), big.NewInt(1)))
		return constant(k, 8*size)
	}
	if n := v.asUnsigned(); n != nil && !n.IsUnknown() && v.bits == 64 && size == 4 {
		return value{num: expr.Wrap(expr.Shr(n, expr.Const(8*at)), 32, false), bits: 32}
	}
	return value{}
}

// zero reports whether a value is known to be 0 or a null pointer.
func (v value) zero() bool {
	k, ok := v.constant()
	return v.null || ok && k.Sign() == 0
}

func (v value) constant() (*big.Int, bool) {
	if v.num == nil || v.bits < 1 {
		return nil, false
	}
	return v.num.Const()
}

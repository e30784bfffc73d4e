// Constants: numbers in the source, and constant expressions of #if and enum.

package host

import (
	"math/big"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// constant returns the value of a constant expression, in which all names are 0.
func constant(ts []token) (int64, bool) {
	p := newParser(ts)
	x := p.expression()
	if x == nil || p.more() {
		return 0, false
	}
	return fold(x)
}

// fold returns the value of a constant expression.
func fold(n *node) (int64, bool) {
	if n == nil {
		return 0, false
	}
	switch n.kind {
	case exName:
		return int64(boolInt(n.op == "true")), true
	case exNumber:
		k, _, ok := number(n.op)
		return k.Int64(), ok
	case exUnary:
		x, ok := fold(n.x)
		switch n.op {
		case "!":
			return int64(boolInt(x == 0)), ok
		case "-":
			return -x, ok
		case "~":
			return ^x, ok
		case "+":
			return x, ok
		}
	case exChoice:
		if c, ok := fold(n.x); ok && c != 0 {
			return fold(n.y)
		}
		return fold(n.z)
	case exBinary:
		x, ok := fold(n.x)
		y, ok2 := fold(n.y)
		v, ok3 := foldBinary(n.op, x, y)
		return v, ok && ok2 && ok3
	}
	return 0, false
}

// foldBinary applies a binary operator to constants.
func foldBinary(op string, x, y int64) (int64, bool) {
	switch o := expr.Operators[op]; {
	case o.Logic != nil:
		return truth(o.Logic(expr.Truth(x != 0), expr.Truth(y != 0)))
	case o.Compare != nil:
		return truth(o.Compare(expr.Const(x), expr.Const(y)))
	case o.Integer != nil && (o.Level != expr.Operators["<<"].Level || y >= 0 && y < 64):
		return expr.Wrap(o.Integer(expr.Const(x), expr.Const(y)), 64, true).Int64()
	}
	return 0, false
}

// truth returns a constant condition as an integer.
func truth(b *expr.Bool) (int64, bool) {
	v, ok := b.Const()
	return int64(boolInt(v)), ok
}

// number parses a literal; typ is the type of an integer, "" for floating point.
func number(text string) (k *big.Int, typ string, ok bool) {
	k = new(big.Int)
	s := strings.ToLower(strings.ReplaceAll(text, "'", ""))
	hex := strings.HasPrefix(s, "0x")
	digits := strings.TrimRight(s, "ul")
	suffix := s[len(digits):]
	if !hex && strings.ContainsAny(s, ".ef") || len(digits) > 100 {
		return k, "", false
	}
	if _, ok = k.SetString(digits, 0); !ok {
		return new(big.Int), "", false
	}
	unsigned, long := strings.Contains(suffix, "u"), strings.Contains(suffix, "l")
	typ = "s32"
	switch {
	case long && unsigned:
		typ = "u64"
	case long || k.BitLen() > 32 || !unsigned && !hex && k.BitLen() > 31:
		typ = "s64"
	case unsigned || k.BitLen() > 31:
		typ = "u32"
	}
	return k, typ, true
}

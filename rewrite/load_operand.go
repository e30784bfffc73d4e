// The loader: operands.

package rewrite

import (
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// operand resolves a syntax operand into dst. It returns false after recording an error.
func (l *funcLoader) operand(dst *Operand, o *ptxgrammar.Operand, role isa.Role) bool {
	dst.AST = o
	switch o.Kind {
	case ptxgrammar.OperandName:
		return l.name(dst, o, role)
	case ptxgrammar.OperandVector:
		dst.Kind = OperandVector
		return l.elems(dst, l.ast.Children(o), role)
	case ptxgrammar.OperandList:
		dst.Kind = OperandList
		return l.elems(dst, l.ast.Children(o), role)
	case ptxgrammar.OperandAddr:
		return l.address(dst, o)
	case ptxgrammar.OperandIndex:
		return l.element(dst, o, role)
	case ptxgrammar.OperandString:
		l.errorf(l.ast.OperandRange(o).Start, "unexpected string %s", shown(l.ast, o))
		return false
	case ptxgrammar.OperandBinary:
		if l.ast.Operator(o) == "|" && !l.constant(o) {
			dst.Kind = OperandPair
			return l.elems(dst, l.ast.Children(o), role)
		}
	case ptxgrammar.OperandUnary:
		if l.negated(dst, o) {
			return true
		}
	}
	return l.value(dst, o)
}

// elems resolves the parts of a vector, list or pair.
func (l *funcLoader) elems(dst *Operand, kids []ptxgrammar.Operand, role isa.Role) bool {
	dst.Elems = l.operands(len(kids))
	ok := true
	for i := range kids {
		e := &dst.Elems[i]
		if !l.operand(e, &kids[i], role) {
			ok = false
		} else if e.Kind == OperandSum || kids[i].Kind == ptxgrammar.OperandIndex {
			l.errorf(l.ast.OperandRange(&kids[i]).Start, "%q can only be a whole operand", shown(l.ast, &kids[i]))
			ok = false
		}
	}
	return ok
}

// name resolves an identifier.
func (l *funcLoader) name(dst *Operand, o *ptxgrammar.Operand, role isa.Role) bool {
	name := l.ast.Name(o)
	if name == "_" {
		dst.Kind = OperandNone
		return true
	}
	switch s := l.lookup(name).(type) {
	case *Reg:
		dst.Kind, dst.Reg, dst.Member = OperandReg, s, l.ast.Member(o)
		return l.component(o, s.Vec)
	case *Label:
		dst.Kind, dst.Sym = OperandLabel, s
		return true
	case *Var:
		if s.Func == nil {
			l.checkOrder(name, l.ast.OperandRange(o))
		}
		dst.Kind, dst.Sym = OperandSymbol, s
		n := 1
		if s.Reg != nil {
			dst.Kind, dst.Reg, dst.Sym, dst.Member = OperandReg, s.Reg, nil, l.ast.Member(o)
			n = s.Vec
		}
		return l.component(o, n)
	case nil:
	default:
		if _, ok := s.(*Func); ok {
			l.checkOrder(name, l.ast.OperandRange(o))
		}
		dst.Kind, dst.Sym = OperandSymbol, s
		return true
	}
	if sr, ok := isa.Special(name); ok {
		return l.special(dst, o, sr)
	}
	if name == warpSize {
		dst.Kind, dst.Imm = OperandImm, 32
		return true
	}
	if l.newer && likeSpecial(name) {
		l.newerf(l.ast.OperandRange(o).Start, "unknown special register %q", name)
		dst.Kind, dst.Special, dst.Member = OperandSpecial,
			isa.SpecialReg{Name: name, Volatile: true, PerLane: true, Opaque: true}, l.ast.Member(o)
		l.lacking = true
		return true
	}
	if strings.HasPrefix(name, "_optix_") {
		l.errorf(l.ast.OperandRange(o).Start,
			"undefined function %q: this is a module for OptiX, whose compiler defines it", name)
		return false
	}
	l.errorf(l.ast.OperandRange(o).Start, "undefined %s %q%s", roleWord(role, name), name, l.suggest(name))
	return false
}

// likeSpecial reports whether a name that is not declared may be a special register of a newer PTX release: %word,
// without the number at the end that registers have.
func likeSpecial(name string) bool {
	last := name[len(name)-1]
	return name[0] == '%' && (last < '0' || last > '9')
}

// component checks the .x of something with n components (PTX ISA 5.4.3: .x .y .z
// .w, or .r .g .b .a), or the selector of a video operand.
func (l *funcLoader) component(o *ptxgrammar.Operand, n int) bool {
	m := l.ast.Member(o)
	if m == "" || l.video && n == 1 && videoSelector(m) {
		return true
	}
	i := max(strings.Index("xyzw", m[1:]), strings.Index("rgba", m[1:]))
	if len(m) != 2 || i < 0 || n == 1 || i >= n {
		l.errorf(l.ast.OperandRange(o).Start, "%q has no component %q", l.ast.Name(o), m)
		return false
	}
	return true
}

// videoSelector reports whether a member selects bytes or half-words of a register (PTX ISA 9.7.18): .b0, .h1, .b7610,
// .h32.
func videoSelector(m string) bool {
	digits, bytes := strings.CutPrefix(m, ".b")
	if !bytes {
		digits = strings.TrimPrefix(m, ".h")
	}
	return digits != "" && digits != m && strings.Trim(digits, "01234567") == "" && len(digits) <= 4
}

// roleWord returns what an undefined name was expected to be.
func roleWord(role isa.Role, name string) string {
	switch {
	case role == isa.RoleLabel:
		return "label"
	case strings.HasPrefix(name, "%"):
		return "register"
	}
	return "name"
}

// negated resolves !p and -%r, the unary operators that apply to registers.
func (l *funcLoader) negated(dst *Operand, o *ptxgrammar.Operand) bool {
	kid := &l.ast.Children(o)[0]
	op := l.ast.Operator(o)
	if kid.Kind != ptxgrammar.OperandName || op != "!" && op != "-" {
		return false
	}
	r, ok := l.lookup(l.ast.Name(kid)).(*Reg)
	if !ok {
		return false
	}
	dst.Kind, dst.Reg, dst.Member = OperandReg, r, l.ast.Member(kid)
	dst.Not, dst.Neg = op == "!", op == "-"
	return true
}

// value resolves a constant expression, or the sum of a symbol or register and a constant.
func (l *funcLoader) value(dst *Operand, o *ptxgrammar.Operand) bool {
	if l.constant(o) {
		return l.immediate(dst, o)
	}
	base, off, ok := l.sum(o)
	if !ok {
		return false
	}
	if !l.operand(dst, base, isa.RoleSrc) {
		return false
	}
	dst.AST, dst.Off = o, off
	switch {
	case dst.Kind == OperandSymbol && dst.Special.Name == "":
		return true
	case dst.Kind == OperandReg && dst.Reg.Vec == 1 && dst.Reg.Type != isa.Pred && !dst.Reg.Type.Float():
		dst.Kind, dst.Scale = OperandSum, 1
		return true
	}
	l.errorf(l.ast.OperandRange(o).Start, "%q is neither a constant nor a symbol or integer register with an offset",
		shown(l.ast, o))
	return false
}

// immediate evaluates a constant operand.
func (l *funcLoader) immediate(dst *Operand, o *ptxgrammar.Operand) bool {
	c, err := EvalConst(l.ast, o)
	if err != nil {
		l.errorf(l.ast.OperandRange(o).Start, "%v", err)
		return false
	}
	dst.Kind, dst.Imm, dst.Float, dst.Single = OperandImm, c.Bits, c.Float, c.Single
	return true
}

// constant reports whether an expression contains no name.
func (l *loader) constant(o *ptxgrammar.Operand) bool {
	switch o.Kind {
	case ptxgrammar.OperandInt, ptxgrammar.OperandFloat:
		return true
	case ptxgrammar.OperandName:
		return l.ast.Name(o) == warpSize
	case ptxgrammar.OperandUnary, ptxgrammar.OperandBinary, ptxgrammar.OperandCast, ptxgrammar.OperandCond:
		kids := l.ast.Children(o)
		for i := range kids {
			if !l.constant(&kids[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// sum splits base + constant (or base - constant, constant + base).
func (l *loader) sum(o *ptxgrammar.Operand) (base *ptxgrammar.Operand, off int64, ok bool) {
	for o.Kind == ptxgrammar.OperandBinary {
		kids, op := l.ast.Children(o), l.ast.Operator(o)
		rest, num := &kids[0], &kids[1]
		if op == "+" && l.constant(rest) {
			rest, num = num, rest
		}
		if op != "+" && op != "-" || !l.constant(num) {
			break
		}
		c, err := EvalConst(l.ast, num)
		if err != nil || c.Float {
			l.errorf(l.ast.OperandRange(num).Start, "%q is not an integer offset", shown(l.ast, num))
			return nil, 0, false
		}
		if op == "-" {
			c.Bits = -c.Bits
		}
		off += int64(c.Bits)
		o = rest
	}
	if o.Kind != ptxgrammar.OperandName {
		l.errorf(l.ast.OperandRange(o).Start, "%q is neither a constant nor a name with an offset", shown(l.ast, o))
		return nil, 0, false
	}
	return o, off, true
}

// address resolves [base], [base+off], [const] and, for textures and bulk copies,
// further parts in Elems.
func (l *funcLoader) address(dst *Operand, o *ptxgrammar.Operand) bool {
	dst.Kind = OperandAddr
	kids := l.ast.Children(o)
	if len(kids) == 0 {
		l.errorf(l.ast.OperandRange(o).Start, "empty address")
		return false
	}
	if !l.base(dst, &kids[0]) {
		return false
	}
	if len(kids) == 1 {
		return true
	}
	return l.elems(dst, kids[1:], isa.RoleSrc)
}

// base resolves the first part of an address.
func (l *funcLoader) base(dst *Operand, o *ptxgrammar.Operand) bool {
	if l.constant(o) {
		c, err := EvalConst(l.ast, o)
		if err != nil || c.Float {
			l.errorf(l.ast.OperandRange(o).Start, "%q is not an address", shown(l.ast, o))
			return false
		}
		dst.Off = int64(c.Bits)
		return true
	}
	name, off, ok := l.sum(o)
	if !ok {
		return false
	}
	var b Operand
	if !l.operand(&b, name, isa.RoleSrc) {
		return false
	}
	switch {
	case b.Kind == OperandReg:
		dst.Reg, dst.Member = b.Reg, b.Member
	case b.Kind == OperandSymbol && b.Special.Name == "":
		dst.Sym = b.Sym
	default:
		l.errorf(l.ast.OperandRange(o).Start, "%q cannot be the base of an address", shown(l.ast, o))
		return false
	}
	dst.Off = off
	return true
}

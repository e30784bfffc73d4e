// Operands in the syntax of forms.

package isa

import (
	"fmt"
	"strconv"
	"strings"
)

// parseOperands parses "d{|p}, [a, c]{, b}".
func (f *Form) parseOperands(s string) error {
	optional := false
	f.Operands = make([]OperandSpec, 0, strings.Count(s, ",")+1)
	for s != "" {
		s = strings.TrimLeft(s, " ,")
		if rest, ok := strings.CutPrefix(s, "{,"); ok {
			optional, s = true, strings.TrimLeft(rest, " ")
		}
		n := operandEnd(s)
		if n == 0 {
			return fmt.Errorf("operand expected at %q", s)
		}
		spec, err := parseOperand(strings.TrimSpace(s[:n]), len(f.Operands) == 0)
		if err != nil {
			return err
		}
		spec.Optional = optional
		if optional {
			spec.Needs = operandNeeds[spec.Name]
		}
		f.Operands = append(f.Operands, spec)
		s = strings.TrimLeft(s[n:], " ")
		if rest, ok := strings.CutPrefix(s, "}"); ok && optional {
			optional, s = false, strings.TrimLeft(rest, " ")
		}
	}
	return nil
}

// operandEnd returns the length of the first operand in s.
func operandEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '{':
			if depth == 0 && strings.HasPrefix(s[i:], "{,") {
				return i
			}
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// operandNeeds maps optional operands to the modifier that they require.
var operandNeeds = map[string]string{
	"cache_policy": "L2::cache_hint",
	"ctaMask":      "multicast::cluster",
	"byteMask":     "cp_mask",
	"im2colInfo":   "im2col",
}

var roleWords = map[string]Role{"any": RoleNone, "label": RoleLabel, "callee": RoleCallee, "symbol": RoleSymbol}

// parseOperand parses one operand of a form.
func parseOperand(s string, first bool) (OperandSpec, error) {
	if s[0] == '[' {
		name, access, _ := strings.Cut(s, "]:")
		if access == "" {
			return OperandSpec{Name: name, Role: RoleAddr, Type: "none"}, nil
		}
		a, err := parseAccess(access)
		return OperandSpec{Name: name + "]", Role: RoleAddr, Type: "none", access: a}, err
	}
	spec := OperandSpec{Role: RoleSrc}
	s, constant, found := strings.Cut(s, "#")
	if found {
		var err error
		if spec.Constant, err = parseConstant(constant); err != nil {
			return spec, err
		}
	}
	s, spec.Not = strings.CutPrefix(s, "{!}")
	if rest, ok := strings.CutPrefix(s, "="); ok {
		spec.Role = RoleDst
		s, spec.Reads = strings.CutPrefix(rest, "+")
	}
	spec.PairOptional = strings.Contains(s, "{|")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "{|", "|"), "}", "")
	s, pair, paired := strings.Cut(s, "|")
	if paired {
		spec.Pair, spec.PairType, _ = strings.Cut(pair, ":")
	}
	s, spec.Type, _ = strings.Cut(s, ":")
	spec.Type, spec.Widen = strings.CutSuffix(spec.Type, "*2")
	name, elems, vector := strings.Cut(s, "<")
	if vector {
		n, err := vectorElems(strings.TrimSuffix(elems, ">"))
		if err != nil {
			return spec, err
		}
		spec.Vector, spec.Elems = true, n
		if n == ElemsFragment && spec.Type == "" {
			spec.Type = "none"
		}
	}
	spec.Name = name
	if first && (name == "d" || name == "p") {
		spec.Role = RoleDst
	}
	if role, ok := roleWords[spec.Type]; ok {
		spec.Role, spec.Type = role, "none"
	}
	return spec, nil
}

// vectorElems parses the text between the angle brackets.
func vectorElems(s string) (int, error) {
	switch s {
	case "*":
		return ElemsAny, nil
	case "+":
		return ElemsPacked, nil
	case "frag":
		return ElemsFragment, nil
	}
	return strconv.Atoi(s)
}

// syntax returns the operand in the manual's notation, with the comma before it.
func (o *OperandSpec) syntax(index int) string {
	s := o.Name
	if o.Not {
		s = "{!}" + s
	}
	switch {
	case o.PairOptional:
		s += "{|" + o.Pair + "}"
	case o.Pair != "":
		s += "|" + o.Pair
	}
	switch {
	case o.Optional && index == 0:
		return " {" + s + "}"
	case o.Optional:
		return "{, " + s + "}"
	case index == 0:
		return " " + s
	}
	return ", " + s
}

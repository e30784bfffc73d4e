// Known strings: results of functions of the C library.

package clib

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
)

// digitsOf returns the number at the beginning of a string, as parsed by strtol, and its length in bytes.
func digitsOf(s string, base int) (k *big.Int, n int) {
	rest := strings.TrimLeft(s, " \t\n\v\f\r")
	sign := ""
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		sign, rest = rest[:1], rest[1:]
	}
	hex := len(rest) > 2 && (strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "0X")) && digit(rest[2]) < 16
	switch {
	case (base == 0 || base == 16) && hex:
		base, rest = 16, rest[2:]
	case base == 0 && strings.HasPrefix(rest, "0"):
		base = 8
	case base == 0:
		base = 10
	}
	for n < len(rest) && digit(rest[n]) < base {
		n++
	}
	k, ok := new(big.Int).SetString(rest[:n], base)
	if !ok {
		return new(big.Int), 0
	}
	if sign == "-" {
		k.Neg(k)
	}
	return k, len(s) - len(rest) + n
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 99
}

// parsers lists the functions that parse an integer at the beginning of a string: the type of the result, and whether
// the third argument is the base.
var parsers = map[string]struct {
	typ   string
	based bool
}{
	"atoi": {"s32", false}, "atol": {"s64", false}, "atoll": {"s64", false},
	"strtol": {"s64", true}, "strtoll": {"s64", true}, "strtoul": {"u64", true}, "strtoull": {"u64", true},
	"__isoc23_strtol": {"s64", true}, "__isoc23_strtoll": {"s64", true}, "__isoc23_strtoul": {"u64", true}, "__isoc23_strtoull": {"u64", true},
	"stoi": {"s32", true}, "stol": {"s64", true}, "stoll": {"s64", true}, "stoul": {"u64", true}, "stoull": {"u64", true},
}

// ParseInteger returns the result of a function such as atoi for a string; ok is false for other functions, and if the
// result is undefined. size is the number of bytes that it reads.
func ParseInteger(function, s string, base int) (k *big.Int, typ string, size int, ok bool) {
	p, ok := parsers[function]
	if !ok || base != 0 && (base < 2 || base > 36) {
		return nil, "", 0, false
	}
	if !p.based {
		base = 10
	}
	k, size = digitsOf(s, base)
	bits, _ := strconv.Atoi(p.typ[1:])
	signed := p.typ[0] == 's'
	most := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	if signed {
		most.Rsh(most, 1)
	}
	return k, p.typ, size, new(big.Int).Abs(k).Cmp(most) < 0 && (signed || k.Sign() >= 0)
}

// ParsesInteger reports whether a function parses an integer at the beginning of a string.
func ParsesInteger(function string) bool {
	_, ok := parsers[function]
	return ok
}

// BaseOf reports whether the third argument of a function is the base of numbers.
func BaseOf(function string) bool { return parsers[function].based }

// ParseReal returns the result of a function such as atof for a string.
func ParseReal(function, s string) (float64, bool) {
	switch function {
	case "atof", "strtod", "strtof", "stod", "stof":
	default:
		return 0, false
	}
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if digits := strings.TrimLeft(s, "+-"); len(digits) > 1 && (digits[:2] == "0x" || digits[:2] == "0X") {
		return 0, false
	}
	for n := len(s); n > 0; n-- {
		if strings.ContainsAny(s[:n], "_xXpPiInN") {
			continue
		}
		f, err := strconv.ParseFloat(s[:n], 64)
		if errors.Is(err, strconv.ErrRange) {
			return 0, false
		}
		if err == nil {
			if strings.HasSuffix(function, "f") && function != "atof" {
				f = float64(float32(f))
			}
			return f, true
		}
	}
	return 0, !strings.ContainsAny(s, "xXiInN") // not a number: 0
}

// CompareStrings returns the result of strcmp and related functions; n limits the bytes compared, -1 for no limit.
func CompareStrings(function, a, b string, n int64) (int64, bool) {
	switch function {
	case "strcmp":
		n = -1
	case "strcasecmp":
		n = -1
		a, b = strings.ToLower(a), strings.ToLower(b)
	case "strncasecmp":
		a, b = strings.ToLower(a), strings.ToLower(b)
	case "strncmp":
	default:
		return 0, false
	}
	if n >= 0 {
		a, b = a[:min(int64(len(a)), n)], b[:min(int64(len(b)), n)]
	}
	return int64(strings.Compare(a, b)), true
}

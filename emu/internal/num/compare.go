// Comparisons and boolean operators.

package num

// Cmp is a comparison operator of set and setp.
type Cmp uint8

// Comparison operators; the manual's lo, ls, hi, hs are Lt, Le, Gt, Ge on
// unsigned numbers. The operators ending in U also hold when an operand is NaN.
const (
	Eq Cmp = iota
	Ne
	Lt
	Le
	Gt
	Ge
	EqU
	NeU
	LtU
	LeU
	GtU
	GeU
	Num // neither operand is NaN
	Nan // either operand is NaN
)

var cmpNames = map[string]Cmp{
	"eq": Eq, "ne": Ne, "lt": Lt, "le": Le, "gt": Gt, "ge": Ge,
	"lo": Lt, "ls": Le, "hi": Gt, "hs": Ge,
	"equ": EqU, "neu": NeU, "ltu": LtU, "leu": LeU, "gtu": GtU, "geu": GeU,
	"num": Num, "nan": Nan,
}

// CmpOf returns the operator spelled s.
func CmpOf(s string) (Cmp, bool) { c, ok := cmpNames[s]; return c, ok }

// Ordered is a type that Compare can compare: NaN is possible for floats only.
type Ordered interface {
	~int16 | ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Compare applies the operator.
func Compare[T Ordered](c Cmp, a, b T) bool {
	nan := a != a || b != b
	switch c {
	case Eq:
		return a == b
	case Ne:
		return a != b && !nan
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	case Ge:
		return a >= b
	case EqU:
		return a == b || nan
	case NeU:
		return a != b
	case LtU:
		return a < b || nan
	case LeU:
		return a <= b || nan
	case GtU:
		return a > b || nan
	case GeU:
		return a >= b || nan
	case Num:
		return !nan
	default:
		return nan
	}
}

// BoolOp is the operator that combines a comparison with a predicate.
type BoolOp uint8

// Boolean operators of set, setp and lop3.
const (
	And BoolOp = iota
	Or
	Xor
)

var boolNames = map[string]BoolOp{"and": And, "or": Or, "xor": Xor}

// BoolOf returns the operator spelled s.
func BoolOf(s string) (BoolOp, bool) { b, ok := boolNames[s]; return b, ok }

// Apply combines two sets of lanes.
func (b BoolOp) Apply(x, y uint32) uint32 {
	switch b {
	case And:
		return x & y
	case Or:
		return x | y
	default:
		return x ^ y
	}
}

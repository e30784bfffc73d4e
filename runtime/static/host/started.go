// The command line of the program: argc, argv and values derived from them.

package host

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// chars is the bytes behind a pointer, up to a zero. Those of a literal never change.
type chars struct {
	text    string
	literal bool
}

// words is what argv points to: strings, followed by a null pointer. The first one, the name of the program, is unknown.
type words struct{ list []string }

func charsOf(s string, literal bool) value { return value{text: &chars{s, literal}, elem: 1} }

// ofCommandLine reports whether a value points to strings of the command line.
func (v value) ofCommandLine() bool {
	if v.argv != nil || v.text != nil && !v.text.literal {
		return true
	}
	for _, f := range v.fields {
		if f.ofCommandLine() {
			return true
		}
	}
	return slices.ContainsFunc(v.list, value.ofCommandLine)
}

// start sets the parameters of main, and the initial values of getopt's variables.
func (x *executor) start(main *function) {
	if x.args == nil {
		return
	}
	for i := range main.params {
		v := x.frame.scopes[0][main.params[i].name]
		switch {
		case v == nil:
		case i == 0:
			x.st.values[v] = number64(int64(len(x.args)) + 1)
		case i == 1:
			x.st.values[v] = value{argv: &words{append([]string{""}, x.args...)}, elem: 8}
		}
	}
	for name, typ := range map[string]ctype{"optind": {name: "s32"}, "optarg": {name: "s8", ptr: 1}, readingOptions: {}} {
		v := x.newVariable(name, typ, true)
		for _, u := range x.units {
			if have := u.globals[name]; have != nil {
				v = have
			}
			u.globals[name] = v
		}
		if name == "optind" {
			x.st.values[v] = number64(1)
		}
	}
}

// readingOptions is the variable for the state of the C library between calls of getopt. Programs cannot name it.
const readingOptions = "getopt "

// element returns an element of a list of strings, or of a string.
func (v value) element(at int64) value {
	switch at += v.at; {
	case v.argv != nil && at > 0 && at < int64(len(v.argv.list)):
		return charsOf(v.argv.list[at], false)
	case v.argv != nil && at == int64(len(v.argv.list)):
		return number64(0)
	case v.text != nil && at >= 0 && at < int64(len(v.text.text)):
		return value{num: expr.Const(int64(int8(v.text.text[at]))), typ: "s8"}
	case v.text != nil && at == int64(len(v.text.text)):
		return value{num: expr.Const(0), typ: "s8"}
	}
	return value{}
}

// cstring returns the string behind a pointer.
func (v value) cstring() (string, bool) {
	if v.text == nil || v.at < 0 || v.at > int64(len(v.text.text)) {
		return "", false
	}
	return v.text.text[v.at:], true
}

// moved returns a pointer to strings, or into one, plus a number. If the result is unknown, the strings may be changed through
// it.
func (x *executor) moved(op string, v, by value) value {
	k, ok := constantOf(by)
	if op == "-" {
		k = -k
	}
	if !ok || op != "+" && op != "-" {
		if by.num != nil {
			x.handsOut(v)
		}
		return value{}
	}
	v.at += k
	return v
}

// handsOut records that unknown code gets these values and may write to the strings behind them: the strings become unknown.
func (x *executor) handsOut(list ...value) {
	if x.st != nil && slices.ContainsFunc(list, value.ofCommandLine) {
		x.loseStrings()
	}
}

// loseStrings makes all strings of the command line unknown.
func (x *executor) loseStrings() {
	x.losses++
	x.forgetStrings(x.st)
}

func (x *executor) forgetStrings(st *state) {
	x.replace(st, func(value) value { return value{} })
}

// copiers lists functions that write to the target of their first argument, and read the others.
var copiers = setOf("strcpy strncpy strcat strncat sprintf snprintf memcpy")

// Copies reports whether a function writes to the target of its first argument, and reads the others.
func Copies(name string) bool { return copiers[name] }

// passes passes strings to a function that is known by name.
func (x *executor) passes(name string, args []value) {
	switch {
	case Reading(name):
	case copiers[name] && len(args) > 0:
		x.handsOut(args[0])
	default:
		x.handsOut(args...)
	}
}

// converted returns a real number converted to a type.
func converted(f float64, k kind) value {
	switch {
	case k.float && k.size == 4:
		f = float64(float32(f))
		return value{real: &f}
	case k.float:
		return value{real: &f}
	case k.typ == "" || k.typ == "u8" || math.Abs(f) >= 1<<31:
		return value{}
	}
	lo, hi, _ := facts.TypeRange(k.typ)
	whole, _ := new(big.Float).SetFloat64(f).Int(nil)
	if whole.Cmp(lo) < 0 || whole.Cmp(hi) > 0 {
		return value{}
	}
	return value{num: expr.Big(whole), typ: k.typ}
}

// replace changes all values that point to strings of the command line.
func (x *executor) replace(st *state, to func(v value) value) {
	var in func(v value) value
	in = func(v value) value {
		switch {
		case v.argv != nil, v.text != nil && !v.text.literal:
			return to(v)
		case !v.ofCommandLine():
			return v
		}
		v.fields, v.list = maps.Clone(v.fields), slices.Clone(v.list)
		for name, f := range v.fields {
			v.fields[name] = in(f)
		}
		for i, e := range v.list {
			v.list[i] = in(e)
		}
		return v
	}
	for v, val := range st.values {
		if val.ofCommandLine() {
			st.values[v] = in(val)
		}
	}
}

// mentionedIn returns the values of the variables in an expression that is not understood.
func (x *executor) mentionedIn(n *node) (list []value) {
	for i := max(n.from, 0); i < n.to && i < len(x.ts); i++ {
		if t := &x.ts[i]; t.kind == tokName {
			if v := x.lookup(t.text); v != nil {
				list = append(list, x.st.values[v])
			}
		}
	}
	return list
}

// literal returns the value of a character or a string in the source.
func (x *executor) literal(n *node) value {
	if x.args == nil || n.to-n.from > 1 {
		return value{}
	}
	if strings.HasPrefix(n.op, "'") {
		if c, _, rest, err := strconv.UnquoteChar(strings.Trim(n.op, "'"), '\''); err == nil && rest == "" && c < 128 {
			return value{num: expr.Const(int64(c)), typ: "s8"}
		}
		return value{}
	}
	if s, ok := unquoted(n.op); ok {
		return charsOf(s, true)
	}
	return value{}
}

// onStrings executes a function of the C library on known strings; ok is false for other functions, and if the strings are
// unknown.
func (x *executor) onStrings(name string, args []value) (v value, ok bool) {
	if strings.HasPrefix(name, "getopt") && len(args) >= 3 && x.args != nil {
		return x.getopt(name, args), true
	}
	if len(args) == 0 {
		return value{}, false
	}
	s, ok := args[0].cstring()
	if !ok {
		return value{}, false
	}
	if f, known := ParseReal(name, s); known {
		x.changes(args)
		return value{real: &f}, true
	}
	base := int64(10)
	if BaseOf(name) && len(args) > 2 {
		if base, ok = constantOf(args[2]); !ok {
			return value{}, false
		}
	}
	if k, typ, size, known := ParseInteger(name, s, int(base)); known {
		if len(args) > 1 && args[1].to != nil {
			x.changes(args[1:2])
			if end := args[0]; args[1].field == "" {
				end.at += int64(size)
				x.st.values[args[1].to] = end
			}
		}
		return value{num: expr.Big(k), typ: typ}, true
	}
	if name == "strlen" {
		return value{num: expr.Const(int64(len(s))), typ: "u64"}, true
	}
	if len(args) < 2 {
		return value{}, false
	}
	t, ok := args[1].cstring()
	n := int64(-1)
	if len(args) > 2 && ok {
		n, ok = constantOf(args[2])
	}
	sign, compared := CompareStrings(name, s, t, n)
	switch {
	case !ok || !compared:
		return value{}, false
	case sign < 0:
		return x.leafWithin(name, "s32", -1<<31, -1), true
	case sign > 0:
		return x.leafWithin(name, "s32", 1, 1<<31-1), true
	}
	return number64(0), true
}

// getopt executes getopt, getopt_long or getopt_long_only.
func (x *executor) getopt(name string, args []value) value {
	index, arg, memory := x.variableOf("optind"), x.variableOf("optarg"), x.variableOf(readingOptions)
	argc, ok := constantOf(args[0])
	at, ok2 := constantOf(x.st.values[index])
	short, ok3 := args[2].cstring()
	var long []LongOption
	if len(args) > 3 {
		long = x.longOptions(args[3])
	}
	argv := args[1].argv
	if ok && ok2 && (ok3 || argc == 1) && argv != nil && args[1].at == 0 && argc == int64(len(argv.list)) {
		now := x.st.values[memory].options
		if now == nil {
			now = new(Getopt)
		}
		before := *now
		before.Words, before.Index = WordsOf(argv.list), at
		after, o := before.Next(short, long, strings.HasSuffix(name, "_only"))
		if o.Known {
			return x.option(after, o, argv, args)
		}
	}
	x.handsOut(args[1])
	for _, v := range []*variable{index, arg, memory} {
		x.st.values[v] = x.uninitialised(v.typ)
	}
	x.changes(args)
	return value{}
}

// option records the changes made by getopt, and returns its result.
func (x *executor) option(g *Getopt, o Option, argv *words, args []value) value {
	if g.Moved() {
		to := new(words)
		for _, w := range g.Words {
			to.list = append(to.list, w.Text)
		}
		x.replace(x.st, func(v value) value {
			if v.argv == argv {
				v.argv = to
			}
			return v
		})
	}
	x.st.values[x.variableOf("optind")] = number64(g.Index)
	x.st.values[x.variableOf(readingOptions)] = value{options: g}
	val := number64(0)
	if o.From != 0 {
		val = charsOf(o.Arg, false)
	}
	x.st.values[x.variableOf("optarg")] = val
	if len(args) > 4 {
		x.changes(args[4:5])
		if to := args[4].to; to != nil && args[4].field == "" && o.Long >= 0 {
			x.st.values[to] = number64(int64(o.Long))
		}
	}
	return number64(o.Code)
}

// longOptions returns the table of getopt_long, as far as it is known.
func (x *executor) longOptions(v value) []LongOption {
	list := []LongOption{}
	for _, e := range v.list {
		if len(e.list) < 4 {
			return list
		}
		if k, null := constantOf(e.list[0]); null && k == 0 {
			return append(list, LongOption{})
		}
		name, ok := e.list[0].cstring()
		arg, ok2 := constantOf(e.list[1])
		val, ok3 := constantOf(e.list[3])
		if !ok || !ok2 || !ok3 {
			return list
		}
		flag, null := constantOf(e.list[2])
		list = append(list, LongOption{Name: name, Arg: int(arg), Flag: !null || flag != 0, Val: val})
	}
	return list
}

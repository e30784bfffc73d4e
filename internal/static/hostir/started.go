// The command line of the program: argc, argv and values derived from them.

package hostir

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// start sets the parameters of main, and the initial values of getopt's variables.
func (x *executor) start(main *function) {
	if x.args == nil || len(main.params) == 0 {
		return
	}
	regs, n := x.frame.regs, int64(len(x.args))
	regs[main.params[0].name] = constant(big.NewInt(n+1), 32)
	x.st.put(x.static("optind"), 0, 4, constantOf(1))
	if len(main.params) < 2 {
		return
	}
	argv := x.object(local, "argv", nil)
	argv.args = true
	for i, s := range x.args {
		x.st.put(argv, 8*int64(i+1), 8, x.word("argv."+strconv.Itoa(i+1), s))
	}
	x.st.put(argv, 8*(n+1), 8, constant(new(big.Int), 64))
	regs[main.params[1].name] = value{to: argv, off: expr.Const(0)}
}

// word returns a pointer to a string that the program may change.
func (x *executor) word(name, s string) value {
	o := x.object(local, name, nil)
	o.args = true
	x.st.put(o, 0, int64(len(s))+1, value{text: &s})
	return value{to: o, off: expr.Const(0)}
}

// cstring returns the string at a pointer, if it is known.
func (x *executor) cstring(p value) (string, bool) {
	o, at, ok := placeOf(p)
	if !ok {
		return "", false
	}
	for _, c := range x.st.mem[o] {
		if in := at - c.at; c.v.text != nil && in >= 0 && in <= int64(len(*c.v.text)) {
			return (*c.v.text)[in:], true
		}
	}
	return "", false
}

// onStrings executes a function of the C library on known strings; ok is false for other functions, and if the strings
// are unknown.
func (x *executor) onStrings(name string, in *instr, args []value) (v value, ok bool) {
	if strings.HasPrefix(name, "getopt") && len(args) >= 3 && x.args != nil {
		return x.getopt(name, in, args), true
	}
	if len(args) == 0 || x.args == nil {
		return value{}, false
	}
	s, ok := x.cstring(args[0])
	if !ok {
		return value{}, false
	}
	if f, known := ParseReal(name, s); known {
		for _, a := range args[1:] {
			x.lose(a)
		}
		return value{real: &f}, true
	}
	base := int64(10)
	if BaseOf(name) && len(args) > 2 {
		k, known := args[2].constant()
		if !known || !k.IsInt64() {
			return value{}, false
		}
		base = k.Int64()
	}
	if k, typ, size, known := ParseInteger(name, s, int(base)); known {
		if len(args) > 1 && args[1].to != nil {
			end := args[0]
			end.off = expr.Add(end.off, expr.Const(int64(size)))
			x.put(args[1], 8, end)
		}
		bits, _ := strconv.ParseInt(typ[1:], 10, 64)
		return constant(k, bits), true
	}
	if name == "strlen" {
		return constant(big.NewInt(int64(len(s))), 64), true
	}
	return x.compared(name, s, args)
}

// compared executes strcmp and related functions.
func (x *executor) compared(name, s string, args []value) (v value, ok bool) {
	if len(args) < 2 {
		return value{}, false
	}
	t, ok := x.cstring(args[1])
	n := int64(-1)
	if len(args) > 2 {
		k, known := args[2].constant()
		if !known || !k.IsInt64() {
			return value{}, false
		}
		n = k.Int64()
	}
	sign, compared := CompareStrings(name, s, t, n)
	if !ok || !compared {
		return value{}, false
	}
	v = constantOf(0)
	if sign != 0 {
		v = x.leaf(name, 32, true)
		f := x.vars[v.num.Variable().Name]
		if f.Lo = big.NewInt(1); sign < 0 {
			f.Lo, f.Hi = big.NewInt(math.MinInt32), big.NewInt(-1)
		}
		v.num = f.Int()
	}
	return v, true
}

// getopt executes getopt, getopt_long or getopt_long_only.
func (x *executor) getopt(name string, in *instr, args []value) value {
	index, arg, memory := x.static("optind"), x.static("optarg"), x.static("getopt ")
	argc, ok := args[0].constant()
	at, ok2 := value{}, false
	if v, known := x.st.get(index, 0, 4); known {
		at, ok2 = v, true
	}
	k, ok3 := at.constant()
	short, ok4 := x.cstring(args[2])
	argv, begin, ok5 := placeOf(args[1])
	if ok && ok2 && ok3 && ok5 && begin == 0 && argc.IsInt64() && (ok4 || argc.Int64() == 1) {
		before := new(Getopt)
		if v, known := x.st.get(memory, 0, 8); known && v.options != nil {
			*before = *v.options
		}
		if before.Words = x.words(argv, argc.Int64()); before.Words != nil {
			before.Index = k.Int64()
			var long []LongOption
			if len(args) > 3 {
				long = x.longOptions(args[3])
			}
			if after, o := before.Next(short, long, strings.HasSuffix(name, "_only")); o.Known {
				return x.option(after, o, argv, args)
			}
		}
	}
	x.unknown(args)
	for _, o := range []*object{index, arg, memory} {
		delete(x.st.mem, o)
	}
	return x.result(in, name)
}

// words returns the strings of argv, nil if they are unknown.
func (x *executor) words(argv *object, argc int64) (list []Word) {
	if argc < 1 || argc > int64(len(x.args))+1 {
		return nil
	}
	list = append(list, Word{})
	for i := int64(1); i < argc; i++ {
		p, _ := x.st.get(argv, 8*i, 8)
		s, ok := x.cstring(p)
		if !ok {
			return nil
		}
		list = append(list, Word{Text: s, ID: int(i)})
	}
	return list
}

// option records the changes made by getopt, and returns its result.
func (x *executor) option(g *Getopt, o Option, argv *object, args []value) value {
	pointers := make([]value, len(g.Words))
	for i := range g.Words {
		pointers[i], _ = x.st.get(argv, 8*int64(i), 8)
	}
	val := constant(new(big.Int), 64)
	if o.From != 0 {
		val = pointers[o.From]
		s, _ := x.cstring(val)
		val.off = expr.Add(val.off, expr.Const(int64(len(s)-len(o.Arg))))
	}
	if g.Moved() {
		for i, w := range g.Words {
			x.st.put(argv, 8*int64(i), 8, pointers[w.ID])
		}
	}
	x.st.put(x.static("optind"), 0, 4, constantOf(g.Index))
	x.st.put(x.static("getopt "), 0, 8, value{options: g})
	x.st.put(x.static("optarg"), 0, 8, val)
	if len(args) > 4 && args[4].to != nil {
		index := value{}
		if o.Long >= 0 {
			index = constantOf(int64(o.Long))
		}
		x.put(args[4], 4, index)
	}
	return constantOf(o.Code)
}

// longOptions returns the table of getopt_long, as far as it is known: each entry has 32 bytes.
func (x *executor) longOptions(p value) []LongOption {
	list := []LongOption{}
	o, at, ok := placeOf(p)
	for ; ok && len(list) < 200; at += 32 {
		name, _ := x.st.get(o, at, 8)
		arg, _ := x.st.get(o, at+8, 4)
		flag, _ := x.st.get(o, at+16, 8)
		val, _ := x.st.get(o, at+24, 4)
		if k, null := name.constant(); null && k.Sign() == 0 {
			return append(list, LongOption{})
		}
		text, named := x.cstring(name)
		a, ok2 := arg.constant()
		f, ok3 := flag.constant()
		k, ok4 := val.constant()
		if !named || !ok2 || !ok3 || !ok4 {
			return list
		}
		list = append(list, LongOption{Name: text, Arg: int(a.Int64()), Flag: f.Sign() != 0, Val: k.Int64()})
	}
	return list
}

// The command line of the program: argc, argv and values derived from them.

package hostir

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/clib"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// commandLine makes the arguments of the program, and executes the functions of the C library that read them.
type commandLine struct{ *executor }

// start sets the parameters of main, and the initial values of getopt's variables.
func (x commandLine) start(main *llvm.Function) {
	if x.args == nil || len(main.Params) == 0 {
		return
	}
	regs, n := x.frame.regs, int64(len(x.args))
	regs[main.Params[0].Name] = memory.NewConstant(big.NewInt(n+1), 32)
	x.st.Put(x.static("optind"), 0, 4, constantOf(1))
	if len(main.Params) < 2 {
		return
	}
	argv := x.object(memory.Local, "argv", nil)
	argv.Args = true
	for i, s := range x.args {
		x.st.Put(argv, 8*int64(i+1), 8, x.word("argv."+strconv.Itoa(i+1), s))
	}
	x.st.Put(argv, 8*(n+1), 8, memory.NewConstant(new(big.Int), 64))
	regs[main.Params[1].Name] = memory.Value{To: argv, Offset: expr.Const(0)}
}

// word returns a pointer to a string that the program may change.
func (x commandLine) word(name, s string) memory.Value {
	o := x.object(memory.Local, name, nil)
	o.Args = true
	x.st.Put(o, 0, int64(len(s))+1, memory.Value{Text: &s})
	return memory.Value{To: o, Offset: expr.Const(0)}
}

// cstring returns the string at a pointer, if it is known.
func (x commandLine) cstring(p memory.Value) (string, bool) {
	o, at, ok := placeOf(p)
	if !ok {
		return "", false
	}
	for _, c := range x.st.Mem[o] {
		if in := at - c.At; c.Value.Text != nil && in >= 0 && in <= int64(len(*c.Value.Text)) {
			return (*c.Value.Text)[in:], true
		}
	}
	return "", false
}

// onStrings executes a function of the C library on known strings; ok is false for other functions, and if the strings
// are unknown.
func (x commandLine) onStrings(name string, in *llvm.Instr, args []memory.Value) (v memory.Value, ok bool) {
	if strings.HasPrefix(name, "getopt") && len(args) >= 3 && x.args != nil {
		return x.getopt(name, in, args), true
	}
	if len(args) == 0 || x.args == nil {
		return memory.Value{}, false
	}
	s, ok := x.cstring(args[0])
	if !ok {
		return memory.Value{}, false
	}
	if f, known := clib.ParseReal(name, s); known {
		for _, a := range args[1:] {
			x.lose(a)
		}
		return memory.Value{Real: &f}, true
	}
	base := int64(10)
	if clib.BaseOf(name) && len(args) > 2 {
		k, known := args[2].Constant()
		if !known || !k.IsInt64() {
			return memory.Value{}, false
		}
		base = k.Int64()
	}
	if k, typ, size, known := clib.ParseInteger(name, s, int(base)); known {
		if len(args) > 1 && args[1].To != nil {
			end := args[0]
			end.Offset = expr.Add(end.Offset, expr.Const(int64(size)))
			x.put(args[1], 8, end)
		}
		bits, _ := strconv.ParseInt(typ[1:], 10, 64)
		return memory.NewConstant(k, bits), true
	}
	if name == "strlen" {
		return memory.NewConstant(big.NewInt(int64(len(s))), 64), true
	}
	return x.compared(name, s, args)
}

// compared executes strcmp and related functions.
func (x commandLine) compared(name, s string, args []memory.Value) (v memory.Value, ok bool) {
	if len(args) < 2 {
		return memory.Value{}, false
	}
	t, ok := x.cstring(args[1])
	n := int64(-1)
	if len(args) > 2 {
		k, known := args[2].Constant()
		if !known || !k.IsInt64() {
			return memory.Value{}, false
		}
		n = k.Int64()
	}
	sign, compared := clib.CompareStrings(name, s, t, n)
	if !ok || !compared {
		return memory.Value{}, false
	}
	v = constantOf(0)
	if sign != 0 {
		v = x.leaf(name, 32, true)
		f := x.vars[v.Num.Variable().Name]
		if f.Lo = big.NewInt(1); sign < 0 {
			f.Lo, f.Hi = big.NewInt(math.MinInt32), big.NewInt(-1)
		}
		v.Num = f.Int()
	}
	return v, true
}

// getopt executes getopt, getopt_long or getopt_long_only.
func (x commandLine) getopt(name string, in *llvm.Instr, args []memory.Value) memory.Value {
	index, arg, options := x.static("optind"), x.static("optarg"), x.static("getopt ")
	argc, ok := args[0].Constant()
	at, ok2 := memory.Value{}, false
	if v, known := x.st.Get(index, 0, 4); known {
		at, ok2 = v, true
	}
	k, ok3 := at.Constant()
	short, ok4 := x.cstring(args[2])
	argv, begin, ok5 := placeOf(args[1])
	if ok && ok2 && ok3 && ok5 && begin == 0 && argc.IsInt64() && (ok4 || argc.Int64() == 1) {
		before := new(clib.Getopt)
		if v, known := x.st.Get(options, 0, 8); known && v.Options != nil {
			*before = *v.Options
		}
		if before.Words = x.words(argv, argc.Int64()); before.Words != nil {
			before.Index = k.Int64()
			var long []clib.LongOption
			if len(args) > 3 {
				long = x.longOptions(args[3])
			}
			if after, o := before.Next(short, long, strings.HasSuffix(name, "_only")); o.Known {
				return x.option(after, o, argv, args)
			}
		}
	}
	x.unknown(args)
	for _, o := range []*memory.Object{index, arg, options} {
		delete(x.st.Mem, o)
	}
	return x.result(in, name)
}

// words returns the strings of argv, nil if they are unknown.
func (x commandLine) words(argv *memory.Object, argc int64) (list []clib.Word) {
	if argc < 1 || argc > int64(len(x.args))+1 {
		return nil
	}
	list = append(list, clib.Word{})
	for i := int64(1); i < argc; i++ {
		p, _ := x.st.Get(argv, 8*i, 8)
		s, ok := x.cstring(p)
		if !ok {
			return nil
		}
		list = append(list, clib.Word{Text: s, ID: int(i)})
	}
	return list
}

// option records the changes made by getopt, and returns its result.
func (x commandLine) option(g *clib.Getopt, o clib.Option, argv *memory.Object, args []memory.Value) memory.Value {
	pointers := make([]memory.Value, len(g.Words))
	for i := range g.Words {
		pointers[i], _ = x.st.Get(argv, 8*int64(i), 8)
	}
	val := memory.NewConstant(new(big.Int), 64)
	if o.From != 0 {
		val = pointers[o.From]
		s, _ := x.cstring(val)
		val.Offset = expr.Add(val.Offset, expr.Const(int64(len(s)-len(o.Arg))))
	}
	if g.Moved() {
		for i, w := range g.Words {
			x.st.Put(argv, 8*int64(i), 8, pointers[w.ID])
		}
	}
	x.st.Put(x.static("optind"), 0, 4, constantOf(g.Index))
	x.st.Put(x.static("getopt "), 0, 8, memory.Value{Options: g})
	x.st.Put(x.static("optarg"), 0, 8, val)
	if len(args) > 4 && args[4].To != nil {
		index := memory.Value{}
		if o.Long >= 0 {
			index = constantOf(int64(o.Long))
		}
		x.put(args[4], 4, index)
	}
	return constantOf(o.Code)
}

// longOptions returns the table of getopt_long, as far as it is known: each entry has 32 bytes.
func (x commandLine) longOptions(p memory.Value) []clib.LongOption {
	list := []clib.LongOption{}
	o, at, ok := placeOf(p)
	for ; ok && len(list) < 200; at += 32 {
		name, _ := x.st.Get(o, at, 8)
		arg, _ := x.st.Get(o, at+8, 4)
		flag, _ := x.st.Get(o, at+16, 8)
		val, _ := x.st.Get(o, at+24, 4)
		if k, null := name.Constant(); null && k.Sign() == 0 {
			return append(list, clib.LongOption{})
		}
		text, named := x.cstring(name)
		a, ok2 := arg.Constant()
		f, ok3 := flag.Constant()
		k, ok4 := val.Constant()
		if !named || !ok2 || !ok3 || !ok4 {
			return list
		}
		list = append(list, clib.LongOption{Name: text, Arg: int(a.Int64()), Flag: f.Sign() != 0, Val: k.Int64()})
	}
	return list
}

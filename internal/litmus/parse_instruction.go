// The parser of instructions.

package litmus

import (
	"slices"
	"strings"
)

// instruction reads one instruction of a thread.
func (p *parser) instruction(t *Thread) {
	in := &Instruction{Pos: p.tok.pos}
	start := p.lex.at - len(p.tok.text)
	op := p.tok
	if !op.word() {
		p.unexpected("an instruction")
		return
	}
	p.next()
	if p.tok.text == ":" {
		in.Op, in.Label = Label, op.text
		p.next()
	} else {
		p.operation(t, in, op)
	}
	if p.err != nil {
		return
	}
	if len(t.Instructions) == MaxInstructions {
		p.fail(in.Pos, "more than %d instructions in a thread", MaxInstructions)
		return
	}
	in.Text = strings.TrimSpace(p.lex.text[start : p.lex.at-len(p.tok.text)])
	t.Instructions = append(t.Instructions, in)
}

// plain are the instructions without modifiers.
var plain = map[string]bool{
	"mov": true, "add": true, "sub": true, "mul": true, "div": true, "and": true, "or": true, "xor": true,
	"beq": true, "bne": true, "blt": true, "bgt": true, "ble": true, "bge": true, "goto": true, "bra": true,
}

// operation reads what follows the opcode.
func (p *parser) operation(t *Thread, in *Instruction, op token) {
	mods := strings.Split(op.text, ".")
	if plain[mods[0]] && len(mods) > 1 {
		p.fail(op.pos, `unexpected "%s", expected "%s" without modifiers`, op.text, mods[0])
		return
	}
	r := operands{p: p, t: t, in: in}
	switch name := mods[0]; name {
	case "ld", "tld", "suld", "cold":
		in.Op, in.Proxy = Load, map[string]Proxy{"tld": Texture, "suld": Surface, "cold": Constant}[name]
		if len(mods) == 1 {
			in.Op, in.Func = Compute, "mov"
			r.dst().value()
			return
		}
		p.modifiers(in, op, mods[1:], "weak", "relaxed", "acquire", "volatile")
		r.dst().location()
	case "st", "sust":
		in.Op, in.Proxy = Store, map[string]Proxy{"sust": Surface}[name]
		p.modifiers(in, op, mods[1:], "weak", "relaxed", "release", "volatile")
		r.location().comma().value()
	case "atom", "suatom", "red", "sured":
		in.Op = Atom
		if strings.HasPrefix(name, "su") {
			in.Proxy = Surface
		}
		p.modifiers(in, op, mods[1:], "relaxed", "acquire", "release", "acq_rel")
		if strings.HasSuffix(name, "red") {
			in.Op = Red
		} else {
			r.dst()
		}
		r.location().comma().value()
		if in.Func == "cas" {
			r.comma().value()
		}
	case "fence":
		p.fence(in, op, mods[1:])
	case "bar", "barrier":
		p.barrier(in, op, mods[1:], r)
	case "mov":
		in.Op, in.Func = Compute, "mov"
		r.dst().value()
	case "add", "sub", "mul", "div", "and", "or", "xor":
		in.Op, in.Func = Compute, name
		r.dst().value().comma().value()
	case "beq", "bne", "blt", "bgt", "ble", "bge":
		in.Op, in.Func = Branch, name[1:]
		r.value().comma().value().comma()
		in.Label = p.identifier("a label").text
	case "goto", "bra":
		in.Op = Goto
		in.Label = p.identifier("a label").text
	default:
		p.fail(op.pos, `unknown instruction "%s", expected ld, st, atom, red, fence, bar, an arithmetic instruction or a branch`, op.text)
	}
}

// atomics are the operations of atom and red, with their other names.
var atomics = map[string]string{
	"add": "add", "plus": "add", "sub": "sub", "minus": "sub", "and": "and", "or": "or", "xor": "xor", "min": "min", "max": "max", "exch": "exch", "cas": "cas",
}

// modifiers reads what follows the first dot of an access.
func (p *parser) modifiers(in *Instruction, op token, mods []string, sems ...string) {
	in.Size = 4
	for _, m := range mods {
		switch {
		case slices.Contains(sems, m):
			in.Sem = m
		case isScope(m):
			in.Scope = m
		case sizes[m] != 0:
			in.Size = sizes[m]
		case atomics[m] != "" && (in.Op == Atom || in.Op == Red):
			in.Func = atomics[m]
		default:
			p.fail(op.pos, `unexpected ".%s" in "%s", expected one of %s, a scope or a type`, m, op.text, strings.Join(sems, ", "))
			return
		}
	}
	if in.Op == Red && op.text != "" && strings.Contains(op.text, "red") && (in.Func == "exch" || in.Func == "cas") {
		p.fail(op.pos, `"%s": expected an operation without a result`, op.text)
	}
	scoped := in.Sem != "weak" && in.Sem != "volatile"
	switch {
	case in.Sem == "":
		p.fail(op.pos, `"%s" has no semantics, expected one of %s`, op.text, strings.Join(sems, ", "))
	case scoped && in.Scope == "":
		p.fail(op.pos, `"%s" has no scope, expected cta, cluster, gpu or sys`, op.text)
	case !scoped && in.Scope != "":
		p.fail(op.pos, `"%s": an access that is %s has no scope`, op.text, in.Sem)
	case (in.Op == Atom || in.Op == Red) && in.Func == "":
		p.fail(op.pos, `"%s" has no operation, expected add, sub, and, or, xor, min, max, exch or cas`, op.text)
	case (in.Op == Atom || in.Op == Red) && in.Size < 4:
		p.fail(op.pos, `"%s": atomic operations have 32 or 64 bits`, op.text)
	case in.Proxy != Generic && in.Sem != "weak" && in.Op <= Store:
		p.fail(op.pos, `"%s": accesses of the %s proxy are weak`, op.text, in.Proxy)
	}
}

func isScope(s string) bool { return s == "cta" || s == "cluster" || s == "gpu" || s == "sys" }

// fence reads fence.sc.gpu and fence.proxy.alias.
func (p *parser) fence(in *Instruction, op token, mods []string) {
	if len(mods) == 2 && mods[0] == "proxy" {
		in.Op = ProxyFence
		for i, n := range proxyNames[1:] {
			if n == mods[1] {
				in.Proxy = Proxy(i + 1)
				return
			}
		}
		p.fail(op.pos, `"%s": expected the proxy texture, surface, constant or alias`, op.text)
		return
	}
	in.Op = Fence
	if len(mods) != 2 || mods[0] != "sc" && mods[0] != "acq_rel" || !isScope(mods[1]) {
		p.fail(op.pos, `unexpected "%s", expected fence.sc or fence.acq_rel with a scope, or fence.proxy`, op.text)
		return
	}
	in.Sem, in.Scope = mods[0], mods[1]
}

// barrier reads "bar.cta.sync instance, id, quorum".
func (p *parser) barrier(in *Instruction, op token, mods []string, r operands) {
	in.Op = Barrier
	if len(mods) > 0 && mods[0] == "cta" {
		mods = mods[1:]
	}
	if len(mods) != 1 || mods[0] != "sync" && mods[0] != "arrive" {
		p.fail(op.pos, `unexpected "%s", expected bar.cta.sync or bar.cta.arrive`, op.text)
		return
	}
	in.Func = mods[0]
	in.Barrier = int(p.integer("the number of a barrier"))
	for _, v := range []**Value{&in.ID, &in.Quorum} {
		if !p.is(",") {
			return
		}
		value := r.read()
		*v = &value
	}
}

// operands reads the operands of an instruction one after the other.
type operands struct {
	p  *parser
	t  *Thread
	in *Instruction
}

func (r operands) comma() operands {
	r.p.expect(",")
	return r
}

// dst reads the destination, a register, and the comma behind it.
func (r operands) dst() operands {
	r.in.Dst = r.register(r.p.identifier("a register"))
	r.p.expect(",")
	return r
}

func (r operands) register(t token) string {
	p := r.p
	if p.err != nil {
		return ""
	}
	if p.loc[t.text] != nil {
		p.fail(t.pos, `unexpected location "%s", expected a register`, t.text)
		return ""
	}
	used := p.used[r.t.Name]
	if used[t.text] = true; len(used) > MaxRegisters {
		p.fail(t.pos, "more than %d registers in a thread", MaxRegisters)
	}
	return t.text
}

func (r operands) read() Value {
	pos := r.p.tok.pos
	if r.p.tok.number() {
		return Value{Pos: pos, Num: r.p.integer("a number")}
	}
	return Value{Pos: pos, Reg: r.register(r.p.identifier("a register or a number"))}
}

func (r operands) value() operands {
	r.in.Args = append(r.in.Args, r.read())
	return r
}

// location reads a location, with an offset in bytes after a plus. An undeclared location is declared, with the value
// 0.
func (r operands) location() operands {
	p := r.p
	brackets := p.is("[")
	name := p.identifier("a location")
	if p.err != nil {
		return r
	}
	if isRegister(name.text) {
		p.fail(name.pos, `unexpected register "%s", expected a location: addresses in registers are not supported`, name.text)
		return r
	}
	if p.loc[name.text] == nil {
		p.declare(name, 4)
	}
	r.in.Loc = p.loc[name.text]
	if p.is("+") {
		r.in.Off = int(p.integer("an offset in bytes"))
	}
	if brackets {
		p.expect("]")
	}
	return r
}

// isRegister reports whether a name is r with a number.
func isRegister(s string) bool {
	return len(s) > 1 && s[0] == 'r' && strings.Trim(s[1:], "0123456789") == ""
}

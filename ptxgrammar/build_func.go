// Building functions.

package ptxgrammar

// Handlers for functions and prototypes.

// signature takes the parameter lists from a token on. A list before the name has the results.
func (b *builder) signature(from uint32) (returns, params []Var) {
	base := len(b.lists)
	for base > 0 && b.lists[base-1].from >= from {
		base--
	}
	for _, l := range b.lists[base:] {
		if b.kind(l.to) == tokID {
			returns = l.vars
		} else {
			params = l.vars
		}
	}
	b.lists = b.lists[:base]
	return returns, params
}

// linkage parses linking directives from tok on.
func (b *builder) linkage(tok uint32) (l Linkage) {
	for ; linkageOf(b.kind(tok)) != 0; tok++ {
		l |= linkageOf(b.kind(tok))
	}
	return l
}

// function handles the end of a function's rule. It sets everything except the linkage, which comes before.
func (b *builder) function(f frame, end uint32) {
	fn := Func{Entry: b.kind(f.tok) == tokENTRY, Body: -1}
	at := f.tok + 1
	if b.kind(at) == tokATTRIBUTE {
		after := b.closing(at + 1)
		fn.Perf = append(fn.Perf, Perf{Range: b.span(at, after), Name: b.text(at)})
		at = after
	}
	if b.kind(at) == tokLPAREN {
		at = b.closing(at)
	}
	fn.Name, fn.NameAt = b.text(at), b.tokRange(at)
	at++
	if at < end && b.kind(at) == tokLPAREN {
		after := b.closing(at)
		fn.ParamsAt = b.span(at, after)
		at = after
	}
	fn.Returns, fn.Params = b.signature(f.tok)
	for at < end && b.kind(at) != tokLBRACE && b.kind(at) != tokSEMI {
		var p Perf
		p, at = b.perf(at, end)
		fn.Perf = append(fn.Perf, p)
	}
	if b.kind(end-1) == tokRBRACE {
		fn.Body = b.last
	}
	b.m.Funcs = push(b.m.Funcs, fn)
}

// closing returns the token after the parenthesis that closes the one at tok.
func (b *builder) closing(tok uint32) uint32 {
	for depth := 0; ; tok++ {
		switch b.kind(tok) {
		case tokLPAREN:
			depth++
		case tokRPAREN:
			if depth--; depth == 0 {
				return tok + 1
			}
		}
	}
}

// perfs parses the directives at the end of a prototype, after its name and parameter lists.
func (b *builder) perfs(from, end uint32) (out []Perf) {
	depth := 0
	for at := from; at < end; {
		switch b.kind(at) {
		case tokLPAREN:
			depth++
		case tokRPAREN:
			depth--
		case tokDOTID:
			if depth == 0 {
				var p Perf
				p, at = b.perf(at, end)
				out = append(out, p)
				continue
			}
		}
		at++
	}
	return out
}

// perf parses one directive of a function header; next is the token after it.
func (b *builder) perf(tok, end uint32) (p Perf, next uint32) {
	p.Name = b.text(tok)
	at := tok + 1
	if b.kind(tok) == tokPRAGMA {
		for b.kind(at) != tokSEMI {
			at++
		}
		at++
	}
	for at < end && (b.kind(at) == tokINT || b.kind(at) == tokSTRING) {
		if b.kind(at) == tokINT {
			p.Args = append(p.Args, b.integer(at))
		}
		if at++; at < end && b.kind(at) == tokCOMMA {
			at++
		}
	}
	p.Range = b.span(tok, at)
	return p, at
}

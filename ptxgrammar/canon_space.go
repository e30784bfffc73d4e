// Spaces and comments between tokens in the canonical layout.

package ptxgrammar

import "bytes"

// White space of the canonical layout between two tokens, with the comments there.

// comment is one comment between two tokens.
type comment struct {
	text  string // without trailing blanks and carriage returns
	own   bool   // alone on its line
	blank bool   // an empty line comes before it
	line  bool   // runs to the end of the line
	raw   bool   // a '#' or '@@' line, which stays at the margin
}

// gap returns the comments between the token printed last and the next one, and whether an empty line ends the gap.
func (p *canon) gap() (comments []comment, blank bool) {
	from := uint32(0)
	if p.next > 0 {
		from = p.m.toks[p.next-1].End()
	}
	src := p.m.File.Src[from:p.tok().Off]
	lines := 0
	for len(src) > 0 {
		n := commentLen(src)
		if n == 0 {
			if isLineEnd(src) {
				lines++
			}
			src = src[1:]
			continue
		}
		c := comment{text: cleanComment(src[:n]), own: lines > 0 || p.next == 0, blank: lines > 1}
		c.raw = src[0] != '/'
		c.line = c.raw || src[1] == '/'
		comments = append(comments, c)
		lines, src = 0, src[n:]
	}
	return comments, lines > 1
}

// isLineEnd reports whether the first byte ends a line. In "\r\n", only the second byte does.
func isLineEnd(src []byte) bool {
	return src[0] == '\n' || src[0] == '\r' && (len(src) < 2 || src[1] != '\n')
}

// commentLen returns the length of the comment at the start of src, 0 if there is none.
func commentLen(src []byte) int {
	switch {
	case src[0] == '#', bytes.HasPrefix(src, []byte("//")), bytes.HasPrefix(src, []byte("@@")):
		if n := bytes.IndexAny(src, "\r\n"); n >= 0 {
			return n
		}
		return len(src)
	case bytes.HasPrefix(src, []byte("/*")):
		return bytes.Index(src[2:], []byte("*/")) + 4
	}
	return 0
}

// cleanComment returns a comment without trailing blanks.
func cleanComment(text []byte) string {
	return string(bytes.TrimRight(unixLines(text), " \t\f"))
}

// unixLines returns a text with "\n" as the line end.
func unixLines(text []byte) []byte {
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
}

// line ends the current line with the comments on it, prints the comments that have separate lines, and begins the line
// of the next token with indent tabs.
func (p *canon) line(indent int) {
	comments, blank := p.gap()
	inside := indent
	if k := p.tok().Kind(); p.depth > 0 || k == tokRBRACE {
		inside = p.depth
		if k == tokRBRACE {
			inside++ // the comments before it belong to the statements
		}
	}
	for i := range comments {
		c := &comments[i]
		switch {
		case c.raw:
			p.newline(0, c.blank)
		case c.own:
			p.newline(inside, c.blank)
		default:
			p.out = append(p.out, ' ')
		}
		p.write(c.text)
	}
	p.newline(indent, blank && p.tok().Kind() != tokRBRACE)
}

// newline begins a line, after an empty line if blank is set, except at the start of the text or of a block.
func (p *canon) newline(indent int, blank bool) {
	if len(p.out) == 0 {
		p.blank = false
		return
	}
	opened := p.next > 0 && p.kind(p.next-1) == tokLBRACE
	if (blank || p.blank) && !opened {
		p.out = append(p.out, '\n')
	}
	p.blank = false
	p.breakTo(indent)
}

// breakTo begins a line with indent tabs.
func (p *canon) breakTo(indent int) {
	p.out = append(bytes.TrimRight(p.out, " "), '\n')
	p.bol = len(p.out)
	for range min(indent, canonMaxIndent) {
		p.out = append(p.out, '\t')
	}
}

// write prints text that may contain line ends.
func (p *canon) write(text string) {
	p.out = append(p.out, text...)
	if n := bytes.LastIndexByte(p.out[len(p.out)-len(text):], '\n'); n >= 0 {
		p.bol = len(p.out) - len(text) + n + 1
	}
}

// space separates two tokens of a statement by sep, or by the comments between them. Tokens after a comment that
// extends to the end of its line are indented once more.
func (p *canon) space(sep string) {
	comments, _ := p.gap()
	if len(comments) == 0 {
		p.out = append(p.out, sep...)
		return
	}
	for i := range comments {
		c := &comments[i]
		switch {
		case c.raw:
			p.breakTo(0)
		case !p.atLineStart():
			p.out = append(p.out, ' ')
		}
		p.write(c.text)
		if c.line {
			p.breakTo(p.depth + 1)
		}
	}
	if !p.atLineStart() {
		p.out = append(p.out, sep...)
	}
}

// breakLine begins a new line inside a statement.
func (p *canon) breakLine(indent int) {
	p.space("")
	if !p.atLineStart() {
		p.breakTo(indent)
	}
}

// atLineStart reports whether the line has only its indentation.
func (p *canon) atLineStart() bool {
	return len(bytes.Trim(p.out[p.bol:], "\t")) == 0
}

// end prints the comments after the last token and ends the last line.
func (p *canon) end() {
	comments, _ := p.gap()
	for i := range comments {
		c := &comments[i]
		if c.own || c.raw {
			p.newline(0, c.blank)
		} else {
			p.out = append(p.out, ' ')
		}
		p.write(c.text)
	}
	p.out = append(p.out, '\n')
}

// separator returns the white space between the token printed last and the next one inside a statement.
func (p *canon) separator() string {
	prev, cur := p.kind(p.next-1), p.tok().Kind()
	switch cur {
	case tokQUESTION:
		p.ternary++
		return " "
	case tokCOLON:
		if p.ternary > 0 {
			p.ternary--
			return " "
		}
		return ""
	case tokCOMMA, tokSEMI, tokRPAREN, tokRBRACK, tokRBRACE:
		return ""
	case tokOP, tokASSIGN:
		return " "
	case tokLT, tokGT:
		return p.unless(p.declname)
	}
	switch prev {
	case tokLPAREN, tokLBRACK, tokLBRACE, tokAT, tokTILDE, tokBANG, tokPLUS, tokMINUS, tokPIPE:
		return ""
	case tokLT, tokGT:
		return p.unless(p.declname)
	}
	switch cur {
	case tokPLUS, tokMINUS, tokPIPE:
		return p.unless(endsOperand(prev))
	case tokLBRACK:
		return p.unless(prev == tokID || prev == tokRBRACK)
	case tokLPAREN:
		return p.unless(prev == tokID && p.m.tokText(p.next-1) != "_" || prev == tokINT || prev == tokDOTID ||
			prev == tokATTRIBUTE)
	case tokDOTID:
		return p.unless(prev == tokID && !p.declname || prev == tokRBRACK)
	}
	return " "
}

// unless returns a blank, or nothing if tight.
func (*canon) unless(tight bool) string {
	if tight {
		return ""
	}
	return " "
}

// endsOperand reports whether an operand can end with a token of the kind, so that an operator after it is binary.
func endsOperand(kind uint8) bool {
	switch kind {
	case tokID, tokDOTID, tokINT, tokFLOAT, tokHEXFLOAT, tokSTRING, tokRPAREN, tokRBRACK, tokRBRACE:
		return true
	}
	return false
}

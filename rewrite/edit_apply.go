// Application of queued edits: the new text, and the origin of its lines.

package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Origin says where a line of a rewritten module came from.
type Origin struct {
	Line int    // line in the user's file, 0 for a line made by a pass or library
	Pass string // pass or library that inserted it, "" for the user's own lines
	For  int    // for inserted lines: the user's line that they were inserted for, 0 for none
	File string // the user's file of Line or For after LinkAll, "" for the first module's

	unreached bool // for inserted lines: control does not reach all instructions of the line that they were inserted for
}

// Origin returns the provenance of a line (from 1).
func (m *Module) Origin(line int) Origin {
	if m.origins == nil {
		return Origin{Line: line}
	}
	if line < 1 || line > len(m.origins) {
		return Origin{}
	}
	return m.origins[line-1]
}

// inserted returns the provenance of a line that an edit wrote.
func (w *editWriter) inserted(pass string, edit int) Origin {
	if o, ok := w.foreign[edit]; ok {
		return o
	}
	user := w.m.Origin(w.lines[edit])
	return Origin{Pass: pass, For: max(user.Line, user.For), File: user.File, unreached: w.unreached[w.lines[edit]]}
}

// findUnreached finds the edited lines with an instruction that control never reaches.
func (w *editWriter) findUnreached() {
	w.unreached = map[int]bool{}
	edited := map[int]bool{}
	for _, line := range w.lines {
		edited[line] = true
	}
	for _, f := range w.m.Funcs {
		for _, in := range f.Insts {
			if edited[in.Line] && !w.unreached[in.Line] {
				g := f.CFG()
				w.unreached[in.Line] = !g.Reached(g.BlockOf[in.Index])
			}
		}
	}
}

// Apply performs the edits: text, re-parsed and verified, with provenance. Without
// edits it returns the module itself. On failure the module stays as it is.
func (e *Editor) Apply() (*Module, error) {
	changes := e.prepare()
	if len(e.errs) > 0 {
		e.errs.Sort()
		return nil, e.errs
	}
	w := &editWriter{m: e.m}
	w.beforeFuncs(e.globals)
	for _, c := range e.copies {
		w.copy(c)
	}
	for _, f := range e.m.Funcs {
		if fe := e.funcs[f]; fe != nil {
			w.function(fe)
		}
	}
	for _, c := range changes {
		if !c.known {
			w.add(c.at.Start, c.at.End, c.text, e.m.AST.File.Line(c.at.Start))
		}
	}
	m := e.m
	if len(w.edits) > 0 {
		var err error
		if m, err = w.finish(e.pass); err != nil {
			return nil, err
		}
	}
	return e.rename(m, movedBy(w.edits))
}

// prepare turns edits of whole functions into changes and insertions, once, and
// finds conflicts.
func (e *Editor) prepare() []change {
	if !e.prepared {
		e.prepared = true
		e.writeParams()
		for _, f := range e.called {
			if e.params[f] != nil {
				e.errs = append(e.errs, &ptxgrammar.Error{
					Pos: symbolPosition(e.m, f),
					Msg: fmt.Sprintf("%s gets parameters, and a call or a copy that this editor inserts calls it without", f.Name),
				})
			}
		}
		for _, f := range e.m.Funcs {
			if fe := e.funcs[f]; fe != nil && fe.detours != nil {
				e.writeDetours(fe)
			}
		}
	}
	return e.resolve()
}

// editWriter turns queued edits into edits of the text.
type editWriter struct {
	m     *Module
	edits []ptxgrammar.Edit
	lines []int // for each edit: the line of m that it was made for, 0 for none

	foreign   map[int]Origin  // for edits that insert lines of another module
	unreached map[int]bool    // edited lines of m with an instruction that control never reaches
	unread    map[string]bool // functions of the result whose instructions the loader skips
}

// Reload loads another text of the module, which may have unknown instructions if the
// module may.
func (m *Module) Reload(ast *ptxgrammar.Module) (*Module, error) {
	return m.reload(ast, nil)
}

// reload is Reload without the instructions of the functions in unread.
func (m *Module) reload(ast *ptxgrammar.Module, unread map[string]bool) (*Module, error) {
	mode := loadKnown
	if m.newer {
		mode = loadNewer
	}
	return loadTree(ast, mode, unread)
}

// finish applies the edits and loads the result.
func (w *editWriter) finish(pass string) (*Module, error) {
	src, lines, err := ptxgrammar.Apply(w.m.Source(), w.edits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pass, err)
	}
	ast, err := ptxgrammar.Parse(w.m.AST.File.Name, src)
	if err != nil {
		return nil, fmt.Errorf("%s wrote PTX with errors: %w", pass, err)
	}
	m, err := w.m.reload(ast, w.unread)
	if err != nil {
		return nil, fmt.Errorf("%s wrote PTX with errors: %w", pass, err)
	}
	m.linked = w.m.linked
	m.origins = make([]Origin, len(lines))
	w.findUnreached()
	for i, l := range lines {
		switch {
		case l.Line > 0:
			m.origins[i] = w.m.Origin(l.Line)
		case l.Edit >= 0:
			m.origins[i] = w.inserted(pass, l.Edit)
		}
	}
	if err := Verify(m); err != nil {
		return nil, fmt.Errorf("%s broke the program: %w", pass, err)
	}
	return m, nil
}

// add queues an edit made for a line of m.
func (w *editWriter) add(start, end uint32, text string, line int) {
	w.edits = append(w.edits, ptxgrammar.Edit{Start: start, End: end, Text: text})
	w.lines = append(w.lines, line)
}

// beforeFuncs inserts declarations before the first function.
func (w *editWriter) beforeFuncs(lines []string) {
	if len(lines) > 0 {
		w.before(w.firstFunc(func(*ptxgrammar.Func) bool { return true }), lines, "", 0)
	}
}

// copy inserts a function in front of another, line by line for the provenance.
func (w *editWriter) copy(c *funcCopy) {
	at := c.before.AST.Start
	if start := w.lineStart(at); blank(w.m.Source()[start:at]) {
		at = start
	} else {
		w.add(at, at, "\n", 0)
	}
	for i, line := range c.lines {
		w.add(at, at, line+"\n", c.from[i])
	}
}

// firstFunc returns the start of the first function for which counts is true, the end of the text if there is none.
func (w *editWriter) firstFunc(counts func(*ptxgrammar.Func) bool) uint32 {
	for _, it := range w.m.AST.Items {
		if it.Kind == ptxgrammar.ItemFunc {
			if a := &w.m.AST.Funcs[it.Index]; counts(a) {
				return a.Start
			}
		}
	}
	return uint32(len(w.m.Source()))
}

// function writes the edits of one function.
func (w *editWriter) function(fe *funcEdit) {
	body := &w.m.AST.Blocks[fe.f.AST.Body]
	indent := "\t"
	if len(body.Stmts) > 0 {
		indent = w.indent(w.stmtStart(body.Stmts[0]))
	}
	n := len(w.edits)
	w.add(body.Start+1, body.Start+1, "", 0) // the declarations, known at the end
	if len(fe.entry) > 0 {
		w.before(w.entry(body), fe.entry, indent, 0)
	}
	sites := slices.Sorted(maps.Keys(fe.sites))
	for _, i := range sites {
		w.site(fe, fe.sites[i])
	}
	for _, i := range slices.Sorted(maps.Keys(fe.replaced)) {
		w.replace(fe.f.Insts[i], fe.replaced[i])
	}
	if len(fe.end) > 0 {
		w.before(body.End-1, fe.end, indent, 0)
	}
	if decls := fe.names.declarations(); len(decls) > 0 {
		at, text := w.afterText(body.Start+1, decls, indent)
		w.edits[n] = ptxgrammar.Edit{Start: at, End: at, Text: text}
	}
}

// entry returns the offset of the first statement that executes or can be jumped to.
func (w *editWriter) entry(body *ptxgrammar.Block) uint32 {
	for _, s := range body.Stmts {
		switch s.Kind {
		case ptxgrammar.StmtDecl, ptxgrammar.StmtLoc, ptxgrammar.StmtFile:
		default:
			return w.stmtStart(s)
		}
	}
	return body.End - 1
}

func (w *editWriter) stmtStart(s ptxgrammar.Stmt) uint32 {
	a := w.m.AST
	switch s.Kind {
	case ptxgrammar.StmtInst:
		return a.InstRange(&a.Insts[s.Index]).Start
	case ptxgrammar.StmtLabel:
		return a.Labels[s.Index].Start
	case ptxgrammar.StmtDecl:
		return a.Decls[s.Index].Start
	case ptxgrammar.StmtBlock:
		return a.Blocks[s.Index].Start
	case ptxgrammar.StmtLoc:
		return a.Locs[s.Index].Start
	case ptxgrammar.StmtFile:
		return a.Files[s.Index].Start
	case ptxgrammar.StmtEmpty:
		return a.StmtRange(s).Start
	}
	return a.Directives[s.Index].Start
}

// replace writes a replacement. An empty one removes the line, too.
func (w *editWriter) replace(in *Inst, lines []string) {
	r := w.m.AST.InstRange(in.AST)
	if len(lines) > 0 {
		w.add(r.Start, r.End, strings.Join(lines, "\n"+w.indent(r.Start)), in.Line)
		return
	}
	line := w.lineStart(r.Start)
	rest := w.m.Source()[r.End:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 && blank(w.m.Source()[line:r.Start]) && blank(rest[:end]) {
		r.Start, r.End = line, r.End+uint32(end)+1
	}
	w.add(r.Start, r.End, "", in.Line)
}

// lineStart returns the offset of the first byte of the line.
func (w *editWriter) lineStart(off uint32) uint32 {
	return uint32(bytes.LastIndexByte(w.m.Source()[:off], '\n') + 1)
}

// indent returns the white space that the line of off starts with.
func (w *editWriter) indent(off uint32) string {
	line := w.m.Source()[w.lineStart(off):off]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }

// before inserts lines before the text at off: as whole lines if nothing precedes it on its line.
func (w *editWriter) before(off uint32, lines []string, indent string, line int) {
	start := w.lineStart(off)
	if blank(w.m.Source()[start:off]) {
		w.add(start, start, indented(lines, indent), line)
		return
	}
	indent = cmp.Or(indent, "\t")
	w.add(off, off, "\n"+indented(lines, indent)+indent, line)
}

// afterText returns the place and text of an insertion after the text before off: as whole lines after this one if only
// a comment follows on it.
func (w *editWriter) afterText(off uint32, lines []string, indent string) (at uint32, text string) {
	src := w.m.Source()
	end := bytes.IndexByte(src[off:], '\n')
	if end >= 0 {
		rest := bytes.TrimSpace(src[off : off+uint32(end)])
		if len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) {
			return off + uint32(end) + 1, indented(lines, indent)
		}
	}
	indent = cmp.Or(indent, "\t")
	return off, "\n" + indented(lines, indent) + indent
}

// indented joins lines, each with the indentation and a line end; labels are not indented.
func indented(lines []string, indent string) string {
	var b strings.Builder
	for _, l := range lines {
		if !strings.HasSuffix(l, ":") {
			b.WriteString(indent)
		}
		b.WriteString(l)
		b.WriteByte('\n')
	}
	return b.String()
}

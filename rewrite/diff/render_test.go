package diff

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// rendered is what a renderer writes.
func rendered(t testing.TB, f func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRender(t *testing.T) {
	const path = "testdata/render.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, f := range ar.Files {
		files[f.Name] = string(f.Data)
	}
	a, b := files["a.ptx"], files["b.ptx"]
	lines, semantic := Lines(Text{"a.ptx", a}, Text{"b.ptx", b}), compare(t, a, b)
	side := func(d *Diff, o SideBySideOptions) func(io.Writer) error {
		return func(w io.Writer) error { return d.SideBySide(w, o) }
	}
	text := func(d *Diff, o TextOptions) func(io.Writer) error {
		return func(w io.Writer) error { return d.Unified(w, o) }
	}
	outputs := []struct {
		name  string
		write func(io.Writer) error
	}{
		{"lines", text(lines, TextOptions{Context: 1})},
		{"lines in colour", text(lines, TextOptions{Color: true})},
		{"lines side by side", side(lines, SideBySideOptions{TextOptions: TextOptions{Context: 1}, Width: 80})},
		{"semantic", text(semantic, TextOptions{Context: 2})},
		{"semantic side by side", side(semantic, SideBySideOptions{TextOptions: TextOptions{Context: 1}, Width: 80, Cut: true})},
		{"semantic in colour", side(semantic, SideBySideOptions{TextOptions: TextOptions{Color: true}, Width: 80})},
		{"stat", semantic.WriteStat},
	}
	for _, o := range outputs {
		t.Run(o.name, func(t *testing.T) {
			got := strings.ReplaceAll(rendered(t, o.write), "\x1b", "ESC")
			if *update {
				i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == o.name })
				if i < 0 {
					i = len(ar.Files)
					ar.Files = append(ar.Files, txtar.File{Name: o.name})
				}
				ar.Files[i].Data = []byte(got)
			} else if got != files[o.name] {
				t.Errorf("differs from the golden file:\n%s", Unified("want", files[o.name], "got", got, 3))
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What is the same is not shown.
func TestRenderSame(t *testing.T) {
	src := header + ".entry k() { ret; }\n"
	for _, d := range []*Diff{Lines(Text{"a", src}, Text{"b", src}), compare(t, src, src), compare(t, src, src+"// more\n")} {
		if !d.Same() {
			t.Error("not the same")
		}
		out := rendered(t, func(w io.Writer) error { return d.Unified(w, TextOptions{Context: 3}) })
		out += rendered(t, func(w io.Writer) error { return d.SideBySide(w, SideBySideOptions{Width: 80}) })
		if out != "" {
			t.Errorf("written: %q", out)
		}
		if page := parsePage(t, rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{}) })); len(page.rows) > 0 {
			t.Errorf("rows of a page: %v", page.rows)
		}
	}
}

// Errors of the writer come out.
func TestRenderFails(t *testing.T) {
	d := compare(t, header, header+".global .u32 x;\n")
	w := failingWriter{}
	for name, err := range map[string]error{
		"unified": d.Unified(w, TextOptions{}), "side by side": d.SideBySide(w, SideBySideOptions{}),
		"stat": d.WriteStat(w), "html": d.HTML(w, HTMLOptions{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

// Side by side, no line is wider than asked for, and nothing of the texts is lost.
func TestSideBySideWidth(t *testing.T) {
	long := strings.Repeat("word ", 100)
	d := Lines(Text{"a", "x\n" + long + "\n"}, Text{"b", "y\n" + long + "more\n"})
	for _, width := range []int{0, 40, 41, 80, 200} {
		out := rendered(t, func(w io.Writer) error { return d.SideBySide(w, SideBySideOptions{Width: width}) })
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > max(width, 40) {
				t.Errorf("width %d: a line of %d: %q", width, n, line)
			}
		}
		if n := strings.Count(out, "word"); n != 200 {
			t.Errorf("width %d: %d words, want 200", width, n)
		}
	}
}

// Of a statement that is very long the beginning is shown, and compared is all.
func TestLongStatement(t *testing.T) {
	list := func(last string) string {
		return header + ".global .u32 x[100001] = {" + strings.Repeat("1, ", 100_000) + last + "};\n"
	}
	d := compare(t, list("2"), list("3"))
	if d.Same() {
		t.Error("the difference at the end is not found")
	}
	out := rendered(t, func(w io.Writer) error { return d.Unified(w, TextOptions{}) })
	out += rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{}) })
	lines := Lines(d.A, d.B)
	out += rendered(t, func(w io.Writer) error { return lines.HTML(w, HTMLOptions{}) })
	if len(out) > 200_000 {
		t.Errorf("%d bytes", len(out))
	}
}

// Text for a terminal holds nothing that the terminal might obey.
func TestControlCharacters(t *testing.T) {
	a, b := header+".entry k() {\n\tret; // \x1b[2J\u202e\n}\n", header+".entry k() {\n\texit; // \x1b]0;x\x07\n}\n"
	d := Lines(Text{"a", a}, Text{"b", b})
	out := rendered(t, func(w io.Writer) error { return d.SideBySide(w, SideBySideOptions{Width: 80}) })
	out += rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{}) })
	if i := strings.IndexAny(out, "\x1b\x07\u202e"); i >= 0 {
		t.Errorf("control character in %q", out[max(0, i-20):i+20])
	}
}

// parsedPage is what a page shows.
type parsedPage struct{ rows []string }

// parsePage checks that a page is well-formed and needs nothing from elsewhere.
func parsePage(t testing.TB, page string) parsedPage {
	t.Helper()
	for _, no := range []string{"<script", "<link", "<img", "@import", "url(", "src=", "http:", "https:"} {
		if i := strings.Index(page, no); i >= 0 {
			t.Errorf("the page has %q", page[i:min(len(page), i+60)])
		}
	}
	return readPage(t, page)
}

// readPage checks that a page is well-formed and refers to itself only.
func readPage(t testing.TB, page string) parsedPage {
	t.Helper()
	var p parsedPage
	ids, refs := make(map[string]bool), []string{}
	dec := xml.NewDecoder(strings.NewReader(page))
	var open []string // classes
	var row strings.Builder
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			class := ""
			for _, a := range tok.Attr {
				switch a.Name.Local {
				case "class":
					class = a.Value
				case "id":
					ids[a.Value] = true
				case "href":
					refs = append(refs, a.Value)
				}
			}
			open = append(open, class)
			switch class {
			case "na", "ca", "nb", "cb":
				fmt.Fprintf(&row, " %s:", class)
			}
		case xml.EndElement:
			class := open[len(open)-1]
			open = open[:len(open)-1]
			if kind, ok := strings.CutPrefix(class, "row "); ok {
				p.rows = append(p.rows, kind+row.String())
				row.Reset()
			}
		case xml.CharData:
			if slices.ContainsFunc(open, func(c string) bool { return strings.HasPrefix(c, "row ") }) {
				row.Write(tok)
			}
		}
	}
	for _, r := range refs {
		if id, ok := strings.CutPrefix(r, "#"); !ok || !ids[id] {
			t.Errorf("the page refers to %q", r)
		}
	}
	return p
}

func TestHTML(t *testing.T) {
	a := header + ".entry k() {\n\tmembar.cta;\n\tret;\n}\n.entry same() { exit; }\n"
	b := header + ".entry k() {\n\tmembar.gl;\n\tbar.sync 0;\n\tret;\n}\n.entry same() { exit; }\n"
	d := compare(t, a, b)
	page := rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{Context: 1}) })
	want := []string{
		"same na:4 ca:.entry k() nb:4 cb:.entry k()",
		"chg na:5 ca:\tmembar.cta; nb:5 cb:\tmembar.gl;",
		"add nb:6 cb:\tbar.sync 0;",
		"same na:6 ca:\tret; nb:7 cb:\tret;",
	}
	if got := parsePage(t, page).rows; !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, want := range []string{
		`<span class="d"><mark>.cta</mark></span>`, `<span class="d"><mark>.gl</mark></span>`, `<span class="o">bar</span>`,
		"total; 1 of 2 functions are the same",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Names and texts that look like HTML are text.
func TestHTMLEscapes(t *testing.T) {
	evil := `<script>alert("1")</script>&amp;`
	d := Lines(Text{evil, "// " + evil + "\n"}, Text{evil, evil + "\n"})
	page := rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{}) })
	want := []string{"del na:1 ca:// " + evil, "add nb:1 cb:" + evil}
	if got := parsePage(t, page).rows; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// The page has every line of both texts, with a fold or without.
func TestHTMLComplete(t *testing.T) {
	corpus(t, func(t *testing.T, src string) {
		other := locLine.ReplaceAllString(src, "// no location")
		for _, d := range []*Diff{Lines(Text{"a", src}, Text{"b", other}), compare(t, src, strings.Replace(src, "ret;", "exit;", 1))} {
			want := 0
			for _, s := range d.Sections {
				if !s.Same() {
					want += len(s.Rows)
				}
			}
			page := rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{Context: 3}) })
			got := len(parsePage(t, page).rows)
			for _, m := range regexp.MustCompile(`(\d+) the same, not in`).FindAllStringSubmatch(page, -1) {
				got += atoi(m[1], 0)
			}
			if got != want {
				t.Errorf("%d rows, want %d", got, want)
			}
		}
	})
}

// In versions of a statement, a register that has another name only is not marked.
func TestHTMLMarks(t *testing.T) {
	body := func(r, n string) string {
		return header + ".entry k() {\n.reg .b32 " + r + ";\nmov.u32 " + r + ", 1;\nadd.u32 " + r + ", " + r + ", " + n + ";\n}\n"
	}
	d := compare(t, body("%a", "2"), body("%b", "3"))
	page := rendered(t, func(w io.Writer) error { return d.HTML(w, HTMLOptions{}) })
	got := regexp.MustCompile(`<mark>[^<]*</mark>`).FindAllString(page, -1)
	if want := []string{"<mark>2</mark>", "<mark>3</mark>"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A comment that goes on is a comment in every line, also after lines left out.
func TestHighlightComment(t *testing.T) {
	var h highlighter
	h.skip("ret; /* from here")
	h.skip("to there")
	if got := h.pieces("x */ ret;"); got[0] != (piece{text: "x */", class: "c"}) || got[2].class != "o" {
		t.Errorf("got %v", got)
	}
}

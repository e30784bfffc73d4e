// Suppression files in the XML form of compute-sanitizer.

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Suppressions in the form of compute-sanitizer: the output of its --save FILE --xml, edited by hand. A record names a
// function, a file and a line, and the access; integers must be equal, and words are regular expressions. Records of
// kinds other than races, and those without anything to compare, are reported.

// record describes races.
type record struct {
	useless string   // why it cannot match any race
	where   []*frame // each is the place of one of the accesses
	space   *regexp.Regexp
	access  *regexp.Regexp // kind of one of the accesses: read, write, atomic
	size    int            // size of an access in bytes, 0 for any
}

// frame is a place in the program. Fields that are nil or 0 match everything.
type frame struct {
	function, file *regexp.Regexp
	line           int
}

// element is an XML element.
type element struct {
	name      string
	text      string
	kids      []*element
	line, col int
}

// Limits of a file.
const maxXMLDepth = 32

// parseXML parses a document. It refuses document types, since entities are not needed.
func parseXML(name string, src []byte) (*element, error) {
	dec := xml.NewDecoder(bytes.NewReader(src))
	root := &element{}
	for open := []*element{root}; ; {
		line, col := dec.InputPos()
		tok, err := dec.Token()
		last := open[len(open)-1]
		switch t := tok.(type) {
		case xml.StartElement:
			if len(open) > maxXMLDepth {
				return nil, fmt.Errorf("%s:%d:%d: elements are nested more than %d deep", name, line, col, maxXMLDepth)
			}
			e := &element{name: t.Name.Local, line: line, col: col}
			last.kids = append(last.kids, e)
			open = append(open, e)
		case xml.EndElement:
			last.text = strings.TrimSpace(last.text)
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(t)
		case xml.Directive:
			return nil, fmt.Errorf("%s:%d:%d: %q: expected elements only", name, line, col, fmt.Sprintf("<!%.20s", t))
		}
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			line, col = dec.InputPos()
			return nil, fmt.Errorf("%s:%d:%d: not XML: %s", name, line, col,
				strings.TrimPrefix(err.Error(), "XML syntax error on "))
		}
	}
}

// kid returns the first child of that name, nil if there is none.
func (e *element) kid(name string) *element {
	if i := slices.IndexFunc(e.kids, func(k *element) bool { return k.name == name }); i >= 0 {
		return e.kids[i]
	}
	return nil
}

// parseXMLSuppressions parses a suppression file of compute-sanitizer.
func parseXMLSuppressions(name string, src []byte) (Suppressions, error) {
	doc, err := parseXML(name, src)
	if err != nil {
		return nil, err
	}
	root := doc.kid("ComputeSanitizerOutput")
	if root == nil {
		return nil, fmt.Errorf("%s:1:1: expected <ComputeSanitizerOutput> with records", name)
	}
	var out Suppressions
	for _, e := range root.kids {
		if e.name != "record" {
			continue
		}
		r, err := parseRecord(name, e)
		if err != nil {
			return nil, err
		}
		out = append(out, &Suppression{pos: fmt.Sprintf("%s:%d:%d", name, e.line, e.col), record: r})
	}
	return out, nil
}

func parseRecord(name string, e *element) (*record, error) {
	r := &record{}
	p := xmlReader{name: name}
	if kind := e.kid("kind"); kind != nil && !strings.Contains(strings.ToLower(kind.text), "race") {
		r.useless = fmt.Sprintf("a record of kind %s is no race", kind.text)
	}
	for _, k := range e.kids {
		switch k.name {
		case "where":
			r.where = append(r.where, p.frame(k))
		case "deviceStack":
			for _, f := range k.kids {
				if f.name == "frame" && len(f.kids) > 0 {
					r.where = append(r.where, p.frame(f))
				}
			}
		case "what":
			r.space, r.access, r.size = p.words(k.kid("space")), p.words(k.kid("direction")), p.number(k.kid("size"))
		}
	}
	if r.useless == "" && !slices.ContainsFunc(r.where, func(f *frame) bool { return *f != (frame{}) }) {
		r.useless = "the record names no function, file or line of the device"
	}
	return r, p.err
}

// xmlReader reads fields up to the first error.
type xmlReader struct {
	name string
	err  error
}

func (p *xmlReader) fail(e *element, format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s:%d:%d: %s: %s", p.name, e.line, e.col, e.name, fmt.Sprintf(format, args...))
	}
}

func (p *xmlReader) frame(e *element) *frame {
	return &frame{p.words(e.kid("func")), p.words(e.kid("path")), p.number(e.kid("line"))}
}

// words returns a field as a regular expression for a whole text, nil if it is absent or empty.
func (p *xmlReader) words(e *element) *regexp.Regexp {
	if e == nil || e.text == "" {
		return nil
	}
	if len(e.text) > maxPattern {
		p.fail(e, "a pattern of %d bytes, expected at most %d", len(e.text), maxPattern)
		return nil
	}
	re, err := regexp.Compile("^(?:" + e.text + ")$")
	if err != nil {
		p.fail(e, "%q is no regular expression", e.text)
	}
	return re
}

// number returns a field as a positive number, 0 if it is absent.
func (p *xmlReader) number(e *element) int {
	if e == nil || e.text == "" {
		return 0
	}
	n, err := strconv.Atoi(e.text)
	if err != nil || n <= 0 {
		p.fail(e, "expected a positive number, found %q", e.text)
	}
	return n
}

// matches reports whether the record describes a race: each of its places is that of an access, and two places are
// those of two accesses.
func (r *record) matches(x *Race) bool {
	a, b := &x.First, &x.Second
	any := func(re *regexp.Regexp, words ...string) bool {
		return re == nil || slices.ContainsFunc(words, re.MatchString)
	}
	return r.useless == "" && (r.size == 0 || r.size == x.Size) && any(r.space, x.Space, "__"+x.Space+"__") &&
		any(r.access, a.Access, b.Access) && (r.stand(a, b) || r.stand(b, a))
}

// stand reports whether the first place is that of a, and the others in order are those of b or a.
func (r *record) stand(a, b *Access) bool {
	for i, f := range r.where {
		if first := i == 0; first && !f.stands(a) || !first && !f.stands(b) && (len(r.where) == 2 || !f.stands(a)) {
			return false
		}
	}
	return true
}

// stands reports whether an access is at a place: in its function, and at its line in the source, including places at
// which it was inlined, or in the PTX.
func (f *frame) stands(a *Access) bool {
	if f.function != nil && !slices.ContainsFunc(spellings(a.function()), f.function.MatchString) {
		return false
	}
	return slices.ContainsFunc(a.places(), func(p Place) bool {
		return (f.line == 0 || f.line == p.Line) && (f.file == nil || f.file.MatchString(p.File) ||
			f.file.MatchString(base(p.File)))
	})
}

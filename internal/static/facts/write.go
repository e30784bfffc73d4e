// The file form: YAML that internal/factfile reads.

package facts

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Write writes the facts as a facts file.
func (f *File) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "# Launch facts: what host code says of the launches of kernels. Edit freely; docs/facts.md explains the form.")
	for _, n := range f.Notes {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(n, "\n", " "))
	}
	if len(f.Never) > 0 {
		list := make([]string, len(f.Never))
		for i, k := range f.Never {
			list[i] = quoted(k)
		}
		fmt.Fprintf(b, "never: [%s]\n", strings.Join(list, ", "))
	}
	if f.Main {
		fmt.Fprintln(b, "main: true")
	}
	if len(f.Launches) == 0 {
		fmt.Fprintln(b, "launches: []")
	} else {
		fmt.Fprintln(b, "launches:")
	}
	for _, l := range f.Launches {
		l.write(b)
	}
	return b.Flush()
}

func (l *Launch) write(w io.Writer) {
	fmt.Fprintf(w, "  - kernel: %s\n", quoted(l.Kernel))
	key := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "    %s: %s\n", name, value)
		}
	}
	if l.Site != (Pos{}) {
		key("site", quoted(l.Site.String()))
	}
	if l.Function != "" {
		key("function", quoted(l.Function))
	}
	key("variables", l.variables())
	key("grid", extents(l.Grid))
	key("block", extents(l.Block))
	key("cluster", extents(l.Cluster))
	if l.Shared != nil {
		key("shared", text(l.Shared))
	}
	if l.Unfollowed {
		key("followed", "false")
	}
	if l.First {
		key("first", "true")
	}
	if len(l.Changed) > 0 {
		key("changed", quotedList(l.Changed))
	}
	if l.Started != nil {
		key("started", quotedList(l.Started))
	}
	if len(l.Args) > 0 {
		fmt.Fprintln(w, "    args:")
		for i := range l.Args {
			fmt.Fprintf(w, "      - %s\n", l.Args[i].text())
		}
	}
	l.writeBuffers(w)
	writeConditions(w, "requires", l.Requires)
	writeConditions(w, "sample", l.Sample)
}

func quotedList(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, strconv.Quote(w))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func writeConditions(w io.Writer, key string, list []Condition) {
	if len(list) > 0 {
		fmt.Fprintf(w, "    %s:\n", key)
	}
	for _, c := range list {
		fmt.Fprintf(w, "      - {that: %s, class: %s%s}\n", quoted(c.That.String()), c.Class, site(c.Site))
	}
}

func (l *Launch) writeBuffers(w io.Writer) {
	if len(l.Buffers) > 0 {
		fmt.Fprintln(w, "    buffers:")
	}
	for _, b := range l.Buffers {
		size, init, sample := "", "", ""
		if b.Size != nil {
			size = ", size: " + text(b.Size)
		}
		if b.Init != nil {
			init = ", init: " + text(b.Init)
		}
		if b.Order != "" {
			init += ", order: " + string(b.Order)
		}
		if b.Sample != nil {
			sample = ", sample: " + text(b.Sample)
		}
		fmt.Fprintf(w, "      %s: {%s}\n", quoted(b.Name), strings.TrimPrefix(size+init+sample+site(b.Site), ", "))
	}
}

func site(p Pos) string {
	if p == (Pos{}) {
		return ""
	}
	return ", site: " + quoted(p.String())
}

// variables returns the mapping from names to types.
func (l *Launch) variables() string {
	var list []string
	for _, v := range l.Vars {
		lo, hi, known := TypeRange(v.Type)
		t := v.Type
		if !known || v.Lost || !same(lo, v.Lo) || !same(hi, v.Hi) {
			t = "{"
			if v.Type != "" {
				t += "type: " + v.Type + ", "
			}
			if v.Lo != nil && !same(lo, v.Lo) {
				t += "min: " + v.Lo.String() + ", "
			}
			if v.Hi != nil && !same(hi, v.Hi) {
				t += "max: " + v.Hi.String() + ", "
			}
			if v.Lost {
				t += "followed: false"
			}
			t = strings.TrimSuffix(t, ", ") + "}"
		}
		list = append(list, quoted(v.Name)+": "+t)
	}
	if list == nil {
		return ""
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func same(a, b *big.Int) bool { return (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0) }

func extents(x [3]*expr.Int) string {
	if x == ([3]*expr.Int{}) {
		return ""
	}
	return "[" + text(x[0]) + ", " + text(x[1]) + ", " + text(x[2]) + "]"
}

// text returns an argument or a field in the form of the file.
func (a *Arg) text() string {
	switch {
	case a.Buffer != "":
		more := ", offset: " + text(a.Offset)
		if a.Offset != nil && a.Offset.Equal(expr.Const(0)) {
			more = ""
		}
		if a.Lost {
			more += ", followed: false"
		}
		return fmt.Sprintf("{buffer: %s%s}", quoted(a.Buffer), more)
	case a.Fields != nil:
		var list []string
		for i := range a.Fields {
			f := &a.Fields[i]
			value := f.text()
			if f.Buffer == "" {
				sign := "u"
				if f.Type != "" {
					sign = "s"
				}
				value = fmt.Sprintf("{%s%d: %s}", sign, f.Bits, text(f.Int))
			}
			list = append(list, fmt.Sprintf("%d: %s", f.Offset, value))
		}
		return "{fields: {" + strings.Join(list, ", ") + "}}"
	}
	if a.Type != "" && a.Int != nil && !a.fits() {
		return fmt.Sprintf("{%s: %s}", a.Type, text(a.Int))
	}
	return text(a.Int)
}

// fits reports whether the range of the expression is within that of its type.
func (a *Arg) fits() bool {
	lo, hi := a.Int.Range()
	least, most, _ := TypeRange(a.Type)
	return lo != nil && hi != nil && lo.Cmp(least) >= 0 && hi.Cmp(most) <= 0
}

// text returns an expression in the form of the file.
func text(x *expr.Int) string {
	if x == nil || x.IsUnknown() {
		return "unknown"
	}
	return quoted(x.String())
}

// plain matches text that YAML does not interpret, also in lists and mappings.
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_(][A-Za-z0-9_.$ :+/*()<>=%&|^!-]*$`) })

// quoted returns a string as a YAML scalar.
func quoted(s string) string {
	if plain().MatchString(s) && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, ":") &&
		!strings.Contains(s, ": ") {
		return s
	}
	return strconv.Quote(s)
}

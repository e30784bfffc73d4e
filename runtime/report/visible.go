// Reports whose texts are harmless for a terminal.

package report

import (
	"bufio"
	"io"
	"reflect"

	"github.com/ptxsan/ptxsan/internal/output"
)

// Visible returns a copy of a report in which all texts are as output.Visible has them: names of files, kernels,
// variables and buffers come from inputs that are not trusted. JSON and formats built on it need no such copy.
func (r *Report) Visible() *Report {
	out := copied(reflect.ValueOf(r), output.Visible).Interface().(*Report)
	if r.Patch != nil { // of several lines
		out.Patch.Diff = output.VisibleLines(r.Patch.Diff)
	}
	if r.SyncSet != nil {
		out.SyncSet.Diff = output.VisibleLines(r.SyncSet.Diff)
	}
	return out
}

// Clone returns a copy of a report, of which nothing that changes is shared with the original.
func (r *Report) Clone() *Report {
	return copied(reflect.ValueOf(r), func(text string) string { return text }).Interface().(*Report)
}

// copied copies a value, with other texts. Unexported fields are shared with the original.
func copied(v reflect.Value, text func(string) string) reflect.Value {
	made := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		made.SetString(text(v.String()))
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		made.Set(reflect.New(v.Type().Elem()))
		made.Elem().Set(copied(v.Elem(), text))
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		made.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			made.Index(i).Set(copied(v.Index(i), text))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		made.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, key := range v.MapKeys() {
			made.SetMapIndex(copied(key, text), copied(v.MapIndex(key), text))
		}
	case reflect.Struct:
		made.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				made.Field(i).Set(copied(v.Field(i), text))
			}
		}
	default:
		return v
	}
	return made
}

// Visible returns options with which excerpts are as output.VisibleLines has them.
func (o TextOptions) Visible() TextOptions {
	if read := o.Excerpt; read != nil {
		o.Excerpt = func(file string, n int) (string, bool) {
			line, ok := read(file, n)
			return output.VisibleLines(line), ok
		}
	}
	return o
}

// newText returns the state of a text report. Colours are the only control sequences that it writes.
func newText(w io.Writer, o TextOptions) *text {
	return &text{w: bufio.NewWriter(output.Raw(w)), TextOptions: o.Visible()}
}

// Reading of reports saved as JSON.

package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Read parses a report written by WriteJSON; name is the name of the file. The error has the position in the file and
// what was expected there.
func Read(name string, text []byte) (*Report, error) {
	r := &Report{}
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(r); err != nil {
		var syntax *json.SyntaxError
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("%s: %w, expected a report in JSON", position(name, text, syntax.Offset), err)
		case errors.As(err, &wrong):
			return nil, fmt.Errorf("%s: %s is a %s, expected %s", position(name, text, wrong.Offset), wrong.Field,
				wrong.Value, kindOf(wrong.Type))
		}
		return nil, fmt.Errorf("%s: %w, expected a report in JSON", position(name, text, int64(len(text))), err)
	}
	if rest := bytes.TrimSpace(text[dec.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("%s: found more behind the report, expected the end of the file",
			position(name, text, int64(len(text)-len(rest)+1)))
	}
	if r.Schema != Schema || r.Tool.Name == "" {
		return nil, fmt.Errorf("%s: schema %d of tool %q, expected a report of ptxsan with schema %d",
			position(name, text, 1), r.Schema, r.Tool.Name, Schema)
	}
	r.Notes = slices.DeleteFunc(r.Notes, func(note string) bool { return slices.Contains(r.CoverageNotes(), note) })
	if err := r.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", position(name, text, 1), err)
	}
	r.markUndecided()
	r.settle()
	return r, nil
}

// kindOf returns the name of a type in JSON.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Struct, reflect.Pointer, reflect.Map:
		return "an object"
	}
	return "a number from 0 on that fits " + t.String()
}

// complete checks what the rest of the package assumes, and replaces nil by empty lists.
func (r *Report) complete() error {
	lists := [][]*Race{r.Races, r.Suppressed}
	if b := r.Baseline; b != nil {
		lists = append(lists, b.Same, b.Gone)
	}
	for _, list := range lists {
		for _, x := range list {
			if x == nil || SeverityRank(x.Severity) < 1 {
				return errors.New("a race has no severity, expected error, warning or info")
			}
			x.own = x.Detectors
			for _, y := range x.Also {
				if y == nil || len(y.Also) > 0 {
					return errors.New("a race has others within others, expected one level")
				}
			}
		}
	}
	for _, f := range r.Faults {
		if f == nil || SeverityRank(f.Severity) < 1 {
			return errors.New("a fault has no severity, expected error")
		}
	}
	for _, c := range r.Coverage {
		if c == nil {
			return errors.New("an empty entry of coverage")
		}
	}
	for _, e := range r.Excerpts {
		if e == nil {
			return errors.New("an empty excerpt")
		}
	}
	for _, p := range r.Proofs {
		if p == nil {
			return errors.New("an empty proof")
		}
	}
	if err := cmp.Or(r.completeClaims(), r.Fidelity.complete()); err != nil {
		return err
	}
	if r.Races == nil {
		r.Races = []*Race{}
	}
	if r.Faults == nil {
		r.Faults = []*FaultEvent{}
	}
	if SeverityRank(r.ErrorLevel) < 1 {
		r.ErrorLevel = Error
	}
	return nil
}

// position returns a position in a file, from the number of bytes before it.
func position(name string, text []byte, bytesRead int64) string {
	before := text[:min(max(bytesRead-1, 0), int64(len(text)))]
	line := bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("%s:%d:%d", name, line+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

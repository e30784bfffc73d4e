// What the JSON text of a certificate must satisfy besides what the decoder of package json checks.

package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// parts returns an upper bound of the number of values, lists and words in a JSON text: what its decoded form needs
// memory for.
func parts(src []byte) (n int) {
	inside, escaped := false, false // a string; a character after a backslash
	for _, b := range src {
		switch {
		case inside:
			if b == ' ' || b == ',' || b == '\\' || b >= 0x80 { // the latter may be blanks
				n++
			}
			inside = b != '"' || escaped
			escaped = b == '\\' && !escaped
		case b == '"':
			inside = true
		case b == ',' || b == '[' || b == '{':
			n++
		}
	}
	return n
}

// complete returns an error if an object of the text of a certificate lacks a key, or has it twice, and if a value is
// null. The text is one that package json decodes into a Certificate.
func complete(src []byte) error {
	return completeValue(json.NewDecoder(bytes.NewReader(src)), reflect.TypeFor[Certificate]())
}

// completeValue reads the next value, which is of a type.
func completeValue(d *json.Decoder, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	tok, err := d.Token()
	switch {
	case err != nil:
		return err
	case tok == nil:
		return fmt.Errorf("unexpected null before byte %d", d.InputOffset())
	case tok == json.Delim('{'):
		return completeObject(d, t)
	case tok == json.Delim('['):
		for d.More() {
			if err = completeValue(d, t.Elem()); err != nil {
				return err
			}
		}
		_, err = d.Token()
	}
	return err
}

// completeObject reads an object after its opening brace.
func completeObject(d *json.Decoder, t reflect.Type) error {
	seen := make(map[string]bool)
	fields := fieldsOf(t)
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		key := fmt.Sprint(tok)
		if seen[key] {
			return fmt.Errorf("the key %q is there twice before byte %d", key, d.InputOffset())
		}
		seen[key] = true
		value := fields[key].Type
		switch {
		case t.Kind() == reflect.Map:
			value = t.Elem()
		case value == nil: // package json ignores the case of keys
			return fmt.Errorf("unknown field %q before byte %d", key, d.InputOffset())
		}
		if err = completeValue(d, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !seen[key] && !strings.HasSuffix(fields[key].Tag.Get("json"), ",omitempty") {
			return fmt.Errorf("the object that ends at byte %d has no %q", d.InputOffset(), key)
		}
	}
	return nil
}

// fieldsOf returns the fields of a struct that have a key, by that; none for other types.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := make(map[string]reflect.StructField)
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" {
				fields[key] = f
			}
		}
	}
	return fields
}

// Names of files in reports, relative to a folder.

package report

import (
	"path/filepath"
	"reflect"
	"strings"
)

// RelativeTo makes the absolute names of files in a folder relative to it, everywhere in the report. The folder is an
// absolute path.
func (r *Report) RelativeTo(folder string) {
	relative(reflect.ValueOf(r), folder)
}

// relative changes the fields File of all structures that a value leads to, and lists of texts that begin with a place.
func relative(v reflect.Value, folder string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			relative(v.Elem(), folder)
		}
	case reflect.Slice:
		for i := range v.Len() {
			relative(v.Index(i), folder)
		}
	case reflect.String: // of a list: a text that begins with a place
		if rest, ok := strings.CutPrefix(v.String(), strings.TrimSuffix(folder,
			string(filepath.Separator))+string(filepath.Separator)); ok {
			v.SetString(filepath.ToSlash(rest))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f, of := v.Field(i), v.Type().Field(i)
			switch {
			case !of.IsExported():
			case of.Name == "File" && f.Kind() == reflect.String:
				f.SetString(below(folder, f.String()))
			case f.Kind() != reflect.String:
				relative(f, folder)
			}
		}
	}
}

// below returns the name of a file relative to a folder that it is in; other names stay.
func below(folder, name string) string {
	rel, err := filepath.Rel(folder, name)
	if err != nil || !filepath.IsAbs(name) || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return name
	}
	return filepath.ToSlash(rel)
}

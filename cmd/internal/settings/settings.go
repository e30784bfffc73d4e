// Package settings reads .ptxsan.yaml, the file of a project's defaults: flags by name, for all checks of files in its
// folder and below. The file may come from anybody, as programs may, so that it has no flag that writes a file or
// allows to read other folders. The package must not know what the flags mean.
package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// FileName is the name of the file.
const FileName = ".ptxsan.yaml"

// maxBytes is the maximum size of the file.
const maxBytes = 64 << 10

// Setting is the default of a flag.
type Setting struct {
	Flag, Value string
	At          string // its place: file:line:column
}

// files are the flags whose values are names of files and folders, in the folder of the settings or below.
var files = []string{"suppressions", "baseline", "path-base", "include"}

// flags are those that the file may have.
var flags = append(slices.Clone(files),
	strings.Fields("error-level detector schedule schedules search seed sweep kernel kernel-exclude require-check require-all-schedules initcheck synccheck varcheck "+
		"late-async strict leak-check timeout jobs max-steps memory-limit host-memory demangle color racecheck-report print-limit arch define assume solver budget")...)

// Find returns the settings file of a folder: its own, or that of the nearest folder above; "" for none.
func Find(folder string) string {
	folder, err := filepath.Abs(folder)
	for err == nil {
		name := filepath.Join(folder, FileName)
		if _, missing := os.Stat(name); missing == nil {
			return name
		}
		above := filepath.Dir(folder)
		if above == folder {
			break
		}
		folder = above
	}
	return ""
}

// Load reads a settings file: a mapping of flags to a value or a list of values.
func Load(name string) ([]Setting, error) {
	src, err := input.Read(name, maxBytes)
	if err != nil {
		return nil, err
	}
	r := &yamldoc.Reader{File: name, Kind: "settings file"}
	root, err := r.Document(src, "flags and their values, such as \"error-level: warning\"")
	if err != nil {
		return nil, err
	}
	var list []Setting
	add := func(key, v *yaml.Node) error {
		text := v.Value
		if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
			return r.Expected(v, "a value of "+key.Value)
		}
		if slices.Contains(files, key.Value) {
			if !filepath.IsLocal(text) {
				return r.Expected(v, "a name in the folder of this file or below")
			}
			text = filepath.Join(filepath.Dir(name), text)
			if leaves(filepath.Dir(name), text) {
				return r.Expected(v, "a name that does not lead out of the folder of this file")
			}
		}
		list = append(list, Setting{key.Value, text, fmt.Sprintf("%s:%d:%d", name, v.Line, v.Column)})
		return nil
	}
	err = r.Pairs(root, "flags and their values", func(key, v *yaml.Node) error {
		if !slices.Contains(flags, key.Value) {
			return r.Expected(key, "one of the flags "+strings.Join(flags, ", "))
		}
		if v.Kind != yaml.SequenceNode {
			return add(key, v)
		}
		return r.Each(v, "values of "+key.Value, func(n *yaml.Node) error { return add(key, n) })
	})
	return list, err
}

// leaves reports whether a file in a folder is another one outside, by symbolic links.
func leaves(folder, name string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return true
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return false // there is none
	}
	rel, err := filepath.Rel(folder, name)
	return err != nil || !filepath.IsLocal(rel)
}

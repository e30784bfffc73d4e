// Package replay formats the parts of command lines that repeat a run: quoted words, and schedules
// as text or, when they are long, as names of files. It must not know what a schedule means.
package replay

import (
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Quote quotes a word for a shell if that is needed.
func Quote(s string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("_-./=:,+@", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

const (
	longest  = 8 << 10 // bytes of the longest schedule in a command line
	manyLong = 16      // number of long schedules up to which Prune does nothing
)

// Files holds the schedules that are too long for a command line until it is known which of them are needed.
type Files struct {
	Dir  string // the folder for the files; "" is the working directory
	long map[string][]byte
}

// Token returns the representation of a schedule in a command line: its text, or the name of the file that Write will
// create for it.
func (f *Files) Token(text []byte) string {
	if len(text) <= longest {
		return string(text)
	}
	hash := fnv.New64a()
	hash.Write(text)
	name := filepath.Join(f.Dir, fmt.Sprintf("ptxsan-%016x.schedule", hash.Sum64()))
	if f.long == nil {
		f.long = make(map[string][]byte)
	}
	f.long[name] = text
	return name
}

// Prune drops schedules that none of the commands names, when there are many.
func (f *Files) Prune(commands func() []string) {
	if len(f.long) > manyLong {
		f.keep(commands())
	}
}

// keep drops the schedules that none of the commands names.
func (f *Files) keep(commands []string) {
	maps.DeleteFunc(f.long, func(name string, _ []byte) bool {
		return !slices.ContainsFunc(commands, func(c string) bool { return strings.Contains(c, filepath.Base(name)) })
	})
}

// Write calls write for each long schedule that one of the commands names, in the order of the
// files' names, up to the first error.
func (f *Files) Write(commands []string, write func(name string, text []byte) error) error {
	f.keep(commands)
	for _, name := range slices.Sorted(maps.Keys(f.long)) {
		if err := write(name, f.long[name]); err != nil {
			return err
		}
	}
	return nil
}

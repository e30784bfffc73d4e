package address

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzAnalyses: no analysis of addresses panics, whatever loads.
func FuzzAnalyses(f *testing.F) {
	paths, err := filepath.Glob("../../rewrite/testdata/corpus/*.ptx")
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := loadText("fuzz.ptx", src)
		if err != nil {
			return
		}
		for _, fn := range m.Funcs {
			if fn.Defined() {
				aliasClassesOf(fn, AliasOptions{})
				Exempt(fn, Given{})
				Deciding(fn)
				Stored(fn)
				Guesses(fn)
				Looks(fn)
			}
		}
	})
}

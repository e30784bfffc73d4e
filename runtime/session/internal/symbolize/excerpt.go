// Excerpts: lines of the sources that reports quote.

package symbolize

import (
	"path/filepath"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Excerpts returns a function for report.TextOptions.Excerpt, which returns lines of the user's source files. It looks
// for a file under its name and in dir, reads it with read, and reads each file once.
func Excerpts(dir string, read func(name string) ([]byte, error)) func(file string, n int) (string, bool) {
	cache := make(map[string]*ptxgrammar.File)
	return func(name string, n int) (string, bool) {
		f, seen := cache[name]
		if !seen {
			for _, p := range []string{name, filepath.Join(dir, name), filepath.Join(dir, filepath.Base(name))} {
				if src, err := read(p); err == nil {
					f = ptxgrammar.NewFile(p, src)
					break
				}
			}
			cache[name] = f
		}
		if f == nil {
			return "", false
		}
		line := f.LineText(n)
		return line, line != ""
	}
}

// Output files of a command line, which must differ.

package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// CheckOutputs refuses a command line with two outputs in one file, of which one would be lost.
func CheckOutputs(c *cli.Context) error {
	seen := make(map[string]string) // flags by file
	for _, o := range outputsOf(c) {
		info, err := os.Stat(o.file)
		if o.file == "" || o.file == "-" || err == nil && !info.Mode().IsRegular() {
			continue
		}
		key := filepath.Clean(o.file)
		if abs, err := filepath.EvalSymlinks(key); err == nil {
			key = abs
		}
		if abs, err := filepath.Abs(key); err == nil {
			key = abs
		}
		if first := seen[key]; first != "" {
			return Usagef("--%s %s: --%s writes the same file", o.flag, o.file, first)
		}
		seen[key] = o.flag
	}
	return nil
}

// namedOutput is a file that a flag names.
type namedOutput struct{ flag, file string }

// outputsOf returns the files that the flags of a command line name as outputs.
func outputsOf(c *cli.Context) (list []namedOutput) {
	for _, f := range c.Command.Flags {
		if n, ok := f.(*cachedFlag); ok {
			f = n.Flag
		}
		text, ok := f.(*cli.StringFlag)
		if ok && c.IsSet(text.Name) && strings.Contains(text.Usage, "write") && strings.Contains(text.Usage, "to `FILE`") {
			list = append(list, namedOutput{text.Name, c.String(text.Name)})
		}
	}
	for part := range strings.SplitSeq(c.String("format"), ",") {
		_, file, named := strings.Cut(part, "=")
		if o := (namedOutput{"format", file}); named && !slices.Contains(list, o) { // ReportFormats refuses the same name twice
			list = append(list, o)
		}
	}
	for _, dump := range c.StringSlice("dump") {
		_, file, _ := strings.Cut(dump, "=")
		list = append(list, namedOutput{"dump", file})
	}
	return list
}

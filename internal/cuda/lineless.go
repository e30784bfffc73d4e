// The PTX that findings name: written to files, and a note about modules without line information.

package cuda

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// namedTexts are the PTX texts of modules, by the names that places of findings have.
type namedTexts struct {
	all      map[string][]byte // only with Options.Keep
	lineless map[string][]byte // of modules without line information
}

func newNamedTexts() namedTexts { return namedTexts{make(map[string][]byte), make(map[string][]byte)} }

func (l namedTexts) add(program *session.Program, o *Options) {
	file := program.Module.AST.File
	if len(program.Module.Files) == 0 {
		l.lineless[file.Name] = file.Src
	}
	if o.Keep != "" {
		l.all[file.Name] = file.Src
	}
}

// notes says how source lines of modules are had of which findings name lines of PTX, and where the PTX is: that of all
// modules that findings name in a folder of Options.Keep for its content, else that of modules without line information
// in one of Options.Kept, if there is one.
func (l namedTexts) notes(rep *report.Report, o *Options) (list []string) {
	without := slices.DeleteFunc(rep.Unresolved(), func(name string) bool { return l.lineless[name] == nil })
	if len(without) > 0 {
		list = append(list, report.Lineless("device code"))
	}
	dir, texts, names := o.Kept, l.lineless, without
	if o.Keep != "" {
		dir, texts, names = o.Keep, l.all, rep.PTXFiles()
	}
	for _, name := range names {
		if text, ok := texts[name]; !ok || dir == "" {
			continue
		} else if path, err := keepText(dir, name, text); err != nil {
			list = append(list, fmt.Sprintf("%s could not be written: %v", name, err))
		} else {
			list = append(list, fmt.Sprintf("%s is in %s", name, path))
		}
	}
	return list
}

// keepText writes a text to a file in a folder that is named after the content, so that the same text is written once.
func keepText(dir, name string, text []byte) (string, error) {
	sum := sha256.Sum256(text)
	path := filepath.Join(dir, hex.EncodeToString(sum[:6]), name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, text, 0o666)
}

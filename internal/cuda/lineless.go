// Modules without line information: their PTX is kept where findings name its lines.

package cuda

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// lineless are the PTX texts of modules without line information, by the names that places of findings have.
type lineless map[string][]byte

func (l lineless) add(program *session.Program) {
	if m := program.Module; len(m.Files) == 0 {
		l[m.AST.File.Name] = m.AST.File.Src
	}
}

// notes says for each module that findings name how its source lines are had, and where its PTX is: in a folder of dir
// for its content, "" for nowhere.
func (l lineless) notes(rep *report.Report, dir string) (list []string) {
	for _, name := range rep.Unresolved() {
		text, ok := l[name]
		if !ok {
			continue
		}
		note := report.Lineless(name)
		if path, err := keepText(dir, name, text); err != nil {
			note += fmt.Sprintf("; its PTX could not be written: %v", err)
		} else if path != "" {
			note += "; its PTX is in " + path
		}
		list = append(list, note)
	}
	return list
}

// keepText writes a text to a file in a folder that is named after the content, so that the same text is written once.
func keepText(dir, name string, text []byte) (string, error) {
	if dir == "" {
		return "", nil
	}
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

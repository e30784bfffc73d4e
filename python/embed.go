// The part of the Python package that the command itself needs.

// Package python holds the files by which "ptxsan exec" adapts Python packages to the emulated GPU.
//
// The package must not know exec, which writes the files and starts the application.
package python

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"os"
	"path/filepath"
)

//go:embed start/*.py
var start embed.FS

//go:embed ptxsan/_wire.py
var wire []byte

//go:embed ptxsan/torch.py
var torch []byte

// Start writes the files to a new folder in dir, and returns the environment variables by which interpreters load them:
// also those that get another PYTHONPATH, in front of which the folder of PTXSAN_PYTHON belongs.
// With torchHost, PyTorch computes its own operations on the processor.
func Start(dir string, torchHost bool) (variables []string, err error) {
	dir = filepath.Join(dir, "site-packages") // whose lines are no lines of the user's program
	if err = os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	for name, text := range files(torchHost) {
		if err = os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	path := dir
	if rest := os.Getenv("PYTHONPATH"); rest != "" {
		path += string(os.PathListSeparator) + rest
	}
	return []string{"PTXSAN_PYTHON=" + dir, "PYTHONPATH=" + path}, nil
}

// files returns the texts of the files by name.
func files(torchHost bool) map[string][]byte {
	all := map[string][]byte{"ptxsan_wire.py": wire}
	for _, name := range []string{"sitecustomize.py", "ptxsan_packages.py"} {
		text, err := start.ReadFile("start/" + name)
		if err != nil {
			panic("BUG: an embedded file: " + err.Error())
		}
		all[name] = text
	}
	if torchHost {
		all["ptxsan_torch.py"] = torch
	}
	return all
}

// Version identifies what the files do to kernels that packages compile.
func Version() string {
	h := sha256.New()
	h.Write(files(false)["ptxsan_packages.py"])
	return hex.EncodeToString(h.Sum(nil))[:8]
}

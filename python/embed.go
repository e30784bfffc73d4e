// The part of the Python package that the command itself needs.

// Package python holds the files by which "ptxsan exec --torch-host" has PyTorch compute its own operations on the
// processor.
//
// The package must not know exec, which writes the files and starts the application.
package python

import (
	_ "embed"
	"os"
	"path/filepath"
)

//go:embed start/sitecustomize.py
var start []byte

//go:embed ptxsan/torch.py
var host []byte

// TorchHost writes the files to a folder, and returns the environment variable by which interpreters load them.
func TorchHost(dir string) (variable string, err error) {
	for name, text := range map[string][]byte{"sitecustomize.py": start, "ptxsan_torch.py": host} {
		if err = os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	path := dir
	if rest := os.Getenv("PYTHONPATH"); rest != "" {
		path += string(os.PathListSeparator) + rest
	}
	return "PYTHONPATH=" + path, nil
}

// Files that are written completely or not at all.

package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// ErrDirectory is the error of writing a file that is a directory.
var ErrDirectory = errors.New("is a directory; expected a file to write")

// Files writes files. It tracks the temporary files that must be deleted when the process ends. It is safe for use by
// several goroutines.
type Files struct {
	mu         sync.Mutex
	unfinished map[string]bool // names of temporary files
}

// Write writes the named file. The file appears when write has returned without an error; until then, an existing file
// of that name is unchanged. Devices and pipes are written directly.
func (f *Files) Write(name string, write func(w io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case err != nil || info.Mode().IsRegular():
		return f.replace(name, write)
	case info.IsDir():
		return fmt.Errorf("%s %w", name, ErrDirectory)
	}
	return writeDirectly(name, write)
}

func writeDirectly(name string, write func(w io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = To(f, write)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func (f *Files) replace(name string, write func(w io.Writer) error) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, Reason(err))
	}
	f.add(temporary.Name())
	defer func() {
		f.forget(temporary.Name())
		if err != nil {
			temporary.Close()
			os.Remove(temporary.Name())
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	if err = To(temporary, write); err != nil {
		return err
	}
	if err = temporary.Chmod(modeOf(name)); err != nil {
		return err
	}
	if err = temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}

// modeOf returns the permissions of an existing file, which the new file keeps.
func modeOf(name string) fs.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

func (f *Files) add(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unfinished == nil {
		f.unfinished = make(map[string]bool)
	}
	f.unfinished[name] = true
}

func (f *Files) forget(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.unfinished, name)
}

// Abandon deletes the temporary files of unfinished writes. The process must end then: later writes block.
func (f *Files) Abandon() {
	f.mu.Lock() // never unlocked, so that no other file is begun
	for name := range f.unfinished {
		os.Remove(name)
	}
}

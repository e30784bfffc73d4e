// Package input opens files whose names or contents are not trusted: files that a launch file or a program names, and
// files of other users.
//
// A named pipe, a device, a socket or a directory is refused before it is opened, because opening it can block or have
// effects, and reading it need not end. Files have a size limit. With a root folder, a name that leads out of the
// folder is refused, even through symbolic links.
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// Open opens a regular file of at most limit bytes.
func Open(name string, limit int64) (*os.File, error) {
	return open(anywhere{}, name, name, limit)
}

// Read returns the contents of a regular file of at most limit bytes.
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var size int64 // files of /proc have the size 0, and other files may grow
	if info, unknown := f.Stat(); unknown == nil {
		size = min(info.Size(), limit)
	}
	data := bytes.NewBuffer(hugepage.Slice(make([]byte, 0, size+bytes.MinRead)))
	_, err = data.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(data.Len()) > limit {
		err = tooLarge(name, limit)
	}
	return data.Bytes(), err
}

// OpenIn is Open for a file that must be in the folder root. A relative name is relative to the folder dir.
func OpenIn(root, dir, name string, limit int64) (*os.File, error) {
	inside, err := within(root, dir, name)
	if err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return open(r, inside, name, limit)
}

// ReadIn is Read for a file that must be in the folder root. A relative name is relative to the working directory.
func ReadIn(root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, "", name, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// within returns the name relative to root. It is an error if the name is outside of root.
func within(root, dir, name string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	base, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	inside, err := filepath.Rel(base, path)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is outside the folder %s", name, root)
	}
	return inside, nil
}

// files is a file system in which files are opened: the whole one, or an os.Root.
type files interface {
	Stat(name string) (fs.FileInfo, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
}

type anywhere struct{}

func (anywhere) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (anywhere) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// open checks the file before it opens it, and again afterwards, because it may have been replaced in between. For the
// same reason it opens the file without blocking.
func open(where files, path, name string, limit int64) (*os.File, error) {
	info, err := where.Stat(path)
	if err != nil {
		return nil, cannotOpen(name, err)
	}
	if err = check(info, name, limit); err != nil {
		return nil, err
	}
	f, err := where.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, cannotOpen(name, err)
	}
	if info, err = f.Stat(); err == nil {
		err = check(info, name, limit)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// cannotOpen wraps an error of the file system, with the name that the user has given.
func cannotOpen(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

func check(info fs.FileInfo, name string, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a %s; expected a regular file", name, kind(info.Mode()))
	case info.Size() > limit:
		return tooLarge(name, limit)
	}
	return nil
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s is larger than the limit of %d bytes", name, limit)
}

// kind describes the type of a file that is not a regular one.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

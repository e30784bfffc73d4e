// Loading a launch file and the files that it names.

package launch

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/internal/input"
)

// MaxFileBytes is the size of the largest launch file. Large data should be in separate files.
const MaxFileBytes = 64 << 20

// Load reads a launch file and locates the files that it names, relative to its own folder. They must be in that
// folder, or in the root of the options.
func Load(path string, opts Options) (*File, error) {
	src, err := input.Read(path, MaxFileBytes)
	if err != nil {
		return nil, err
	}
	f, err := Parse(cmp.Or(opts.Name, path), src, opts)
	if err != nil {
		return nil, err
	}
	return f, f.Locate(filepath.Dir(path), opts)
}

// Locate locates the files that a launch file names, relative to a folder. They must be in that folder, or in the root
// of the options.
func (f *File) Locate(dir string, opts Options) error {
	if err := f.resolve(folder{dir: dir, root: cmp.Or(opts.Root, dir)}); err != nil {
		return err
	}
	return f.checkSize(opts)
}

// DataFiles lists the files that a launch file names, each once, with the names in the launch file.
func (f *File) DataFiles() (list []string) {
	for _, in := range f.inFiles() {
		if !slices.Contains(list, in.Path) {
			list = append(list, in.Path)
		}
	}
	return list
}

// Open opens a file that the launch file names, by the name there.
func (f *File) Open(name string) (io.ReadCloser, error) {
	for _, in := range f.inFiles() {
		switch {
		case in.Path == name && in.held != nil:
			return io.NopCloser(bytes.NewReader(in.held)), nil
		case in.Path == name:
			return in.open()
		}
	}
	return nil, fmt.Errorf("the launch file names no file %s", name)
}

// inFiles returns what the file describes by naming another file.
func (f *File) inFiles() (list []*Init) {
	for i := range f.Buffers {
		list = append(list, &f.Buffers[i].Init)
	}
	for i := range f.Globals {
		list = append(list, &f.Globals[i].Init)
	}
	if f.Expect != nil {
		for i := range f.Expect.Buffers {
			list = append(list, &f.Expect.Buffers[i].Equals)
		}
	}
	return slices.DeleteFunc(list, func(in *Init) bool { return in.Kind != InitFile })
}

// Hold gives a launch file that Parse has read the raw contents of the files that it names, for one that is not in a
// folder. Buffers that it fills from files must have a count.
func (f *File) Hold(contents map[string][]byte) {
	for _, in := range f.inFiles() {
		in.held = contents[in.Path]
	}
}

// folder is the location of the files that a launch file names: relative to dir, and inside root.
type folder struct{ dir, root string }

// open opens a file. Its size is limited only by the limit on buffers, since it is compared with that of its buffer.
func (in *Init) open() (*os.File, error) {
	if in.from == (folder{}) {
		return nil, fmt.Errorf("the file %s is not resolved", in.Path)
	}
	return input.OpenIn(in.from.root, in.from.dir, in.Path, math.MaxInt64)
}

// resolve locates the files of buffers and fills in the counts that depend on them.
func (f *File) resolve(from folder) error {
	for i := range f.Buffers {
		b := &f.Buffers[i]
		n, err := b.Init.resolve(from, b.Type)
		if err != nil {
			return b.at(err)
		}
		if b.Init.Kind != InitFile {
			continue
		}
		if b.Count == 0 {
			b.Count = n
		}
		if b.Count != n || n == 0 {
			return b.Errorf("buffer %s: %s holds %d elements of %s, expected %d", b.Name, b.Init.Path, n, b.Type,
				max(b.Count, 1))
		}
	}
	for i := range f.Globals {
		f.Globals[i].Init.from = from
	}
	if f.Expect == nil {
		return nil
	}
	for i := range f.Expect.Buffers {
		e := &f.Expect.Buffers[i]
		if _, err := e.Equals.resolve(from, f.Buffer(e.Name).Type); err != nil {
			return e.Errorf("buffer %s: %v", e.Name, err)
		}
	}
	return nil
}

// resolve locates the file of an Init and returns the number of its elements; 0 without a file.
func (in *Init) resolve(from folder, t Type) (uint64, error) {
	if in.Kind != InitFile {
		return 0, nil
	}
	in.from = from
	f, err := in.open()
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, n, err := dataOf(f, t)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", in.Path, err)
	}
	return n, nil
}

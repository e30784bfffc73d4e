package launch

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxFileBytes is the largest launch file: large data belongs into files of its own.
const maxFileBytes = 64 << 20

// Load reads a launch file and finds the files that it names, relative to its own
// directory.
func Load(path string, opts Options) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return nil, fmt.Errorf("%s: expected a launch file of at most %d bytes", path, maxFileBytes)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := Parse(path, src, opts)
	if err != nil {
		return nil, err
	}
	if err := f.resolve(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return f, f.checkSize(opts)
}

// resolve finds the files of buffers and fills in the counts that come from them.
func (f *File) resolve(dir string) error {
	for i := range f.Buffers {
		b := &f.Buffers[i]
		n, err := b.Init.resolve(dir, b.Type)
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
			return b.Errorf("buffer %s: %s holds %d elements of %s, expected %d", b.Name, b.Init.Path, n, b.Type, max(b.Count, 1))
		}
	}
	for i := range f.Globals {
		f.Globals[i].Init.setDir(dir)
	}
	if f.Expect == nil {
		return nil
	}
	for i := range f.Expect.Buffers {
		e := &f.Expect.Buffers[i]
		if _, err := e.Equals.resolve(dir, f.Buffer(e.Name).Type); err != nil {
			return e.Errorf("buffer %s: %v", e.Name, err)
		}
	}
	return nil
}

func (in *Init) setDir(dir string) {
	if in.path = in.Path; !filepath.IsAbs(in.Path) {
		in.path = filepath.Join(dir, in.Path)
	}
}

// resolve finds the file of an Init and counts its elements; 0 without a file.
func (in *Init) resolve(dir string, t Type) (uint64, error) {
	if in.Kind != InitFile {
		return 0, nil
	}
	in.setDir(dir)
	f, err := os.Open(in.path)
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

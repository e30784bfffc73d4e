package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// full is a device with room for some bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// TestStreamKeepsFirstError: after an error a stream writes nothing, and it calls back once.
func TestStreamKeepsFirstError(t *testing.T) {
	calls, device := 0, &full{room: 3}
	s := NewStream(device, func() { calls++ })
	if n, err := io.WriteString(s, "ab"); n != 2 || err != nil || s.Err() != nil {
		t.Errorf("wrote %d bytes, %v, %v", n, err, s.Err())
	}
	if n, err := io.WriteString(s, "cd"); n != 1 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("wrote %d bytes, %v", n, err)
	}
	device.room = 10
	if n, err := io.WriteString(s, "ef"); n != 0 || !errors.Is(err, syscall.ENOSPC) || device.room != 10 {
		t.Errorf("wrote %d bytes after an error, %v", n, err)
	}
	if !errors.Is(s.Err(), syscall.ENOSPC) || calls != 1 {
		t.Errorf("Err is %v after %d calls", s.Err(), calls)
	}
}

// TestToReportsLostWrites: an error of a write counts also when the function ignores it.
func TestToReportsLostWrites(t *testing.T) {
	ignores := func(w io.Writer) error {
		_, _ = io.WriteString(w, "lost")
		return nil
	}
	if err := To(&full{}, ignores); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if err := To(io.Discard, func(io.Writer) error { return io.ErrNoProgress }); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

// TestFileOf finds the file below a stream.
func TestFileOf(t *testing.T) {
	if FileOf(NewStream(os.Stdin, nil)) != os.Stdin || FileOf(os.Stdin) != os.Stdin || FileOf(&strings.Builder{}) != nil {
		t.Error("another file than the stream has")
	}
}

// TestWriteIsWholeOrNothing: a file appears when it is complete; a failed write leaves the
// old one with its mode, and no temporary file.
func TestWriteIsWholeOrNothing(t *testing.T) {
	var files Files
	name := filepath.Join(t.TempDir(), "out")
	text := func(s string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, _ = io.WriteString(w, s)
			if got, _ := os.ReadFile(name); strings.HasPrefix(string(got), s) {
				t.Errorf("%q is there before the write has ended", s)
			}
			return err
		}
	}
	if err := files.Write(name, text("none", io.ErrUnexpectedEOF)); err == nil || len(namesIn(t, filepath.Dir(name))) != 0 {
		t.Errorf("%v; the folder has %q", err, namesIn(t, filepath.Dir(name)))
	}
	if err := files.Write(name, text("first", nil)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(name, text("second", io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), name+": ") {
		t.Errorf("got %v", err)
	}
	checkFile(t, name, "first")
	if err := files.Write(name, text("third", nil)); err != nil {
		t.Fatal(err)
	}
	checkFile(t, name, "third")
}

// checkFile compares a file that has the mode 0600 and is alone in its folder.
func checkFile(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("the file has %q, %v, want %q", got, err, want)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the file: %v, %v", info, err)
	}
	if names := namesIn(t, filepath.Dir(name)); !slices.Equal(names, []string{filepath.Base(name)}) {
		t.Errorf("the folder has %q", names)
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestWriteDirectory: a folder is refused, and a folder that is not there named.
func TestWriteDirectory(t *testing.T) {
	var files Files
	dir := t.TempDir()
	nothing := func(io.Writer) error { return nil }
	if err := files.Write(dir, nothing); !errors.Is(err, ErrDirectory) || err.Error() != dir+" is a directory; expected a file to write" {
		t.Errorf("got %v", err)
	}
	name := filepath.Join(dir, "none", "out")
	if err := files.Write(name, nothing); err == nil || err.Error() != name+" cannot be written: no such file or directory" {
		t.Errorf("got %v", err)
	}
}

// TestWriteDevice: a device is written, and not replaced by a file.
func TestWriteDevice(t *testing.T) {
	var files Files
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skipf("there is no device to write to: %v", err)
	}
	if err := files.Write(os.DevNull, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
}

// TestAbandonRemovesTemporaries: of a write that has not ended nothing is left.
func TestAbandonRemovesTemporaries(t *testing.T) {
	var files Files
	dir := t.TempDir()
	begun := make(chan bool)
	go func() {
		_ = files.Write(filepath.Join(dir, "out"), func(w io.Writer) error {
			_, _ = io.WriteString(w, "half")
			close(begun)
			select {} // the process would end now
		})
	}()
	<-begun
	if names := namesIn(t, dir); len(names) != 1 {
		t.Fatalf("the folder has %q during the write", names)
	}
	files.Abandon()
	if names := namesIn(t, dir); len(names) != 0 {
		t.Errorf("the folder has %q after Abandon", names)
	}
}

// TestBrokenPipe tests that a closed reader is distinguished from other errors.
func TestBrokenPipe(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	_, err := w.Write([]byte("x"))
	if !BrokenPipe(err) || BrokenPipe(syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
}

//go:build unix

package input

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

// TestOpenRefuses tests that a file that is not regular, or too large, is rejected without waiting for the other end of
// a pipe.
func TestOpenRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	write(t, "large", "12345")
	link(t, "pipe", "link")
	for name, want := range map[string]string{
		"pipe": "pipe is a named pipe", "link": "link is a named pipe", "socket": "socket is a socket", ".": ". is a directory",
		"/dev/zero": "/dev/zero is a device", "large": "large is larger than the limit of 4 bytes", "none": "open none: no such file",
	} {
		if _, err := Read(name, 4); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Read(%s): %v; want %s", name, err, want)
		}
		if _, err := OpenIn("/", ".", name, 4); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("OpenIn(%s): %v; want %s", name, err, want)
		}
	}
	if data, err := Read("large", 5); err != nil || string(data) != "12345" {
		t.Errorf("a file as large as the limit: %q, %v", data, err)
	}
}

// TestReadWithoutSize: the limit holds for a file that does not say how large it is.
func TestReadWithoutSize(t *testing.T) {
	const name = "/proc/self/maps"
	if info, err := os.Stat(name); err != nil || info.Size() != 0 {
		t.Skip("needs a file of size 0 that has contents, as Linux has in /proc")
	}
	if _, err := Read(name, 10); err == nil || !strings.Contains(err.Error(), "larger than the limit") {
		t.Errorf("got %v", err)
	}
}

// TestOpenIn: names and symbolic links do not lead out of the root folder.
func TestOpenIn(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, dir := range []string{"base/sub", "baseless"} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "outside", "no")
	write(t, "baseless/f", "no")
	write(t, "base/f", "yes")
	link(t, "../f", "base/sub/up")
	link(t, "../outside", "base/out")
	link(t, filepath.Join(top, "outside"), "base/absolute")
	link(t, "..", "base/parent")
	for name, want := range map[string]string{
		"f": "", "../base/f": "", "sub/../f": "", "sub/up": "", filepath.Join(top, "base", "f"): "",
		"../outside": "is outside the folder base", "../baseless/f": "is outside the folder base", "/etc/passwd": "is outside the folder base",
		"out": "escapes", "absolute": "escapes", "parent/outside": "escapes", "../../../../../../../../../etc/passwd": "is outside the folder base",
	} {
		f, err := OpenIn("base", "base", name, 100)
		if err == nil {
			f.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// TestReadStream: a stream ends at its end, at the limit, or with the context.
func TestReadStream(t *testing.T) {
	if data, err := ReadStream(t.Context(), strings.NewReader("12345"), "in", 5); err != nil || string(data) != "12345" {
		t.Errorf("a stream as long as the limit: %q, %v", data, err)
	}
	if _, err := ReadStream(t.Context(), strings.NewReader("12345"), "in", 4); err == nil || err.Error() != "in is larger than the limit of 4 bytes" {
		t.Errorf("got %v", err)
	}
	if _, err := ReadStream(t.Context(), iotest.ErrReader(syscall.EIO), "in", 4); !errors.Is(err, syscall.EIO) || !strings.HasPrefix(err.Error(), "in: ") {
		t.Errorf("got %v", err)
	}
	endless, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadStream(ctx, endless, "in", 4); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestIsOpenDescriptor: only names that no file system decides about.
func TestIsOpenDescriptor(t *testing.T) {
	for name, want := range map[string]bool{"/dev/fd/63": true, "/dev/stdin": true, "/proc/self/fd/0": true, "/dev/fd/": false, "dev/fd/1": false, "/dev/fd/1/x": false} {
		if IsOpenDescriptor(name) != want {
			t.Errorf("%s: want %t", name, want)
		}
	}
}

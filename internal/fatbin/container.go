// Containers and their entries.

package fatbin

import (
	"bytes"
	"fmt"
)

// Entry is one image of a module: PTX or machine code for one architecture.
type Entry struct {
	Kind         Kind
	Arch         uint32 // 70 for sm_70
	Major, Minor uint16 // the PTX ISA version; for machine code that of its ELF
	Flags        uint64
	Compression  Compression
	Size         int64  // in bytes, decoded; with padding if not compressed
	Stored       int64  // bytes of payload in the file, without padding if compressed
	Options      string // of ptxas, such as "--generate-line-info"
	Name         string // of the source file, if compiled for debugging
	Offset       int64  // of the entry in its file

	head    []byte // the header, as found
	payload []byte // with padding
	src     source // of the entry
}

// parseContainer reads the container at the start of s.
func parseContainer(s source) (entries []*Entry, size int, err error) {
	size, err = containerSize(s)
	if err != nil {
		return nil, 0, err
	}
	if !s.entry() {
		return nil, 0, s.errorf(0, "%s", s.spent)
	}
	for at := int(le.Uint16(s.data[6:])); at < size; {
		rest := s.sub(at, size)
		if len(rest.data) < entryHeader && allZero(rest.data) {
			break
		}
		if !s.entry() {
			return nil, 0, rest.errorf(0, "%s", s.spent)
		}
		e, n, err := parseEntry(rest)
		if err != nil {
			return nil, 0, err
		}
		if entries = append(entries, e); len(entries) > maxEntries {
			return nil, 0, rest.errorf(0, "more than %d entries in a fat binary", maxEntries)
		}
		at += n
	}
	return entries, size, nil
}

// containerSize checks the header of the container at the start of s and returns
// the size of the container with its header.
func containerSize(s source) (int, error) {
	switch {
	case len(s.data) < containerHeader:
		return 0, s.errorf(0, "%d bytes, too few for the header of a fat binary", len(s.data))
	case le.Uint32(s.data) == oldMagic:
		return 0, s.errorf(0, "a fat binary of the format before CUDA 4, which is not supported")
	case le.Uint32(s.data) != containerMagic:
		return 0, s.errorf(0, "expected a fat binary (magic %#x), found %#x", uint32(containerMagic), le.Uint32(s.data))
	case le.Uint16(s.data[4:]) != containerVersion:
		return 0, s.errorf(4, "fat binary of version %d; expected %d", le.Uint16(s.data[4:]), containerVersion)
	}
	head := uint64(le.Uint16(s.data[6:]))
	body := le.Uint64(s.data[8:])
	if head < containerHeader || head > uint64(len(s.data)) {
		return 0, s.errorf(6, "a header of %d bytes in a fat binary of at most %d", head, len(s.data))
	}
	if body > uint64(len(s.data))-head {
		return 0, s.errorf(8, "a fat binary of %d bytes where %d are left", body, uint64(len(s.data))-head)
	}
	return int(head + body), nil
}

// parseEntry reads the entry at the start of s and returns its size with payload.
func parseEntry(s source) (*Entry, int, error) {
	d := s.data
	if len(d) < entryHeader {
		return nil, 0, s.errorf(0, "%d bytes, too few for the header of an entry", len(d))
	}
	head, payload := uint64(le.Uint32(d[offHeaderSize:])), le.Uint64(d[offPayloadSize:])
	switch {
	case le.Uint16(d[offVersion:]) != entryVersion:
		return nil, 0, s.errorf(offVersion, "an entry of version %#x; expected %#x", le.Uint16(d[offVersion:]),
			entryVersion)
	case head < entryHeader || head > uint64(len(d)):
		return nil, 0, s.errorf(offHeaderSize, "an entry with a header of %d bytes where %d are left", head, len(d))
	case payload > uint64(len(d))-head:
		return nil, 0, s.errorf(offPayloadSize, "an entry with a payload of %d bytes where %d are left", payload,
			uint64(len(d))-head)
	}
	e := &Entry{
		Kind:  Kind(le.Uint16(d[offKind:])),
		Arch:  le.Uint32(d[offArch:]),
		Major: le.Uint16(d[offMajor:]), Minor: le.Uint16(d[offMinor:]),
		Flags:  le.Uint64(d[offFlags:]),
		Offset: s.base,
		head:   d[:head], payload: d[head : head+payload],
	}
	e.src = s.sub(0, int(head+payload))
	if err := e.parseSizes(); err != nil {
		return nil, 0, err
	}
	if err := e.parseStrings(); err != nil {
		return nil, 0, err
	}
	return e, int(head + payload), nil
}

func (e *Entry) parseSizes() error {
	var ok bool
	if e.Compression, ok = compressionOf(e.Flags); !ok {
		return e.src.errorf(offFlags, "an entry with flags %#x: more than one compression", e.Flags)
	}
	e.Size, e.Stored = int64(len(e.payload)), int64(len(e.payload))
	if e.Compression == Uncompressed {
		return nil
	}
	stored, decoded := uint64(le.Uint32(e.head[offCompressedSize:])), le.Uint64(e.head[offDecodedSize:])
	if stored > uint64(len(e.payload)) {
		return e.src.errorf(offCompressedSize, "an entry with %d compressed bytes in a payload of %d", stored,
			len(e.payload))
	}
	if decoded > maxDecoded {
		return e.src.errorf(offDecodedSize, "an entry of %d bytes; the limit is %d", decoded, maxDecoded)
	}
	e.Size, e.Stored = int64(decoded), int64(stored)
	return nil
}

func (e *Entry) parseStrings() (err error) {
	if at := le.Uint32(e.head[offOptions:]); at != 0 {
		if uint64(at)+8 > uint64(len(e.head)) {
			return e.src.errorf(offOptions, "options at %d in a header of %d bytes", at, len(e.head))
		}
		if e.Options, err = e.text("options", int(at), int(at)+4); err != nil {
			return err
		}
	}
	e.Name, err = e.text("a name", offName, offNameSize)
	return err
}

// text returns a string of the header, given the positions of its offset and its size.
func (e *Entry) text(what string, offsetAt, sizeAt int) (string, error) {
	off, size := uint64(le.Uint32(e.head[offsetAt:])), uint64(le.Uint32(e.head[sizeAt:]))
	if off+size > uint64(len(e.head)) {
		return "", e.src.errorf(offsetAt, "%s of %d bytes at %d in a header of %d bytes", what, size, off, len(e.head))
	}
	s, _, _ := bytes.Cut(e.head[off:off+size], []byte{0})
	return string(bytes.TrimSpace(s)), nil
}

// Target returns the architecture as ptxas spells it, such as sm_70.
func (e *Entry) Target() string { return fmt.Sprintf("sm_%d", e.Arch) }

// Traits lists the flags that matter to a reader: the address size, debugging code
// and the operating system of the host.
func (e *Entry) Traits() []string {
	names := []string{"32-bit"}
	if e.Flags&flag64Bit != 0 {
		names[0] = "64-bit"
	}
	for _, f := range []struct {
		bit  uint64
		name string
	}{{flagDebug, "debug"}, {flagLinux, "linux"}, {flagMac, "mac"}, {flagWindows, "windows"}} {
		if e.Flags&f.bit != 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// Data returns the decoded payload. For PTX it is the text, without the terminating NUL and padding. It may be part of
// the file's data: do not modify.
//
// The size of decoded entries of a file is limited in total, over all entries and calls.
func (e *Entry) Data() ([]byte, error) {
	if e.Compression != Uncompressed && !e.src.decode(e.Size) {
		return nil, e.src.errorf(0, "%s", e.src.spent)
	}
	data, err := decompress(e.Compression, e.payload[:e.Stored], int(e.Size))
	if err != nil {
		return nil, e.src.errorf(len(e.head), "%s payload of %d bytes: %v", e.Compression, e.Stored, err)
	}
	if e.Kind == KindPTX {
		data = bytes.TrimRight(data, "\x00")
	}
	return data, nil
}

// encodeContainer returns the container with the header of old and these entries, each
// header and payload.
func encodeContainer(old []byte, entries [][]byte) []byte {
	body := bytes.Join(entries, nil)
	out := append([]byte(nil), old[:le.Uint16(old[6:])]...)
	le.PutUint64(out[8:], uint64(len(body)))
	return append(out, body...)
}

// walk reads containers separated by zeros, and returns where each begins.
func walk(s source) (slots []slot, err error) {
	for at := 0; ; {
		at += leadingZeros(s.data[at:])
		if at == len(s.data) {
			return slots, nil
		}
		rest := s.sub(at, len(s.data))
		entries, size, err := parseContainer(rest)
		if err != nil {
			return nil, err
		}
		if slots = append(slots, slot{src: rest.sub(0, size), entries: entries}); len(slots) > maxContainers {
			return nil, rest.errorf(0, "more than %d fat binaries", maxContainers)
		}
		at += size
	}
}

func leadingZeros(b []byte) int { return len(b) - len(bytes.TrimLeft(b, "\x00")) }

func allZero(b []byte) bool { return leadingZeros(b) == len(b) }

// Replacement of PTX entries of a file.

package fatbin

import (
	"bytes"
	"fmt"
)

// Replacement is new PTX for one entry.
type Replacement struct {
	Module, Entry int // indices in File.Modules and Module.Entries
	PTX           []byte
	Arch          uint32 // of its .target, 70 for sm_70
	Major, Minor  uint16 // its .version
}

// EmbedOptions are the options of Embed.
type EmbedOptions struct {
	// Compression of the new entries; nil keeps that of the old ones.
	Compression *Compression
	// DropPTX drops the other PTX of the modules, too.
	DropPTX bool
}

// Embed returns the file with PTX replaced. In the affected modules, and in machine code linked from them if they are
// relocatable, all entries that are not PTX are dropped, so that the driver compiles the new PTX. All other bytes stay
// the same.
//
// The result is read again before it is returned.
//
// It is an error if other PTX of a module is for an architecture at least as high as the new one's, because the driver
// would prefer it on some devices.
func (f *File) Embed(repl []Replacement, opts EmbedOptions) ([]byte, error) {
	if f.Format == FormatCubin {
		return nil, fmt.Errorf("%s: a cubin is machine code only; there is no PTX to replace", f.Name)
	}
	if h, ok := f.host.(*stringHost); ok {
		return nil, h.refuse()
	}
	containers := make([][]byte, len(f.Modules))
	for i, r := range repl {
		for _, other := range repl[:i] {
			if other.Module == r.Module && other.Entry == r.Entry {
				return nil, fmt.Errorf("%s: module %d entry %d is replaced twice", f.Name, r.Module, r.Entry)
			}
		}
		if containers[r.Module] != nil {
			continue
		}
		c, err := f.newContainer(r.Module, repl, opts)
		if err != nil {
			return nil, err
		}
		containers[r.Module] = c
		if m := f.Modules[r.Module]; m.Relocatable {
			f.dropLinked(m.Member, containers)
		}
	}
	out, err := f.host.rebuild(containers)
	if err == nil {
		err = f.verify(out, containers)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// verify reads a new file and compares its containers with the expected ones. They differ if parts of the old file
// overlapped.
func (f *File) verify(out []byte, containers [][]byte) error {
	again, err := openHost(newSource(f.Name, out))
	if err != nil {
		return fmt.Errorf("%s: the file with the new PTX cannot be read: %w", f.Name, err)
	}
	slots := again.slots()
	for i, s := range f.host.slots() {
		want := containers[i]
		if want == nil {
			want = s.src.data
		}
		if len(slots) != len(containers) || !bytes.Equal(slots[i].src.data, want) {
			return fmt.Errorf("%s: module %d would not come out as it went in: parts of the file overlap", f.Name, i)
		}
	}
	return nil
}

// newContainer returns the container of a module with its replacements.
func (f *File) newContainer(module int, repl []Replacement, opts EmbedOptions) ([]byte, error) {
	m := f.Modules[module]
	byEntry := make(map[int]*Replacement)
	lowest := ^uint32(0)
	for i := range repl {
		if r := &repl[i]; r.Module == module {
			byEntry[r.Entry] = r
			lowest = min(lowest, r.Arch)
		}
	}
	var entries [][]byte
	for i, e := range m.Entries {
		r := byEntry[i]
		switch {
		case r != nil && e.Kind != KindPTX:
			return nil, fmt.Errorf("%s: module %d entry %d is %s, not PTX", f.Name, module, i, e.Kind)
		case r != nil:
			b, err := e.replaced(r, opts.Compression)
			if err != nil {
				return nil, fmt.Errorf("%s: module %d entry %d: %w", f.Name, module, i, err)
			}
			entries = append(entries, b)
		case e.Kind != KindPTX || opts.DropPTX:
		case e.Arch >= lowest:
			return nil, fmt.Errorf("%s: module %d has PTX for %s, too, which the driver would prefer to the new one for sm_%d: replace it as well, or drop it",
				f.Name, module, e.Target(), lowest)
		default:
			entries = append(entries, e.src.data)
		}
	}
	return encodeContainer(f.host.slots()[module].src.data, entries), nil
}

// dropLinked empties the modules of one member that were linked at build time.
func (f *File) dropLinked(member string, containers [][]byte) {
	for i, s := range f.host.slots() {
		if s.linked && s.member == member && containers[i] == nil {
			containers[i] = encodeContainer(s.src.data, nil)
		}
	}
}

// replaced returns the entry with other PTX: the old header with the sizes, the version
// and the architecture of the new.
func (e *Entry) replaced(r *Replacement, how *Compression) ([]byte, error) {
	text := bytes.TrimRight(r.PTX, "\x00")
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("the new PTX has a NUL character in it")
	}
	text = append(bytes.Clone(text), 0)
	if len(text) > maxDecoded {
		return nil, fmt.Errorf("%d bytes of PTX; the limit is %d", len(text), maxDecoded)
	}
	c := e.Compression
	if how != nil {
		c = *how
	}
	payload, c := compress(c, text)
	head := bytes.Clone(e.head)
	le.PutUint64(head[offFlags:], e.Flags&^uint64(flagCompressed)|compressionFlag(c))
	le.PutUint32(head[offCompressedSize:], 0)
	le.PutUint64(head[offDecodedSize:], 0)
	if c != Uncompressed {
		le.PutUint32(head[offCompressedSize:], uint32(len(payload)))
		le.PutUint64(head[offDecodedSize:], uint64(len(text)))
	}
	payload = pad(payload, 8)
	le.PutUint64(head[offPayloadSize:], uint64(len(payload)))
	le.PutUint32(head[offArch:], r.Arch)
	le.PutUint16(head[offMajor:], r.Major)
	le.PutUint16(head[offMinor:], r.Minor)
	return append(head, payload...), nil
}

// pad appends zeros up to a multiple of n.
func pad(b []byte, n int) []byte { return append(b, make([]byte, -len(b)&(n-1))...) }

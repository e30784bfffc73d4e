// The binary layout of containers and entries.

package fatbin

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Layout of a container (fatBinaryHeader in CUDA's fatbinary.h): magic u32,
// version u16, header size u16, size of what follows u64; all little-endian.
const (
	containerMagic   = 0xba55ed50
	containerVersion = 1
	containerHeader  = 16
	oldMagic         = 0x1ee55a01 // of the format before CUDA 4
)

// Layout of an entry. The header is at least entryHeader bytes long; options and
// name follow these fields and are part of the header.
const (
	entryHeader       = 64
	entryVersion      = 0x101
	offKind           = 0  // u16
	offVersion        = 2  // u16
	offHeaderSize     = 4  // u32
	offPayloadSize    = 8  // u64, with padding
	offCompressedSize = 16 // u32, 0 when not compressed
	offOptions        = 20 // u32, of {offset u32, size u32}, from the entry's start; the driver reads these two there even if the offset is 0
	offMinor          = 24 // u16, of the PTX ISA or of the ELF's version
	offMajor          = 26 // u16
	offArch           = 28 // u32, 70 for sm_70
	offName           = 32 // u32, from the entry's start
	offNameSize       = 36 // u32
	offFlags          = 40 // u64
	offDecodedSize    = 56 // u64, 0 when not compressed
)

// Flags of an entry that are used here.
const (
	flag64Bit      = 0x1
	flagDebug      = 0x2
	flagLinux      = 0x10
	flagMac        = 0x20
	flagWindows    = 0x40
	flagZlib       = 0x1000
	flagLZ4        = 0x2000
	flagZstd       = 0x8000
	flagCompressed = flagZlib | flagLZ4 | flagZstd
)

// Layout of a wrapper (__fatBinC_Wrapper_t in CUDA's fatbinary_section.h), what
// __cudaRegisterFatBinary gets: magic u32, version u32, pointer to the container,
// pointer to a file name (version 1) or to the containers of the modules that the
// linked one was made of (version 2).
const (
	wrapperMagic   = 0x466243b1
	wrapperLinked  = 2
	wrapperSize    = 24
	wrapperPointer = 8 // offset of the pointer
)

// Limits for reading, so that a damaged file cannot exhaust the memory: bytes of a decoded entry, entries of a
// container, consecutive containers.
const (
	maxDecoded    = 1 << 30
	maxEntries    = 1 << 16
	maxContainers = 1 << 18
)

var le = binary.LittleEndian

// Kind is what an entry holds.
type Kind uint16

// Kinds of entries.
const (
	KindPTX      Kind = 0x01
	KindSASS     Kind = 0x02 // machine code, a cubin
	KindOldSASS  Kind = 0x04 // a cubin of the text format before CUDA 4
	KindNVVM     Kind = 0x08 // NVVM IR, for optimisation at link time
	KindSASSAlso Kind = 0x10 // a cubin of the newer form, for sm_100 and later
)

// String returns the kind as shown in lists.
func (k Kind) String() string {
	switch k {
	case KindPTX:
		return "ptx"
	case KindSASS, KindOldSASS, KindSASSAlso:
		return "sass"
	case KindNVVM:
		return "nvvm"
	}
	return fmt.Sprintf("kind-%#x", uint16(k))
}

// Compression is the encoding of the payload of an entry.
type Compression uint8

// Encodings of a payload. LZ4 is a bare block without frame. Zlib was used by toolkits before CUDA 7.
const (
	Uncompressed Compression = iota
	LZ4
	Zstd
	Zlib
)

var compressionNames = [...]string{"none", "lz4", "zstd", "zlib"}

func (c Compression) String() string { return compressionNames[c] }

// ParseCompression returns the inverse of String.
func ParseCompression(s string) (Compression, error) {
	for i, name := range compressionNames {
		if s == name {
			return Compression(i), nil
		}
	}
	return 0, fmt.Errorf("unknown compression %q; expected %s", s, strings.Join(compressionNames[:], ", "))
}

// compressionFlag returns the flag of an entry with that compression.
func compressionFlag(c Compression) uint64 {
	return [...]uint64{0, flagLZ4, flagZstd, flagZlib}[c]
}

func compressionOf(flags uint64) (Compression, bool) {
	for c := range Compression(len(compressionNames)) {
		if flags&flagCompressed == compressionFlag(c) {
			return c, true
		}
	}
	return 0, false
}

// Error is a fault in a file.
type Error struct {
	File   string // with the member of an archive as file(member)
	Offset int64  // in that file or member; in a C array, of the decoded bytes
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: offset %#x: %s", e.File, e.Offset, e.Msg) }

// source is bytes of a file with their position, for messages.
type source struct {
	file string
	base int64 // offset of data[0]
	data []byte
	*budget
}

func (s source) errorf(at int, format string, a ...any) error {
	return &Error{File: s.file, Offset: s.base + int64(at), Msg: fmt.Sprintf(format, a...)}
}

// sub returns the part from one offset to another.
func (s source) sub(from, to int) source {
	return source{s.file, s.base + int64(from), s.data[from:to], s.budget}
}

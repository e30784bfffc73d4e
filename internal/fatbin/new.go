// New fat binaries: containers made of PTX.

package fatbin

// New returns a fat binary with PTX: what a compiler embeds in a host's object file. It ignores the places of the
// replacements.
func New(list []Replacement, compression Compression) ([]byte, error) {
	var entries [][]byte
	for i := range list {
		empty := Entry{Kind: KindPTX, Flags: flag64Bit | flagLinux, head: newHeader()}
		b, err := empty.replaced(&list[i], &compression)
		if err != nil {
			return nil, err
		}
		entries = append(entries, b)
	}
	head := make([]byte, containerHeader)
	le.PutUint32(head, containerMagic)
	le.PutUint16(head[4:], containerVersion)
	le.PutUint16(head[6:], containerHeader)
	return encodeContainer(head, entries), nil
}

// newHeader returns the header of an entry without options and name. The driver reads where the options are and how
// long they are even of an entry without any: NVIDIA's fatbinary puts these 8 bytes behind the header's fields, and so
// does this.
func newHeader() []byte {
	const size = entryHeader + 8
	head := make([]byte, size)
	le.PutUint16(head[offKind:], uint16(KindPTX))
	le.PutUint16(head[offVersion:], entryVersion)
	le.PutUint32(head[offHeaderSize:], size)
	le.PutUint32(head[offOptions:], entryHeader)
	return head
}

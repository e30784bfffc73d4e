// Limits on the work for one file.

package fatbin

import "fmt"

// Limits over a whole file, so that many small or overlapping parts cost no more than one large part. Entries of a
// container have limits of their own as well.
const (
	maxTotalEntries = 1 << 20 // members of an archive, containers and entries parsed
	maxTotalDecoded = 1 << 30 // bytes decoded from compressed entries
	maxRepeats      = 8       // average number of times that a byte of the file may be read
)

// budget is the remaining work for a file.
type budget struct {
	entries int
	decoded int64
	bytes   int64
	spent   string // the limit that was exceeded, "" for none
}

func newSource(name string, data []byte) source {
	const least = 1 << 20
	return source{file: name, data: data, budget: &budget{
		entries: maxTotalEntries, decoded: maxTotalDecoded,
		bytes: least + maxRepeats*int64(len(data)),
	}}
}

// entry accounts for a member, a container or an entry, and reports whether it is within the limits.
func (b *budget) entry() bool {
	b.entries--
	return b.check(b.entries >= 0, "the file has more than %d members, fat binaries and entries", maxTotalEntries)
}

// look accounts for reading n bytes, which headers can refer to many times.
func (b *budget) look(n int) bool {
	b.bytes -= int64(n)
	return b.check(b.bytes >= 0, "the parts of the file overlap more than %d times", maxRepeats)
}

// decode accounts for n decoded bytes of an entry.
func (b *budget) decode(n int64) bool {
	b.decoded -= n
	return b.check(b.decoded >= 0, "the compressed entries that were read take more than %d bytes together",
		maxTotalDecoded)
}

func (b *budget) check(ok bool, format string, limit int) bool {
	if !ok && b.spent == "" {
		b.spent = fmt.Sprintf(format, limit)
	}
	return ok
}

// Limits on the work that a file may cause.

package fatbin

import "fmt"

// Limits over all of a file, so that many small parts, or parts that overlap, cost no
// more than one large part. Entries of a container are limited on their own as well.
const (
	maxTotalEntries = 1 << 20 // containers and entries that are parsed
	maxTotalDecoded = 1 << 30 // bytes that compressed entries decode to
	maxRepeats      = 8       // how often the bytes of a file are looked at, on average
)

// budget is what may still be spent on a file.
type budget struct {
	entries int
	decoded int64
	bytes   int64
	spent   string // what there was too much of, "" for nothing
}

func newSource(name string, data []byte) source {
	const least = 1 << 20
	return source{file: name, data: data, budget: &budget{entries: maxTotalEntries, decoded: maxTotalDecoded, bytes: least + maxRepeats*int64(len(data))}}
}

// entry is spent for each container and each entry of one.
func (b *budget) entry() bool {
	b.entries--
	return b.check(b.entries >= 0, "the file has more than %d fat binaries and entries", maxTotalEntries)
}

// look is spent for n bytes, which headers can name many times over.
func (b *budget) look(n int) bool {
	b.bytes -= int64(n)
	return b.check(b.bytes >= 0, "the parts of the file overlap more than %d times", maxRepeats)
}

// decode is spent for the decoded bytes of an entry.
func (b *budget) decode(n int64) bool {
	b.decoded -= n
	return b.check(b.decoded >= 0, "the compressed entries that were read take more than %d bytes together", maxTotalDecoded)
}

func (b *budget) check(ok bool, format string, limit int) bool {
	if !ok && b.spent == "" {
		b.spent = fmt.Sprintf(format, limit)
	}
	return ok
}

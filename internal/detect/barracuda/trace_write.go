// Writing trace files.

package barracuda

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Writer writes a trace file. It keeps its first error, which Close returns.
type Writer struct {
	w    *bufio.Writer
	addr uint64 // last address
}

// NewWriter makes a Writer and writes the header with the table that Op.Site refers to.
func NewWriter(w io.Writer, sites []abi.Site) (*Writer, error) {
	list := make([]traceSite, len(sites))
	for i := range sites {
		list[i] = toTraceSite(&sites[i])
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	t := &Writer{w: bufio.NewWriter(w)}
	t.text(traceMagic)
	t.byte(traceVersion)
	t.uint(uint64(len(text)))
	t.text(string(text))
	return t, nil
}

// The bufio.Writer keeps errors.

func (t *Writer) byte(b byte)       { _ = t.w.WriteByte(b) }
func (t *Writer) text(s string)     { _, _ = t.w.WriteString(s) }
func (t *Writer) string(s string)   { t.uint(uint64(len(s))); t.text(s) }
func (t *Writer) uint(v uint64)     { t.bytes(binary.AppendUvarint(t.w.AvailableBuffer(), v)) }
func (t *Writer) delta(a, b uint64) { t.bytes(binary.AppendVarint(t.w.AvailableBuffer(), int64(a-b))) }
func (t *Writer) bytes(b []byte)    { _, _ = t.w.Write(b) }

// Begin begins a launch.
func (t *Writer) Begin(l *detect.Launch) {
	t.byte(recordLaunch)
	t.string(l.Kernel)
	for _, shape := range [...][3]uint32{l.Grid, l.Block, l.Cluster} {
		for _, extent := range shape {
			t.uint(uint64(extent))
		}
	}
	t.uint(uint64(len(l.Regions)))
	for i := range l.Regions {
		r := &l.Regions[i]
		t.string(r.Name)
		t.uint(r.Base)
		t.uint(r.Size)
		t.uint(uint64(r.Element))
	}
	t.addr = 0
}

// End ends the launch.
func (t *Writer) End() { t.byte(recordEnd) }

// Close flushes the file and returns the first error. It does not close the underlying writer.
func (t *Writer) Close() error { return t.w.Flush() }

// Op writes an operation.
func (t *Writer) Op(op *Op) {
	t.byte(byte(op.Kind))
	for _, v := range [...]uint64{
		uint64(op.Site), op.Block, op.Cluster, uint64(op.Warp), uint64(op.Mask),
		uint64(op.Live),
	} {
		t.uint(v)
	}
	switch op.Kind {
	case If:
		t.uint(uint64(op.Then))
	case Arrive, Complete:
		t.uint(uint64(op.Barrier))
		t.uint(uint64(op.Expected))
		t.byte(bit(op.Goes, 1))
	case Read, Write, Atomic, AtomicRead, Sync:
		t.access(op)
	case Free:
		t.uint(uint64(op.Bytes))
		t.addresses(op)
	}
}

func bit(b bool, v byte) byte {
	if b {
		return v
	}
	return 0
}

func (t *Writer) access(op *Op) {
	t.uint(uint64(op.Order.Scope)<<flagScopeShift | uint64(op.Reach)<<flagReachShift | uint64(
		bit(op.Order.Acquire, flagAcquire)|bit(op.Order.Release, flagRelease)|bit(op.Space == abi.SpaceShared,
			flagShared)|
			bit(op.Valued, flagValued)|bit(op.Strong, flagStrong)))
	t.uint(uint64(op.Bytes))
	t.addresses(op)
	if !op.Valued {
		return
	}
	last := uint64(0)
	for m := op.Mask; m != 0; m &= m - 1 {
		v := op.Value[first(m)]
		t.delta(v, last)
		last = v
	}
}

// addresses writes the address of each lane.
func (t *Writer) addresses(op *Op) {
	for m := op.Mask; m != 0; m &= m - 1 {
		a := op.Addr[first(m)]
		t.delta(a, t.addr)
		t.addr = a
	}
}

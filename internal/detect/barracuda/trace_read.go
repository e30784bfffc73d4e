// Reading trace files.

package barracuda

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Reader reads a trace file.
type Reader struct {
	r     *bufio.Reader
	at    int64 // bytes read
	addr  uint64
	sites []abi.Site
	err   error // error of the first number that could not be read
}

// NewReader makes a Reader and reads the header.
func NewReader(r io.Reader) (*Reader, error) {
	t := &Reader{r: bufio.NewReader(r)}
	if magic := t.text(len(traceMagic)); t.err == nil && magic != traceMagic {
		return nil, fmt.Errorf("not a trace file: it begins with %q, expected %q", magic, traceMagic)
	}
	if v := t.byte(); t.err == nil && (v < oldestVersion || v > traceVersion) {
		return nil, fmt.Errorf("trace file of version %d, expected %d or %d", v, oldestVersion, traceVersion)
	}
	n := t.number("the size of the table of sites", maxSiteBytes)
	if t.err != nil {
		return nil, t.err
	}
	var list []traceSite
	table := io.LimitReader(t.r, int64(n))
	dec := json.NewDecoder(table)
	if err := dec.Decode(&list); err != nil {
		return nil, fmt.Errorf("offset %d: table of sites: %w", t.at, err)
	}
	if _, err := io.Copy(io.Discard, table); err != nil {
		return nil, err
	}
	t.at += int64(n)
	for i := range list {
		t.sites = append(t.sites, list[i].site())
	}
	return t, nil
}

// Sites returns the table that Op.Site refers to.
func (t *Reader) Sites() []abi.Site { return t.sites }

// Launch reads the beginning of the next launch. It returns io.EOF after the last one.
func (t *Reader) Launch() (detect.Launch, error) {
	var l detect.Launch
	kind, err := t.r.ReadByte()
	if err != nil {
		return l, err // io.EOF: no more launches
	}
	t.at++
	if kind != recordLaunch {
		return l, t.errorf("record %#x, expected the beginning of a launch, %#x", kind, recordLaunch)
	}
	l.Kernel = t.string("the size of the kernel's name")
	for i, most := range [...]uint64{1<<31 - 1, 1<<16 - 1, 1<<16 - 1} {
		l.Grid[i] = uint32(t.number("an extent of the grid", most))
	}
	for i, most := range [...]uint64{1024, 1024, 64} {
		l.Block[i] = uint32(t.number("an extent of the block", most))
	}
	for i := range l.Cluster {
		l.Cluster[i] = uint32(t.number("an extent of the cluster", 1<<16-1))
	}
	if t.err == nil && (l.Threads() > fanout*abi.WarpLanes) {
		t.err = t.errorf("a block of %d threads, expected %d at most", l.Threads(), fanout*abi.WarpLanes)
	}
	for n := t.number("a count of regions", maxRegions); n > 0 && t.err == nil; n-- {
		l.Regions = append(l.Regions, detect.Region{
			Name: t.string("the size of a region's name"), Base: t.number("an address", math.MaxUint64),
			Size:    t.number("a size", math.MaxUint64),
			Element: uint32(t.number("the size of an element", maxElementBytes)),
		})
	}
	t.addr = 0
	return l, t.err
}

// Op reads the next operation of the launch into op. It returns io.EOF at the end of the launch.
func (t *Reader) Op(op *Op) error {
	kind := t.byte()
	switch {
	case t.err != nil:
		return t.err
	case kind == recordEnd:
		return io.EOF
	case kind == byte(KindNone) || kind >= byte(kindEnd):
		return t.errorf("record %#x, expected an operation or the end of the launch", kind)
	}
	*op = Op{
		Kind: Kind(kind), Site: uint32(t.number("a site", uint64(len(t.sites)))),
		Block: t.number("a block", 1<<32), Cluster: t.number("a cluster", 1<<32),
		Warp: uint32(t.number("a warp", fanout-1)),
		Mask: uint32(t.number("a mask", 1<<32-1)), Live: uint32(t.number("a mask", 1<<32-1)),
	}
	switch op.Kind {
	case If:
		op.Then = uint32(t.number("a mask", 1<<32-1))
	case Arrive, Complete:
		op.Barrier = uint32(t.number("a barrier", ClusterBarrier))
		op.Expected = uint32(t.number("a count of threads", fanout*abi.WarpLanes))
		op.Goes = t.byte() != 0
	case Read, Write, Atomic, AtomicRead, Sync:
		t.access(op)
	case Free:
		op.Bytes = uint32(t.number("the size of freed memory", math.MaxUint32))
		t.addresses(op)
	}
	return t.err
}

func (t *Reader) access(op *Op) {
	flags := t.number("the bits of an access", flagsEnd-1)
	op.Order = Order{
		Acquire: flags&flagAcquire != 0, Release: flags&flagRelease != 0,
		Scope: Scope(flags >> flagScopeShift & 3),
	}
	op.Strong, op.Reach = flags&flagStrong != 0, Scope(flags>>flagReachShift&3)
	if t.err == nil && (op.Order.Scope > ScopeGlobal || op.Reach > ScopeGlobal) {
		t.err = t.errorf("access with the bits %#x, which nothing has", flags)
	}
	op.Space, op.Valued = abi.SpaceGlobal, flags&flagValued != 0
	if flags&flagShared != 0 {
		op.Space = abi.SpaceShared
	}
	op.Bytes = uint32(t.number("the size of an access", maxAccessBytes))
	t.addresses(op)
	last := uint64(0)
	for m := op.Mask; op.Valued && m != 0; m &= m - 1 {
		last += t.delta()
		op.Value[first(m)] = last
	}
}

// addresses reads the address of each lane.
func (t *Reader) addresses(op *Op) {
	for m := op.Mask; m != 0; m &= m - 1 {
		t.addr += t.delta()
		op.Addr[first(m)] = t.addr
	}
}

// ReadByte implements io.ByteReader and counts the bytes.
func (t *Reader) ReadByte() (byte, error) {
	b, err := t.r.ReadByte()
	if err == nil {
		t.at++
	}
	return b, err
}

func (t *Reader) byte() byte {
	if t.err != nil {
		return 0
	}
	b, err := t.ReadByte()
	t.fail(err)
	return b
}

// number returns an unsigned number, which must not exceed most.
func (t *Reader) number(what string, most uint64) uint64 {
	if t.err != nil {
		return 0
	}
	v, err := binary.ReadUvarint(t)
	if t.fail(err); t.err == nil && v > most {
		t.err = t.errorf("%s is %d, expected %d at most", what, v, most)
	}
	return v
}

func (t *Reader) delta() uint64 {
	if t.err != nil {
		return 0
	}
	v, err := binary.ReadVarint(t)
	t.fail(err)
	return uint64(v)
}

func (t *Reader) text(n int) string {
	if t.err != nil {
		return ""
	}
	b := make([]byte, n)
	k, err := io.ReadFull(t.r, b)
	t.at += int64(k)
	t.fail(err)
	return string(b)
}

func (t *Reader) string(what string) string { return t.text(int(t.number(what, maxNameBytes))) }

// fail records the first error of the file. The end of the file is an error where something is expected.
func (t *Reader) fail(err error) {
	switch {
	case err == nil:
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		t.err = t.errorf("the file ends in the middle")
	default:
		t.err = t.errorf("%w", err)
	}
}

func (t *Reader) errorf(format string, args ...any) error {
	return fmt.Errorf("offset %d: "+format, append([]any{t.at}, args...)...)
}

// Package profile is the host part of the passes that measure a program: it prepares their memory on a device, and
// reads and prints their records.
//
//	coverage     counters of blocks and branches; lcov
//	instcount    instructions by class, opcode and line
//	memtrace     a record per warp and access
//	boundscheck  accesses outside of all allocations
//
// It uses record formats (runtime/abi) and must not know PTX syntax.
package profile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// readCounters reads n counters from a variable of the module.
func readCounters(dev abi.Device, name string, n int) ([]uint64, error) {
	addr, size, ok := dev.Symbol(name)
	if !ok {
		return nil, fmt.Errorf("the module has no %s: it is not instrumented", name)
	}
	if size < uint64(n)*abi.CounterBytes {
		return nil, fmt.Errorf("%s has %d bytes, too few for %d counters", name, size, n)
	}
	data := make([]byte, n*abi.CounterBytes)
	if err := dev.Read(addr, data); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	counters := make([]uint64, n)
	for i := range counters {
		counters[i] = binary.LittleEndian.Uint64(data[i*abi.CounterBytes:])
	}
	return counters, nil
}

// lines writes lines of text and keeps the first error.
type lines struct{ w *bufio.Writer }

func newLines(w io.Writer) *lines { return &lines{bufio.NewWriter(w)} }

func (l *lines) printf(format string, a ...any) error {
	_, err := fmt.Fprintf(l.w, format+"\n", a...)
	return err
}

// site describes a site: instruction and place.
func site(sites []abi.Site, id uint32) string {
	if id == 0 || int64(id) > int64(len(sites)) {
		return fmt.Sprintf("site %d", id)
	}
	s := &sites[id-1]
	if s.Source != nil {
		return fmt.Sprintf("%s at %s:%d", s.Instruction, s.Source.File, s.Source.Line)
	}
	return fmt.Sprintf("%s at %s:%d", s.Instruction, s.PTX.File, s.PTX.Line)
}

// triple formats an index in CUDA's notation.
func triple(i [3]uint32) string { return fmt.Sprintf("(%d,%d,%d)", i[0], i[1], i[2]) }

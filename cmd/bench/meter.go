// Meters: the cost of a launch, as processor time or as the number of executed basic blocks of Go code.

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/coverage"
)

// meter measures the cost of a function.
type meter struct {
	unit    string  // unit of the cost of an access in the table
	perUnit float64 // units of the table per unit of cost
	least   float64 // minimum cost of a launch for which an exponent is computed
	most    float64 // cost of a launch beyond which more threads are not tried
	noisy   bool    // the cost of a launch varies with other work on the machine
	cost    func(f func() error) (float64, error)
}

// processor measures processor time of the calling thread, in seconds.
var processor = meter{
	unit: "ns", perUnit: 1e9, least: 4e-3, most: 6, noisy: true,
	cost: func(f func() error) (float64, error) {
		start := processorTime()
		err := f()
		return (processorTime() - start).Seconds(), err
	},
}

// counted counts the executed basic blocks of the module's Go code. It has no noise and does not depend on the
// processor's caches, and so shows the cost of an algorithm. It does not include work inside calls of the standard
// library or the runtime, such as a copy or a garbage collection, nor assembly. The program must be built with -cover
// -covermode=atomic -coverpkg=./...
var counted = meter{unit: "blocks", perUnit: 1, most: 1 << 32, cost: func(f func() error) (float64, error) {
	if err := coverage.ClearCounters(); err != nil {
		return 0, fmt.Errorf("blocks are counted in a program that was built with -cover -covermode=atomic -coverpkg=./...: %w", err)
	}
	if err := f(); err != nil {
		return 0, err
	}
	var file bytes.Buffer
	if err := coverage.WriteCounters(&file); err != nil {
		return 0, err
	}
	sum, err := sumCounters(file.Bytes())
	return float64(sum), err
}}

// Sizes in bytes of parts of a counter file.
const (
	counterHeader  = 32
	counterSegment = 16
	counterFooter  = 16
)

var errCounters = errors.New("the coverage counters are not in the format of Go 1.20 to 1.26")

// sumCounters returns the sum of all counters in a file with one segment in the format of Go's coverage library
// (internal/coverage/defs.go in Go's source): a header, the numbers of functions and of bytes in two tables, the
// tables, and then for each function its number of counters, its package, its number there, and its counters, as
// ULEB128.
func sumCounters(file []byte) (sum uint64, err error) {
	const version, uleb128 = 1, 2
	if len(file) < counterHeader+counterSegment+counterFooter || !bytes.Equal(file[:4], []byte("\x00cwm")) ||
		binary.LittleEndian.Uint32(file[4:]) != version || file[24] != uleb128 {
		return 0, errCounters
	}
	segment := file[counterHeader:]
	functions := binary.LittleEndian.Uint64(segment)
	tables := uint64(binary.LittleEndian.Uint32(segment[8:])) + uint64(binary.LittleEndian.Uint32(segment[12:]))
	at := (counterHeader + counterSegment + tables + 3) / 4 * 4
	if at > uint64(len(file)-counterFooter) {
		return 0, errCounters
	}
	r := bytes.NewReader(file[at : len(file)-counterFooter])
	for range functions {
		sum, err = addFunction(sum, r)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", errCounters, err)
		}
	}
	if r.Len() > 0 {
		return 0, errCounters
	}
	return sum, nil
}

// addFunction adds the counters of the next function to sum.
func addFunction(sum uint64, r *bytes.Reader) (uint64, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return 0, err
	}
	var c uint64
	for i := range n + 2 { // the first two are its package and its number
		if c, err = binary.ReadUvarint(r); err != nil {
			return 0, err
		}
		if i >= 2 {
			sum += c
		}
	}
	return sum, nil
}

// Package undo keeps what memory contained before something that may fail, and restores it. It does not depend on what
// the memory is for.
package undo

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/emu/internal/pages"
)

// Log has the contents of pieces of memory. The zero value has none.
type Log struct {
	pieces [][]byte
	room   []byte // for their contents, one after the other
	block  *pages.Block
}

// Limits in bytes: of a piece that one goroutine copies, and of contents that Go's heap has. The first touch of pages
// that the system maps costs more.
const (
	pieceBytes = 1 << 20
	heapBytes  = 1 << 20
)

// Save replaces the contents of the log by those of memory, which it copies on up to the given number of goroutines. It
// keeps the room of the last call.
func (l *Log) Save(memory [][]byte, goroutines int) error {
	l.pieces = l.pieces[:0]
	size, starts := uint64(0), []uint64(nil)
	for _, m := range memory {
		for piece := range slices.Chunk(m, pieceBytes) {
			l.pieces, starts = append(l.pieces, piece), append(starts, size)
			size += uint64(len(piece))
		}
	}
	if err := l.fit(size); err != nil {
		l.pieces = l.pieces[:0]
		return err
	}
	goroutines = min(goroutines, len(l.pieces))
	crew.Do(goroutines, func(first int) {
		for i := first; i < len(l.pieces); i += goroutines {
			copy(l.room[starts[i]:], l.pieces[i])
		}
	})
	return nil
}

// fit makes room for size bytes.
func (l *Log) fit(size uint64) (err error) {
	switch {
	case size <= uint64(len(l.room)):
		return nil
	case size <= heapBytes:
		l.room, l.block = make([]byte, size), nil
		return nil
	}
	l.room, l.block = nil, nil
	if l.block, err = pages.New(size); err == nil {
		l.room = l.block.Bytes()
	}
	return err
}

// Restore copies the contents back.
func (l *Log) Restore() {
	from := l.room
	for _, piece := range l.pieces {
		copy(piece, from)
		from = from[len(piece):]
	}
}

// Empty drops the contents, and the room if that is more than most bytes.
func (l *Log) Empty(most int) {
	if clear(l.pieces); len(l.room) > most {
		l.room, l.block = nil, nil
	}
	l.pieces = l.pieces[:0]
}

// Frames of CPython's interpreter, read from the memory of a process that waits.

package callsite

import (
	"encoding/binary"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Python is the Object of a frame of CPython.
const Python = "Python"

// PythonBit tells an address of a thread's state of CPython (PyThreadState), the last of a path, from an address of
// code.
const PythonBit = 1 << 63

// layout has the offsets of what is read in a minor version's structures, of machines with 64 bits. A minor version
// does not change them.
type layout struct {
	current           []uint64 // from the state of a thread to its innermost frame, by pointers
	code, at          uint64   // of a frame: its code, and the instruction
	previous, owner   uint64
	firstLine, instrs uint64 // of code
	ascii, compact    uint64 // sizes of the headers of strings
}

// Offsets of code objects and bytes that all known versions share.
const (
	codeFile, codeName, codeLines = 112, 120, 136
	bytesSize, bytesData          = 16, 32
	textLength, textState         = 16, 32
	ownedByC                      = 3 // a frame that stands for calls by C
)

var layouts = map[int]layout{ // by the minor version
	11: {
		current: []uint64{56, 8}, code: 32, at: 56, previous: 48, owner: 69, firstLine: 72, instrs: 184, ascii: 48,
		compact: 72,
	},
	12: {
		current: []uint64{56, 0}, code: 0, at: 56, previous: 8, owner: 70, firstLine: 68, instrs: 192, ascii: 40,
		compact: 56,
	},
	13: {
		current: []uint64{72}, code: 0, at: 56, previous: 8, owner: 70, firstLine: 68, instrs: 200, ascii: 40,
		compact: 56,
	},
}

// python is the interpreter in a process.
type python struct {
	layout
	memory *os.File
	bad    bool // something could not be read
	frames [][]Frame
}

var interpreter = regexp.MustCompile(`python3\.(\d+)`)

// interpreterOf returns the CPython interpreter that the process runs. It returns nil if the process runs none, if its
// version is not in layouts, or if the memory of the process cannot be read.
func (p *Process) interpreterOf() *python {
	maps, _ := p.mappings()
	for _, m := range maps {
		v := interpreter.FindStringSubmatch(path.Base(m.path))
		if v == nil || strings.Contains(path.Base(m.path), "cpython-") {
			continue
		}
		minor, _ := strconv.Atoi(v[1])
		l, known := layouts[minor]
		memory, err := os.Open("/proc/" + strconv.Itoa(p.pid) + "/mem")
		if !known || err != nil {
			return nil
		}
		return &python{layout: l, memory: memory}
	}
	return nil
}

// Interpret replaces the state of a thread of CPython at the end of a path by the number of its frames, which it reads.
// The thread must wait. It leaves the state out if nothing is known of it.
func (p *Process) Interpret(addresses []uint64) []uint64 {
	last := len(addresses) - 1
	if last < 0 || addresses[last]&PythonBit == 0 {
		return addresses
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.interpreted {
		p.interpreted, p.python = true, p.interpreterOf()
	}
	if p.python == nil {
		return addresses[:last]
	}
	frames := p.python.framesOf(addresses[last] &^ PythonBit)
	i := slices.IndexFunc(p.python.frames, func(list []Frame) bool { return slices.Equal(list, frames) })
	if i < 0 {
		i = len(p.python.frames)
		p.python.frames = append(p.python.frames, frames)
	}
	addresses[last] = PythonBit | uint64(i)
	return addresses
}

// framesOf returns the frames of a thread, the innermost first.
func (y *python) framesOf(state uint64) (list []Frame) {
	const most = 64
	frame := state
	y.bad = false
	for _, offset := range y.current {
		frame = y.word(frame + offset)
	}
	for range most {
		if frame == 0 || y.bad {
			break
		}
		if f := y.frame(frame); !y.bad && f.Line > 0 {
			list = append(list, f)
		}
		frame = y.word(frame + y.previous)
	}
	return list
}

// frame reads a frame; that of C has no line.
func (y *python) frame(at uint64) Frame {
	if y.read(at+y.owner, 1)[0] == ownedByC {
		return Frame{}
	}
	code := y.word(at + y.code)
	unit := (y.word(at+y.at) - code - y.instrs) / 2
	line := int(int32(binary.LittleEndian.Uint32(y.read(code+y.firstLine, 4))))
	return Frame{
		Object: Python, Function: y.text(y.word(code + codeName)), File: y.text(y.word(code + codeFile)),
		Line: lineAt(y.bytes(y.word(code+codeLines)), line, unit),
	}
}

// read reads memory, zeros if there is none.
func (y *python) read(at, size uint64) []byte {
	b := make([]byte, size)
	if n, _ := y.memory.ReadAt(b, int64(at)); n < len(b) || at > 1<<62 {
		y.bad = true
		clear(b)
	}
	return b
}

func (y *python) word(at uint64) uint64 { return binary.LittleEndian.Uint64(y.read(at, 8)) }

// sized reads a number of bytes that the process says.
func (y *python) sized(at, size uint64) []byte {
	const most = 1 << 20
	if size > most {
		y.bad = true
		return nil
	}
	return y.read(at, size)
}

// bytes reads a bytes object.
func (y *python) bytes(at uint64) []byte { return y.sized(at+bytesData, y.word(at+bytesSize)) }

// text reads a Python string object (PyUnicodeObject, compact form): a header, then length characters of 1, 2 or 4
// bytes.
func (y *python) text(at uint64) string {
	state := binary.LittleEndian.Uint32(y.read(at+textState, 4))
	kind, ascii := uint64(state>>2&7), state>>6&1 != 0
	from := at + y.compact
	if ascii {
		from = at + y.ascii
	}
	var out strings.Builder
	b := y.sized(from, kind*y.word(at+textLength))
	for i := uint64(0); i+kind <= uint64(len(b)) && kind > 0; i += kind {
		var wide [4]byte
		copy(wide[:], b[i:i+kind])
		out.WriteRune(rune(binary.LittleEndian.Uint32(wide[:])))
	}
	return out.String()
}

// lineAt returns the line of an instruction from a location table (CPython, "The locations table"), 0 if it has none.
func lineAt(table []byte, line int, unit uint64) int {
	number := func() (n int) {
		for shift := 0; len(table) > 0; shift += 6 {
			b := table[0]
			table = table[1:]
			n |= int(b&63) << shift
			if b&64 == 0 {
				break
			}
		}
		return n
	}
	for end := uint64(0); len(table) > 0; {
		first := table[0]
		table = table[1:]
		end += uint64(first&7) + 1
		kind, none := first>>3&15, false
		switch {
		case kind == 15:
			none = true
		case kind >= 13:
			if n := number(); n&1 != 0 {
				line -= n >> 1
			} else {
				line += n >> 1
			}
			for range 3 * int(kind-13) { // the end line and the columns of the long form
				number()
			}
		case kind >= 10:
			line += int(kind - 10)
			table = table[min(2, len(table)):]
		default:
			table = table[min(1, len(table)):]
		}
		switch {
		case unit >= end:
		case none:
			return 0
		default:
			return line
		}
	}
	return 0
}

// Line number programs (DWARF 2 to 4, section "Line Number Information"), with NVIDIA's operation for inlined calls.

package cubin

import "path"

// row is a row of the matrix of a line number program: from an address on, code is of a line.
type row struct {
	at       place
	file     uint64 // index in the unit's table
	line     int
	call     uint64 // of an inlined function, the number of the row with the line of the call, from 1; 0 if not inlined
	function uint64 // offset of the name of the function that is inlined in .debug_str
	end      bool   // of the sequence: no code is at the address
}

// sequence is rows of ascending addresses of one section.
type sequence struct {
	*unit
	rows []row
}

// unit is the header of a line number program.
type unit struct {
	version    uint16
	step       uint8 // by which advances of the address are multiplied
	lineBase   int8
	lineRange  uint8
	opcodeBase uint8
	operands   []byte // the numbers of operands of the standard opcodes, from 1
	folders    []string
	files      []fileName
}

type fileName struct {
	name   string
	folder uint64
	path   string // made when it is first asked for
}

// path returns the path of a file of the table, "" for one that is unknown.
func (m *image) path(u *unit, index uint64) string {
	if index >= uint64(len(u.files)) {
		return ""
	}
	f := &u.files[index]
	if f.path != "" || f.folder >= uint64(len(u.folders)) {
		return f.path
	}
	folder := u.folders[f.folder]
	switch {
	case folder == "" || path.IsAbs(f.name):
		f.path = f.name
	case m.affords(len(folder) + len(f.name)):
		f.path = path.Join(folder, f.name)
	}
	return f.path
}

// Opcodes.
const (
	opCopy, opAdvance, opLine, opFile       = 1, 2, 3, 4
	opConstAdd, opFixedAdvance              = 8, 9
	extEnd, extAddress, extFile, extInlined = 1, 2, 3, 0x90
)

// sequences decodes the programs of a section.
func (m *image) sequences(section string) (list []sequence, err error) {
	data, err := m.find(section)
	if err != nil || data == nil {
		return nil, err
	}
	places, err := m.relocations(section, data)
	if err != nil {
		return nil, err
	}
	for at := uint64(0); at < uint64(len(data)); {
		p := &program{reader: reader{data, at, true}, places: places}
		end := p.header()
		if p.ok {
			p.run(end)
		}
		if list = append(list, p.done...); !p.ok {
			return list, m.errorf(m.file.Section(section).Offset+min(p.at, uint64(len(data))),
				"section %s has a line table that cannot be read: version %d, expected one of DWARF 2 to 4", section,
				p.version)
		}
		at = end
	}
	return list, nil
}

// reader reads numbers. After the end of the data it is not ok.
type reader struct {
	data []byte
	at   uint64
	ok   bool
}

// take returns the next n bytes, nil if they are missing.
func (r *reader) take(n uint64) []byte {
	if !r.ok || r.at > uint64(len(r.data)) || n > uint64(len(r.data))-r.at {
		r.ok = false
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) byte() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b := r.take(2); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint64 {
	if b := r.take(4); b != nil {
		return uint64(le.Uint32(b))
	}
	return 0
}

// leb reads a number of variable length, and whether its last bit is the sign.
func (r *reader) leb(signed bool) (n int64) {
	for shift := uint(0); r.ok; shift += 7 {
		b := r.byte()
		if shift < 64 {
			n |= int64(b&0x7f) << shift
		}
		if b&0x80 == 0 {
			if signed && b&0x40 != 0 && shift+7 < 64 {
				n |= -1 << (shift + 7)
			}
			break
		}
	}
	return n
}

func (r *reader) string() string {
	s := stringAt(r.data, r.at)
	r.take(uint64(len(s)) + 1)
	return s
}

// program is the interpreter of a line number program.
type program struct {
	reader
	unit
	places map[uint64]place // by offset in the section
	next   row
	rows   []row
	done   []sequence
}

// header reads the header, up to the first opcode, and returns the offset of the end of the program.
func (p *program) header() (end uint64) {
	end = p.uint32()
	end += p.at
	p.version = p.uint16()
	if end > uint64(len(p.data)) || p.version < 2 || p.version > 4 {
		p.ok = false
		return end
	}
	start := p.uint32()
	start += p.at
	if p.step = p.byte(); p.version >= 4 {
		p.byte() // operations of an instruction
	}
	p.byte() // whether rows begin a statement
	p.lineBase, p.lineRange, p.opcodeBase = int8(p.byte()), p.byte(), p.byte()
	p.operands = p.take(uint64(max(p.opcodeBase, 1)) - 1)
	p.tables()
	p.ok = p.ok && p.lineRange != 0 && start <= end
	p.at = start
	return end
}

// tables reads the folders and the files.
func (p *program) tables() {
	p.folders, p.files = []string{""}, []fileName{{}}
	for p.ok {
		name := p.string()
		if name == "" {
			break
		}
		p.folders = append(p.folders, name)
	}
	for p.ok {
		if name := p.string(); name != "" {
			p.file(name)
			continue
		}
		break
	}
}

// file reads the rest of an entry of the table of files.
func (p *program) file(name string) {
	p.files = append(p.files, fileName{name: name, folder: uint64(p.leb(false))})
	p.leb(false) // the time
	p.leb(false) // the size
}

// run interprets the opcodes up to the end of the program.
func (p *program) run(end uint64) {
	p.reset()
	for p.ok && p.at < end {
		switch op := p.byte(); {
		case op >= p.opcodeBase:
			step := op - p.opcodeBase
			p.advance(uint64(step / p.lineRange))
			p.next.line += int(p.lineBase) + int(step%p.lineRange)
			p.emit()
		case op == 0:
			p.extended()
		default:
			p.standard(op)
		}
	}
	p.ok = p.ok && p.at == end
}

func (p *program) reset() { p.next, p.rows = row{file: 1, line: 1}, nil }

func (p *program) advance(n uint64) { p.next.at.offset += n * uint64(p.step) }

// emit appends a row. Addresses that go back, which no compiler writes, end the sequence.
func (p *program) emit() {
	r := p.next
	if n := len(p.rows); n > 0 && (p.rows[n-1].at.section != r.at.section || p.rows[n-1].at.offset > r.at.offset) {
		p.close()
	}
	p.rows = append(p.rows, r)
}

// close ends the sequence.
func (p *program) close() {
	if len(p.rows) > 0 {
		p.done, p.rows = append(p.done, sequence{&p.unit, p.rows}), nil
	}
}

func (p *program) standard(op uint8) {
	switch op {
	case opCopy:
		p.emit()
	case opAdvance:
		p.advance(uint64(p.leb(false)))
	case opLine:
		p.next.line += int(p.leb(true))
	case opFile:
		p.next.file = uint64(p.leb(false))
	case opConstAdd:
		p.advance(uint64((255 - p.opcodeBase) / p.lineRange))
	case opFixedAdvance:
		p.next.at.offset += uint64(p.uint16())
	default: // such as the column
		for range p.operands[op-1] {
			p.leb(false)
		}
	}
}

// extended interprets an opcode with a size.
func (p *program) extended() {
	size := uint64(p.leb(false))
	start := p.at
	switch p.byte() {
	case extEnd:
		p.next.end = true
		p.emit()
		p.close()
		p.reset()
	case extAddress:
		to, ok := p.places[p.at]
		if b := p.take(8); b != nil && !ok {
			to = place{offset: le.Uint64(b)}
		}
		p.next.at = to
	case extFile:
		if name := p.string(); p.ok {
			p.file(name)
		}
	case extInlined:
		p.next.call, p.next.function = uint64(p.leb(false)), uint64(p.leb(false))
	}
	if p.at = start; p.take(size) == nil {
		p.ok = false
	}
}

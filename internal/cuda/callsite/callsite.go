// Package callsite resolves code addresses of a running process to the file of the code, the
// function, and the source line where debug information has it.
//
// It must know neither CUDA nor who asks.
package callsite

import (
	"bufio"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Frame describes a code address. Unknown fields are empty.
type Frame struct {
	Object   string // path of the executable or library
	Function string // as in the symbol table: mangled
	File     string
	Line     int
}

// Process finds the source lines of code addresses in a running process. It reads the executable and the libraries of
// the process at the first address in each. Several goroutines may use it.
type Process struct {
	mu          sync.Mutex
	pid         int
	objects     map[string]*object
	python      *python // nil if there is none
	interpreted bool    // python has been looked for
}

// Of returns the process with an id.
func Of(pid int) *Process { return &Process{pid: pid, objects: make(map[string]*object)} }

// Frames returns the frames of addresses, in order. An address in inlined code has several, the innermost first; an
// unknown one has an empty frame. What Interpret has made has the frames of Python.
func (p *Process) Frames(addresses []uint64) (frames []Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps, _ := p.mappings() // nothing is known of a process that has ended
	for _, address := range addresses {
		if address&PythonBit != 0 {
			if n := address &^ PythonBit; p.python != nil && n < uint64(len(p.python.frames)) {
				frames = append(frames, p.python.frames[n]...)
			}
			continue
		}
		i := slices.IndexFunc(maps, func(m mapping) bool { return address >= m.start && address < m.end })
		if i < 0 {
			frames = append(frames, Frame{})
			continue
		}
		frames = append(frames, p.object(maps[i].path).frames(address-maps[i].start+maps[i].offset)...)
	}
	return frames
}

// mapping is a part of a file in a process's memory.
type mapping struct {
	start, end, offset uint64
	path               string
	executable         bool
}

// mappings reads the files that a process has mapped, with their addresses.
func (p *Process) mappings() (list []mapping, err error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", p.pid))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// 7f1c-7f2d r-xp 00001000 08:01 1234   /usr/lib/libc.so.6
		words := strings.Fields(lines.Text())
		if len(words) < 6 || !strings.HasPrefix(words[5], "/") {
			continue
		}
		from, to, _ := strings.Cut(words[0], "-")
		m := mapping{path: words[5], executable: strings.Contains(words[1], "x")}
		var errs [3]error
		m.start, errs[0] = strconv.ParseUint(from, 16, 64)
		m.end, errs[1] = strconv.ParseUint(to, 16, 64)
		m.offset, errs[2] = strconv.ParseUint(words[2], 16, 64)
		if errs == [3]error{} {
			list = append(list, m)
		}
	}
	return list, nil
}

// object is an ELF file, as far as it can be read.
type object struct {
	path    string
	loads   []elf.ProgHeader
	symbols []elf.Symbol // functions
	lines   *dwarf.Data
}

func (p *Process) object(path string) *object {
	o := p.objects[path]
	if o == nil {
		o = &object{path: path}
		p.objects[path] = o
		o.read()
	}
	return o
}

// read reads the available parts: a stripped file has neither symbols nor lines.
func (o *object) read() {
	f, err := elf.Open(o.path)
	if err != nil {
		return
	}
	defer f.Close()
	for _, segment := range f.Progs {
		if segment.Type == elf.PT_LOAD {
			o.loads = append(o.loads, segment.ProgHeader)
		}
	}
	named, _ := f.Symbols()
	dynamic, _ := f.DynamicSymbols()
	for _, s := range slices.Concat(dynamic, named) {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
			o.symbols = append(o.symbols, s)
		}
	}
	o.lines, _ = f.DWARF()
}

// frames returns the frames at an offset of the file.
func (o *object) frames(offset uint64) []Frame {
	out := Frame{Object: o.path}
	i := slices.IndexFunc(o.loads, func(l elf.ProgHeader) bool { return offset >= l.Off && offset-l.Off < l.Filesz })
	if i < 0 {
		return []Frame{out}
	}
	address := offset - o.loads[i].Off + o.loads[i].Vaddr
	out.Function = o.function(address)
	if o.lines == nil {
		return []Frame{out}
	}
	return o.withLines(out, address)
}

// function returns the name of the function that contains an address, the shortest if it has several.
func (o *object) function(address uint64) (name string) {
	for _, s := range o.symbols {
		if address-s.Value < s.Size && (name == "" || len(s.Name) < len(name)) {
			name = s.Name
		}
	}
	return name
}

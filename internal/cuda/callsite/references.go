// Functions that the code of a process can call.

package callsite

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// Files returns the files that a process has mapped and that it may execute, in no order.
func (p *Process) Files() (files []string) {
	maps, _ := p.mappings() // there is none of a process that has ended
	for _, m := range maps {
		if m.executable && !slices.Contains(files, m.path) {
			files = append(files, m.path)
		}
	}
	return files
}

// Calls reports whether code of an ELF file may call one of some functions: the file imports it; has it, statically
// linked, and other code that refers to it; or else has its name as a string, by which the function can be looked up.
func Calls(file string, functions []string) bool {
	f, err := elf.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols := func(s *elf.Section) bool { return s.Type == elf.SHT_STRTAB && names(s, functions, "") }
	if slices.ContainsFunc(f.Sections, symbols) {
		if own, imports := defined(f, functions); imports || len(own) > 0 {
			return imports || refers(f, own)
		}
	}
	return slices.ContainsFunc(f.Sections,
		func(s *elf.Section) bool { return isConstant(s) && names(s, functions, "\x00") })
}

// defined returns the symbols of those functions that a file has, and whether it imports any of them.
func defined(f *elf.File, functions []string) (own []elf.Symbol, imports bool) {
	all, _ := f.Symbols()
	dynamic, _ := f.DynamicSymbols()
	for _, s := range slices.Concat(dynamic, all) {
		switch {
		case !slices.Contains(functions, s.Name):
		case s.Section == elf.SHN_UNDEF:
			imports = true
		case elf.ST_TYPE(s.Info) == elf.STT_FUNC:
			own = append(own, s)
		}
	}
	return own, imports
}

// refers reports whether code outside of some functions refers to one of them.
func refers(f *elf.File, functions []elf.Symbol) bool {
	for _, s := range f.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		code, err := s.Data()
		if err != nil {
			continue
		}
		for _, at := range references(f, code, s.Addr, functions) {
			if !slices.ContainsFunc(functions, func(f elf.Symbol) bool { return at-f.Value < f.Size }) {
				return true
			}
		}
	}
	return false
}

// references returns the addresses of code that refers to functions by its distance to them: calls and jumps; for
// x86-64 also loads of their addresses, by the distance, or by value in a program that is loaded where it says. Bytes
// that are none of these may look so, which is rare.
func references(file *elf.File, code []byte, start uint64, functions []elf.Symbol) (list []uint64) {
	find := func(at, target uint64) {
		if slices.ContainsFunc(functions, func(f elf.Symbol) bool { return f.Value == target }) {
			list = append(list, at)
		}
	}
	const word = 4
	switch file.Machine {
	case elf.EM_X86_64:
		for i := 1; i+word <= len(code); i++ {
			if file.Type == elf.ET_EXEC {
				find(start+uint64(i), uint64(binary.LittleEndian.Uint32(code[i:])))
			}
			if last := code[i-1]; last == 0xe8 || last == 0xe9 || last&0xc7 == 5 && i > 1 && code[i-2] == 0x8d {
				at := start + uint64(i)
				find(at, at+word+uint64(int64(int32(binary.LittleEndian.Uint32(code[i:])))))
			}
		}
	case elf.EM_AARCH64:
		for i := 0; i+word <= len(code); i += word {
			if w := binary.LittleEndian.Uint32(code[i:]); w&0x7c000000 == 0x14000000 { // b, bl
				at := start + uint64(i)
				find(at, at+uint64(int64(int32(w<<6))>>4))
			}
		}
	}
	return list
}

// mostStrings is the largest size in bytes of a data section that Calls searches for names. A larger section is not
// searched: it may list all functions of CUDA, whether the program calls them or not.
const mostStrings = 16 << 20

// isConstant reports whether a section, of a size that is looked at, has data that code does not change.
func isConstant(s *elf.Section) bool {
	return s.Type == elf.SHT_PROGBITS && s.Size <= mostStrings &&
		s.Flags&(elf.SHF_ALLOC|elf.SHF_WRITE|elf.SHF_EXECINSTR) == elf.SHF_ALLOC
}

// names reports whether a section has the name of a function as a string, behind what ends the string before. Tables of
// symbols have it also as the end of a longer name.
func names(s *elf.Section, functions []string, before string) bool {
	data, err := s.Data()
	return err == nil && slices.ContainsFunc(functions, func(name string) bool {
		return bytes.HasPrefix(data, []byte(name+"\x00")) || bytes.Contains(data, []byte(before+name+"\x00"))
	})
}

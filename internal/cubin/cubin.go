// Reading a cubin: from its sections to PTX.

package cubin

import (
	"bytes"
	"debug/elf"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Program is the PTX of a cubin.
type Program struct {
	PTX []byte // of all translation units, linked; nil if the cubin was compiled without line information
	// Without are the global functions of which the cubin has machine code only: those of objects that were compiled
	// without line information.
	Without []string
	// Target is the architecture that the compiler was asked for, such as sm_90a; "" if it is not recorded.
	Target string
}

// asked matches the architecture in the options of the compiler.
var asked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-arch[ =](sm_\d{2,3}[af]?)\b`) })

// Read reads the PTX of a cubin. A line table that cannot be read costs the lines, not the PTX.
func Read(name string, data []byte) (*Program, error) {
	m, err := openImage(name, data)
	if err != nil {
		return nil, err
	}
	units, err := m.units()
	if err != nil {
		return nil, err
	}
	described := m.lines(units)
	p := &Program{Without: m.functions(func(s elf.SectionIndex) bool { return !described[s] })}
	options, err := m.find(sectionOptions)
	if found := asked().FindSubmatch(options); err == nil && found != nil {
		p.Target = string(found[1])
	}
	if len(units) > 0 {
		p.PTX, err = link(name, units)
	}
	return p, err
}

// units returns the texts of the translation units.
func (m *image) units() (units []*unitText, err error) {
	for _, s := range m.file.Sections {
		if s.Name != sectionText && !strings.HasPrefix(s.Name, sectionText+".") {
			continue
		}
		text, err := m.bytes(s)
		if err != nil {
			return nil, err
		}
		if len(bytes.Trim(text, "\x00")) > 0 {
			units = append(units, newUnitText(s.Name, text))
		}
	}
	return units, nil
}

// link makes one text of those of translation units.
func link(name string, units []*unitText) ([]byte, error) {
	if len(units) == 1 {
		return units[0].ptx(), nil
	}
	var modules []*rewrite.Module
	for i, u := range units {
		tree, err := ptxgrammar.Parse(fmt.Sprintf("%s.%d.ptx", name, i+1), u.ptx())
		if err != nil {
			return nil, err
		}
		module, err := rewrite.LoadNewer(tree)
		if err != nil {
			return nil, err
		}
		modules = append(modules, module)
	}
	linked, _, err := rewrite.LinkAll(modules...) // the notes are about debug sections, of which there are none
	if err != nil {
		return nil, err
	}
	return linked.Source(), nil
}

// ptxLine is a line of one of several texts, from 1.
type ptxLine struct{ text, line int }

// lines assigns source locations to the lines of the units. The result is the set of code sections that
// .nv_debug_line_sass describes: the PTX of their functions is in the units.
func (m *image) lines(units []*unitText) map[elf.SectionIndex]bool {
	ptx, source := m.ptxLines(units), m.sourceLines()
	described := make(map[elf.SectionIndex]bool)
	for section, code := range ptx {
		described[section] = len(code) > 0
		join(code, source[section], func(at ptxLine, l *location, size uint64) { units[at.text].vote(at.line, l, size) })
	}
	return described
}

// ptxLines returns the lines of the texts by machine code.
func (m *image) ptxLines(units []*unitText) spans[ptxLine] {
	ptx, numbers := make(spans[ptxLine]), make(map[string]int)
	for i, u := range units {
		numbers[u.section] = i
	}
	sequences, _ := m.sequences(sectionPTX) // those before an error
	for _, s := range sequences {
		ptx.add(s, func(i int) (ptxLine, bool) {
			text, ok := numbers[m.path(s.unit, s.rows[i].file)]
			return ptxLine{text, s.rows[i].line}, ok || len(units) == 1 // a cubin of one unit does not name it
		})
	}
	ptx.sort()
	return ptx
}

// sourceLines returns the lines of the source by machine code.
func (m *image) sourceLines() spans[*location] {
	source, known := make(spans[*location]), newLocations(m)
	sequences, _ := m.sequences(sectionLines) // those before an error
	for _, s := range sequences {
		list := known.of(s)
		source.add(s, func(i int) (*location, bool) { return list[i], list[i] != nil })
	}
	source.sort()
	return source
}

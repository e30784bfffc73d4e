// The linker: debug information.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// strSection is the section with the strings that .loc directives name: functions from which code was inlined.
const strSection = ".debug_str"

// debugMerger merges the debug information that .loc directives need: .file numbers and names of inlined functions.
// Other debug sections refer to each other by offset and to source files by number. Those of the first module stay,
// since none of its numbers change; the others are dropped with a note.
type debugMerger struct {
	modules []*Module
	fileOf  map[*Module]map[int]int       // .file numbers in the result
	labelOf map[*Module]map[string]string // labels of strings in the result
	strings map[*Module][]piecesOf        // for all modules but the first
	notes   ptxgrammar.ErrorList
}

func newDebugMerger(modules []*Module) *debugMerger {
	d := &debugMerger{
		modules: modules, fileOf: make(map[*Module]map[int]int),
		labelOf: make(map[*Module]map[string]string), strings: make(map[*Module][]piecesOf),
	}
	d.numberFiles()
	d.mergeStrings()
	for _, m := range modules[1:] {
		d.noteSections(m)
	}
	return d
}

func (d *debugMerger) note(m *Module, at uint32, format string, args ...any) {
	d.notes = append(d.notes, &ptxgrammar.Error{Pos: m.AST.File.Position(at), Msg: fmt.Sprintf(format, args...)})
}

// numberFiles numbers the source files of all modules in the result. A file that several modules name gets one number.
func (d *debugMerger) numberFiles() {
	last := 0
	known := make(map[string]int)
	for _, f := range d.modules[0].AST.Files {
		last = max(last, f.Index)
		known[f.Name] = f.Index
	}
	for _, m := range d.modules[1:] {
		d.fileOf[m] = make(map[int]int)
		for _, f := range m.AST.Files {
			if known[f.Name] == 0 {
				last++
				known[f.Name] = last
			}
			d.fileOf[m][f.Index] = known[f.Name]
		}
	}
}

// files returns the .file directives of a module that earlier modules lack.
func (d *debugMerger) files(m *Module) []piecesOf {
	have := make(map[string]bool)
	for _, o := range d.modules[:slices.Index(d.modules, m)] {
		for _, f := range o.AST.Files {
			have[f.Name] = true
		}
	}
	var out []piecesOf
	for _, f := range m.AST.Files {
		if !have[f.Name] {
			have[f.Name] = true
			out = append(out, piecesOf{
				fmt.Sprintf("\t.file %d %q", d.fileOf[m][f.Index], f.Name),
				m.AST.File.Line(f.Start),
			})
		}
	}
	return out
}

// mergeStrings collects the strings that .loc directives of all modules but the first name, under fresh labels.
func (d *debugMerger) mergeStrings() {
	var names *namer
	taken := make(map[string]bool)
	byText := make(map[string]string) // labels by the text after them
	for _, m := range d.modules[1:] {
		all := m.labelledData()
		d.labelOf[m] = make(map[string]string)
		for i := range m.AST.Locs {
			l := &m.AST.Locs[i]
			if l.Function == "" || d.labelOf[m][l.Function] != "" {
				continue
			}
			data, ok := all[l.Function]
			if !ok {
				d.note(m, l.Start, "no debug section has %q: where the code was inlined is dropped", l.Function)
				continue
			}
			if names == nil {
				names = newNamer(d.sources()...)
				for _, word := range words(string(d.modules[0].Source())) {
					taken[word] = true
				}
			}
			label := byText[data]
			if label == "" {
				if label = l.Function; taken[label] {
					label = "$" + strings.TrimPrefix(names.symbol("string"), "__")
				}
				taken[label], byText[data] = true, label
				d.strings[m] = append(d.strings[m], piecesOf{label + ":" + data, 0})
			}
			d.labelOf[m][l.Function] = label
		}
	}
}

// sources returns the text of all modules.
func (d *debugMerger) sources() [][]byte {
	var texts [][]byte
	for _, m := range d.modules {
		texts = append(texts, m.Source())
	}
	return texts
}

// labelledData returns the data of a module's debug strings by label.
func (m *Module) labelledData() map[string]string {
	out := make(map[string]string)
	for _, d := range m.sections() {
		if sectionName(m, d) != strSection {
			continue
		}
		text := m.AST.Text(d.Range)
		end := strings.LastIndexByte(text, '}')
		type label struct {
			name     string
			at, data int
		}
		var labels []label
		for at, word := range words(text) {
			after := strings.TrimLeft(text[at+len(word):], " \t\r\n")
			if strings.HasPrefix(after, ":") {
				labels = append(labels, label{word, at, len(text) - len(after) + 1})
			}
		}
		for i, l := range labels {
			to := end
			if i+1 < len(labels) {
				to = labels[i+1].at
			}
			out[l.name] = strings.TrimRight(text[l.data:to], " \t\r\n")
		}
	}
	return out
}

// sections returns the debug sections of a module's top level.
func (m *Module) sections() []*ptxgrammar.Directive {
	var out []*ptxgrammar.Directive
	for _, it := range m.AST.Items {
		if it.Kind == ptxgrammar.ItemDirective && m.AST.Directives[it.Index].Name == ".section" {
			out = append(out, &m.AST.Directives[it.Index])
		}
	}
	return out
}

// sectionName returns the name of a section, which follows .section.
func sectionName(m *Module, d *ptxgrammar.Directive) string {
	head, _, _ := strings.Cut(m.AST.Text(d.Range), "{")
	fields := strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(" \t\r\n,\"", r) })
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}

// noteSections notes which debug sections of a module other than the first are dropped.
func (d *debugMerger) noteSections(m *Module) {
	for _, s := range m.sections() {
		_, data, _ := strings.Cut(m.AST.Text(s.Range), "{")
		name := sectionName(m, s)
		if name == strSection || blank([]byte(strings.TrimSuffix(data, "}"))) {
			continue
		}
		d.note(m, s.Start,
			"debug section %s is dropped: it numbers source files and other sections' entries as they are without %s",
			name, d.modules[0].AST.File.Name)
	}
}

// loc returns a .loc directive with the result's numbers and labels.
func (d *debugMerger) loc(m *Module, l *ptxgrammar.Loc) string {
	text := fmt.Sprintf(".loc %d %d %d", d.fileOf[m][l.File], l.Line, l.Col)
	label := d.labelOf[m][l.Function]
	if l.InlinedAt == nil || label == "" {
		return text
	}
	if l.FunctionOffset != 0 {
		label = fmt.Sprintf("%s+%d", label, l.FunctionOffset)
	}
	at := l.InlinedAt
	return fmt.Sprintf("%s, function_name %s, inlined_at %d %d %d", text, label, d.fileOf[m][at.File], at.Line, at.Col)
}

// ownStrings returns the first module's string section, nil if it has none.
func (d *debugMerger) ownStrings() *ptxgrammar.Directive {
	for _, s := range d.modules[0].sections() {
		if sectionName(d.modules[0], s) == strSection {
			return s
		}
	}
	return nil
}

// stringsOf returns the strings to insert for one module: into the first module's section, or into a new one, which
// begins with the first and ends with the last module that has strings.
func (d *debugMerger) stringsOf(m *Module) []piecesOf {
	out := slices.Clone(d.strings[m])
	if out == nil || d.ownStrings() != nil {
		return out
	}
	has := func(m *Module) bool { return d.strings[m] != nil }
	if m == d.modules[slices.IndexFunc(d.modules, has)] {
		out = append([]piecesOf{{"\t.section\t" + strSection + "\n\t{", 0}}, out...)
	}
	if later := d.modules[slices.Index(d.modules, m)+1:]; !slices.ContainsFunc(later, has) {
		out = append(out, piecesOf{"\t}", 0})
	}
	return out
}

// stringsPlace returns the position of the inserted strings.
func (d *debugMerger) stringsPlace() uint32 {
	if own := d.ownStrings(); own != nil {
		return own.End - 1
	}
	return uint32(len(d.modules[0].Source()))
}

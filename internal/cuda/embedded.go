// Sources of kernels in their PTX: of those that are compiled when the application runs. The lines of a string in a
// file of Python are those of the file; other sources are quoted, since no file has them.

package cuda

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/producer"
)

// sourceLine begins each line of the comments after producer.SourceMark.
const sourceLine = "//|"

// embeddedSource returns the source at the end of PTX, and the name of its program; "" if there is none.
func embeddedSource(ptx []byte) (name, source string) {
	at := bytes.LastIndex(ptx, []byte(producer.SourceMark))
	if at < 0 {
		return "", ""
	}
	name, rest, _ := strings.Cut(string(ptx[at+len(producer.SourceMark):]), "\n")
	var text strings.Builder
	for line := range strings.Lines(rest) {
		own, ok := strings.CutPrefix(line, sourceLine)
		if !ok {
			break
		}
		text.WriteString(own)
	}
	return name, strings.TrimSuffix(text.String(), "\n")
}

// extract is a text in a file: the number of its line there that is its first, and the column before its first
// character.
type extract struct {
	file         string
	line, column int
}

// find returns the place of a source in a file. The white space around it may differ. ok is false if the file cannot be
// read or does not have the source exactly once.
func find(source, file string) (at extract, ok bool) {
	const most = 4 << 20
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return at, false
	}
	text, err := os.ReadFile(file)
	inner := strings.TrimSpace(source)
	begin := bytes.Index(text, []byte(inner))
	if err != nil || inner == "" || begin < 0 || begin != bytes.LastIndex(text, []byte(inner)) {
		return at, false
	}
	before := source[:strings.Index(source, inner)]
	at = extract{file: file, line: 1 + bytes.Count(text[:begin], []byte("\n")) - strings.Count(before, "\n")}
	if column := begin - 1 - bytes.LastIndexByte(text[:begin], '\n'); before == "" {
		at.column = column
	}
	return at, true
}

// Directives with places: a file, and a line of it or of a place at which a function was inlined.
var (
	fileDirective = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(\s*\.file\s+(\d+)\s+)"([^"\n]*)"`)
	})
	place3 = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\.loc\s+|\binlined_at\s+)(\d+)\s+(\d+)\s+(\d+)`)
	})
)

// fileOf returns the file of a program in its PTX and the number of the file, "" if no place is in it.
func fileOf(ptx []byte, program string) (file, number string) {
	for _, m := range fileDirective().FindAllSubmatch(ptx, -1) {
		if path.Base(string(m[3])) == path.Base(program) {
			return string(m[3]), string(m[2])
		}
	}
	return "", ""
}

// relocate returns PTX in which the places in the source of a program are those in the file that contains the source.
func relocate(ptx []byte, program string, to extract) []byte {
	_, number := fileOf(ptx, program)
	if number == "" || strings.ContainsAny(to.file, "\"\\\n") {
		return ptx
	}
	ptx = fileDirective().ReplaceAllFunc(ptx, func(directive []byte) []byte {
		m := fileDirective().FindSubmatch(directive)
		if string(m[2]) != number {
			return directive
		}
		return append(bytes.Clone(m[1]), strconv.Quote(to.file)...)
	})
	return place3().ReplaceAllFunc(ptx, func(place []byte) []byte {
		m := place3().FindSubmatch(place)
		line, _ := strconv.Atoi(string(m[3]))
		column, _ := strconv.Atoi(string(m[4]))
		if string(m[2]) != number || line == 0 {
			return place
		}
		if line == 1 && column > 0 {
			column += to.column
		}
		line += to.line - 1
		return append(bytes.Clone(m[1]), number+" "+strconv.Itoa(line)+" "+strconv.Itoa(column)...)
	})
}

// mostSources limits the sources that a process keeps, in bytes.
const mostSources = 16 << 20

// sources are the sources of modules that are in no file, by the name that the modules have for the file.
type sources struct {
	files map[string]string
	size  int
}

// keep adds the source of module id, and returns its PTX, in which another name is used if it is that of another
// source.
func (s *sources) keep(id uint64, ptx []byte) []byte {
	program, source := embeddedSource(ptx)
	file, _ := fileOf(ptx, program)
	if was, known := s.files[file]; known && was != source {
		file = fmt.Sprintf("module%d.cu", id)
		ptx = relocate(ptx, program, extract{file: file, line: 1})
	}
	if _, known := s.files[file]; known || file == "" || s.size+len(source) > mostSources {
		return ptx
	}
	if s.files == nil {
		s.files = make(map[string]string)
	}
	s.files[file], s.size = source, s.size+len(source)
	return ptx
}

// line returns a line of a source.
func (s *sources) line(file string, n int) (string, bool) {
	lines := strings.Split(s.files[file], "\n")
	if s.files[file] == "" || n < 1 || n > len(lines) {
		return "", false
	}
	return lines[n-1], true
}

// place returns the PTX of module id with the places of its source in a file of Python, if one of the frames of the
// call is in a file with the source. Else it keeps the source.
func (s *sources) place(id uint64, ptx []byte, frames func() []callsite.Frame) []byte {
	if !bytes.Contains(ptx, []byte(producer.SourceMark)) {
		return ptx
	}
	var files []string
	for _, f := range frames() {
		if !slices.Contains(files, f.File) {
			files = append(files, f.File)
		}
	}
	if placed, ok := placed(ptx, files); ok {
		return placed
	}
	return s.keep(id, ptx)
}

// placed returns PTX with the places of its source in the first of the files that has it, if one has it.
func placed(ptx []byte, files []string) ([]byte, bool) {
	program, source := embeddedSource(ptx)
	for _, file := range files {
		if at, ok := find(source, file); ok {
			return relocate(ptx, program, at), true
		}
	}
	return ptx, false
}

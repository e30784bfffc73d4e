package app

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Many executions of the fuzz targets without coverage feedback, which takes more time than most of them: `make
// mutants`.

var (
	mutants      = flag.Int("mutants", 100, "executions of each target in TestMutants")
	mutantsSeed  = flag.Uint64("mutants.seed", 1, "the first of them")
	mutantTarget = flag.String("mutants.target", "", "only this target of commandTargets")
	mutantCorpus = flag.String("mutants.corpus", "", "one more folder of inputs to begin with, for each target a folder such as FuzzCommandPTX")
)

// fuzzInput is an input of a target: the contents of the file, and the command line that reads it.
type fuzzInput struct {
	data []byte
	line byte
}

// TestMutants runs every target on mutants of its corpus. An input that fails is put into
// the corpus.
func TestMutants(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(commandTargets)) {
		if *mutantTarget != "" && name != *mutantTarget {
			continue
		}
		t.Run(name, func(t *testing.T) { runMutants(t, name, commandTargets[name]) })
	}
}

func runMutants(t *testing.T, name string, target *commandTarget) {
	c := newCommandFuzzer(t)
	corpus := fuzzCorpus(t, c, name, target)
	begin := time.Now()
	last := begin
	for i := range *mutants {
		m := &mutator{Rand: rand.New(rand.NewPCG(*mutantsSeed+uint64(i), 7)), corpus: corpus}
		input := m.input(len(target.lines))
		target.run(t, c, input.data, input.line)
		if t.Failed() {
			keepInput(t, name, target, input)
			t.Fatalf("mutant %d", *mutantsSeed+uint64(i))
		}
		if time.Since(last) > time.Minute {
			last = time.Now()
			t.Logf("%d executions, %.0f per second", i+1, float64(i+1)/time.Since(begin).Seconds())
		}
	}
	t.Logf("%d executions, %.0f per second, of %d inputs", *mutants, float64(*mutants)/time.Since(begin).Seconds(), len(corpus))
}

// fuzzCorpus returns the initial corpus of a target: its seeds and files.
func fuzzCorpus(t *testing.T, c *commandFuzzer, name string, target *commandTarget) (inputs []fuzzInput) {
	for _, text := range target.seeds(c) {
		for i := range target.lines {
			inputs = append(inputs, fuzzInput{[]byte(text), byte(i)})
		}
	}
	for _, dir := range []string{"testdata/fuzz", *mutantCorpus} {
		files, err := filepath.Glob(filepath.Join(dir, "FuzzCommand"+name, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inputs = append(inputs, parseInput(t, file, text))
		}
	}
	return inputs
}

// inputPattern matches a file of a corpus of Go's fuzzing.
var inputPattern = regexp.MustCompile(`^go test fuzz v1\n\[\]byte\((".*")\)\n(?:byte\(('.*')\)\n)?$`)

func parseInput(t *testing.T, file string, text []byte) (in fuzzInput) {
	t.Helper()
	parts := inputPattern.FindSubmatch(text)
	if parts == nil {
		t.Fatalf("%s is no input of a target", file)
	}
	data, err := strconv.Unquote(string(parts[1]))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(parts[2]) > 0 {
		line, _, _, err := strconv.UnquoteChar(string(parts[2][1:len(parts[2])-1]), '\'')
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		in.line = byte(line)
	}
	in.data = []byte(data)
	return in
}

// keepInput adds an input to the corpus of a target.
func keepInput(t *testing.T, name string, target *commandTarget, in fuzzInput) {
	text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", in.data)
	if len(target.lines) > 1 {
		text += fmt.Sprintf("byte(%q)\n", in.line)
	}
	file := filepath.Join("testdata/fuzz", "FuzzCommand"+name, fmt.Sprintf("mutant-%x", in.data[:min(8, len(in.data))]))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	t.Logf("the input is in %s", file)
}

// A mutator makes inputs out of those of a corpus.
type mutator struct {
	*rand.Rand
	corpus []fuzzInput
	data   []byte
}

// longestMutant is the maximum size of an input in bytes.
const longestMutant = 1 << 14

// input returns an input of the corpus, changed a few times.
func (m *mutator) input(lines int) fuzzInput {
	in := m.corpus[m.IntN(len(m.corpus))]
	m.data = slices.Clone(in.data)
	if lines > 1 && m.IntN(4) == 0 {
		in.line = byte(m.IntN(lines))
	}
	changes := []func(){
		m.flip, m.replaceByte, m.replaceInteger, m.remove, m.repeat, m.insert, m.splice, m.splice,
		m.replaceNumber, m.replaceNumber, m.replaceWord, m.replaceWord, m.removeLine, m.repeatLine, m.swapLines,
	}
	for range 1 + m.IntN(4) {
		changes[m.IntN(len(changes))]()
	}
	in.data = m.data[:min(len(m.data), longestMutant)]
	return in
}

// at returns a place in the input, or behind its end.
func (m *mutator) at() int { return m.IntN(len(m.data) + 1) }

// part returns a range of bytes, of which short ones are more likely.
func (m *mutator) part(data []byte) (from, to int) {
	from = m.IntN(len(data) + 1)
	return from, from + m.IntN(min(len(data)-from, 1<<m.IntN(10))+1)
}

func (m *mutator) flip() {
	if len(m.data) > 0 {
		m.data[m.IntN(len(m.data))] ^= 1 << m.IntN(8)
	}
}

func (m *mutator) replaceByte() {
	if len(m.data) > 0 {
		m.data[m.IntN(len(m.data))] = byte(m.Uint32())
	}
}

// edgeIntegers are numbers at which something changes.
var edgeIntegers = []uint64{
	0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 1023, 1024, 1025, 4096, 65535, 65536, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1,
}

func (m *mutator) edge() uint64 { return edgeIntegers[m.IntN(len(edgeIntegers))] }

func (m *mutator) replaceInteger() {
	size := 1 << m.IntN(4)
	if at := m.at(); at+size <= len(m.data) {
		copy(m.data[at:], binary.LittleEndian.AppendUint64(nil, m.edge())[:size])
	}
}

func (m *mutator) remove() {
	from, to := m.part(m.data)
	m.data = slices.Delete(m.data, from, to)
}

func (m *mutator) repeat() {
	from, to := m.part(m.data)
	m.data = slices.Insert(m.data, to, slices.Clone(m.data[from:to])...)
}

func (m *mutator) insert() {
	for range 1 + m.IntN(4) {
		m.data = slices.Insert(m.data, m.at(), byte(m.Uint32()))
	}
}

// splice inserts a part of another input.
func (m *mutator) splice() {
	other := m.corpus[m.IntN(len(m.corpus))].data
	from, to := m.part(other)
	m.data = slices.Insert(m.data, m.at(), other[from:to]...)
}

var (
	numberPattern = regexp.MustCompile(`[0-9]+`)
	wordPattern   = regexp.MustCompile(`[%.$@]?[A-Za-z_][A-Za-z0-9_.-]*|[{}\[\](),:;]`)
)

// find returns a match in data, nil if there is none. It looks behind a random place first.
func (m *mutator) find(pattern *regexp.Regexp, data []byte) []int {
	from := m.IntN(len(data) + 1)
	if at := pattern.FindIndex(data[from:]); at != nil {
		return []int{from + at[0], from + at[1]}
	}
	return pattern.FindIndex(data)
}

func (m *mutator) replaceNumber() {
	if at := m.find(numberPattern, m.data); at != nil {
		text := strconv.FormatUint(m.edge(), 10)
		if m.IntN(4) == 0 {
			text = "-" + text
		}
		m.data = slices.Replace(m.data, at[0], at[1], []byte(text)...)
	}
}

// replaceWord puts a word of another input in the place of one.
func (m *mutator) replaceWord() {
	other := m.corpus[m.IntN(len(m.corpus))].data
	at, by := m.find(wordPattern, m.data), m.find(wordPattern, other)
	if at != nil && by != nil {
		m.data = slices.Replace(m.data, at[0], at[1], other[by[0]:by[1]]...)
	}
}

// editLines changes the lines of the input.
func (m *mutator) editLines(change func(lines [][]byte) [][]byte) {
	m.data = bytes.Join(change(bytes.SplitAfter(m.data, []byte("\n"))), nil)
}

func (m *mutator) removeLine() {
	m.editLines(func(lines [][]byte) [][]byte {
		i := m.IntN(len(lines))
		return slices.Delete(lines, i, i+1)
	})
}

func (m *mutator) repeatLine() {
	m.editLines(func(lines [][]byte) [][]byte {
		return slices.Insert(lines, m.IntN(len(lines)), lines[m.IntN(len(lines))])
	})
}

func (m *mutator) swapLines() {
	m.editLines(func(lines [][]byte) [][]byte {
		i, j := m.IntN(len(lines)), m.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return lines
	})
}

// TestParseInput tests that the output of keepInput can be read.
func TestParseInput(t *testing.T) {
	for line := range 256 {
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\nbyte(%q)\n", "a\x00\xff\"\n", byte(line))
		if in := parseInput(t, "text", []byte(text)); in.line != byte(line) || string(in.data) != "a\x00\xff\"\n" {
			t.Fatalf("%q is read as %q and %d", text, in.data, in.line)
		}
	}
}

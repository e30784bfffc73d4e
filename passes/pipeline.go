// Pipelines and their text form.

package passes

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Pipeline is a sequence of passes with their options. The zero value is the
// empty pipeline, the identity.
type Pipeline struct{ steps []step }

type step struct {
	pass    *Pass
	options any
	text    string // name<key=value,...>, as printed by String
}

// Passes returns the passes of the pipeline in order, without required ones.
func (p Pipeline) Passes() []*Pass {
	list := make([]*Pass, len(p.steps))
	for i, s := range p.steps {
		list[i] = s.pass
	}
	return list
}

// WatchesOnly reports whether all that the passes insert only watches the program (Pass.WatchesOnly).
func (p Pipeline) WatchesOnly() bool {
	return !slices.ContainsFunc(p.steps, func(s step) bool { return !s.pass.WatchesOnly })
}

// Append returns the pipeline with the passes of another appended.
func (p Pipeline) Append(q Pipeline) Pipeline {
	return Pipeline{slices.Concat(p.steps, q.steps)}
}

// Split returns a pipeline for each pass.
func (p Pipeline) Split() []Pipeline {
	list := make([]Pipeline, len(p.steps))
	for i := range p.steps {
		list[i] = Pipeline{p.steps[i : i+1 : i+1]}
	}
	return list
}

// Options returns the options of pass i, as from its Flags, with the values of the pipeline.
func (p Pipeline) Options(i int) any { return p.steps[i].options }

// String returns the pipeline's text. Parsing it gives an equal pipeline.
func (p Pipeline) String() string {
	list := make([]string, len(p.steps))
	for i, s := range p.steps {
		list[i] = s.text
	}
	return strings.Join(list, ",")
}

// PipelineError is a mistake in the text of a pipeline.
type PipelineError struct {
	Text string
	Col  int // from 1, in bytes
	Msg  string
}

func (e *PipelineError) Error() string {
	return fmt.Sprintf("pipeline %q, column %d: %s", e.Text, e.Col, e.Msg)
}

// ParsePipeline parses the text of a pipeline, in LLVM's notation:
//
//	acqrel,iguard<granularity=8,locks=false>
//
// An option without a value is true. Blanks around words are ignored. The empty text is the empty pipeline. The error
// is a *PipelineError.
func ParsePipeline(text string, all []*Pass) (Pipeline, error) {
	ps := &pipelineParser{text: text, all: all}
	var p Pipeline
	ps.blanks()
	if ps.pos == len(text) {
		return p, nil
	}
	for {
		s, err := ps.step()
		if err != nil {
			return Pipeline{}, err
		}
		p.steps = append(p.steps, s)
		if ps.pos == len(text) {
			return p, nil
		}
		if !ps.accept(',') {
			return Pipeline{}, ps.errorf(ps.pos, "unexpected %q; expected ',' or the end", ps.next())
		}
	}
}

type pipelineParser struct {
	text string
	pos  int
	all  []*Pass
}

func (ps *pipelineParser) errorf(at int, format string, args ...any) error {
	return &PipelineError{ps.text, at + 1, fmt.Sprintf(format, args...)}
}

func (ps *pipelineParser) blanks() {
	for ps.pos < len(ps.text) && (ps.text[ps.pos] == ' ' || ps.text[ps.pos] == '\t') {
		ps.pos++
	}
}

// next returns the next character as text for messages.
func (ps *pipelineParser) next() string {
	if ps.pos == len(ps.text) {
		return "end of text"
	}
	return string([]rune(ps.text[ps.pos:])[0])
}

func (ps *pipelineParser) accept(c byte) bool {
	if ps.pos < len(ps.text) && ps.text[ps.pos] == c {
		ps.pos++
		ps.blanks()
		return true
	}
	return false
}

// word reads up to one of the stop characters and trims blanks; at is its offset.
func (ps *pipelineParser) word(stop string) (word string, at int) {
	at = ps.pos
	for ps.pos < len(ps.text) && !strings.ContainsRune(stop, rune(ps.text[ps.pos])) {
		ps.pos++
	}
	return strings.TrimRight(ps.text[at:ps.pos], " \t"), at
}

func (ps *pipelineParser) step() (step, error) {
	ps.blanks()
	name, at := ps.word(",<>=")
	if name == "" {
		return step{}, ps.errorf(at, "expected the name of a pass, found %q", ps.next())
	}
	pass := ps.find(name)
	if pass == nil {
		return step{}, ps.errorf(at, "unknown pass %q%s", name, suggest(name, ps.passNames(), "passes"))
	}
	s := step{pass: pass, text: name}
	fs, options := pass.flags()
	s.options = options
	if !ps.accept('<') {
		return s, nil
	}
	var given []string
	for !ps.accept('>') {
		if len(given) > 0 && !ps.accept(',') {
			return step{}, ps.errorf(ps.pos, "unexpected %q; expected ',' or '>' after an option of %s", ps.next(),
				name)
		}
		option, err := ps.option(pass, fs)
		if err != nil {
			return step{}, err
		}
		given = append(given, option)
	}
	if len(given) > 0 {
		s.text += "<" + strings.Join(given, ",") + ">"
	}
	return s, nil
}

// option parses key[=value] into the flags and returns it in canonical form.
func (ps *pipelineParser) option(pass *Pass, fs *flag.FlagSet) (string, error) {
	key, at := ps.word(",<>=")
	if key == "" {
		return "", ps.errorf(at, "expected an option of %s, found %q", pass.Name, ps.next())
	}
	f := fs.Lookup(key)
	if f == nil {
		var names []string
		for _, o := range pass.Options() {
			names = append(names, o.Name)
		}
		if names == nil {
			return "", ps.errorf(at, "pass %s has no options", pass.Name)
		}
		return "", ps.errorf(at, "pass %s has no option %q%s", pass.Name, key, suggest(key, names, "options"))
	}
	value := "true"
	if ps.accept('=') {
		value, at = ps.word(",<>=")
	} else if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
		return "", ps.errorf(ps.pos, "option %s of %s needs a value: %s", key, pass.Name, f.Usage)
	}
	if err := fs.Set(key, value); err != nil {
		return "", ps.errorf(at, "option %s of %s: %q: %v", key, pass.Name, value, err)
	}
	return key + "=" + f.Value.String(), nil
}

func (ps *pipelineParser) find(name string) *Pass {
	for _, p := range ps.all {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func (ps *pipelineParser) passNames() []string {
	names := make([]string, len(ps.all))
	for i, p := range ps.all {
		names[i] = p.Name
	}
	return names
}

// suggest returns the end of a message about an unknown name: the most similar name, and all names.
func suggest(name string, names []string, what string) string {
	s := ""
	if near := isa.Nearest(name, slices.Values(names)); near != "" {
		s = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Sprintf("%s (%s: %s)", s, what, strings.Join(names, ", "))
}

// ParsePipelineFile parses a pipeline from lines of passes. # starts a comment, and the comma at the end of a line is
// optional. Errors begin with name, line and column.
func ParsePipelineFile(name, text string, known []*Pass) (Pipeline, error) {
	var p Pipeline
	line := 0
	for s := range strings.Lines(text) {
		line++
		s, _, _ = strings.Cut(s, "#")
		more, err := ParsePipeline(strings.TrimSuffix(strings.TrimSpace(s), ","), known)
		if err != nil {
			col := 1
			var mistake *PipelineError
			if errors.As(err, &mistake) {
				col = mistake.Col + len(s) - len(strings.TrimLeft(s, " \t"))
				err = errors.New(mistake.Msg)
			}
			return p, fmt.Errorf("%s:%d:%d: %w", name, line, col, err)
		}
		p = p.Append(more)
	}
	return p, nil
}

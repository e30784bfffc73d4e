// Detectors as users name them: by kind and options.

package detectors

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// Detector is a race detector with its options. It is either inside the kernel, where a pass inserts it and a host half
// reads its findings, or it listens to the program as it is. Several sessions may use it at a time.
type Detector struct {
	Kind     *detectorKind
	pipeline passes.Pipeline // pipeline with its pass and options
}

// ParseDetectors parses a comma-separated list of detectors, each with options as NAME<option=value,...>. The error is
// an *InputError.
func ParseDetectors(spec string) ([]*Detector, error) {
	p, err := passes.ParsePipeline(spec, detectorPasses())
	if err != nil {
		var pe *passes.PipelineError
		if errors.As(err, &pe) {
			err = fmt.Errorf("%q, column %d: %s", pe.Text, pe.Col, inDetectorWords.Replace(pe.Msg))
		}
		return nil, badinput.Wrap(err)
	}
	var list []*Detector
	seen := make(map[string]bool)
	for _, one := range p.Split() {
		d := &Detector{Kind: kindOf(one.Passes()[0]), pipeline: one}
		if seen[d.Name()] {
			return nil, badinput.Errorf("%s is named twice", d.Name())
		}
		seen[d.Name()] = true
		if d.Listens() {
			if _, err := d.Kind.Listen(one.Options(0)); err != nil {
				return nil, badinput.Wrap(err)
			}
		}
		list = append(list, d)
	}
	if list == nil {
		return nil, badinput.Errorf("expected a detector")
	}
	return list, nil
}

// WithOption returns a copy of list in which the detector of that name has an additional option. The error is an
// *InputError.
func WithOption(list []*Detector, name, option, value string) ([]*Detector, error) {
	var words []string
	found := false
	for _, d := range list {
		text := d.String()
		if d.Name() == name {
			found = true
			if before, has := strings.CutSuffix(text, ">"); has {
				text = before + "," + option + "=" + value + ">"
			} else {
				text += "<" + option + "=" + value + ">"
			}
		}
		words = append(words, text)
	}
	if !found {
		return nil, badinput.Errorf("expected the detector %s, found %s", name, Names(list))
	}
	return ParseDetectors(strings.Join(words, ","))
}

// NewDetector makes a custom detector that listens: a session calls listen for each of its programs. The name appears
// in reports.
func NewDetector(name string, listen func() (detect.Detector, error)) (*Detector, error) {
	pass := &passes.Pass{Name: name, Doc: name}
	pipeline, err := passes.ParsePipeline(name, []*passes.Pass{pass})
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	kind := &detectorKind{Pass: pass, Listen: func(any) (detect.Detector, error) { return listen() }}
	return &Detector{Kind: kind, pipeline: pipeline}, nil
}

// inDetectorWords rewrites messages of the pipeline parser for detectors.
var inDetectorWords = strings.NewReplacer("unknown pass", "unknown detector", "passes:", "detectors:", "of a pass",
	"of a detector", "pass ", "detector ")

// Name returns the detector's name, without options.
func (d *Detector) Name() string { return d.Kind.Pass.Name }

// String returns the detector with its options, as ParseDetectors reads it.
func (d *Detector) String() string { return d.pipeline.String() }

// Pipeline returns the pass that instruments for a detector inside the kernel, with its options.
func (d *Detector) Pipeline() passes.Pipeline { return d.pipeline }

// Listens reports whether the detector listens to the program as it is. Such detectors share a run; each other detector
// has its own.
func (d *Detector) Listens() bool {
	return d.Kind.Listen != nil && (d.Kind.instruments == nil || !d.Kind.instruments(d.Options()))
}

// Options returns the options of the detector's pass.
func (d *Detector) Options() any { return d.pipeline.Options(0) }

// Names returns the names of detectors, separated by commas.
func Names(list []*Detector) string {
	var words []string
	for _, d := range list {
		words = append(words, d.Name())
	}
	return strings.Join(words, ",")
}

// Specs returns detectors with their options, separated by commas.
func Specs(list []*Detector) string {
	var words []string
	for _, d := range list {
		words = append(words, d.String())
	}
	return strings.Join(words, ",")
}

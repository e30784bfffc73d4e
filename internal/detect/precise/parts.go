// Parts of a launch: groups of blocks that do not communicate with the other blocks, checked separately.

package precise

import (
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// partShare is the divisor of the detector's memory that gives the share of a part of a launch.
const partShare = 16

// launchParts holds the races of a launch's parts. It is usually empty: when a part has a race, the whole launch is
// checked, so that its races are described in view of all of it (package evidence). It also holds the dependences of
// parts.
type launchParts struct {
	mu     sync.Mutex
	number uint64        // of the first part with races
	races  []detect.Race // of that part

	dependences []detect.Dependence // of all parts, in any order
	undecided   string              // of all parts the first one in alphabetical order that is not empty
}

// launchPart checks parts of a launch, one after the other. Earlier parts have no influence on the result for a part,
// since the distribution of parts over goroutines depends on the number of goroutines.
type launchPart struct {
	Detector
	whole  *Detector
	number uint64
}

// TakesParts implements abi.PartsReceiver: two accesses of different parts cannot race.
func (d *Detector) TakesParts() bool {
	return d.opts.Model == options.ModelPTX && !d.Overflowed && !d.opts.Enforced
}

// Divide implements abi.PartsReceiver.
func (d *Detector) Divide(goroutines int) []abi.PartReceiver {
	d.parts = &launchParts{}
	list := make([]abi.PartReceiver, goroutines)
	for i := range list {
		list[i] = &launchPart{whole: d}
	}
	return list
}

// BeginPart implements abi.PartReceiver.
func (p *launchPart) BeginPart(number uint64) {
	d := p.whole
	p.number = number
	p.Detector = Detector{opts: d.opts, replicas: d.replicas.fresh()}
	p.Model, p.Tuning, p.Absent, p.Journals = d.Model, d.Tuning, d.Absent, d.Journals/partShare
	p.opts.Memory /= partShare
	p.Evidence.Sites = d.Evidence.Sites
	p.Begin(d.Launch)
}

// EndPart implements abi.PartReceiver. A part that could not be checked to its end is checked again with the whole
// launch, for which there is more memory.
func (p *launchPart) EndPart() bool {
	races := p.End()
	if len(races) > 0 {
		p.whole.parts.add(p.number, races)
	}
	if p.phases != nil {
		p.whole.parts.depend(p.phases.Reasons())
	}
	return len(races)+len(p.Losses) == 0
}

// add records the races of a part.
func (p *launchParts) add(number uint64, races []detect.Race) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.races == nil || number < p.number {
		p.number, p.races = number, races
	}
}

// depend adds the dependences of a part.
func (p *launchParts) depend(list []detect.Dependence, undecided string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range list {
		if !slices.Contains(p.dependences, x) {
			p.dependences = append(p.dependences, x)
		}
	}
	if p.undecided == "" || undecided != "" && undecided < p.undecided {
		p.undecided = undecided
	}
}

// Unite implements abi.PartsReceiver.
func (d *Detector) Unite(ok bool) {
	if !ok {
		d.parts = nil
	}
}

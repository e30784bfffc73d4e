// Plans: launch files as scenarios.

package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// Scenario sets up a session and launches kernels in it. It is played once for each schedule of an exploration, in
// several sessions concurrently, and must do the same in all of them.
type Scenario interface {
	Play(ctx context.Context, s *Session) error
}

// Plan is the scenario of a launch file: one program, buffers, and launches known in advance.
type Plan struct {
	Program  *Program
	File     *launch.File
	Launches []Launch // of the file, without arguments
}

// NewPlan resolves the kernels of all launches of a file and checks their arguments and extents, so that mistakes show
// before anything is executed. maxSteps is emu.Config.MaxSteps. The error is an *InputError with the position in the
// file.
func NewPlan(p *Program, file *launch.File, maxSteps uint64) (*Plan, error) {
	plan := &Plan{Program: p, File: file}
	for i := range file.Launches {
		src := &file.Launches[i]
		l := Launch{
			Program: p, Kernel: src.Kernel, Grid: dim3(src.Grid), Block: dim3(src.Block), Cluster: dim3(src.Cluster),
			Shared: src.Shared, Cooperative: src.Cooperative, Programmatic: src.Programmatic, source: src,
		}
		if _, err := l.withFileArgs(nil).bindTo(p, cmp.Or(maxSteps, emu.DefaultMaxSteps)); err != nil {
			return nil, err
		}
		plan.Launches = append(plan.Launches, l)
	}
	return plan, nil
}

// BlockSizes are the numbers of threads of a block under which launches are repeated to see whether what holds for one
// block holds for others.
var BlockSizes = []uint32{32, 64, 128, 256, 512, 1024}

// Reshaped returns the plan with blocks of another number of threads, where a kernel takes them: blocks of one
// dimension get n threads; of those of more, the first dimension changes. Results that the file expects are not
// compared. It is nil if no launch changes.
func (p *Plan) Reshaped(n uint32) *Plan {
	file := *p.File
	file.Expect = nil
	other, changed := &Plan{Program: p.Program, File: &file, Launches: slices.Clone(p.Launches)}, false
	for i := range other.Launches {
		l := &other.Launches[i]
		k := p.Program.Module.Func(p.KernelName(i))
		x := n / max(l.Block.Y*l.Block.Z, 1)
		if x == 0 || x == l.Block.X || emu.RequiredBlock(k) != (emu.Dim3{}) || n > emu.MostThreads(k) {
			continue
		}
		l.Block.X, changed = x, true
	}
	if !changed {
		return nil
	}
	return other
}

// Of returns the plan for another launch file, which differs in nothing but arguments and contents of buffers.
// Launches that Follow has added have the arguments of those before them.
func (p *Plan) Of(file *launch.File) *Plan {
	other := &Plan{Program: p.Program, File: file, Launches: slices.Clone(p.Launches)}
	for i := range other.Launches {
		other.Launches[i].source = &file.Launches[p.inFile(i)]
	}
	return other
}

// inFile returns the number in the file of launch i.
func (p *Plan) inFile(i int) (number int) {
	for number = range p.File.Launches {
		if p.Launches[i].source == &p.File.Launches[number] {
			break
		}
	}
	return number
}

// OnlyRead reports whether all that the launches do with a buffer is to read it.
func (p *Plan) OnlyRead(buffer string) bool {
	for i := range p.Launches {
		params := KernelParams(p.Program.Module.Func(p.KernelName(i)))
		for n, a := range p.Launches[i].source.Args {
			if a.Fields != nil || a.Buffer == buffer && params[n].Changed {
				return false
			}
		}
	}
	return true
}

// Follow adds a launch of a second kernel behind each launch of a kernel, by PTX names, with the same extents and
// arguments.
func (p *Plan) Follow(kernel, second string) {
	var list []Launch
	for i, l := range p.Launches {
		if list = append(list, l); p.KernelName(i) == kernel {
			l.Kernel = second
			list = append(list, l)
		}
	}
	p.Launches = list
}

// withFileArgs returns the launch with the arguments of its launch file.
func (l Launch) withFileArgs(objects map[string]*Object) *Launch {
	l.Args = nil
	for i := range l.source.Args {
		l.Args = append(l.Args, fileArg{&l.source.Args[i], objects})
	}
	return &l
}

// KernelName returns the PTX name of the kernel of launch i.
func (p *Plan) KernelName(i int) string {
	k, err := findKernel(p.Program.Module, &p.Launches[i])
	if err != nil {
		panic("BUG: session: a plan with a launch of no kernel")
	}
	return k.Name
}

// Play sets up the session as the launch file says and launches its kernels, up to the first fault; those of a
// template each by itself. The report names the kernels that it does not launch.
func (p *Plan) Play(ctx context.Context, s *Session) error {
	launches, err := p.Prepare(s)
	if err != nil {
		return err
	}
	for i := range launches {
		if i > 0 && p.File.Guessed && s.isolates() && ctx.Err() == nil {
			if err := p.isolate(s); err != nil {
				return err
			}
		}
		if s.Stopped() {
			s.leave(launches[i:], p.KernelName(i-1))
			return nil
		}
		if _, err := s.Launch(ctx, launches[i]); err != nil {
			return err
		}
	}
	return nil
}

// Prepare sets up the session as the launch file says, and announces and returns its launches.
func (p *Plan) Prepare(s *Session) ([]Launch, error) {
	if err := p.setUp(s); err != nil {
		return nil, err
	}
	if p.File.Guessed {
		s.guesses = p.guessed()
	}
	launches := make([]Launch, len(p.Launches))
	for i, l := range p.Launches {
		launches[i] = *l.withFileArgs(s.objects)
	}
	return launches, s.Announce(launches...)
}

// setUp loads the program and makes the buffers, textures, tensor maps and initial values
// of the launch file.
func (p *Plan) setUp(s *Session) error {
	if err := s.Load(p.Program); err != nil {
		return err
	}
	for i := range p.File.Buffers {
		if err := s.allocate(&p.File.Buffers[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	for i := range p.File.Textures {
		if err := s.setTexture(p.File, &p.File.Textures[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	for i := range p.File.TensorMaps {
		if err := s.setTensorMap(&p.File.TensorMaps[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	for i := range p.File.Endpoints {
		if err := s.setEndpoint(&p.File.Endpoints[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	for i := range p.File.Globals {
		if err := s.setGlobal(p.Program, &p.File.Globals[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// setEndpoint makes a buffer of a launch file a logical endpoint.
func (s *Session) setEndpoint(e *launch.Endpoint) error {
	o := s.objects[e.Buffer]
	if err := s.SetEndpoint(e.Number, &emu.Endpoint{
		Size:   o.size,
		Memory: []emu.EndpointMemory{{Addr: o.addr, Size: o.size}},
	}); err != nil {
		return e.Errorf("endpoint %s: %v", e.Name, err)
	}
	return nil
}

// SetEndpoint makes, changes or destroys a logical endpoint: see emu.Device.SetEndpoint.
func (s *Session) SetEndpoint(id uint32, e *emu.Endpoint) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if err := r.dev.SetEndpoint(id, e); err != nil {
			return err
		}
	}
	return nil
}

// allocate makes a buffer of a launch file.
func (s *Session) allocate(b *launch.Buffer) error {
	o, err := s.Alloc(b.Name, b.Type, b.Count)
	if err != nil {
		return b.Errorf("buffer %s: %v", b.Name, err)
	}
	if b.Initialised {
		o.SetInitialised()
	}
	return b.Fill(o.Write)
}

// setGlobal overrides a module-scope variable.
func (s *Session) setGlobal(p *Program, g *launch.Global) error {
	o, err := s.Global(p, g.Name)
	if err != nil {
		return g.Errorf("%v", err)
	}
	if o.elem == launch.TypeNone || o.size == 0 {
		sym, _ := p.Module.Lookup(g.Name)
		return g.Errorf("variable %s of type %s cannot be set", g.Name, sym.(*rewrite.Var).Type)
	}
	return g.Fill(o.elem, o.size/uint64(o.elem.Size()), o.Write)
}

// Object returns the buffer, texture or tensor map of that name, the last one if there are several, nil if there is
// none.
func (s *Session) Object(name string) *Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[name]
}

// Check plays the plan, and compares the result with the expectations of the launch file.
func (p *Plan) Check(ctx context.Context, s *Session) (*report.Report, error) {
	if err := p.Play(ctx, s); err != nil {
		return nil, err
	}
	rep := s.Report()
	var err error
	rep.Expect, err = p.compareExpect(rep, s)
	return rep, err
}

// One process of an application: its contexts, loaded modules, and launches.

package attached

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// process is a process of an application.
type process struct {
	opts       *cuda.Options
	line       *line
	contexts   map[uint64]*gpuContext // by the driver's handle
	order      []uint64               // handles of contexts, in the order of their creation
	modules    map[uint64]*module
	loads      uint64                      // number of modules loaded
	registered map[uint64]*session.Program // fat binaries registered with the runtime
	made       int                         // number of allocations
	selector   cuda.Selector
	unwatched  bool // its launches are executed without checks
	unchecked  report.Skipped
	noted      []string
	reports    []*report.Report // of contexts that have ended
}

// gpuContext is a context of the process on a GPU.
type gpuContext struct {
	device  *device
	session *session.Session
	memory  map[uint64]*session.Object // of the application, by address
	dead    bool                       // a faulting kernel has destroyed it
}

// module is an instrumented module of the application.
type module struct {
	context *gpuContext
	program *session.Program
	code    *code
	others  map[*gpuContext]*module // the same library in other contexts
	rest    map[string][]byte       // contents of the device library's variables when no launch is checked
}

// serve handles requests until the process ends.
func (p *process) serve() error {
	defer p.end()
	for {
		number, body, err := p.line.receive(mostOfRequest)
		if err != nil {
			return err
		}
		f := socket.Fields{Rest: body}
		status, reply, err := p.perform(request(number), &f)
		if err == nil && f.Bad {
			err = socket.ErrProtocol
		}
		if err != nil {
			return err
		}
		if err := p.line.send(commandResult, status, reply); err != nil {
			return err
		}
	}
}

// perform executes a request. An error ends the connection.
func (p *process) perform(what request, f *socket.Fields) (status int32, reply []byte, err error) {
	switch what {
	case requestHello:
		p.unwatched = p.opts.Alone && !isChild(f.U64())
	case requestLoad:
		return p.load(f.U64(), f.Rest)
	case requestUnload:
		p.unload(f.U64())
	case requestLaunch:
		return p.launch(f)
	case requestAlloc:
		return 0, nil, p.alloc(f.U64(), f.U64(), f.U64())
	case requestFree:
		return 0, nil, p.free(f.U64(), f.U64())
	case requestGone:
		p.gone(f.U64())
	case requestRegister:
		return p.register(f.Rest)
	case requestAdopt:
		return p.adopt(f.U64(), f.U64(), f.U64())
	case requestPassed:
		p.passed(f.U64(), string(f.Rest))
	default:
		f.Bad = true
	}
	return resultDone, nil, nil
}

// context returns the context with a handle, which is current in the thread of the request.
func (p *process) context(handle uint64) (*gpuContext, error) {
	if c := p.contexts[handle]; c != nil {
		return c, nil
	}
	c := &gpuContext{device: &device{line: p.line}, memory: make(map[uint64]*session.Object)}
	if err := c.device.describe(); err != nil {
		return nil, err
	}
	s, err := session.Open(session.Options{
		Detectors: p.opts.Detectors, Emulator: p.opts.Emulator, GoOn: true,
		Refuted: true, MoreMemory: true, GPU: c.device,
	})
	if err != nil {
		return nil, err
	}
	c.session = s
	p.contexts[handle] = c
	p.order = append(p.order, handle)
	return c, nil
}

// load instruments and compiles an image. The reply is the number of the module, and the driver's handle. Images that
// cannot be instrumented are passed to the driver.
func (p *process) load(handle uint64, image []byte) (int32, []byte, error) {
	p.loads++
	c, err := p.context(handle)
	var said *driverError
	if err != nil && !errors.As(err, &said) {
		return 0, nil, err
	}
	var m *module
	if err == nil {
		m, err = p.instrumented(c, image)
	}
	if broken(err) {
		return 0, nil, err
	}
	if err != nil {
		if !errors.Is(err, errRegistered) {
			p.note("module %d is not checked: %v", p.loads, err)
		}
		return resultPassed, nil, nil
	}
	p.modules[p.loads] = m
	return resultDone, le.AppendUint64(le.AppendUint64(nil, p.loads), m.code.handle), nil
}

// broken reports whether an error is one of the connection.
func broken(err error) bool { return err != nil && socket.Ended(err) }

// instrumented returns the module of an image, instrumented and compiled.
func (p *process) instrumented(c *gpuContext, image []byte) (*module, error) {
	program, err := cuda.ReadProgram(p.loads, image, targetOf(c.device.version))
	if err != nil {
		return nil, why(err)
	}
	if sym, _ := program.Module.Lookup(numberVariable); sym != nil {
		return nil, errRegistered
	}
	return c.take(program)
}

func targetOf(capability uint32) cuda.Target {
	return cuda.Target{Major: capability / 10, Minor: capability % 10}
}

// take adds a program as a module of the context.
func (c *gpuContext) take(program *session.Program) (*module, error) {
	err := c.session.Load(program)
	if err == nil {
		c.device.last = nil
		if err = c.session.Ready(); err == nil && c.device.last == nil {
			err = errors.New("nothing was compiled")
		}
	}
	if err != nil {
		c.session.Drop(program)
		return nil, err
	}
	m := &module{context: c, program: program, code: c.device.last, rest: make(map[string][]byte)}
	return m, m.remember()
}

// why returns the explanation of an error in reading an image.
func why(err error) error {
	var outcome *cuda.Error
	if errors.As(err, &outcome) {
		return errors.New(outcome.Why)
	}
	return err
}

// remember reads the contents of the device library's variables before any launch.
func (m *module) remember() error {
	for _, name := range stateVariables {
		addr, size, ok := m.code.Symbol(name)
		if !ok {
			continue
		}
		bytes := make([]byte, size)
		if err := m.context.device.Read(addr, bytes); err != nil {
			return err
		}
		m.rest[name] = bytes
	}
	return nil
}

// disarm switches the hooks off: launches without preparation, such as those of graphs, must not use memory of an
// earlier launch.
func (m *module) disarm() error {
	for name, bytes := range m.rest {
		addr, _, _ := m.code.Symbol(name)
		if err := m.context.device.Write(addr, bytes); err != nil {
			return err
		}
	}
	return nil
}

// unload drops a module. Its findings stay in the report.
func (p *process) unload(id uint64) {
	if m := p.modules[id]; m != nil {
		m.code.forget()
		for _, other := range m.others {
			other.code.forget()
		}
		delete(p.modules, id)
	}
}

// launch checks a launch. The reply is the driver's result.
func (p *process) launch(f *socket.Fields) (int32, []byte, error) {
	id := f.U64()
	l := session.Launch{
		Grid: extent(f), Block: extent(f), Cluster: extent(f), Shared: f.U64(),
		Cooperative: f.U64() != 0,
	}
	current := f.U64()
	l.Kernel = string(f.Rest)
	m := p.modules[id]
	if f.Bad {
		return 0, nil, socket.ErrProtocol
	}
	if m == nil {
		p.unchecked.Add(l.Kernel, "its module has been unloaded")
		return resultPassed, nil, nil
	}
	p.selector.Begin(l.Kernel)
	m, err := p.in(m, id, current)
	if err != nil {
		p.unchecked.Add(l.Kernel, err.Error())
		return resultPassed, nil, ignored(err)
	}
	c := m.context
	if !p.unwatched && !p.watched(l.Kernel) {
		p.unchecked.Add(l.Kernel, report.NotSelected)
	}
	if c.dead || !p.watched(l.Kernel) {
		return resultPassed, nil, nil
	}
	if l.Args, err = zeros(m.program, l.Kernel); err != nil {
		return 0, nil, err
	}
	l.Program, c.device.ran = m.program, false
	res, err := c.session.Launch(p.until(), l)
	switch {
	case broken(err):
		return 0, nil, err
	case err != nil && !c.device.ran:
		p.unchecked.Add(l.Kernel, err.Error())
		return resultPassed, nil, errors.Join(ignored(m.disarm()))
	case err != nil:
		p.note("a launch of %s was not checked to its end: %v", l.Kernel, err)
	default:
		p.found(c, res)
	}
	if !c.dead {
		if err := m.disarm(); broken(err) {
			return 0, nil, err
		}
	}
	return resultDone, le.AppendUint64(nil, uint64(c.device.outcome)), nil
}

// ignored returns an error if it is one of the connection.
func ignored(err error) error {
	if broken(err) {
		return err
	}
	return nil
}

// found records the findings of a launch.
func (p *process) found(c *gpuContext, res *session.Result) {
	c.dead = c.dead || len(res.Faults) > 0
	if n := len(res.Races) + len(res.Faults); n > 0 && p.opts.Finding != nil {
		p.opts.Finding(len(res.Races), len(res.Faults))
	}
}

// until returns the context that ends kernels.
func (p *process) until() context.Context {
	if p.opts.Context == nil {
		return context.Background()
	}
	return p.opts.Context
}

// watched reports whether the launch that is about to begin is checked.
func (p *process) watched(kernel string) bool {
	return !p.unwatched && p.selector.Checks(kernel)
}

func extent(f *socket.Fields) emu.Dim3 {
	return emu.Dim3{X: uint32(f.U64()), Y: uint32(f.U64()), Z: uint32(f.U64())}
}

// zeros returns placeholder arguments for a kernel: the shim has the application's arguments, and nothing is concluded
// from these.
func zeros(program *session.Program, kernel string) ([]any, error) {
	sym, _ := program.Module.Lookup(kernel)
	f, ok := sym.(*rewrite.Func)
	if !ok {
		return nil, socket.ErrProtocol
	}
	list := make([]any, len(f.Params))
	for i, v := range f.Params {
		list[i] = make([]byte, v.Size)
	}
	return list, nil
}

var bytesType, _ = launch.TypeOf("u8")

// alloc records memory that the application has allocated.
func (p *process) alloc(handle, addr, size uint64) error {
	c, err := p.context(handle)
	if err != nil || addr == 0 || size == 0 {
		return ignored(err)
	}
	p.made++
	c.device.adopted = addr
	o, err := c.session.Alloc(fmt.Sprintf("allocation %d", p.made), bytesType, size)
	c.device.adopted = 0
	if err == nil {
		c.memory[addr] = o
	}
	return ignored(err)
}

// free records that the application frees memory.
func (p *process) free(handle, addr uint64) error {
	c := p.contexts[handle]
	if c == nil || c.memory[addr] == nil {
		return nil
	}
	o := c.memory[addr]
	delete(c.memory, addr)
	return ignored(o.Free())
}

// gone ends a context, whose memory and modules no longer exist.
func (p *process) gone(handle uint64) {
	c := p.contexts[handle]
	if c == nil {
		return
	}
	p.reports = append(p.reports, c.session.Report())
	delete(p.contexts, handle)
	for id, m := range p.modules {
		delete(m.others, c)
		if m.context == c {
			delete(p.modules, id)
		}
	}
}

// end ends all contexts, in the order of their creation.
func (p *process) end() {
	for _, handle := range p.order {
		p.gone(handle)
	}
	if list := p.unchecked.List(); len(list) > 0 {
		p.reports = append(p.reports, &report.Report{NotChecked: list})
	}
}

// note calls Options.Note, once for each text.
func (p *process) note(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	if p.opts.Note == nil || slices.Contains(p.noted, text) {
		return
	}
	p.noted = append(p.noted, text)
	p.opts.Note(text)
}

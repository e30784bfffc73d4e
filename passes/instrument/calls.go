// Insertion of calls to a device library, and linking the library.

package instrument

import (
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/device"
)

// Calls are hook calls to insert, in the order in which they were planned.
// Instructions are remembered by function and index, which linking a library does
// not change.
type Calls struct{ list []call }

type call struct {
	fn    string
	index int
	after bool
	hook  string
	args  []rewrite.Arg
	once  bool // per entry of the loop whose header starts at the instruction with index loop
	loop  int
	skip  string // the guard of a branch around the call; "" for none
}

// Before plans a call before an instruction, After one after it; see
// rewrite.Editor.CallBefore and CallAfter.
func (c *Calls) Before(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	c.list = append(c.list, call{fn: in.Func.Name, index: in.Index, hook: hook, args: args})
}

// BeforeOnce plans a call before an instruction, the first time that a thread gets
// there since it entered a loop around it; see Invariant.
func (c *Calls) BeforeOnce(in *rewrite.Inst, l *rewrite.Loop, hook string, args ...rewrite.Arg) {
	c.list = append(c.list, call{fn: in.Func.Name, index: in.Index, hook: hook, args: args, once: true, loop: l.Header.Start})
}

// BeforeDemanded plans a call before a load, in the threads that use what it reads.
func (c *Calls) BeforeDemanded(in *rewrite.Inst, d rewrite.Demand, hook string, args ...rewrite.Arg) {
	skip := "@!" + d.Reg.Name
	if d.Not {
		skip = "@" + d.Reg.Name
	}
	c.list = append(c.list, call{fn: in.Func.Name, index: in.Index, hook: hook, args: args, skip: skip})
}

// After plans a call after an instruction.
func (c *Calls) After(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	c.list = append(c.list, call{fn: in.Func.Name, index: in.Index, after: true, hook: hook, args: args})
}

// Insert links what the calls need of a device library, and the named symbols of
// it in any case, and makes the calls.
func (c *Calls) Insert(ctx *passes.Context, lib device.Library, symbols ...string) error {
	none := func(*rewrite.Editor) (Complete, error) { return nil, nil }
	return c.InsertWith(ctx, lib, none, symbols...)
}

// Complete completes a call in a function that was planned with some arguments: it returns
// those it is made with, and may say where the hook's result goes.
type Complete func(f *rewrite.Func, hook *rewrite.Hook, args []rewrite.Arg) []rewrite.Arg

// InsertWith is Insert with further edits, which edit makes before those of the calls.
// It may return what completes the calls.
func (c *Calls) InsertWith(ctx *passes.Context, lib device.Library, edit func(*rewrite.Editor) (Complete, error), symbols ...string) error {
	for i := range c.list {
		if !slices.Contains(symbols, c.list[i].hook) {
			symbols = append(symbols, c.list[i].hook)
		}
	}
	if ctx.OnlyPlans() {
		return Linkable(ctx, lib, symbols...)
	}
	how := rewrite.LinkCalled
	if len(c.list) == 0 { // there may be no edits
		how = rewrite.Link
	}
	if err := link(ctx, lib, how, symbols); err != nil {
		return err
	}
	ed := ctx.Edit()
	complete, err := edit(ed)
	if err != nil {
		return err
	}
	for i := range c.list {
		if err := c.list[i].insert(ed, complete); err != nil {
			return err
		}
	}
	return Apply(ctx, ed)
}

func (c *call) insert(ed *rewrite.Editor, complete Complete) error {
	in := ed.Module().Func(c.fn).Insts[c.index]
	hook, args := &rewrite.Hook{Func: ed.Module().Func(c.hook)}, c.args
	if complete != nil {
		args = complete(in.Func, hook, args)
	}
	switch {
	case c.after:
		return ed.CallAfter(in, hook, args...)
	case c.once:
		return c.insertOnce(ed, in, hook, args)
	case c.skip != "":
		label := ed.FreshLabel(in.Func)
		ed.InsertBefore(in, c.skip+" bra "+label+";")
		defer ed.InsertBefore(in, label+":")
	}
	return ed.CallBefore(in, hook, args...)
}

func (c *call) insertOnce(ed *rewrite.Editor, in *rewrite.Inst, hook *rewrite.Hook, args []rewrite.Arg) error {
	once, err := NewOnce(ed, in, loopAt(in.Func, c.loop), "")
	if err != nil {
		return err
	}
	once.Begin()
	defer once.End()
	return ed.CallBefore(in, hook, args...)
}

// Link adds the named symbols of a device library, and what they need, to the
// module.
func Link(ctx *passes.Context, lib device.Library, symbols ...string) error {
	return link(ctx, lib, rewrite.Link, symbols)
}

// link makes the context's module what rewrite.Link or rewrite.LinkCalled makes of it.
func link(ctx *passes.Context, lib device.Library, how func(m, lib *rewrite.Module, roots ...string) (*rewrite.Module, error), symbols []string) error {
	library, err := load(lib, symbols)
	if err != nil {
		return err
	}
	m, err := how(ctx.Module, library, symbols...)
	if err == nil {
		ctx.SetModule(m)
	}
	return err
}

// Linkable returns the error that Link would.
func Linkable(ctx *passes.Context, lib device.Library, symbols ...string) error {
	library, err := load(lib, symbols)
	if err != nil {
		return err
	}
	return rewrite.Linkable(ctx.Module, library, symbols...)
}

// parsed has the trees of libraries, by their text, and loaded the modules, by libraryKey: making them takes longer than all else that is
// done to a small program, and linking does not change them.
var parsed, loaded sync.Map

// libraryKey identifies a library as far as some symbols of it need it.
type libraryKey struct {
	text    *byte
	symbols string
}

// load reads what some symbols of a library need.
func load(lib device.Library, symbols []string) (*rewrite.Module, error) {
	key := libraryKey{unsafe.SliceData(lib.PTX), strings.Join(slices.Sorted(slices.Values(symbols)), " ")}
	return once(&loaded, key, func() (*rewrite.Module, error) {
		tree, err := once(&parsed, key.text, func() (*ptxgrammar.Module, error) { return ptxgrammar.Parse(lib.Name, lib.PTX) })
		if err != nil {
			return nil, err
		}
		if len(symbols) == 0 { // all of them
			return rewrite.Load(tree)
		}
		return rewrite.LoadReachable(tree, symbols)
	})
}

// once calls f for the first caller with a key, and gives its results to all of them.
func once[T any](results *sync.Map, key any, f func() (T, error)) (T, error) {
	g, _ := results.LoadOrStore(key, sync.OnceValues(f))
	return g.(func() (T, error))()
}

// Apply makes the edits of an editor of the context's module, unless it is only asked where they are.
func Apply(ctx *passes.Context, ed *rewrite.Editor) error {
	if ctx.OnlyPlans() {
		return nil
	}
	m, err := ed.Apply()
	if err == nil {
		ctx.SetModule(m)
	}
	return err
}

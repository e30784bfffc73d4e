// Insertion of calls to a device library, and linking the library.

package instrument

import (
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Calls is a list of hook calls to insert, in the order of planning. Instructions are identified by function and index,
// which linking a library does not change.
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

// Before plans a call before an instruction, After plans one after it; see rewrite.Editor.CallBefore and CallAfter.
func (c *Calls) Before(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	c.list = hugepage.Append(c.list, call{fn: in.Func.Name, index: in.Index, hook: hook, args: args})
}

// BeforeOnce plans a call before an instruction that runs only the first time that a thread reaches it after entering
// an enclosing loop; see Invariant.
func (c *Calls) BeforeOnce(in *rewrite.Inst, l *rewrite.Loop, hook string, args ...rewrite.Arg) {
	c.list = hugepage.Append(c.list, call{
		fn: in.Func.Name, index: in.Index, hook: hook, args: args, once: true,
		loop: l.Header.Start,
	})
}

// BeforeDemanded plans a call before a load that runs only in the threads that use the loaded value.
func (c *Calls) BeforeDemanded(in *rewrite.Inst, d query.Condition, hook string, args ...rewrite.Arg) {
	skip := "@!" + d.Reg.Name
	if d.Not {
		skip = "@" + d.Reg.Name
	}
	c.list = hugepage.Append(c.list, call{fn: in.Func.Name, index: in.Index, hook: hook, args: args, skip: skip})
}

// After plans a call after an instruction.
func (c *Calls) After(in *rewrite.Inst, hook string, args ...rewrite.Arg) {
	c.list = hugepage.Append(c.list, call{fn: in.Func.Name, index: in.Index, after: true, hook: hook, args: args})
}

// Insert links the named symbols of a device library and those that the calls need, and inserts the calls.
func (c *Calls) Insert(ctx *passes.Context, lib device.Library, symbols ...string) error {
	none := func(*rewrite.Editor) (Complete, error) { return nil, nil }
	return c.InsertWith(ctx, lib, none, symbols...)
}

// Complete completes the arguments of a planned call in a function: it returns the final arguments, and optionally the
// destination of the hook's result.
type Complete func(f *rewrite.Func, hook *rewrite.Hook, args []rewrite.Arg) []rewrite.Arg

// InsertWith is Insert with further edits, which edit makes before those of the calls. It may return a Complete for the
// calls.
func (c *Calls) InsertWith(ctx *passes.Context, lib device.Library, edit func(*rewrite.Editor) (Complete, error),
	symbols ...string,
) error {
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

// link replaces the context's module by the result of rewrite.Link or rewrite.LinkCalled.
func link(ctx *passes.Context, lib device.Library,
	how func(m, lib *rewrite.Module, roots ...string) (*rewrite.Module, error), symbols []string,
) error {
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

// Linkable returns the error that Link would return.
func Linkable(ctx *passes.Context, lib device.Library, symbols ...string) error {
	library, err := load(lib, symbols)
	if err != nil {
		return err
	}
	return rewrite.Linkable(ctx.Module, library, symbols...)
}

// parsed caches the trees of libraries by their text, loaded the modules by libraryKey. Parsing and loading a library
// takes longer than everything else that is done to a small program, and linking does not change it.
var parsed, loaded sync.Map

// libraryKey identifies a library and the symbols that are needed of it.
type libraryKey struct {
	text    *byte
	symbols string
}

// load reads the part of a library that some symbols need.
func load(lib device.Library, symbols []string) (*rewrite.Module, error) {
	key := libraryKey{unsafe.SliceData(lib.PTX), strings.Join(slices.Sorted(slices.Values(symbols)), " ")}
	return once(&loaded, key, func() (*rewrite.Module, error) {
		tree, err := once(&parsed, key.text, func() (*ptxgrammar.Module,
			error,
		) {
			return ptxgrammar.Parse(lib.Name, lib.PTX)
		})
		if err != nil {
			return nil, err
		}
		if len(symbols) == 0 { // all of them
			return rewrite.Load(tree)
		}
		return rewrite.LoadReachable(tree, symbols)
	})
}

// once calls f for the first caller with a key, and returns its results to all callers with this key.
func once[T any](results *sync.Map, key any, f func() (T, error)) (T, error) {
	g, _ := results.LoadOrStore(key, sync.OnceValues(f))
	return g.(func() (T, error))()
}

// Apply makes the edits of an editor of the context's module, unless the context only collects their positions.
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

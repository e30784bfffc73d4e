// Results of earlier analyses, by their inputs: program, kernel, facts and options.

package analysis

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Cache is a folder with results. Any of its files may be deleted at any time. An entry that cannot be read or written
// is ignored.
type Cache struct {
	Dir  string
	Salt string // further input of results: the version of the program

	MaxFiles   int   // maximum; the oldest files are deleted
	MaxBytes   int64 // maximum of all files; the oldest are deleted
	EntryBytes int64 // maximum of one result; larger ones are not stored
}

// entry is the file of a result.
type entry struct {
	Result *static.Result
	Pairs  []entryPair // pairs of the result, since JSON cannot hold their instructions
	Seen   []place     // instructions of the result
	Faults []*report.FaultEvent
}

// entryPair is a pair with its instructions as indices.
type entryPair struct {
	Pair          *static.Pair
	First, Second entryAccess
}

type entryAccess struct {
	Inst  place
	Calls []place
}

// place identifies an instruction by its function and its index there.
type place struct {
	Func  string
	Index int
}

// file returns the name of the entry for an analysis.
func (c *Cache) file(k *rewrite.Func, g *facts.Given, o *Options) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00%d\x00%v\x00%v\x00%v\x00%v\x00%q\x00", c.Salt, k.Name, o.Budget, g.Disjoint,
		[4]bool{g.First, g.Unfollowed, g.Unclustered, o.NoWrap}, g.Lost, g.Shared, g.Changed)
	h.Write(k.Module.AST.File.Src)
	for _, f := range g.Facts {
		fmt.Fprintf(h, "\x00%s\x00%s\x00%s", f.Name, f.Class, f.Formula)
		for _, v := range f.Formula.Vars() {
			fmt.Fprintf(h, "\x01%s %v %v", v.Name, v.Lo, v.Hi)
		}
	}
	params := slices.SortedFunc(maps.Keys(g.Pointers), func(a, b facts.Param) int {
		return cmp.Or(a.Index-b.Index, int(a.Offset-b.Offset))
	})
	for _, p := range params {
		ptr := g.Pointers[p]
		fmt.Fprintf(h, "\x00%v %q %v %v %q %v %q %v", p, ptr.Buffer, ptr.Offset, ptr.Size, ptr.Bound, ptr.Initial,
			ptr.Init, ptr.Lost)
	}
	return filepath.Join(c.Dir, hex.EncodeToString(h.Sum(nil)[:20])+".json")
}

// load returns the result of an earlier analysis, and the faults that executions have shown.
func (c *Cache) load(k *rewrite.Func, g *facts.Given, o *Options) (*static.Result, []*report.FaultEvent, bool) {
	if c == nil {
		return nil, nil, false
	}
	name := c.file(k, g, o)
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > c.EntryBytes {
		return nil, nil, false
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, false
	}
	var e entry
	if json.Unmarshal(text, &e) != nil || e.Result == nil || e.Result.Kernel != k.Name {
		return nil, nil, false
	}
	for i := range e.Pairs {
		p := e.Pairs[i].Pair
		if p == nil || !e.Pairs[i].First.restore(k.Module, &p.First) ||
			!e.Pairs[i].Second.restore(k.Module, &p.Second) {
			return nil, nil, false
		}
		if p.Verdict > static.Racy || p.Kind > static.IntraWarp || p.Verdict == static.Racy && p.Witness == nil {
			return nil, nil, false
		}
		e.Result.Pairs = append(e.Result.Pairs, p)
	}
	e.Result.Seen = make(map[*rewrite.Inst]bool)
	for _, p := range e.Seen {
		in := p.find(k.Module)
		if in == nil {
			return nil, nil, false
		}
		e.Result.Seen[in] = true
	}
	return e.Result, e.Faults, true
}

// store stores a result. It also stores a result that ran out of budget: the budget is part of the key.
func (c *Cache) store(k *rewrite.Func, g *facts.Given, o *Options, r *static.Result, shown []*report.FaultEvent) {
	if c == nil {
		return
	}
	bare := *r
	bare.Pairs = nil
	e := entry{Result: &bare, Faults: shown}
	for _, p := range r.Pairs {
		q := *p
		e.Pairs = append(e.Pairs, entryPair{Pair: &q, First: placesOf(&q.First), Second: placesOf(&q.Second)})
		q.First.Inst, q.First.Calls, q.Second.Inst, q.Second.Calls = nil, nil, nil, nil
	}
	for in, seen := range r.Seen {
		if seen {
			e.Seen = append(e.Seen, placeOf(in))
		}
	}
	text, err := json.Marshal(&e)
	if err != nil || int64(len(text)) > c.EntryBytes || os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	temporary, err := os.CreateTemp(c.Dir, "new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(text)
	if wrong := temporary.Close(); err == nil && wrong == nil {
		err = os.Rename(temporary.Name(), c.file(k, g, o))
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	c.prune()
}

// prune deletes the oldest entries until the limits are met.
func (c *Cache) prune() {
	list, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	var total int64
	for _, d := range list {
		if info, wrong := d.Info(); wrong == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
			total += info.Size()
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for n := len(infos); len(infos) > 0 && (n > c.MaxFiles || total > c.MaxBytes); n-- {
		os.Remove(filepath.Join(c.Dir, infos[0].Name()))
		total -= infos[0].Size()
		infos = infos[1:]
	}
}

func placesOf(a *static.Access) entryAccess {
	var e entryAccess
	if a.Event == "" {
		e.Inst = placeOf(a.Inst)
	}
	for _, in := range a.Calls {
		e.Calls = append(e.Calls, placeOf(in))
	}
	return e
}

func placeOf(in *rewrite.Inst) place { return place{in.Func.Name, in.Index} }

// find returns the instruction, nil if there is none.
func (p place) find(m *rewrite.Module) *rewrite.Inst {
	for _, f := range m.Funcs {
		if f.Name == p.Func && f.Defined() && p.Index >= 0 && p.Index < len(f.Insts) {
			return f.Insts[p.Index]
		}
	}
	return nil
}

// restore finds the instruction of an access.
func (e *entryAccess) restore(m *rewrite.Module, a *static.Access) bool {
	if a.Event != "" {
		return true
	}
	if a.Inst = e.Inst.find(m); a.Inst == nil {
		return false
	}
	for _, p := range e.Calls {
		in := p.find(m)
		if in == nil {
			return false
		}
		a.Calls = append(a.Calls, in)
	}
	return true
}

// Benchmarks of autotuners. An autotuner runs a kernel once for each configuration, on the same arguments. The device
// reports a kernel that reads data which its previous run has written.

package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/cuda/updates"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// tuner is the autotuner whose benchmarks a process runs.
type tuner struct {
	number    uint64 // 0 for none
	arguments []Argument
	watch     *updates.Watch
	left      map[uint64]*leftPage    // what the last run has left, by the address of a page
	restored  map[*allocation]bool    // memory that has changed since then
	running   bool                    // launches are runs of its benchmarks
	found     map[string]*report.Race // by kernel
	// instructions counts those that warps have executed in all launches of the process.
	instructions uint64
}

// Argument is an argument of an autotuned kernel that points to memory.
type Argument struct {
	Name    string
	Address uint64
}

// leftPage has the contents of a page after a run, and the bytes that runs have updated.
type leftPage struct {
	contents [updates.PageSize]byte
	updated  updates.Bytes
}

// Limits of what an application may say: arguments that are named, and what it has not run.
const (
	mostArguments = 256
	mostNotRun    = 256
)

// mostLeft limits the pages of an autotuner that are compared; updates of others are not reported.
const mostLeft = 1 << 16

// Benchmark says that later launches are runs of an autotuner's benchmarks, by its number, 0 for none. It returns how many
// instructions warps have executed so far, the time on the emulator's clock.
func (p *Process) Benchmark(number uint64, arguments []Argument) (instructions uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := &p.tuner
	if number != 0 && (number != t.number || t.left == nil) {
		t.left = make(map[uint64]*leftPage)
	}
	t.running = number != 0
	if t.running {
		t.number, t.arguments = number, arguments[:min(len(arguments), mostArguments)]
	}
	if t.watch.Listen(t.running) {
		p.session.ListenerChanged()
	}
	return t.instructions
}

// NotRun records what the application has not run because ptxsan has shortened it.
func (p *Process) NotRun(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := report.NotChecked{Why: what}
	if list := p.unchecked.notRun; len(list) < mostNotRun && !slices.Contains(list, left) {
		p.unchecked.notRun = append(p.unchecked.notRun, left)
	}
}

// beginRun begins a launch, which may be a run of an autotuner, and returns what ends it.
func (p *Process) beginRun() (end func(*Kernel, func() *report.Source)) {
	t := &p.tuner
	if !t.running {
		t.left = nil // the autotuner has ended
	}
	if !t.running || t.restored != nil { // another kernel waits meanwhile
		return func(*Kernel, func() *report.Source) {}
	}
	t.restored = make(map[*allocation]bool)
	for address, page := range t.left {
		now := p.page(address)
		for at := range page.updated.All() {
			if now[at] != page.contents[at] {
				t.restored[p.memory.at(address+at)] = true
			}
		}
	}
	t.watch.Begin()
	return func(k *Kernel, launched func() *report.Source) {
		p.endRun(k, t.watch.End(), launched)
		t.restored = nil
	}
}

// endRun compares what a run has left with what the run before had.
func (p *Process) endRun(k *Kernel, updated updates.Updated, launched func() *report.Source) {
	t, words := &p.tuner, changed{}
	for address, bytes := range updated.Pages() {
		now, before := p.page(address), t.left[address]
		if before == nil && len(t.left) == mostLeft {
			continue
		}
		if before == nil {
			before = new(leftPage)
			t.left[address] = before
		}
		for at := range bytes.All() {
			if before.updated.Has(at) && now[at] != before.contents[at] && !t.restored[p.memory.at(address+at)] {
				words.add(address + at)
			}
		}
		before.updated.Add(&bytes)
	}
	for address, page := range t.left {
		page.contents = p.page(address)
	}
	if words.count > 0 && p.watched(k) {
		p.repeats(k, updated, words, launched)
	}
}

// ofRun describes an instruction of a run.
func ofRun(k *Kernel, in *rewrite.Inst, access, of string) report.Access {
	a := session.AccessOf(in)
	if a.Access == "" {
		a.Access = access
	}
	a.Kernel, a.Operation = k.Name, of
	if a.Function == a.Kernel {
		a.Function = ""
	}
	return a
}

// page returns the contents of a page, zeros where it has no memory.
func (p *Process) page(address uint64) (contents [updates.PageSize]byte) {
	for at := uint64(0); at < updates.PageSize; {
		a := p.memory.at(address + at)
		if a == nil {
			at += wordSize
			continue
		}
		n := min(updates.PageSize-at, a.base+a.size-address-at)
		if p.read(address+at, contents[at:at+n]) != nil {
			clear(contents[at : at+n]) // a reserved address
		}
		at += n
	}
	return contents
}

const wordSize = 4

// changed counts words of 4 bytes that are added in ascending order.
type changed struct {
	count       uint64
	first, last uint64 // addresses of bytes
}

func (c *changed) add(address uint64) {
	if c.count == 0 {
		c.first = address
	}
	if c.count == 0 || address/wordSize != c.last/wordSize {
		c.count++
	}
	c.last = address
}

// repeats reports a kernel whose runs begin with what the run before has left, once.
func (p *Process) repeats(k *Kernel, updated updates.Updated, words changed, launched func() *report.Source) {
	t := &p.tuner
	if t.found == nil {
		t.found = make(map[string]*report.Race)
	}
	if x := t.found[k.Name]; x != nil {
		x.Count = max(x.Count, words.count)
		return
	}
	first := words.first / wordSize * wordSize
	read, write := updated.At(words.first)
	x := &report.Race{
		Kind: detect.InterKernel, Cause: detect.RepeatedUpdate, Space: "global", Address: report.Hex(first),
		Symbol: p.symbol(first), Size: wordSize, Count: words.count,
		First:  ofRun(k, write, "write", "the run before"),
		Second: ofRun(k, read, "read", "a run of an autotuner"), Launched: launched(),
	}
	a := p.memory.at(words.first)
	x.Missing = fmt.Sprintf("the contents before the first run: each run reads what the run before has left in %s %s",
		p.tunedName(a), words.text(a))
	x.Hint = p.restoring(a)
	t.found[k.Name] = x
	p.streams.races = append(p.streams.races, x)
}

// text says which words of an allocation have changed.
func (c *changed) text(a *allocation) string {
	if c.count == 1 {
		return fmt.Sprintf("(1 word, +0x%x)", (c.first-a.base)/wordSize*wordSize)
	}
	return fmt.Sprintf("(%d words, +0x%x to +0x%x)", c.count, (c.first-a.base)/wordSize*wordSize, (c.last-a.base)/wordSize*wordSize)
}

// names returns the names of the arguments that point into an allocation.
func (t *tuner) names(a *allocation) (list []string) {
	for _, arg := range t.arguments {
		if arg.Address >= a.base && arg.Address-a.base < a.size {
			list = append(list, arg.Name)
		}
	}
	return list
}

// tunedName names an allocation by arguments of the kernel that point into it.
func (p *Process) tunedName(a *allocation) string {
	if names := p.tuner.names(a); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return a.object.Name()
}

// restoring returns what restores an argument between runs.
func (p *Process) restoring(a *allocation) string {
	names := p.tuner.names(a)
	if len(names) == 0 {
		return "restore the memory before each run, or give the autotuner a copy: @triton.autotune has reset_to_zero and restore_value"
	}
	list := `["` + strings.Join(names, `", "`) + `"]`
	return fmt.Sprintf("@triton.autotune(..., restore_value=%s), or reset_to_zero=%[1]s if the kernel adds to zeros; "+
		"elsewhere, give the autotuner a copy", list)
}

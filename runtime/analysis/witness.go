// Witnesses as launch files, and their confirmation by an execution.

package analysis

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/hgrd"
	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of the launch of a witness.
const (
	maxWitnessThreads = 1 << 20
	maxWitnessBytes   = 64 << 20 // of a buffer
	maxContents       = 1 << 16  // elements that the file lists
	witnessSteps      = 20_000_000
	confirmSeeds      = 12 // random schedules that are tried besides the usual one
)

// ErrNoWitness is the error of WriteWitness when no race has a launch that can be executed.
var ErrNoWitness = errors.New("no race has a witness that can be executed")

// Confirm executes the witness of each race and notes in the report what that showed.
func (out *Outcome) Confirm(ctx context.Context, step func(string)) error {
	done := make(map[string]bool)
	for _, f := range out.found {
		if f.pair.Verdict != hgrd.Racy || done[f.race.ID] {
			continue
		}
		done[f.race.ID] = true
		if step != nil {
			step("executing a witness of " + report.Demangle(f.kernel.Name))
		}
		if _, err := out.confirm(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// Witness is a launch file that shows a race: the one of that identity, or with "" the first
// that an execution confirms. Without one that is confirmed, it is the first that can be executed.
func (out *Outcome) Witness(ctx context.Context, id string) (string, *report.Race, error) {
	var fallback string
	var of *report.Race
	for _, f := range out.found {
		if f.pair.Verdict != hgrd.Racy || id != "" && f.race.ID != id {
			continue
		}
		text, err := out.confirm(ctx, f)
		if err != nil {
			return "", nil, err
		}
		if f.race.Witness.Confirmed {
			return text, f.race, nil
		}
		if fallback == "" {
			fallback, of = text, f.race
		}
	}
	if fallback == "" {
		return "", nil, ErrNoWitness
	}
	return fallback, of, nil
}

// confirm executes the witness of a finding, with buffers that are large enough for the threads
// that the witness is not about. It returns the launch file.
func (out *Outcome) confirm(ctx context.Context, f *finding) (string, error) {
	w := f.race.Witness
	if n := threads(f.pair.Witness); n > maxWitnessThreads {
		w.Refuted = fmt.Sprintf("the launch has %d threads, more than %d", n, maxWitnessThreads)
		return "", nil
	}
	least := int64(1 << 10)
	for {
		text := out.launchFile(f, least)
		rep, err := out.execute(ctx, text, emu.Config{MaxSteps: witnessSteps})
		if err != nil {
			return "", err
		}
		fault := slices.IndexFunc(rep.Faults, func(e *report.FaultEvent) bool { return e.Class == "out-of-bounds" })
		if fault >= 0 && least < maxWitnessBytes {
			least *= 16
			continue
		}
		w.Confirmed, w.Refuted = shows(rep, f.race), ""
		for seed := uint64(1); seed <= confirmSeeds && !w.Confirmed && len(rep.Faults) == 0; seed++ {
			if rep, err = out.execute(ctx, text, emu.Config{MaxSteps: witnessSteps, Policy: emu.Random, Seed: seed}); err != nil {
				return "", err
			}
			w.Confirmed = shows(rep, f.race)
		}
		if !w.Confirmed {
			w.Refuted = "another schedule may show it"
			if len(rep.Faults) > 0 {
				w.Refuted = "the kernel faulted: " + rep.Faults[0].Message
			}
		}
		return text, nil
	}
}

func threads(w *hgrd.Witness) uint64 {
	n := uint64(1)
	for i := range 3 {
		n *= max(uint64(w.Grid[i]), 1)
		if n > maxWitnessThreads {
			return n
		}
		n *= max(uint64(w.Block[i]), 1)
		if n > maxWitnessThreads {
			return n
		}
	}
	return n
}

// shows reports whether a report has the race: the same two places.
func shows(rep *report.Report, x *report.Race) bool {
	ends := func(r *report.Race) [2]int {
		a, b := r.First.PTX.Line, r.Second.PTX.Line
		return [2]int{min(a, b), max(a, b)}
	}
	lines := func(r *report.Race) [2]int {
		if r.First.Source == nil || r.Second.Source == nil {
			return [2]int{}
		}
		a, b := r.First.Source.Own().Line, r.Second.Source.Own().Line
		return [2]int{min(a, b), max(a, b)}
	}
	return slices.ContainsFunc(rep.Pairs(), func(r *report.Race) bool {
		return ends(r) == ends(x) || lines(r) != [2]int{} && lines(r) == lines(x)
	})
}

// execute checks the program with a launch file.
func (out *Outcome) execute(ctx context.Context, text string, cfg emu.Config) (*report.Report, error) {
	file, err := launch.Parse("witness.yaml", []byte(text), launch.Options{})
	if err != nil {
		return nil, fmt.Errorf("BUG: the launch file of a witness: %w", err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return nil, err
	}
	o := session.Options{Detectors: detectors, Emulator: cfg}
	plan, err := session.NewPlan(out.prog, file, cfg.MaxSteps)
	if err != nil {
		return &report.Report{Faults: []*report.FaultEvent{{Class: "unsupported", Message: err.Error()}}}, nil
	}
	s, err := session.Open(o)
	if err != nil {
		return nil, err
	}
	rep, err := plan.Check(ctx, s)
	if wrong := s.Close(); err == nil {
		err = wrong
	}
	var input *session.InputError
	if errors.As(err, &input) {
		return &report.Report{Faults: []*report.FaultEvent{{Class: "unsupported", Message: err.Error()}}}, nil
	}
	return rep, err
}

// launchFile is the launch of a witness. Buffers have at least so many bytes.
func (out *Outcome) launchFile(f *finding, least int64) string {
	w := f.pair.Witness
	return fmt.Sprintf("# A launch in which %s races: %s and %s.\n", report.Demangle(f.kernel.Name), f.race.First.At(), f.race.Second.At()) +
		fmt.Sprintf("# Threads %v of block %v and %v of block %v.\n", w.Threads[0].Thread, w.Threads[0].Block, w.Threads[1].Thread, w.Threads[1].Block) +
		(&builder{witness: w, given: f.given, kernel: f.kernel, least: least}).text()
}

// builder makes the text of a launch file.
type builder struct {
	witness *hgrd.Witness
	given   *facts.Given
	kernel  *rewrite.Func
	least   int64 // bytes of buffers
	exact   bool  // buffers whose size is known have that size
	buffers map[string]*buffer
	order   []string
}

func (b *builder) text() string {
	b.buffers, b.order = make(map[string]*buffer), nil
	var args []string
	for i, p := range session.KernelParams(b.kernel) {
		args = append(args, b.arg(i, p))
	}
	var text strings.Builder
	if len(b.order) > 0 {
		text.WriteString("buffers:\n")
	}
	for _, name := range b.order {
		text.WriteString(b.buffers[name].text(name))
	}
	fmt.Fprintf(&text, "launches:\n  - {kernel: %q, grid: [%d, %d, %d], block: [%d, %d, %d], args: [%s]}\n", b.kernel.Name,
		b.witness.Grid[0], b.witness.Grid[1], b.witness.Grid[2], b.witness.Block[0], b.witness.Block[1], b.witness.Block[2], strings.Join(args, ", "))
	return text.String()
}

// buffer is a buffer of a launch file.
type buffer struct {
	bytes    int64
	initial  *big.Int
	contents map[int64]byte
}

// text is the buffer in the file: words, or a list of them where its contents matter.
func (b *buffer) text(name string) string {
	const word = 4
	n := (b.bytes + word - 1) / word
	zero := "0"
	if b.initial != nil {
		zero = new(big.Int).And(b.initial, big.NewInt(0xffffffff)).String()
	}
	if len(b.contents) == 0 {
		return fmt.Sprintf("  %s: {type: u32, count: %d, init: %s}\n", name, n, zero)
	}
	var last int64
	for at := range b.contents {
		last = max(last, at)
	}
	n = min(n, max(maxContents, last/word+1))
	list := make([]string, n)
	for i := range list {
		list[i] = zero
		var v uint32
		set := false
		for k := int64(0); k < word; k++ {
			if c, ok := b.contents[int64(i)*word+k]; ok {
				v |= uint32(c) << (8 * k)
				set = true
			}
		}
		if set {
			list[i] = fmt.Sprint(v)
		}
	}
	return fmt.Sprintf("  %s: {type: u32, init: [%s]}\n", name, strings.Join(list, ", "))
}

// arg is a parameter's argument.
func (b *builder) arg(i int, p launch.Param) string {
	w := b.witness
	key := facts.Param{Index: i}
	switch {
	case p.Array:
		return b.fields(i, p)
	case p.Pointer:
		return b.pointer(key)
	}
	if v := w.Params[key]; v != nil {
		if p.Type.Float() {
			return "1.0"
		}
		return fit(v, 8*int(p.Size))
	}
	if p.Type.Float() {
		return "1.0"
	}
	return "1"
}

// fit is a value in so many bits.
func fit(v *big.Int, bits int) string {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(v, mod).String()
}

// fields are those of a struct by value: words, as the witness has them or 1.
func (b *builder) fields(i int, p launch.Param) string {
	w := b.witness
	var list []string
	for at := uint64(0); at < p.Size; {
		key := facts.Param{Index: i, Offset: int64(at)}
		if _, ok := b.given.Pointers[key]; ok && at%8 == 0 {
			list = append(list, b.pointer(key))
			at += 8
			continue
		}
		bits := uint64(32)
		if p.Size-at < 4 {
			bits = 8
		}
		value := "1"
		if v := w.Params[key]; v != nil {
			if v.BitLen() > 31 && at%8 == 0 && p.Size-at >= 8 {
				bits = 64
			}
			value = fit(v, int(bits))
		}
		list = append(list, fmt.Sprintf("{u%d: %s}", bits, value))
		at += bits / 8
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// pointer makes the buffer that a parameter points to. Parameters that must be equal share it,
// and so do those that lead to one allocation.
func (b *builder) pointer(p facts.Param) string {
	w := b.witness
	name := b.bufferOf(p)
	buf := b.buffers[name]
	if buf == nil {
		buf = &buffer{bytes: b.least, contents: make(map[int64]byte)}
		b.buffers[name] = buf
		b.order = append(b.order, name)
	}
	buf.bytes = max(buf.bytes, w.MinBytes[p])
	if ptr, ok := b.given.Pointers[p]; ok {
		buf.initial = b.value(ptr.Initial)
		if size := b.value(ptr.Size); size != nil && size.IsInt64() {
			buf.bytes = max(buf.bytes, min(size.Int64(), maxWitnessBytes))
			if b.exact {
				buf.bytes = max(1, min(size.Int64(), maxWitnessBytes))
			}
		}
	}
	for _, c := range w.Memory {
		if c.Param != p {
			continue
		}
		for k := range c.Bytes {
			at := c.Offset + int64(k)
			if at >= 0 && at < maxWitnessBytes {
				buf.contents[at] = byte(new(big.Int).And(new(big.Int).Rsh(c.Value, uint(8*k)), big.NewInt(255)).Uint64())
				buf.bytes = max(buf.bytes, at+1)
			}
		}
	}
	return name
}

// bufferOf names the buffer of a parameter.
func (b *builder) bufferOf(p facts.Param) string {
	for _, s := range b.witness.Same {
		for k, q := range s { // the least of those that are equal
			if s[1-k] == p && (q.Index < p.Index || q.Index == p.Index && q.Offset < p.Offset) {
				return b.bufferOf(q)
			}
		}
	}
	name := fmt.Sprintf("buf%d", p.Index+1)
	if p.Offset != 0 {
		name += fmt.Sprintf("_%d", p.Offset)
	}
	if ptr, ok := b.given.Pointers[p]; ok {
		name = strings.Map(func(r rune) rune {
			if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, ptr.Buffer)
	}
	return name
}

// value is an expression of the facts in the model of the witness, nil when it has none.
func (b *builder) value(x *expr.Int) *big.Int {
	if x == nil || b.witness.Model == nil {
		return nil
	}
	v, err := x.Eval(b.witness.Model)
	if err != nil {
		return nil
	}
	return v
}

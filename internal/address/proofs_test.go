package address_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/bits"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

var (
	proofs     = flag.Int("proofs", 750, "random programs for TestProofs")
	weakened   = flag.Int("weakened", 200, "random programs for each rule in TestWeakenedRules")
	firstProof = flag.Uint64("first-proof", 1, "seed of the first one")
)

// TestProofs: what is exempt in random programs takes part in no conflict, byte by byte.
func TestProofs(t *testing.T) {
	n, exempt, stopped := *proofs, 0, 0
	if testing.Short() {
		n /= 10
	}
	for seed := *firstProof; seed < *firstProof+uint64(n); seed++ {
		if done := seed - *firstProof; done > 0 && done%50_000 == 0 {
			t.Logf("%d programs, %d exempt accesses", done, exempt)
		}
		r, err := prove(seed)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, addressgen.Make(seed).PTX)
		}
		if len(r.lost) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, r.lost, addressgen.Make(seed).PTX)
		}
		exempt += r.exempt
		if r.stopped {
			stopped++
		}
	}
	t.Logf("%d programs, %d of them stopped by a fault, %d exempt accesses", n, stopped, exempt)
	if exempt < n/4 || stopped > n/2 {
		t.Errorf("%d of %d programs are stopped, %d accesses are exempt: too few to tell", stopped, n, exempt)
	}
}

// TestWeakenedRules: each rule is needed. Without it, an access that takes part in a conflict
// is exempt.
func TestWeakenedRules(t *testing.T) {
	for _, w := range address.Weakened {
		t.Run(w.Name, func(t *testing.T) {
			address.Weaken(t, w.Change)
			for seed := w.Seed; seed < w.Seed+uint64(*weakened); seed++ {
				r, err := prove(seed)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if len(r.lost) > 0 {
					t.Logf("seed %d: %v", seed, r.lost[0])
					return
				}
			}
			t.Error("no race is lost")
		})
	}
}

// proved is how a program does what was proved of it.
type proved struct {
	exempt  int      // accesses
	stopped bool     // by a fault
	lost    []string // exempt accesses in conflicts
}

// prove runs the program of a seed.
func prove(seed uint64) (out proved, err error) {
	program := addressgen.Make(seed)
	ast, err := ptxgrammar.Parse("k.ptx", []byte(program.PTX))
	if err != nil {
		return out, err
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		return out, err
	}
	k := mod.Func("k")
	trace := &conflicts{module: mod, words: make(map[uint64]*word)}
	machine, err := emu.New(mod, emu.Config{Listener: trace, MaxSteps: 100_000})
	if err != nil {
		return out, err
	}
	var buffers [addressgen.Buffers]uint64
	for i := range buffers {
		if buffers[i], err = machine.Alloc(fmt.Sprint("b", i), addressgen.BufferBytes); err != nil {
			return out, err
		}
	}
	var known []address.KernelLaunch
	for _, l := range program.Launches {
		known = append(known, facts(l))
	}
	for _, l := range program.Launches {
		clear(trace.words)
		r, err := machine.Launch(context.Background(), emu.LaunchConfig{
			Kernel: l.Kernel, Grid: emu.Dim3{X: l.Grid, Y: 1, Z: 1}, Block: emu.Dim3{X: l.Block, Y: 1, Z: 1}, Params: arguments(l, buffers),
		})
		if err != nil {
			return out, err
		}
		if len(r.Faults) > 0 {
			out.stopped = true
			break
		}
	}
	exempt := address.Exempt(k, address.NewProgram(known).Given("k"))
	out.exempt = len(exempt)
	out.lost = trace.lost(exempt)
	return out, nil
}

// facts are what the proofs are told of a launch.
func facts(l addressgen.Launch) address.KernelLaunch {
	out := address.KernelLaunch{Kernel: l.Kernel, Grid: [3]uint32{l.Grid, 1, 1}, Block: [3]uint32{l.Block, 1, 1}, Args: map[string]address.Argument{
		"zero": {Bytes: binary.LittleEndian.AppendUint64(nil, l.Zero)},
		"n":    {Bytes: binary.LittleEndian.AppendUint32(nil, l.N)},
	}}
	if l.AnyN {
		delete(out.Args, "n")
	}
	objects := map[int]uint64{} // numbered as they come: that says nothing of where they lie
	for i, b := range l.Buffers {
		if objects[b] == 0 {
			objects[b] = uint64(len(objects) + 1)
		}
		out.Args[fmt.Sprint("p", i)] = address.Argument{Bytes: make([]byte, 8), Objects: map[int64]uint64{0: objects[b]}}
	}
	return out
}

// arguments are the parameters of a launch.
func arguments(l addressgen.Launch, buffers [addressgen.Buffers]uint64) (out []byte) {
	for _, b := range l.Buffers {
		out = binary.LittleEndian.AppendUint64(out, buffers[b])
	}
	out = binary.LittleEndian.AppendUint64(out, l.Zero)
	return binary.LittleEndian.AppendUint32(out, l.N)
}

// conflicts notes who accesses which words of global memory in a launch of at most 64 threads.
type conflicts struct {
	emu.NopListener
	module *rewrite.Module
	words  map[uint64]*word
	made   []made
	size   uint64 // threads of a block
}

// word is the threads that access a word: all, those who write, those who do so other
// than by atomic operations for the device, and those who do not read, modify and write it.
type word struct{ all, write, plain, apart uint64 }

// made is an access of a word.
type made struct {
	inst   *rewrite.Inst
	word   uint64
	thread uint64 // its bit
}

// Event implements abi.Receiver.
func (c *conflicts) Event(ev *abi.Event) {
	if ev.Kind == abi.EventKernelBegin {
		c.made, c.size = c.made[:0], ev.Addr[3]
	}
}

// Accesses implements abi.Receiver.
func (c *conflicts) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Space == abi.SpaceGlobal {
			c.access(b.Block, a, sites.At(c.module, a.Site))
		}
	}
}

func (c *conflicts) access(block uint64, a *abi.Access, in *rewrite.Inst) {
	atomic := address.DeviceAtomic(in)
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		thread := uint64(1) << (block*c.size + uint64(lane))
		for at := a.At(lane) &^ 3; at < a.At(lane)+uint64(a.Bytes); at += 4 {
			w := c.words[at]
			if w == nil {
				w = new(word)
				c.words[at] = w
			}
			w.all |= thread
			if a.Access.Writes() {
				w.write |= thread
			}
			if !atomic {
				w.plain |= thread
			}
			if !in.Access.Atomic() {
				w.apart |= thread
			}
			c.made = append(c.made, made{in, at, thread})
		}
	}
}

// lost are the exempt accesses that are in conflicts.
func (c *conflicts) lost(exempt map[*rewrite.Inst]address.Exemption) (out []string) {
	for _, m := range c.made {
		w, why := c.words[m.word], exempt[m.inst]
		others := w.all &^ m.thread
		conflict := w.write&^m.thread != 0 || w.write != 0 && others != 0 && w.write&m.thread != 0
		if why == address.ExemptNot || !conflict {
			continue
		}
		if why != address.ExemptAtomic && why != address.ExemptUpdate || w.plain != 0 || why == address.ExemptUpdate && w.apart != 0 {
			out = append(out, fmt.Sprintf("%s is exempt (%d) and in a conflict at %#x", m.inst.Text(), why, m.word))
		}
	}
	return out
}

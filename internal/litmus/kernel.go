// A litmus test as PTX and a launch.

package litmus

import (
	"fmt"
	"strings"
)

// Kernel is a litmus test as a kernel and a launch file.
type Kernel struct {
	PTX    string
	Launch string
	// Lines are the instructions of the test by line of PTX, from 1.
	Lines map[int]*Instruction

	threads   map[spot]*Thread
	registers []Variable // in the order of the buffer of registers
	output    string     // name of that buffer
	locations []*Location
}

// Buffers are the names of the buffers that hold the final state.
func (k *Kernel) Buffers() []string {
	list := []string{k.output}
	for _, l := range k.locations {
		list = append(list, l.Name)
	}
	return list
}

// State returns the final state of a run from the contents of a buffer.
func (k *Kernel) State(buffer func(name string) []int64) State {
	s := State{}
	regs := buffer(k.output)
	for i, v := range k.registers {
		s[v] = regs[i]
	}
	for _, l := range k.locations {
		s[Variable{Name: l.Name}] = buffer(l.Name)[0]
	}
	return s
}

// Thread returns the thread of the test that runs as a thread of the launch; nil for none.
func (k *Kernel) Thread(block, thread int) *Thread { return k.threads[spot{block, thread}] }

// KernelName is the name of the kernel.
const KernelName = "litmus"

// Kernel writes the test as PTX. Each thread of the test is a thread of the launch, in the block that its place says;
// what it reads remains in registers until it ends, when it stores them to a buffer. Errors are *Error: for what PTX
// cannot say.
func (t *Test) Kernel() (*Kernel, error) {
	w := &kernelWriter{test: t, kernel: &Kernel{
		Lines: map[int]*Instruction{}, threads: map[spot]*Thread{},
		output: "registers",
	}, bits: t.registerBits()}
	for t.location(w.kernel.output) != nil {
		w.kernel.output += "_"
	}
	for _, l := range t.Locations {
		if l.Of == nil {
			w.kernel.locations = append(w.kernel.locations, l)
		}
	}
	if err := w.place(); err != nil {
		return nil, err
	}
	if err := w.nameBarriers(); err != nil {
		return nil, err
	}
	w.head()
	for i, th := range t.Threads {
		if err := w.thread(i, th); err != nil {
			return nil, err
		}
	}
	w.line("}")
	w.kernel.PTX = w.text.String()
	w.kernel.Launch = w.launch()
	return w.kernel, nil
}

func (t *Test) location(name string) *Location {
	for _, l := range t.Locations {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// kernelWriter writes one kernel.
type kernelWriter struct {
	test   *Test
	kernel *Kernel
	bits   int // of a register
	text   strings.Builder
	lines  int

	stride       int // threads of the launch from one thread of the test to the next: a warp where barriers have counts
	blocks       int
	cluster      int // blocks in a cluster, 0 without clusters
	width        int // threads in a block
	at           []spot
	gpusClusters bool // clusters stand for GPUs

	barriers map[barrierKey]int // number of the barrier
	expects  map[*Instruction]int
}

// spot is a place in the launch.
type spot struct{ block, thread int }

func (w *kernelWriter) line(format string, a ...any) {
	fmt.Fprintf(&w.text, format+"\n", a...)
	w.lines++
}

// head writes what precedes the threads.
func (w *kernelWriter) head() {
	w.line("// Litmus test %s", w.test.Name)
	if w.gpusClusters {
		w.line("// A cluster stands for each GPU: the scope gpu is written as cluster, and sys as gpu.")
	}
	w.line(".version 8.6")
	w.line(".target sm_90")
	w.line(".address_size 64")
	var params []string
	for _, name := range w.params() {
		params = append(params, "\t.param .u64 p_"+name)
	}
	w.line(".visible .entry %s(\n%s)", KernelName, strings.Join(params, ",\n"))
	w.lines += len(params)
	w.line("{")
	w.line("\t.reg .pred %%q;")
	w.line("\t.reg .b32 %%block, %%thread, %%id, %%t<4>;")
	w.line("\t.reg .b64 %%out, %%t64;")
	for _, l := range w.test.Locations {
		w.line("\t.reg .b64 %%m_%s;", l.Name)
	}
	for i, th := range w.test.Threads {
		for _, r := range th.Registers() {
			w.line("\t.reg .b%d %s;", w.bits, w.reg(i, r))
			w.kernel.registers = append(w.kernel.registers, Variable{th.Name, r})
		}
	}
	w.line("\tld.param.u64 %%out, [p_%s];", w.kernel.output)
	w.line("\tcvta.to.global.u64 %%out, %%out;")
	for _, l := range w.test.Locations {
		w.line("\tld.param.u64 %%m_%s, [p_%s];", l.Name, l.Name)
		if l.Proxy == Generic {
			w.line("\tcvta.to.global.u64 %%m_%s, %%m_%s;", l.Name, l.Name)
		}
	}
	w.line("\tmov.u32 %%block, %%ctaid.x;")
	w.line("\tmov.u32 %%thread, %%tid.x;")
	w.line("\tmad.lo.u32 %%id, %%block, %d, %%thread;", w.width)
	for i, s := range w.at {
		w.line("\tsetp.eq.u32 %%q, %%id, %d;", s.block*w.width+s.thread)
		w.line("\t@%%q bra THREAD_%d;", i)
		w.kernel.threads[s] = w.test.Threads[i]
	}
	w.line("\tret;")
}

// params are the names of the parameters: the buffer of registers, and each location's buffer, texture or surface.
func (w *kernelWriter) params() []string {
	list := []string{w.kernel.output}
	for _, l := range w.test.Locations {
		list = append(list, l.Name)
	}
	return list
}

func (w *kernelWriter) reg(thread int, name string) string {
	return fmt.Sprintf("%%r%d_%s", thread, name)
}

// thread writes a thread.
func (w *kernelWriter) thread(i int, th *Thread) error {
	w.line("THREAD_%d:", i)
	for _, r := range th.Registers() {
		w.line("\tmov.b%d %s, %d;", w.bits, w.reg(i, r), th.Initial[r])
	}
	for _, in := range th.Instructions {
		first := w.lines + 1
		if err := w.instruction(i, th, in); err != nil {
			return err
		}
		for n := first; n <= w.lines; n++ {
			w.kernel.Lines[n] = in
		}
	}
	for n, v := range w.kernel.registers {
		if v.Thread == th.Name {
			w.line("\tst.weak.global.b%d [%%out+%d], %s;", w.bits, n*w.bits/8, w.reg(i, v.Name))
		}
	}
	w.line("\tret;")
	return nil
}

// launch writes the launch file.
func (w *kernelWriter) launch() string {
	var b strings.Builder
	fmt.Fprintf(&b, "buffers:\n  %q: {type: s%d, count: %d, init: 0}\n", w.kernel.output, w.bits,
		max(1, len(w.kernel.registers)))
	var textures, args strings.Builder
	fmt.Fprintf(&args, "%q", w.kernel.output)
	for _, l := range w.test.Locations {
		arg := l
		switch {
		case l.Of == nil:
			fmt.Fprintf(&b, "  %q: {type: s%d, init: [%d]}\n", l.Name, 8*l.Size, wrap(l.Initial, l.Size))
		case l.Proxy == Generic || l.Proxy == Constant:
			arg = l.Memory()
		default:
			fmt.Fprintf(&textures, "  %q: {buffer: %q, size: [1], memory: linear}\n", l.Name, l.Memory().Name)
		}
		fmt.Fprintf(&args, ", %q", arg.Name)
	}
	if textures.Len() > 0 {
		fmt.Fprintf(&b, "textures:\n%s", textures.String())
	}
	cluster := ""
	if w.cluster > 0 {
		cluster = fmt.Sprintf("cluster: %d, ", w.cluster)
	}
	fmt.Fprintf(&b, "launches:\n  - {kernel: %s, grid: %d, block: %d, %sargs: [%s]}\n", KernelName, w.blocks, w.width,
		cluster, args.String())
	return b.String()
}

// wrap returns the value of a location of a size.
func wrap(v int64, size int) int64 {
	if size == 4 {
		return int64(int32(v))
	}
	return v
}

package session_test

import (
	"flag"
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

var partsPrograms = flag.Int("parts", 100, "random programs for TestParts")

// partsCounter counts the launches that come in parts, and those that come as a whole, and needs nothing of them.
type partsCounter struct {
	emu.NopListener
	divided, whole int
	begun          bool // the launch comes as a whole
}

// Interest implements emu.Listener.
func (c *partsCounter) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Skips: true}, Site: func(*rewrite.Inst) bool { return false },
		Parts: func(*rewrite.Func) abi.PartsReceiver { return c },
	}
}

// Event implements abi.Receiver.
func (c *partsCounter) Event(ev *abi.Event) {
	switch {
	case ev.Kind == abi.EventKernelBegin:
		c.begun = false
	case ev.Kind == abi.EventBlockBegin && !c.begun:
		c.begun = true
		c.whole++
	}
}

// TakesParts implements abi.PartsReceiver.
func (c *partsCounter) TakesParts() bool { return true }

// Divide implements abi.PartsReceiver.
func (c *partsCounter) Divide(goroutines int) []abi.PartReceiver {
	c.divided++
	return slices.Repeat([]abi.PartReceiver{noPart{}}, goroutines)
}

// Unite implements abi.PartsReceiver.
func (c *partsCounter) Unite(bool) {}

type noPart struct{ emu.NopListener }

func (noPart) BeginPart(uint64) {}
func (noPart) EndPart() bool    { return true }

// inBlocks are kernels whose blocks notice nothing of each other, and that have the races that are named.
const inBlocks = `.version 8.3
.target sm_90
.address_size 64
.visible .entry sharedRace(.param .u64 in, .param .u64 out)
{
	.shared .u32 s[256];
	.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
	ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1;
	mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
	ld.global.u32 %r4, [%rd4];
	mad.lo.u32 %r4, %r3, 40503, %r4; shr.u32 %r4, %r4, 9; and.b32 %r4, %r4, 255;
	mov.u32 %r5, s; mad.lo.u32 %r6, %r4, 4, %r5; mad.lo.u32 %r7, %r1, 4, %r5;
	st.shared.u32 [%r7], %r1;
	bar.sync 0;
	setp.gt.u32 %p, %r2, 37;
	@%p st.shared.u32 [%r6], %r4;
	ld.shared.u32 %r8, [%r7];
	st.global.u32 [%rd5], %r8;
	ret;
}
.visible .entry globalRace(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 260, %r1;
	mul.wide.u32 %rd3, %r3, 4; add.u64 %rd5, %rd2, %rd3;
	st.global.u32 [%rd5], %r1;
	ld.global.u32 %r8, [%rd5+4];
	ret;
}
.visible .entry none(.param .u64 in, .param .u64 out)
{
	.shared .u32 s[256];
	.reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1;
	mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
	ld.global.u32 %r4, [%rd4];
	mad.lo.u32 %r4, %r3, 40503, %r4; shr.u32 %r4, %r4, 9; and.b32 %r4, %r4, 255;
	mov.u32 %r5, s; mad.lo.u32 %r6, %r4, 4, %r5; mad.lo.u32 %r7, %r1, 4, %r5;
	st.shared.u32 [%r7], %r1;
	bar.sync 0;
	ld.shared.u32 %r8, [%r6];
	st.global.u32 [%rd5], %r8;
	ret;
}
`

const inBlocksLaunch = `buffers:
  in: {type: u32, count: 25600}
  out: {type: u32, count: 26000}
launches:
- {kernel: sharedRace, grid: 100, block: 256, args: [in, out]}
- {kernel: globalRace, grid: 100, block: 256, args: [in, out]}
- {kernel: none, grid: 100, block: 256, args: [in, out]}
`

// TestPartsOfKernels: launches that come in parts have the races that they have as a whole. Those without are executed
// once.
func TestPartsOfKernels(t *testing.T) {
	file, err := launchfile.Parse("k.yaml", []byte(inBlocksLaunch), launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep, count := comparedParts(t, inBlocks, file)
	if count.divided != 3 || count.whole != 2 {
		t.Errorf("%d launches came in parts and %d as a whole, want 3 and 2", count.divided, count.whole)
	}
	kernels := make(map[string]int)
	for _, x := range rep.Races {
		kernels[x.First.Kernel]++
	}
	if kernels["sharedRace"] == 0 || kernels["globalRace"] == 0 || kernels["none"] != 0 {
		t.Errorf("races of kernels: %v", kernels)
	}
}

// TestParts: random programs have the same races whether their launches may come in parts or not.
func TestParts(t *testing.T) {
	launches, whole, programs := 0, 0, *partsPrograms
	if testing.Short() {
		programs /= 4
	}
	for seed := range uint64(programs) {
		made := addressgen.Make(7_000_000 + seed)
		for i := range made.Launches {
			made.Launches[i].Grid *= 40
		}
		if _, count := comparedParts(t, made.PTX, racesuite.RandomLaunches(t, &made)); count.divided > 0 {
			launches, whole = launches+count.divided, whole+count.whole
		}
	}
	t.Logf("%d launches came in parts, %d launches of their programs came as a whole", launches, whole)
	if launches < programs/50 {
		t.Errorf("%d launches came in parts: too few to tell", launches)
	}
}

// comparedParts plays a program as a whole, and, where that is possible, in parts by one, two and five goroutines, and
// compares the races.
func comparedParts(t *testing.T, ptx string, file *launchfile.File) (rep *report.Report, count *partsCounter) {
	t.Helper()
	p := racesuite.Program(t, "k.ptx", []byte(ptx))
	whole := racesuite.RandomRun(t, p, file, "precise<elide=false>")
	whole.Options.Emulator.Record = new(emu.Schedule)
	want := racesuite.Facts(whole.Play(t).Report())
	for _, workers := range []int{1, 2, 5} {
		count = &partsCounter{}
		k := racesuite.RandomRun(t, p, file, "precise<elide=false>")
		k.Options.Emulator.Workers, k.Options.Emulator.Listener = workers, count
		rep = k.Play(t).Report()
		if got := racesuite.Facts(rep); !reflect.DeepEqual(got, want) {
			t.Errorf("%d goroutines, %d launches in parts:\n%+v\nas a whole\n%+v\n%s", workers, count.divided, got, want, ptx)
		}
	}
	return rep, count
}

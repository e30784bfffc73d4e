package device_test

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Emulated devices with LDetector's library.

// linked returns a program with LDetector's library.
func linked(t *testing.T, text string) *rewrite.Module {
	t.Helper()
	m, err := rewrite.Link(module(t, "test.ptx", []byte(text)), module(t, device.LDetector().Name, device.LDetector().PTX))
	if err != nil {
		t.Fatal(err)
	}
	return module(t, "linked.ptx", m.Source())
}

func module(t *testing.T, name string, text []byte) *rewrite.Module {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// gpu is an emulated device.
type gpu struct {
	*testing.T
	*emu.Machine
}

func newGPU(t *testing.T, text string) *gpu {
	t.Helper()
	m, err := emu.New(linked(t, text), emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &gpu{t, m}
}

func (g *gpu) alloc(size int) uint64 {
	g.Helper()
	at, err := g.Alloc("memory", uint64(size))
	if err != nil {
		g.Fatal(err)
	}
	return at
}

func (g *gpu) write(at uint64, p []byte) {
	g.Helper()
	if err := g.Write(at, p); err != nil {
		g.Fatal(err)
	}
}

func (g *gpu) read(at uint64, size int) []byte {
	g.Helper()
	p := make([]byte, size)
	if err := g.Read(at, p); err != nil {
		g.Fatal(err)
	}
	return p
}

func (g *gpu) launch(c emu.LaunchConfig) {
	g.Helper()
	r, err := g.Launch(context.Background(), c)
	if err != nil {
		g.Fatal(err)
	}
	for _, f := range r.Faults {
		g.Fatal(f)
	}
}

// region is a kernel of one region. Each thread has steps, each of a byte that it reads, or none, and a byte and a
// value that it writes, or none: accesses 2, 3, 4, 5 and so on. It sums up what it reads, beginning with a word of its
// own in global memory, and stores the sum there. In the end shared memory is copied to dump.
const region = `
.extern .func __ptxsan_ldetector_enter (.param .b32 lo, .param .b32 bytes);
.extern .func (.param .b64 r) __ptxsan_ldetector_begin (.param .b32 region, .param .b32 flags);
.extern .func (.param .b32 r) __ptxsan_ldetector_end (.param .b32 region, .param .b32 end, .param .b32 flags, .param .b64 registers, .param .b64 stores);
.extern .func __ptxsan_ldetector_log (.param .b64 address, .param .b32 bytes);
.extern .func __ptxsan_ldetector_touch (.param .b64 address, .param .b32 site, .param .b32 info);
.visible .entry region(.param .u64 steps, .param .u32 count, .param .u64 own, .param .u32 first, .param .u32 bytes, .param .u64 dump)
{
	.shared .align 16 .b8 array[512];
	.param .b32 a; .param .b32 b; .param .b32 c; .param .b64 d; .param .b64 e; .param .b32 r32; .param .b64 r64;
	.reg .pred %p<4>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<20>;
	mov.u32 %r1, array;
	ld.param.u32 %r2, [first];
	ld.param.u32 %r3, [bytes];
	add.u32 %r2, %r2, %r1;
	st.param.b32 [a], %r2;
	st.param.b32 [b], %r3;
	call __ptxsan_ldetector_enter, (a, b);
	mov.u32 %r4, %tid.x;
	ld.param.u64 %rd2, [own];
	mul.wide.u32 %rd3, %r4, 4;
	add.s64 %rd2, %rd2, %rd3;
	st.param.b32 [a], 7;
	st.param.b32 [b], 1;
	call (r64), __ptxsan_ldetector_begin, (a, b);
	ld.param.b64 %rd1, [r64];
	cvt.u64.u32 %rd4, %r2;
	add.s64 %rd4, %rd4, %rd1;
	mov.u32 %r13, 0;
AGAIN:
	mov.u32 %r15, 0;
	ld.global.u32 %r5, [%rd2];
	ld.param.u64 %rd5, [steps];
	add.s64 %rd5, %rd5, %rd3;
	add.s64 %rd5, %rd5, %rd3;
	mov.u32 %r6, %ntid.x;
	mul.wide.u32 %rd6, %r6, 8;
	ld.param.u32 %r7, [count];
STEP:
	ld.global.v4.u16 {%r8, %r9, %r10, %r11}, [%rd5];
	cvt.u64.u32 %rd7, %r8;
	add.s64 %rd7, %rd7, %rd4;
	setp.ne.u32 %p1, %r8, 65535;
	mov.u32 %r12, 0;
	add.u32 %r15, %r15, 2;
	setp.eq.u32 %p0, %r13, 3;
	and.pred %p3, %p0, %p1;
	@!%p3 bra READ;
	st.param.b64 [d], %rd7;
	st.param.b32 [a], %r15;
	st.param.b32 [b], 1;
	call __ptxsan_ldetector_touch, (d, a, b);
READ:
	@%p1 ld.u8 %r12, [%rd7];
	mad.lo.u32 %r5, %r5, 31, %r12;
	cvt.u64.u32 %rd8, %r9;
	add.s64 %rd8, %rd8, %rd4;
	setp.ne.u32 %p2, %r9, 65535;
	and.pred %p3, %p0, %p2;
	@!%p3 bra WRITE;
	add.u32 %r16, %r15, 1;
	st.param.b64 [d], %rd8;
	st.param.b32 [a], %r16;
	st.param.b32 [b], 257;
	call __ptxsan_ldetector_touch, (d, a, b);
WRITE:
	@%p2 st.u8 [%rd8], %r10;
	add.s64 %rd5, %rd5, %rd6;
	sub.u32 %r7, %r7, 1;
	setp.ne.u32 %p3, %r7, 0;
	@%p3 bra STEP;
	st.param.b64 [d], %rd2;
	st.param.b32 [b], 4;
	call __ptxsan_ldetector_log, (d, b);
	st.global.u32 [%rd2], %r5;
	cvt.u64.u32 %rd9, %r5;
	st.param.b32 [a], 7;
	st.param.b32 [b], 9;
	st.param.b32 [c], 1;
	st.param.b64 [d], %rd9;
	st.param.b64 [e], 0;
	call (r32), __ptxsan_ldetector_end, (a, b, c, d, e);
	ld.param.b32 %r13, [r32];
	setp.ge.u32 %p1, %r13, 2;
	@%p1 bra AGAIN;
	bar.sync 0;
	ld.param.u64 %rd10, [dump];
	mov.u64 %rd11, array;
COPY:
	setp.ge.u32 %p1, %r4, 512;
	@%p1 ret;
	cvt.u64.u32 %rd12, %r4;
	add.s64 %rd13, %rd11, %rd12;
	ld.shared.u8 %r14, [%rd13];
	add.s64 %rd13, %rd10, %rd12;
	st.global.u8 [%rd13], %r14;
	add.u32 %r4, %r4, %r6;
	bra COPY;
}
`

// regionGPU is a device with memory for region.
type regionGPU struct {
	*gpu
	steps, own, dump, blocks, races, log, state uint64
}

const regionRaces, regionRows, regionBlock, regionPad = 64, 8, 1 << 16, 768

func newRegionGPU(t *testing.T) *regionGPU {
	t.Helper()
	g := &regionGPU{gpu: newGPU(t, ".version 6.3\n.target sm_70\n.address_size 64\n"+region)}
	g.steps, g.own, g.dump = g.alloc(8*256*8), g.alloc(4*256), g.alloc(512)
	g.blocks, g.races, g.log = g.alloc(regionBlock), g.alloc(regionRaces*abi.LDetectorRaceBytes), g.alloc(8*regionRows*abi.LDetectorLogRowBytes)
	at, size, ok := g.Symbol(abi.LDetectorState)
	if !ok || size != abi.LDetectorStateBytes {
		t.Fatal("no state: ", size)
	}
	g.state = at
	return g
}

func (g *regionGPU) run(c *regionCase) (o outcome, counts abi.LDetectorCounts) {
	g.Helper()
	var steps, own []byte
	for _, row := range c.steps {
		for _, s := range row {
			for _, v := range []uint16{s.read, s.write, s.value, 0} {
				steps = binary.LittleEndian.AppendUint16(steps, v)
			}
		}
	}
	for _, v := range c.own {
		own = binary.LittleEndian.AppendUint32(own, v)
	}
	g.write(g.steps, steps)
	g.write(g.own, own)
	g.write(g.blocks, make([]byte, regionBlock))
	g.write(g.races, make([]byte, regionRaces*abi.LDetectorRaceBytes))
	state := abi.LDetectorStateVar{
		Options: c.options, Blocks: g.blocks, BlockStride: regionBlock, DigestsAt: abi.LDetectorBlockBytes, WorkspaceAt: 8192,
		SegmentBytes: regionPad, UnionAt: 0, BitmapAt: regionPad, OwnersAt: 2 * regionPad, CopiesAt: 3 * regionPad,
		Threads: uint32(c.threads), Warps: uint32(c.warps), LogRows: regionRows, Log: g.log, Races: g.races, MaxRaces: regionRaces,
	}
	g.write(g.state, state.Encode())
	params := binary.LittleEndian.AppendUint64(nil, g.steps)
	params = binary.LittleEndian.AppendUint64(params, uint64(len(c.steps)))
	params = binary.LittleEndian.AppendUint64(params, g.own)
	params = binary.LittleEndian.AppendUint32(params, uint32(c.first))
	params = binary.LittleEndian.AppendUint32(params, uint32(c.bytes))
	params = binary.LittleEndian.AppendUint64(params, g.dump)
	g.launch(emu.LaunchConfig{Kernel: "region", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: uint32(c.threads), Y: 1, Z: 1}, Params: params})
	counts, err := abi.DecodeLDetectorCounts(g.read(g.state, abi.LDetectorStateBytes))
	if err != nil {
		g.Fatal(err)
	}
	if o.races, err = abi.DecodeLDetectorRaces(g.read(g.races, regionRaces*abi.LDetectorRaceBytes)); err != nil {
		g.Fatal(err)
	}
	slices.SortFunc(o.races, func(a, b abi.LDetectorRace) int {
		return int(a.Kind)*1000 + int(a.Address) - int(b.Kind)*1000 - int(b.Address)
	})
	o.array = g.read(g.dump, 512)[c.first : c.first+c.bytes]
	for p := g.read(g.own, 4*c.threads); len(p) > 0; p = p[4:] {
		o.own = append(o.own, binary.LittleEndian.Uint32(p))
	}
	return o, counts
}

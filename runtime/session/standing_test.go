// Launches that are not watched because the verdict about an equal one holds.

package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// scaled has each thread of a block exchange a word with its neighbour, add f, and store it skip bytes on if enabled.
const scaled = `.version 7.0
.target sm_70
.address_size 64
.visible .entry scaled(.param .u64 in, .param .u64 out, .param .u32 f, .param .u64 skip, .param .u32 enabled)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .pred %p<2>;
	.shared .u32 s[64];
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u32 %r5, [f];
	ld.param.u64 %rd3, [skip];
	ld.param.u32 %r6, [enabled];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd5, %rd1, %rd4;
	ld.global.u32 %r2, [%rd5];
	mov.u64 %rd6, s;
	add.u64 %rd7, %rd6, %rd4;
	st.shared.u32 [%rd7], %r2;
	bar.sync 0;
	xor.b32 %r3, %r1, 1;
	mul.wide.u32 %rd8, %r3, 4;
	add.u64 %rd8, %rd6, %rd8;
	ld.shared.u32 %r4, [%rd8];
	add.u32 %r4, %r4, %r5;
	add.u64 %rd5, %rd2, %rd4;
	add.u64 %rd5, %rd5, %rd3;
	setp.eq.u32 %p1, %r6, 0;
	@%p1 ret;
	st.global.u32 [%rd5], %r4;
	ret;
}
`

// summed adds a word of each thread to a sum, whose value depends on the order.
const summed = `.version 7.0
.target sm_70
.address_size 64
.visible .entry summed(.param .u64 in, .param .u64 out)
{
	.reg .f32 %f<4>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd5, %rd1, %rd4;
	ld.global.f32 %f1, [%rd5];
	red.global.add.f32 [%rd2], %f1;
	ret;
}
// chosen stores at the place that the first word of a buffer says.
.visible .entry chosen(.param .u64 index, .param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [index];
	ld.param.u64 %rd2, [out];
	ld.global.u32 %r1, [%rd1];
	and.b32 %r1, %r1, 15;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], 1;
	ret;
}
`

// TestEqualLaunches: a launch is not watched if it equals an earlier one in all that decides where it accesses memory.
func TestEqualLaunches(t *testing.T) {
	s, _ := openApplication(t, scaled)
	a, b := buffer(t, s, "a", make([]uint32, 256)), buffer(t, s, "b", make([]uint32, 256))
	repeated := 0
	for _, c := range []struct {
		what  string
		grid  uint32
		args  []any
		stand bool
	}{
		{"the first", 1, []any{a, b, uint32(1), uint64(0), uint32(1)}, false},
		{"an equal one", 1, []any{a, b, uint32(1), uint64(0), uint32(1)}, true},
		{"another number to add", 1, []any{a, b, uint32(7), uint64(0), uint32(1)}, true},
		{"buffers exchanged", 1, []any{b, a, uint32(1), uint64(0), uint32(1)}, true},
		{"one buffer", 1, []any{a, a, uint32(1), uint64(0), uint32(1)}, false},
		{"another place", 1, []any{a, b, uint32(1), uint64(256), uint32(1)}, false},
		{"another branch", 1, []any{a, b, uint32(1), uint64(0), uint32(0)}, false},
		{"another grid", 2, []any{a, b, uint32(1), uint64(0), uint32(0)}, false},
		{"one buffer again", 1, []any{b, b, uint32(2), uint64(0), uint32(1)}, true},
	} {
		launch(t, s, session.Launch{Kernel: "scaled", Grid: emu.Dim3{X: c.grid}, Block: emu.Dim3{X: 64}, Args: c.args})
		if c.stand {
			repeated++
		}
		if got := s.Report().Coverage[0].Repeated; got != repeated {
			t.Errorf("after %s: %d launches are proved by equal ones, expected %d", c.what, got, repeated)
			repeated = got
		}
	}
	var text strings.Builder
	if err := s.Report().WriteText(&text, report.TextOptions{}); err != nil || !strings.Contains(text.String(), "4 launches proved by equal ones") {
		t.Errorf("%v: %s", err, text.String())
	}
}

// TestEqualLaunchesThatVary: sums of floating-point numbers depend on the order of threads; a launch that is not watched
// leaves such sums like a watched one, and touches nothing else.
func TestEqualLaunchesThatVary(t *testing.T) {
	for _, sums := range []int{1, 3} {
		s, _ := openApplication(t, summed)
		in, sum, index := buffer(t, s, "in", make([]uint32, 64)), buffer(t, s, "sum", make([]uint32, 16)), buffer(t, s, "index", make([]uint32, 16))
		run := func(kernel string, args ...any) {
			launch(t, s, session.Launch{Kernel: kernel, Block: emu.Dim3{X: map[string]uint32{"summed": 32}[kernel]}, Args: args})
		}
		run("chosen", index, in) // from now on it is followed where values come from
		for range sums {
			if err := sum.Write(0, make([]byte, 64)); err != nil {
				t.Fatal(err)
			}
			run("summed", in, sum)
		}
		run("chosen", index, in)
		of := func(kernel string) (schedules report.Schedules) {
			for _, c := range s.Report().Claims {
				if c.Kernel == kernel {
					schedules = c.Schedules
				}
			}
			return schedules
		}
		if of("chosen") != report.EverySchedule {
			t.Errorf("%d sums: the claim for a place that no sum decides is %q", sums, of("chosen"))
		}
		run("chosen", sum, in)
		if of("chosen") != report.ThisSchedule {
			t.Errorf("%d sums: the claim for a place that a sum decides is %q", sums, of("chosen"))
		}
	}
}

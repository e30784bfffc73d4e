package observe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
)

// twoStores runs as steps 1 to 5 of one warp; lane 0 alone is at line 11.
const twoStores = `.version 7.5
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b64 %rd<2>; .reg .b32 %r<2>; .reg .pred %p<2>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	st.global.u32 [%rd1], %r1;
	@%p1 st.global.u32 [%rd1+4], %r1;
	ret;
}
`

// TestArrow: arrows go from the earlier to the later access, wherever the finder of the
// race has them, and only between accesses that were made and shown.
func TestArrow(t *testing.T) {
	at := func(line, warp, lane uint32) observe.Visit { return observe.Visit{Site: line, Warp: warp, Lane: lane} }
	for _, c := range []struct {
		name   string
		a, b   observe.Visit
		filter string
		want   []string
	}{
		{"forwards", at(10, 0, 7), at(11, 0, 0), "", []string{"s 1 0 4", "f 1 0 5 e"}},
		{"backwards", at(11, 0, 0), at(10, 0, 7), "", []string{"s 1 0 4", "f 1 0 5 e"}},
		{"guarded off", at(10, 0, 7), at(11, 0, 1), "", nil},
		{"no access", at(10, 0, 7), at(8, 0, 1), "", nil},
		{"no such warp", at(10, 0, 7), at(10, 1, 7), "", nil},
		{"filtered", at(10, 0, 7), at(11, 0, 0), "line=11", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			filter := (*observe.Filter)(nil)
			if c.filter != "" {
				filter = parseFilter(t, c.filter)
			}
			var out bytes.Buffer
			l := observe.NewTimeline(&out, observe.Names{}, filter)
			if l.Arrow("early", c.a, c.b) {
				t.Error("an arrow of a timeline that remembers nothing")
			}
			l.Remember(func(in *rewrite.Inst) uint32 { return uint32(in.Line) })
			run(t, twoStores, emu.Config{Listener: l}, 1, 32)
			if l.Arrow("race", c.a, c.b) != (c.want != nil) {
				t.Errorf("arrow drawn, or not, contrary to %v", c.want)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if got := flows(t, out.Bytes()); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// flows is the ends of arrows: kind, process, thread, time, binding.
func flows(t *testing.T, text []byte) (list []string) {
	t.Helper()
	var doc struct {
		TraceEvents []struct {
			Ph, ID, Bp string
			Pid, Tid   int
			Ts         uint64
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, e := range doc.TraceEvents {
		switch e.Ph {
		case "s":
			list = append(list, fmt.Sprintf("s %d %d %d", e.Pid, e.Tid, e.Ts))
		case "f":
			list = append(list, fmt.Sprintf("f %d %d %d %s", e.Pid, e.Tid, e.Ts, e.Bp))
		}
	}
	return list
}

// TestArrowForgets: what an earlier launch did is no end of an arrow.
func TestArrowForgets(t *testing.T) {
	var out bytes.Buffer
	l := observe.NewTimeline(&out, observe.Names{}, nil)
	l.Remember(func(in *rewrite.Inst) uint32 { return uint32(in.Line) })
	mod := load(t, twoStores)
	runModule(t, mod, emu.Config{Listener: l}, 2, 32)
	runModule(t, mod, emu.Config{Listener: l}, 1, 32)
	second := observe.Visit{Site: 10, Block: emu.Dim3{X: 1}}
	if l.Arrow("race", observe.Visit{Site: 10}, second) {
		t.Error("an arrow to a block of the first launch")
	}
}

// Grids of which some blocks are watched.

package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// sampledKernel has three pairs of blocks that meet: block n writes word 4*n of data and block m reads
// it, without order for n, m of 0 and 7, and of 3 and 4; and in order for 0 and 1, by way of block 5, which
// takes a flag from the one and gives one to the other.
const sampledKernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra END;
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra B0;
	setp.eq.u32 %p1, %r1, 1;
	@%p1 bra B1;
	setp.eq.u32 %p1, %r1, 3;
	@%p1 bra B3;
	setp.eq.u32 %p1, %r1, 4;
	@%p1 bra B4;
	setp.eq.u32 %p1, %r1, 5;
	@%p1 bra B5;
	setp.eq.u32 %p1, %r1, 7;
	@%p1 bra B7;
END:	ret;
B0:	st.global.u32 [%rd1], 1;
	st.global.u32 [%rd1+4], 1;
	st.release.gpu.global.u32 [%rd1+32], 1;
	ret;
B1:	ld.acquire.gpu.global.u32 %r3, [%rd1+36];
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra B1;
	ld.global.u32 %r4, [%rd1+4];
	ret;
B5:	ld.acquire.gpu.global.u32 %r3, [%rd1+32];
	setp.eq.u32 %p1, %r3, 0;
	@%p1 bra B5;
	st.release.gpu.global.u32 [%rd1+36], 1;
	ret;
B7:	ld.global.u32 %r4, [%rd1];
	ret;
B3:	st.global.u32 [%rd1+12], 1;
	ret;
B4:	ld.global.u32 %r4, [%rd1+12];
	ret;
}
`

// sampledReport is what precise finds when as many threads of the grid are watched.
func sampledReport(t *testing.T, threads uint64, launches int) *report.Report {
	t.Helper()
	o := session.Options{MaxThreads: threads}
	var err error
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(o)
	if err == nil {
		err = s.Load(parse(t, sampledKernel))
	}
	if err != nil {
		t.Fatal(err)
	}
	for range launches {
		data := buffer(t, s, "data", make([]uint32, 16))
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 8}, Block: emu.Dim3{X: 32}, Args: []any{data}})
	}
	return s.Report()
}

// TestMaxThreads: races of the blocks that are watched are found, those of others are not, what orders
// the former by way of the latter is known, and the report says what was left out.
func TestMaxThreads(t *testing.T) {
	for _, c := range []struct {
		threads uint64
		races   int
		note    string
	}{
		{0, 2, ""},
		{256, 2, ""},
		{255, 2, "first 6 blocks and the last one"},
		{96, 1, "k: 2 launches with 8 blocks: of the accesses only those of the first 2 blocks and the last one were watched, for the limit of 96 threads"},
		{1, 1, "those of the first block and the last one"},
	} {
		rep := sampledReport(t, c.threads, 2)
		if len(rep.Races) != c.races || len(rep.Notes) > 1 || c.note == "" && len(rep.Notes) > 0 || c.note != "" && !strings.Contains(strings.Join(rep.Notes, ""), c.note) {
			t.Errorf("%d threads: %d races and notes %q; want %d and %q", c.threads, len(rep.Races), rep.Notes, c.races, c.note)
		}
	}
	d, err := session.ParseDetectors("iguard")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Open(session.Options{Detectors: d, MaxThreads: 5}); err == nil || !strings.Contains(err.Error(), "expected detectors that listen, found iguard") {
		t.Errorf("a detector inside the kernel: %v", err)
	}
}

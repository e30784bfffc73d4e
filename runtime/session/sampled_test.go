// Launches and blocks of which some are watched.

package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sample"
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

// sampledReport is what precise finds when a share of the launches is watched.
func sampledReport(t *testing.T, shares string, seed uint64, launches int) *report.Report {
	t.Helper()
	var o session.Options
	var err error
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		t.Fatal(err)
	}
	o.Sample.Seed = seed
	if o.Sample.Plan, err = sample.Parse(shares); err != nil {
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

// TestSample: races of the blocks that are watched are found, those of others are not, what orders the former by way of
// the latter is known, and the report says what was left out.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		shares string
		races  int
		note   string
	}{
		{"100%", 2, ""},
		{"0.0001%", 1, "k: only 2 of 16 blocks, in 1 launch, were watched for races: --sample 0.0001%"}, // the first and the last block
		{"0%,100%@2", 2, "k: only 8 of 16 blocks, in 1 launch, were watched for races: --sample 0%,100%@2"},
		{"100%,0%@1.4", 0, "k: only 4 of 16 blocks, in 1 launch, were watched for races: --sample 100%,0%@1.4"},
		{"100%,0%@1.5", 1, "k: only 5 of 16 blocks"}, // 3 and 4
		{"0%", 0, "k: only 0 of 16 blocks, in 0 launches"},
	} {
		rep := sampledReport(t, c.shares, 0, 2)
		notes := strings.Join(rep.CoverageNotes(), "\n")
		if len(rep.Races) != c.races || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %d races and notes %q; want %d and %q", c.shares, len(rep.Races), notes, c.races, c.note)
		}
		if clean := rep.Verdict == report.Clean; clean != (c.races == 0 && c.shares != "0%") {
			t.Errorf("%s: verdict %s", c.shares, rep.Verdict)
		}
	}
	d, err := session.ParseDetectors("iguard")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Open(session.Options{Detectors: d, Sample: sample.Options{Plan: sample.Plan{{Launch: 1}}}}); err == nil || !strings.Contains(err.Error(), "expected detectors that listen, found iguard") {
		t.Errorf("a detector inside the kernel: %v", err)
	}
}

// TestSampleSeeds: a race between two blocks, chosen each at half of the seeds, is found at a quarter of them, the same
// ones again.
func TestSampleSeeds(t *testing.T) {
	const seeds = 200
	found := 0
	for seed := range uint64(seeds) {
		if n := len(sampledReport(t, "50%", seed, 1).Races); n > 1 { // that of the first and the last block is found always
			found++
			if again := len(sampledReport(t, "50%", seed, 1).Races); again != n {
				t.Errorf("seed %d: %d races, then %d", seed, n, again)
			}
		}
	}
	if found < seeds/4*7/10 || found > seeds/4*13/10 {
		t.Errorf("found by %d of %d seeds", found, seeds)
	}
}

// TestClaimsOfSamples: a launch of which all is watched has a claim, and stands for equal ones, which the sample then
// need not choose; one of which blocks are left out has none.
func TestClaimsOfSamples(t *testing.T) {
	const kernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x) {
	.reg .b32 %r; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [x]; mov.u32 %r, %ctaid.x; mul.wide.u32 %rd2, %r, 4; add.s64 %rd1, %rd1, %rd2;
	st.global.u32 [%rd1], %r;
	ret;
}
`
	const partial = "not all of its blocks were watched"
	budget := sample.NewBudget(time.Hour, time.Now)
	for _, c := range []struct {
		o         sample.Options
		undecided string
		left      bool // whether a launch was left out
	}{
		{sample.Options{Budget: budget}, "", false},
		{sample.Options{Plan: sample.Plan{{Share: sample.Whole, Launch: 1}}}, "", false},
		{sample.Options{Plan: sample.Plan{{Share: sample.Whole, Launch: 1}, {Launch: 2}}}, "", false},
		{sample.Options{Plan: sample.Plan{{Share: sample.Whole, Launch: 1}, {Launch: 1, Block: 2}}}, partial, true},
		{sample.Options{Plan: sample.Plan{{Launch: 1}}}, partial, true},
	} {
		s, x, _, _ := hostedBy(t, kernel, session.Options{Claims: true, Application: true, Sample: c.o})
		for range 2 {
			launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 4}, Block: emu.Dim3{X: 1}, Args: []any{x}})
		}
		rep := s.Report()
		if len(rep.Claims) != 1 || rep.Claims[0].Undecided != c.undecided || len(rep.NotChecked) > 0 != c.left {
			t.Errorf("%+v: %+v, not checked: %v", c.o, rep.Claims, rep.NotChecked)
		}
	}
}

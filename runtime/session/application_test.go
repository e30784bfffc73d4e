// Applications: launches that nobody announces, of several programs, and that cannot be made again.

package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// openApplication opens the session of an application with programs.
func openApplication(t *testing.T, programs ...string) (s *session.Session, loaded []*session.Program) {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = session.Open(session.Options{Detectors: detectors, Application: true, Claims: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, text := range programs {
		p := parse(t, text)
		if err := s.Load(p); err != nil {
			t.Fatal(err)
		}
		loaded = append(loaded, p)
	}
	return s, loaded
}

// mirrored has thread i read word i of in, skip bytes on, and write the word of out that is as far from its end.
const mirrored = `.version 7.0
.target sm_70
.address_size 64
.visible .entry mirrored(.param .u64 in, .param .u64 out, .param .u64 skip)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	ld.param.u64 %rd3, [skip];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd5, %rd1, %rd4;
	add.u64 %rd5, %rd5, %rd3;
	ld.global.u32 %r2, [%rd5];
	sub.u64 %rd6, %rd2, %rd4;
	st.global.u32 [%rd6+252], %r2;
	ret;
}
`

// TestApplicationStrays: an access that goes elsewhere than was proved is in the report, and nothing is left out of
// what follows; another program does not matter.
func TestApplicationStrays(t *testing.T) {
	s, programs := openApplication(t, mirrored, shift)
	in, out := buffer(t, s, "in", make([]uint32, 64)), buffer(t, s, "out", make([]uint32, 64))
	mirror := func(skip uint64) *session.Result {
		return launch(t, s, session.Launch{Program: programs[0], Kernel: "mirrored", Block: emu.Dim3{X: 64}, Args: []any{in, out, skip}})
	}
	if res := mirror(0); len(res.Races) > 0 || s.Exempt() != 2 {
		t.Errorf("%d races, %d accesses are left out, want 0 and 2", len(res.Races), s.Exempt())
	}
	mirror(out.Address() - in.Address())
	notes := s.Report().Notes
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "launch 2, mirrored: ld.global.u32 at k.ptx:15:2 went to another allocation") {
		t.Errorf("the report says %q", notes)
	}
	if res := mirror(out.Address() - in.Address()); len(res.Races) == 0 || s.Exempt() != 0 {
		t.Errorf("%d races, %d accesses are left out afterwards", len(res.Races), s.Exempt())
	}
	launch(t, s, session.Launch{Program: programs[1], Kernel: "shift", Block: emu.Dim3{X: 32}, Args: []any{in, out}})
	if s.Exempt() == 0 {
		t.Error("nothing is left out of the other program")
	}
	if again := s.Report().Notes; !slices.Equal(again, notes) {
		t.Errorf("the report says %q in the end", again)
	}
}

// TestApplicationLaunches: of a kernel whose launches differ too much nothing is concluded, and others do not suffer.
func TestApplicationLaunches(t *testing.T) {
	s, _ := openApplication(t, mirrored+strings.Replace(mirrored[strings.Index(mirrored, ".visible"):], "mirrored", "other", 1))
	in, out := buffer(t, s, "in", make([]uint32, 64)), buffer(t, s, "out", make([]uint32, 64))
	for grid := uint32(1); grid <= 100; grid++ {
		launch(t, s, session.Launch{Kernel: "mirrored", Grid: emu.Dim3{X: grid}, Args: []any{in, out, 0}})
	}
	if n := s.Exempt(); n != 0 {
		t.Errorf("%d accesses are left out of launches of any grid", n)
	}
	launch(t, s, session.Launch{Kernel: "other", Block: emu.Dim3{X: 64}, Args: []any{in, out, 0}})
	if n := s.Exempt(); n != 2 {
		t.Errorf("%d accesses of the other kernel are left out, want 2", n)
	}
	if res := launch(t, s, session.Launch{Kernel: "other", Block: emu.Dim3{X: 64}, Args: []any{in, in, 0}}); len(res.Races) == 0 {
		t.Error("no race in place")
	}
}

// TestApplicationSettles: the static detector is asked about kernels that an application launches again and again, or
// whose threads execute many instructions.
func TestApplicationSettles(t *testing.T) {
	const (
		price     = 16 << 19 // instructions of threads for the first analysis
		separated = 1        // accesses that barriers alone separate from all stores
	)
	for _, c := range []struct {
		name           string
		blocks, rounds uint32
		different      int // launches, by their rounds
		launches       int // before the analysis
	}{
		{"often", 256, 0, 4, 8}, {"long", 2, 6000, 1, 2}, {"longer", 2, 12000, 1, 1}, {"small", 2, 1, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := openApplication(t, again)
			in, out := buffer(t, s, "in", make([]uint32, 64*c.blocks)), buffer(t, s, "out", make([]uint32, 64*c.blocks))
			executed := uint64(0)
			for n := 1; n <= 10; n++ {
				res := launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: c.blocks}, Block: emu.Dim3{X: 64}, Args: []any{in, out, c.rounds + uint32(n%c.different)}})
				executed += res.Stats.ThreadInstructions
				if got := s.ExemptByAnalysis() > separated; got != (c.launches > 0 && n >= c.launches) {
					t.Errorf("after %d launches of %d instructions in all, %d accesses are left out", n, executed, s.ExemptByAnalysis())
				}
			}
			if often := c.launches != 1 && c.launches != 2; often == (executed >= price) {
				t.Errorf("%d instructions", executed)
			}
		})
	}
}

// again has threads exchange words by way of shared memory, as often as its third parameter says and once more.
const again = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 rounds)
{
	.reg .pred %p;
	.reg .b32 %i, %n, %t, %b, %v;
	.reg .b64 %in, %out, %w, %near, %far;
	.shared .align 4 .b8 words[256];
	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	ld.param.u32 %n, [rounds];
	mov.u32 %t, %tid.x;
	mov.u32 %b, %ctaid.x;
	mad.lo.u32 %i, %b, 64, %t;
	mul.wide.u32 %w, %i, 4;
	add.u64 %in, %in, %w;
	add.u64 %out, %out, %w;
	mov.u64 %near, words;
	and.b32 %t, %t, 63; // after this, addresses are not linear
	mul.wide.u32 %w, %t, 4;
	sub.u64 %far, %near, %w;
	add.u64 %near, %near, %w;
	ld.global.u32 %v, [%in];
	mov.u32 %i, 0;
AGAIN:
	st.shared.u32 [%near], %v;
	bar.sync 0;
	ld.shared.u32 %v, [%far+252];
	bar.sync 0;
	add.u32 %i, %i, 1;
	setp.le.u32 %p, %i, %n;
	@%p bra AGAIN;
	st.global.u32 [%out], %v;
	ret;
}
`

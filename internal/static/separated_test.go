package static_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestSeparated compares the accesses that barriers separate with those that are marked "// sep", and those that
// barriers separate from all but accesses by the same thread, for 64 threads in a block, with those that are marked "//
// own" or "// sep".
func TestSeparated(t *testing.T) {
	for name, body := range map[string]string{
		"tile": `
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"a tile that is counted in": `
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // own
	atom.shared.add.u32 %r3, [%rd3], 1; // own
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"tile in a loop": `
loop:
	st.shared.u32 [%rd2], %r2; // own
	bar.sync 0;
	ld.shared.u32 %r3, [%rd3]; // sep
	ld.shared.u32 %r4, [%rd3+4]; // sep
	bar.sync 0;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, 4;
	@%p1 bra loop;`,
		"one barrier in a loop": `
loop:
	st.shared.u32 [%rd2], %r2;
	bar.sync 0;
	ld.shared.u32 %r3, [%rd3];
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, 4;
	@%p1 bra loop;`,
		"histogram": `
	st.shared.u32 [%rd2], 0; // own
	bar.sync 0;
	red.shared.add.u32 [%rd3], 1; // sep
	atom.shared.add.u32 %r2, [%rd3], 1; // sep
	bar.sync 0;
	ld.shared.u32 %r2, [%rd2]; // sep`,
		"atomic operations of two sizes": `
	bar.sync 0;
	red.shared.add.u32 [%rd2], 1;
	red.shared.add.u64 [%rd2], 1;`,
		"threads that leave before": `
	setp.ge.u32 %p1, %r1, 7;
	@%p1 ret;
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"own words without a barrier": `
	st.shared.u32 [%rd2], 1; // own
	ld.shared.u32 %r2, [%rd2]; // own`,
		"own words and those of a neighbour": `
	st.shared.u32 [%rd2], 1;
	ld.shared.u32 %r2, [%rd2]; // own
	ld.shared.u32 %r2, [%rd2+4];`,
		"two stores to own words": `
	st.shared.u32 [%rd2], 1; // own
	st.shared.u32 [%rd2], 2; // own
	bar.sync 0;
	st.shared.u32 [tile+4], 1;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"in halves": `
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // own
	st.shared.u32 [%rd2+320], 1; // own`,
		"threads that leave later": `
	st.shared.u32 [%rd2], 1;
	setp.ge.u32 %p1, %r1, 7;
	@%p1 ret;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3];`,
		"a barrier for some threads": `
	st.shared.u32 [%rd2], 1;
	setp.ge.u32 %p1, %r1, 7;
	@%p1 bra over;
	bar.sync 0;
over:
	ld.shared.u32 %r2, [%rd3];`,
		"a barrier of 32 threads": `
	st.shared.u32 [%rd2], 1;
	bar.sync 0, 32;
	ld.shared.u32 %r2, [%rd3];`,
		"a strong read": `
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	ld.volatile.shared.u32 %r2, [%rd3];`,
		"a generic store": `
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	st.u32 [%rd4], 1;
	ld.shared.u32 %r2, [%rd3];`,
		"a flag that tells all threads to leave a loop": `
	setp.ne.u32 %p1, %r1, 0;
loop:
	@%p1 bra wait;
	ld.shared.u32 %r2, [tile]; // own
	st.shared.u32 [tile+256], 1; // own
wait:
	bar.sync 0;
	ld.shared.u32 %r3, [tile+256]; // sep
	setp.ne.u32 %p2, %r3, 0;
	@%p2 bra out;
	bar.sync 0;
	@!%p1 st.shared.u32 [tile], 2; // own
	bar.sync 0;
	bra loop;
out:`,
		"a flag that another thread clears behind the loop": `
	setp.ne.u32 %p1, %r1, 0;
loop:
	bar.sync 0;
	ld.shared.u32 %r3, [tile];
	setp.ne.u32 %p2, %r3, 0;
	@%p2 bra out;
	bar.sync 0;
	@!%p1 st.shared.u32 [tile], 2;
	bar.sync 0;
	bra loop;
out:
	@!%p1 st.shared.u32 [tile], 0;`,
		"a flag of each thread": `
loop:
	bar.sync 0;
	ld.shared.u32 %r3, [%rd2]; // own
	setp.ne.u32 %p2, %r3, 0;
	@%p2 bra out;
	bar.sync 0;
	st.shared.u32 [%rd2], 1; // own
	bar.sync 0;
	bra loop;
out:`,
		"two threads": `
	setp.eq.u32 %p1, %r1, 0;
	setp.eq.u32 %p2, %r1, 1;
	@%p1 st.shared.u32 [tile], 1;
	@%p2 ld.shared.u32 %r2, [tile];
	@%p2 st.shared.u32 [tile+128], 1; // own`,
		"an asynchronous copy": `
	cp.async.ca.shared.global [%rd2], [%rd1], 4;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3];`,
		"a call": `
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	call elsewhere;
	ld.shared.u32 %r2, [%rd3];`,
	} {
		text := `.version 8.0
.target sm_90
.address_size 64
.shared .align 8 .b8 tile[512];
.func elsewhere() { st.shared.u32 [tile], 1; ret; }
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 0;
	mul.wide.u32 %rd4, %r1, 4;
	mov.u64 %rd2, tile;
	add.u64 %rd2, %rd2, %rd4;
	add.u64 %rd3, %rd2, 64;` + body + "\n\tret;\n}\n"
		program, err := session.Parse("k.ptx", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f := program.Module.Func("k")
		alone := static.SeparationOf(f).Separated(nil)
		threads := random{launches: []randomLaunch{{kernel: "k", grid: 2, block: 64}}}
		own := static.SeparationOf(f).Separated(address.SharedApart(f, threads.given()))
		lines := strings.Split(text, "\n")
		for _, in := range f.Insts {
			l := lines[in.Line-1]
			sep := strings.HasSuffix(l, "// sep")
			if alone[in] != sep || own[in] != (sep || strings.HasSuffix(l, "// own")) {
				t.Errorf("%s: %s: separated by barriers: %t; from all but its thread: %t", name, l, alone[in], own[in])
			}
		}
	}
}

// anySpace is an access whose instruction names no state space.
var anySpace = regexp.MustCompile(`\b(ld|st|red|red\.cta)\.(u8|u32|v2\.u32|add\.u32) `)

// masked makes an index smaller than 256. tileAddress computes an address in shared memory.
var (
	masked      = regexp.MustCompile(`and\.b32 (%r\d+, %r\d+), (127|255);`)
	tileAddress = regexp.MustCompile(`(mad\.wide\.[us]32 %rd\d+,) (%r\d+, \d+), %rd3;`)
)

// withTiles returns the text of a random kernel with no generic accesses, with half of its masks left out, with half of
// its indices into the tile replaced by that of the thread, and with half of its accesses to the tile made to another
// one of 64 words before it.
func withTiles(text string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0x74696c65))
	text = anySpace.ReplaceAllString(text, "$1.global.$2 ")
	sometimes := func(re *regexp.Regexp, by string) {
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			if r.IntN(2) == 0 {
				return s
			}
			return re.ReplaceAllString(s, by)
		})
	}
	sometimes(masked, "mov.b32 $1;")
	sometimes(tileAddress, "$1 %r2, 4, %rd3;")
	sometimes(tileAddress, "$1 $2, %rd0;")
	return strings.Replace(text, "\t.shared", "\t.shared .align 16 .b8 before[256];\n\tmov.u64 %rd0, before;\n\t.shared", 1)
}

// given returns what is known of the launch of a random kernel, without its arguments.
func (k *random) given() address.Given {
	l := k.launches[0]
	return address.NewProgram([]address.KernelLaunch{{Kernel: l.kernel, Block: [3]uint32{l.block, 1, 1}, Grid: [3]uint32{l.grid, 1, 1}}}).Given(l.kernel)
}

// TestSeparatedDoNotRace: no access of a random kernel that barriers or linear addresses separate races under precise,
// in some schedules.
func TestSeparatedDoNotRace(t *testing.T) {
	t.Run("tiles", func(t *testing.T) {
		separatedDoNotRace(t, 120, func(seed uint64) *random {
			k := randomKernel(seed)
			k.text = withTiles(k.text, seed)
			return k
		})
	})
	t.Run("flags", func(t *testing.T) { separatedDoNotRace(t, 120, flagKernel) })
}

// TestSeparatedHideNothing compares the races that precise finds in random kernels with and without proofs. Without the
// stores that proofs leave out, strong accesses must not synchronise threads that they do not synchronise otherwise.
func TestSeparatedHideNothing(t *testing.T) {
	n := uint64(100)
	if testing.Short() {
		n = 25
	}
	races, proved := 0, 0
	for seed := range n {
		k := flagKernel(seed)
		all, _, err := k.session(seed, "precise<elide=false>")
		if err != nil {
			t.Fatal(err)
		}
		some, _, err := k.session(seed, "precise<prove>")
		if err != nil {
			t.Fatal(err)
		}
		got, want := racesOf(some), racesOf(all)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %v with proofs, %v without\n%s", seed, got, want, k.text)
		}
		races, proved = races+len(want), proved+some.ExemptByAnalysis()
	}
	if races < int(n/4) || proved < int(n/4) {
		t.Errorf("%d races, %d accesses are left out: too few to tell", races, proved)
	}
	t.Logf("%d races, %d accesses are left out", races, proved)
}

// separatedDoNotRace looks for races of separated accesses in some kernels.
func separatedDoNotRace(t *testing.T, n uint64, kernel func(seed uint64) *random) {
	if testing.Short() {
		n /= 4
	}
	separated, stores, racing := 0, 0, 0
	for seed := range n {
		k := kernel(seed)
		program, err := session.Parse("k.ptx", []byte(k.text))
		if err != nil {
			t.Fatal(err)
		}
		apart := make(map[int]bool)
		f := program.Module.Func(k.launches[0].kernel)
		for in := range static.SeparationOf(f).Separated(address.SharedApart(f, k.given())) {
			apart[in.Line] = true
			if in.Access.Kind == isa.AccessStore && k.launches[0].block > 1 {
				stores++
			}
		}
		separated += len(apart)
		for schedule := range uint64(3) {
			s, _, err := k.session(schedule, "precise<elide=false>")
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range s.Report().Races {
				if r.Space == "shared" {
					racing++
				}
				if apart[r.First.PTX.Line] || apart[r.Second.PTX.Line] {
					t.Errorf("seed %d, schedule %d: %s and %s race\n%s", seed, schedule, r.First.Instruction, r.Second.Instruction, k.text)
				}
			}
		}
	}
	if separated < int(n/16) || stores < int(n/16) || racing < int(n/16) {
		t.Errorf("%d accesses are separated, %d stores among them, and %d races are in shared memory: too few to tell", separated, stores, racing)
	}
	t.Logf("%d accesses separated, %d stores among them, %d races in shared memory", separated, stores, racing)
}

// racesOf lists the races of a session by severity, lines and space.
func racesOf(s *session.Session) (list []string) {
	for _, r := range s.Report().Races {
		list = append(list, fmt.Sprint(r.Severity, " ", r.First.PTX.Line, " ", r.Second.PTX.Line, " ", r.Space))
	}
	return list
}

package hgrd_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes/hgrd"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestSeparated compares the accesses that barriers separate with those that are marked "// sep".
func TestSeparated(t *testing.T) {
	for name, body := range map[string]string{
		"tile": `
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"a tile that is counted in": `
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3];
	atom.shared.add.u32 %r3, [%rd3], 1;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
		"tile in a loop": `
loop:
	st.shared.u32 [%rd2], %r2;
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
	st.shared.u32 [%rd2], 0;
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
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	ld.shared.u32 %r2, [%rd3]; // sep`,
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
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	ld.volatile.shared.u32 %r2, [%rd3];`,
		"a generic store": `
	st.shared.u32 [%rd2], 1;
	bar.sync 0;
	st.u32 [%rd4], 1;
	ld.shared.u32 %r2, [%rd3];`,
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
		lines := strings.Split(text, "\n")
		for in := range hgrd.Separated(program.Module.Func("k")) {
			if !strings.HasSuffix(lines[in.Line-1], "// sep") {
				t.Errorf("%s: %s is separated", name, in.Text())
			}
			lines[in.Line-1] = ""
		}
		for _, l := range lines {
			if strings.HasSuffix(l, "// sep") {
				t.Errorf("%s: %s is not separated", name, l)
			}
		}
	}
}

// anySpace is an access whose instruction names no state space.
var anySpace = regexp.MustCompile(`\b(ld|st|red|red\.cta)\.(u8|u32|v2\.u32|add\.u32) `)

// TestSeparatedDoNotRace: no access of a random kernel that barriers separate races under precise, in some schedules.
func TestSeparatedDoNotRace(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 100
	}
	separated, racing := 0, 0
	for seed := range n {
		k := randomKernel(seed)
		k.text = anySpace.ReplaceAllString(k.text, "$1.global.$2 ")
		program, err := session.Parse("k.ptx", []byte(k.text))
		if err != nil {
			t.Fatal(err)
		}
		apart := make(map[int]bool)
		for in := range hgrd.Separated(program.Module.Func(k.launches[0].kernel)) {
			apart[in.Line] = true
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
	if separated < int(n/16) || racing < int(n/16) {
		t.Errorf("%d accesses are separated and %d races are in shared memory: too few to tell", separated, racing)
	}
	t.Logf("%d accesses separated, %d races in shared memory", separated, racing)
}

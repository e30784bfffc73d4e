package coverage_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/coverage"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func TestGolden(t *testing.T) { passtest.Golden(t, coverage.Pass) }

// kernel is the launch of testdata/basic.txtar: 64 threads, a word each.
func kernel() passtest.Kernel {
	return passtest.Kernel{Name: "kernel", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 256), make([]byte, 256)}}
}

// TestCounts compares the tracefile with counts from the kernel's comments: 40 of
// 64 threads call twice, 16 leave early, and the loop runs i%4 times for the rest.
func TestCounts(t *testing.T) {
	in := passtest.Input(t, "testdata/basic.txtar")
	out := passtest.RunVerified(t, in, "coverage", coverage.Pass)
	kernel().SameResults(t, in, out.Module)
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		k := kernel()
		k.Policy = policy
		dev := k.NewDevice(t, out.Module)
		dev.Launch(t)
		c, err := profile.ReadCoverage(dev, out.Results["coverage"].(*abi.CoverageMap))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		if err := c.WriteLCOV(&got); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Errorf("policy %d:\n%s", policy, got.String())
		}
	}
}

const want = `TN:
SF:in.ptx
FN:8,twice
FNDA:40,twice
FNF:1
FNH:1
DA:8,40
DA:9,40
DA:10,40
DA:11,40
LF:4
LH:4
end_of_record
SF:k.cu
FN:10,kernel
FNDA:64,kernel
FNF:1
FNH:1
BRDA:11,0,0,24
BRDA:11,0,1,40
BRDA:13,2,0,16
BRDA:13,2,1,48
BRDA:14,3,0,48
BRDA:14,3,1,48
BRF:6
BRH:6
DA:10,64
DA:11,64
DA:12,40
DA:13,64
DA:14,96
DA:15,48
LF:6
LH:6
end_of_record
`

// TestNotReached: what no thread executes is in the tracefile, with zeros.
func TestNotReached(t *testing.T) {
	out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k()
{
	.reg .pred %p<2>;
	setp.ne.u32 %p0, 0, 0;
	@%p0 bra $L;
	ret;
$L:
	@%p1 bra $L;
	exit;
}
`)), "coverage", coverage.Pass)
	k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 2, Y: 1, Z: 1}, Block: emu.Dim3{X: 3, Y: 1, Z: 1}}
	dev := k.NewDevice(t, out.Module)
	dev.Launch(t)
	dev.Launch(t) // counts go on
	c, err := profile.ReadCoverage(dev, out.Results["coverage"].(*abi.CoverageMap))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := c.WriteLCOV(&got); err != nil {
		t.Fatal(err)
	}
	const want = "TN:\nSF:k.ptx\nFN:7,k\nFNDA:12,k\nFNF:1\nFNH:1\nBRDA:8,0,0,0\nBRDA:8,0,1,12\nBRDA:11,2,0,-\nBRDA:11,2,1,-\nBRF:4\nBRH:1\n" +
		"DA:7,12\nDA:8,12\nDA:9,12\nDA:11,0\nDA:12,0\nLF:5\nLH:3\nend_of_record\n"
	if got.String() != want {
		t.Errorf("got\n%s", got.String())
	}
}

func TestTwice(t *testing.T) {
	p, err := passes.ParsePipeline("coverage,coverage", []*passes.Pass{coverage.Pass})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Run(passtest.Input(t, "testdata/basic.txtar")); err == nil || !strings.Contains(err.Error(), "already has __ptxsan_coverage") {
		t.Errorf("error %v", err)
	}
}

package symbolize

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

const steeredPTX = `.version 8.8
.target sm_90
.address_size 64
.file 1 "dir/k.cu"
.file 2 "k.py"
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.reg .pred %p;
	ld.param.u64 %rd1, [p];
	.loc 1 17 3
	atom.global.add.u32 %r1, [%rd1], 1;
	.loc 1 18 3
	atom.acquire.gpu.global.add.u32 %r1, [%rd1], 1;
	red.relaxed.cta.global.max.u32 [%rd1], 1;
	.loc 2 5 3
	atom.global.add.u32 %r2, [%rd1], 1;
	.loc 1 19 3
	setp.eq.u32 %p, %r1, 0;
	@%p bra end;
	ld.volatile.global.u32 %r3, [%rd1+4];
end:
	ret;
}
`

// described is memory in which every address but 0 is in one buffer.
type described struct{}

func (described) Describe(addr uint64) (string, uint64, bool) { return "idx", addr - 0x100, true }

func (described) DescribeShared(string, uint64) (string, uint64, bool) { return "", 0, false }

func (described) Element(uint64) (uint64, bool) { return 4, true }

func (described) Allocations() []profile.Allocation { return nil }

// TestDepends: reasons name operations as the source does, and the places of both.
func TestDepends(t *testing.T) {
	tree, err := ptxgrammar.Parse("k.ptx", []byte(steeredPTX))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	n := &Symbolizer{User: mod, Sites: sites.Table(mod), Memory: described{}, Kernel: "k"}
	site := func(text string) uint32 {
		for _, in := range mod.Funcs[0].Insts {
			if strings.HasPrefix(in.Text(), text) {
				return sites.Number(in)
			}
		}
		t.Fatal(text)
		return 0
	}
	branch, load := site("bra end"), site("ld.volatile")
	for _, c := range []struct {
		of   detect.Dependence
		want string
		line int
	}{
		{
			detect.Dependence{On: detect.OnOrder, Seed: site("atom.global"), Sink: branch, Steers: detect.SteersBranch},
			"the order of threads: atomicAdd at k.cu:17 decides a branch at k.cu:19 (ptxsan explore)", 19,
		},
		{
			detect.Dependence{On: detect.OnOrder, Seed: site("atom.acquire"), Sink: load},
			"the order of threads: atom.acquire.gpu.global.add.u32 at k.cu:18 and ld.volatile.global.u32 at k.cu:19 have no order (ptxsan explore)", 19,
		},
		{
			detect.Dependence{On: detect.OnOrder, Seed: site("red"), What: "{seed} may come before {sink}"},
			"the order of threads: atomicMax_block at k.cu:18 may come before an operation that is not known (ptxsan explore)", 18,
		},
		{
			detect.Dependence{On: detect.OnOrder, Seed: site("red"), Sink: branch, What: "what {seed} leaves decides a branch at {sink}"},
			"the order of threads: what atomicMax_block at k.cu:18 leaves decides a branch at k.cu:19 (ptxsan explore)", 19,
		},
		{
			detect.Dependence{On: detect.OnOrder, Seed: site("atom.global.add.u32 %r2")},
			"the order of threads: atom.global.add.u32 at k.py:5 (ptxsan explore)", 5,
		},
		{
			detect.Dependence{On: detect.OnContents, Object: 0x100, Sink: load, Steers: detect.SteersAddress},
			"contents of idx: k.cu:19 an address", 19,
		},
		{
			detect.Dependence{On: detect.OnContents, Sink: load, Steers: detect.SteersAddress},
			"contents of shared memory that was not written: k.cu:19 an address", 19,
		},
	} {
		d := n.Depends(&c.of)
		if have := d.String(); have != c.want || d.Source == nil || d.Source.Line != c.line || d.Kernel != "k" {
			t.Errorf("have %s at %v\nwant %s", have, d.Source, c.want)
		}
	}
}

// Runs of an autotuner that begin with what the run before has left.

package cuda_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// tuned returns a kernel that executes some instructions: %rd2 is the address of the thread's word, %r1 and %r2 are for
// values.
func tuned(body string) string {
	return fmt.Sprintf(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{
	.reg .b32 %%r<4>;
	.reg .b64 %%rd<3>;
	ld.param.u64 %%rd1, [data];
	mov.u32 %%r3, %%tid.x;
	mad.wide.u32 %%rd2, %%r3, 4, %%rd1;
	%s
	ret;
}
`, body)
}

const (
	loads   = "ld.global.u32 %r1, [%rd2];\n"
	doubles = "add.u32 %r1, %r1, %r1;\n"
	stores  = "st.global.u32 [%rd2], %r1;\n"
	adds    = "red.global.add.u32 [%rd2], 1;\n"
)

// TestRepeatedUpdate: a kernel that reads words before it overwrites them is reported once, with the argument and the
// words, from the second run on, if the run has changed them and nothing has restored them in between.
func TestRepeatedUpdate(t *testing.T) {
	nothing := func(t *testing.T, p *cuda.Process, data uint64) { t.Helper() }
	restore := func(t *testing.T, p *cuda.Process, data uint64) {
		t.Helper()
		if err := p.Fill(data, 0, 4, 3, 8, 1, cuda.In{}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		body    string
		between func(*testing.T, *cuda.Process, uint64)
		want    bool
	}{
		"an update":              {loads + doubles + stores, nothing, true},
		"an atomic operation":    {adds, nothing, true},
		"restored":               {loads + doubles + stores, restore, false},
		"restored before adding": {adds, restore, false},
		"changes nothing":        {loads + stores, nothing, false},
		"changes it the first time": {
			loads + "max.u32 %r1, %r1, 100;\n" + stores, nothing, false,
		},
		"written before it is read": {
			"mov.u32 %r1, %clock;\n" + stores + loads + doubles + stores, nothing, false,
		},
		"overwritten": {"mov.u32 %r1, %clock;\n" + stores, nothing, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProcess(t, &cuda.Options{})
			k := kernelOf(t, p, []byte(tuned(c.body)), "k")
			data, err := p.Alloc(64, cuda.OnDevice, waits, nil)
			if err != nil {
				t.Fatal(err)
			}
			restore(t, p, data)
			arguments := []cuda.Argument{{Name: "n", Address: 1}, {Name: "x", Address: data}}
			before := p.Benchmark(0, nil)
			for range 3 {
				p.Benchmark(7, arguments)
				if err := launch(p, k, 8, binary.LittleEndian.AppendUint64(nil, data)); err != nil {
					t.Fatal(err)
				}
				if now := p.Benchmark(0, nil); now <= before {
					t.Errorf("the clock goes from %d to %d", before, now)
				}
				c.between(t, p, data)
			}
			races := p.Report().Races
			if !c.want {
				if len(races) > 0 {
					t.Errorf("found %+v", races[0])
				}
				return
			}
			if len(races) != 1 {
				t.Fatalf("%d findings, want 1", len(races))
			}
			x := races[0]
			if x.Cause != detect.RepeatedUpdate || x.Severity != report.Warning || x.Count != 8 || x.Address != report.Hex(data) ||
				!strings.Contains(x.Missing, "x (8 words, +0x0 to +0x1c)") || !strings.Contains(x.Hint, `restore_value=["x"]`) {
				t.Errorf("found %+v", x)
			}
		})
	}
}

// TestRepeatedUpdateElsewhere: launches outside of benchmarks, and the first runs of other autotuners, begin with what
// others have left.
func TestRepeatedUpdateElsewhere(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	k := kernelOf(t, p, []byte(tuned(loads+doubles+stores)), "k")
	data, err := p.Alloc(64, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Fill(data, 0, 4, 3, 8, 1, cuda.In{}); err != nil {
		t.Fatal(err)
	}
	for number := range uint64(3) {
		for range 2 - min(number, 1) {
			p.Benchmark(number, nil)
			if err := launch(p, k, 8, binary.LittleEndian.AppendUint64(nil, data)); err != nil {
				t.Fatal(err)
			}
			p.Benchmark(0, nil)
		}
	}
	if races := p.Report().Races; len(races) > 0 {
		t.Errorf("found %+v", races[0])
	}
}

// TestNotRun: what an application has not run is in the report, once.
func TestNotRun(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	p.NotRun("other sizes")
	p.NotRun("other sizes")
	if left := p.Report().NotChecked; len(left) != 1 || left[0].Why != "other sizes" {
		t.Errorf("not checked: %v", left)
	}
}

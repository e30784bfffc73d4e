package passes_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestDriver: the callbacks see every pass, required analyses included, and the
// module after it.
func TestDriver(t *testing.T) {
	all, _, _ := testPasses()
	var seen []string
	d := passes.Driver{
		Before: func(p *passes.Pass) { seen = append(seen, "before "+p.Name) },
		After: func(p *passes.Pass, m *rewrite.Module) error {
			seen = append(seen, fmt.Sprint("after ", p.Name, " ", len(m.Func("k").Insts)))
			return nil
		},
		VerifyEach: true,
	}
	out, err := parse(t, "grow,look", all).RunWith(load(t), d)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"before count", "after count 2", "before grow", "after grow 3", "before count", "after count 3", "before look", "after look 3"}
	if !slices.Equal(seen, want) {
		t.Errorf("seen %q", seen)
	}
	if len(out.Sites) != 1 || len(out.Diagnostics) != 2 {
		t.Errorf("the second run left sites %v and diagnostics %v", out.Sites, out.Diagnostics)
	}
	d.After = func(*passes.Pass, *rewrite.Module) error { return errors.New("enough") }
	if _, err := parse(t, "look", all).RunWith(load(t), d); err == nil || err.Error() != "enough" {
		t.Errorf("error %v", err)
	}
}

// TestVerifyEach: a pass that is not a function of its input is found out.
func TestVerifyEach(t *testing.T) {
	runs := 0
	unstable := &passes.Pass{Name: "unstable", Doc: "insert the number of the run", Run: func(ctx *passes.Context) (any, error) {
		runs++
		if runs == 4 {
			return nil, errors.New("tired")
		}
		ed := ctx.Edit()
		ed.InsertBefore(ctx.Module.Func("k").Insts[0], fmt.Sprintf("mov.u32 %%r0, %d;", runs))
		m, err := ed.Apply()
		if err == nil {
			ctx.SetModule(m)
		}
		return nil, err
	}}
	p := parse(t, "unstable", []*passes.Pass{unstable})
	for _, want := range []string{
		`pass unstable: made another text when it ran a second time: line 6 is "\tmov.u32 %r0, 2;", was "\tmov.u32 %r0, 1;"`,
		"pass unstable: failed when it ran a second time: tired",
	} {
		if _, err := p.RunWith(load(t), passes.Driver{VerifyEach: true}); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := p.Run(load(t)); err != nil {
		t.Error(err)
	}
}

func TestAppend(t *testing.T) {
	all, _, _ := testPasses()
	p, q := parse(t, "count,grow<size=1>", all), parse(t, "look", all)
	if got := p.Append(q).String(); got != "count,grow<size=1>,look" || p.String() != "count,grow<size=1>" || !strings.HasSuffix(q.Append(passes.Pipeline{}).String(), "look") {
		t.Errorf("%s", got)
	}
}

// TestMeter: times and sizes belong to the passes in the order in which they ran, and the
// driver's own functions are called as well.
func TestMeter(t *testing.T) {
	all, _, _ := testPasses()
	var seen []string
	d := passes.Driver{
		Before: func(p *passes.Pass) { seen = append(seen, p.Name) },
		After:  func(p *passes.Pass, _ *rewrite.Module) error { seen = append(seen, p.Name); return nil },
	}
	var meter passes.Meter
	out, err := meter.Run(parse(t, "grow,look", all), load(t), d)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 8 {
		t.Errorf("the driver has seen %q", seen)
	}
	var times, stats strings.Builder
	meter.WriteTimes(&times)
	meter.WriteStats(&stats)
	if got := strings.Fields(regexp.MustCompile(`[0-9.]+ ms`).ReplaceAllString(times.String(), "")); !slices.Equal(got, []string{"count", "grow", "count", "look", "total"}) {
		t.Errorf("times of %q", got)
	}
	if lines := strings.Split(stats.String(), "\n"); len(lines) != len(out.Stats)+1 || !strings.Contains(lines[1], "instructions 2 -> 3, bytes ") || strings.Contains(lines[2], "->") {
		t.Errorf("statistics:\n%s", stats.String())
	}
	if _, err := meter.Run(parse(t, "look", all), load(t), passes.Driver{After: func(*passes.Pass, *rewrite.Module) error { return errors.New("enough") }}); err == nil {
		t.Error("the error of the driver is lost")
	}
}

package app

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// tested is a program with its launch file and detectors, as check sets them up.
type tested struct {
	plan    *session.Plan
	options session.Options
}

// program reads a program without the rules of the manual.
func program(t *testing.T, name string, text []byte) *session.Program {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return session.NewProgram(mod)
}

// testedWith returns a program in a file with detectors, none for "".
func testedWith(t *testing.T, ptx string, file *launch.File, detectors string) *tested {
	t.Helper()
	src, err := os.ReadFile(ptx)
	if err != nil {
		t.Fatal(err)
	}
	return testedText(t, program(t, ptx, src), file, detectors)
}

func testedText(t *testing.T, p *session.Program, file *launch.File, detectors string) *tested {
	t.Helper()
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	k := &tested{plan: plan}
	if detectors == "" {
		return k
	}
	if k.options.Detectors, err = session.ParseDetectors(detectors); err != nil {
		t.Fatal(err)
	}
	return k
}

// under chooses the schedule.
func (k *tested) under(schedule string, seed uint64) *tested {
	k.options.Emulator.Policy, k.options.Emulator.Seed = session.PolicyNamed(schedule), seed
	return k
}

// check runs the plan and compares it with the launch file's expectations.
func (k *tested) check(t *testing.T) *report.Report {
	t.Helper()
	rep, err := k.plan.Check(context.Background(), k.open(t))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// play plays the plan and returns the session as it is then.
func (k *tested) play(t *testing.T) *session.Session {
	t.Helper()
	s := k.open(t)
	if err := k.plan.Play(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func (k *tested) open(t *testing.T) *session.Session {
	t.Helper()
	s, err := session.Open(k.options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exploration is set up as explore does it.
func (k *tested) exploration(search session.Search, workers int) *session.Exploration {
	k.options.Emulator.Depth, k.options.Emulator.Length = emu.DefaultDepth, emu.DefaultLength
	return &session.Exploration{Options: k.options, Scenario: k.plan, Search: search, Workers: workers}
}

// bytesOf returns the contents of a buffer.
func bytesOf(t *testing.T, s *session.Session, b *launch.Buffer) []byte {
	t.Helper()
	p := make([]byte, b.Size())
	if err := s.Object(b.Name).Read(0, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func linePair(a, b int) string { return fmt.Sprintf("[%d,%d]", min(a, b), max(a, b)) }

func faultClass(rep *report.Report) string {
	if len(rep.Faults) == 0 {
		return "none"
	}
	return rep.Faults[0].Class
}

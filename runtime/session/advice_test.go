package session_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// mender applies advice to PTX, as far as that can be done without understanding the program.
type mender struct {
	mod *rewrite.Module
	ed  *rewrite.Editor
}

// inst is the instruction of an operation that advice names, nil for none.
func (m *mender) inst(o *report.Operation) *rewrite.Inst {
	if o == nil {
		return nil
	}
	for _, f := range m.mod.Funcs {
		for _, in := range f.Insts {
			if in.Line == o.PTX.Line && session.OpcodeText(in) == o.Instruction {
				return in
			}
		}
	}
	return nil
}

var barrierOf = map[string]string{"warp": "bar.warp.sync 0xffffffff;", "cta": "bar.sync 0;"}

var fenceOf = map[string]string{"cta": "membar.cta;", "gpu": "membar.gl;"}

// apply changes the program as the advice of a finding says, with a barrier at one of the places
// where it may go. It reports whether it can.
func (m *mender) apply(x *report.Race, place int) bool {
	a := x.Advice
	switch a.Repair {
	case detect.RepairUpdate:
		return len(a.At) == 2 && m.update(m.inst(a.At[0]), m.inst(a.At[1]))
	case detect.RepairSplit:
		if barrierOf[a.Scope] == "" {
			return false
		}
		for _, o := range a.At {
			m.ed.InsertBefore(m.inst(o), barrierOf[a.Scope])
			if a.Again {
				m.ed.InsertAfter(m.inst(o), barrierOf[a.Scope])
			}
		}
		return true
	case detect.RepairBarrier:
		return m.barrier(m.inst(a.After), m.inst(a.Before), barrierOf[a.Scope], place)
	case detect.RepairOneThread:
		return m.oneThread(m.inst(a.At[0]))
	case detect.RepairStrong:
		return m.strong(a)
	case detect.RepairScope:
		for _, o := range a.At {
			if in := m.inst(o); in == nil || m.ed.SetScope(in, isa.ScopeGPU) != nil {
				return false
			}
		}
		return len(a.At) > 0
	case detect.RepairFence:
		release, acquire := m.inst(a.Before), m.inst(x.Observe)
		if release == nil || fenceOf[a.Scope] == "" {
			return false
		}
		m.ed.InsertBefore(release, fenceOf[a.Scope])
		if acquire != nil {
			m.ed.InsertAfter(acquire, fenceOf[a.Scope])
		}
		return true
	}
	return false
}

// text is an instruction as it stands in a function.
func text(in *rewrite.Inst) string { return strings.TrimSuffix(in.Text(), ";") + ";" }

// barrier puts a barrier before the second of two instructions, after the first, or at the
// beginning of one of the basic blocks.
func (m *mender) barrier(after, before *rewrite.Inst, text string, place int) bool {
	switch {
	case after == nil || before == nil || text == "":
		return false
	case place == 0:
		m.ed.InsertBefore(before, text)
		return true
	case place == 1:
		m.ed.InsertAfter(after, text)
		return true
	}
	blocks := after.Func.CFG().Blocks
	if place-2 >= len(blocks) || blocks[place-2].Start == blocks[place-2].End {
		return false
	}
	m.ed.InsertBefore(after.Func.Insts[blocks[place-2].Start], text)
	return true
}

// update makes one atomic operation of a load, an addition and a store.
func (m *mender) update(load, store *rewrite.Inst) bool {
	if load == nil || store == nil {
		return false
	}
	for _, in := range load.Func.Insts[load.Index+1 : store.Index] {
		words := strings.FieldsFunc(strings.TrimSuffix(in.Text(), ";"), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
		opcode := strings.Split(session.OpcodeText(load), ".")
		if in.Instr.Name != "add" || len(words) != 4 || len(opcode) != 3 {
			continue
		}
		dest, address, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(load.Text(), session.OpcodeText(load))), ",")
		m.ed.Replace(load, "atom."+opcode[1]+".add."+opcode[2]+" "+dest+","+strings.TrimSuffix(address, ";")+", "+words[3]+";")
		m.ed.Delete(store)
		return true
	}
	return false
}

// oneThread has thread 0 alone execute an instruction, and the others wait for it.
func (m *mender) oneThread(in *rewrite.Inst) bool {
	p, tid := m.ed.FreshReg(in.Func, isa.Pred), m.ed.FreshReg(in.Func, isa.B32)
	m.ed.InsertBefore(in, "mov.u32 "+tid+", %tid.x;\nsetp.eq.u32 "+p+", "+tid+", 0;")
	m.ed.Replace(in, "@"+p+" "+text(in)+"\nbar.sync 0;")
	return true
}

// strong makes the weak ones of the operations relaxed.
func (m *mender) strong(a *report.Advice) bool {
	changed := false
	for _, o := range a.At {
		in := m.inst(o)
		if in == nil || in.Strong() {
			continue
		}
		name, rest, _ := strings.Cut(session.OpcodeText(in), ".")
		if name != "ld" && name != "st" {
			return false
		}
		m.ed.Replace(in, strings.Replace(text(in), session.OpcodeText(in), name+".relaxed."+a.Scope+"."+rest, 1))
		changed = true
	}
	return changed
}

// checked checks a program with a launch file.
func checked(t *testing.T, mod *rewrite.Module, file *launchfile.File) *report.Report {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(session.NewProgram(mod), file, 0)
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{Detectors: dets}
	o.Emulator.MaxSteps = 2_000_000
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func parsed(t *testing.T, name string, src []byte) *rewrite.Module {
	t.Helper()
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// mended applies the advice of a finding and checks again; to what is then found in the kernel
// as well, at most twice more. It reports whether the advice could be applied, and how many times
// until there was no error left, 0 for never.
func mended(t *testing.T, mod *rewrite.Module, file *launchfile.File, x *report.Race) (applied bool, rounds int) {
	t.Helper()
	for rounds = 1; rounds <= 3; rounds++ {
		var next *report.Race
		for place := range 12 {
			m := &mender{mod, rewrite.NewEditor(mod, "advice")}
			if x.Advice == nil || !m.apply(x, place) {
				continue
			}
			applied = true
			out, err := m.ed.Apply()
			if err != nil {
				t.Fatalf("%s: %v", x.Hint, err)
			}
			after := parsed(t, mod.AST.File.Name, out.AST.File.Src)
			rep := checked(t, after, file)
			i := slices.IndexFunc(rep.Races, func(y *report.Race) bool { return y.Kernel() == x.Kernel() && y.Severity == report.Error })
			if i < 0 && len(rep.Faults) == 0 {
				return true, rounds
			}
			if x.Advice.Repair != detect.RepairBarrier {
				if i >= 0 {
					next, mod = rep.Races[i], after
				}
				break
			}
		}
		if next == nil {
			return applied, 0
		}
		x = next
	}
	return applied, 0
}

// TestAdvice applies what is advised for small kernels, and the reports go away.
func TestAdvice(t *testing.T) {
	src, err := os.ReadFile("testdata/advice.ptx")
	if err != nil {
		t.Fatal(err)
	}
	mod := parsed(t, "advice.ptx", src)
	file, err := launchfile.Load("testdata/advice.yaml", launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]detect.Repair{
		"check": detect.RepairStrong, "count": detect.RepairUpdate, "shift": detect.RepairSplit, "shiftwarp": detect.RepairSplit, "init": detect.RepairOneThread,
	}
	rep := checked(t, mod, file)
	if len(rep.Races) != len(want) {
		t.Errorf("%d findings, want %d", len(rep.Races), len(want))
	}
	for _, x := range rep.Races {
		if x.Advice == nil || x.Advice.Repair != want[x.Kernel()] {
			t.Errorf("%s: %+v, want %s", x.Kernel(), x.Advice, want[x.Kernel()])
			continue
		}
		if _, rounds := mended(t, mod, file, x); rounds != 1 {
			t.Errorf("%s: %s: the finding is not gone", x.Kernel(), x.Hint)
		}
	}
}

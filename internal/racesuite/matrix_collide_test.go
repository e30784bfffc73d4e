package racesuite

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// The part of docs/generated/matrix.md on collide, whose findings are a matter of chance.

const (
	collideBegin = "<!-- collide: begin -->"
	collideEnd   = "<!-- collide: end -->"
	collideHead  = `
## collide

Racy kernels in which [collide](../detectors/collide.md) finds a race within 1, 10 and 100 random schedules, by the semantics of ptx and but for races in
tensor memory; false alarms in 20. In %d of the suite's, no racing write changed memory in eight schedules. ` + "`make matrix`" + ` writes this part, too.

|category|racy|1|10|100|clean|false alarms|
|---|---|---|---|---|---|---|
`
)

// collideRow counts the cases of a category.
type collideRow struct{ racy, silent, in1, in10, in100, clean, alarms int }

func (r *collideRow) add(x *collided) {
	if !x.racy {
		r.clean++
		r.alarms += min(x.found, 1)
		return
	}
	r.racy++
	if x.silent {
		r.silent++
	}
	if x.found > 0 {
		r.in100++
	}
	if x.found > 0 && x.found <= 10 {
		r.in10++
	}
	if x.found == 1 {
		r.in1++
	}
}

// collideSection returns the part of the page, a line for each category in order, and one for all of the suite.
func collideSection(results []*collided) string {
	var names []string
	rows := map[string]*collideRow{"**suite**": {}, "**applications**": {}}
	for _, x := range results {
		all := "**suite**"
		if strings.HasPrefix(x.Category, "apps/") {
			all = "**applications**"
		} else {
			if rows[x.Category] == nil {
				rows[x.Category] = &collideRow{}
				names = append(names, x.Category)
			}
			rows[x.Category].add(x)
		}
		rows[all].add(x)
	}
	var b strings.Builder
	fmt.Fprintf(&b, collideHead, rows["**suite**"].silent)
	for _, name := range append(names, "**suite**", "**applications**") {
		r := rows[name]
		in100 := fmt.Sprint(r.in100)
		if name == "**applications**" {
			in100 = "not run"
		}
		fmt.Fprintf(&b, "|%s|%d|%d|%d|%s|%d|%d|\n", name, r.racy, r.in1, r.in10, in100, r.clean, r.alarms)
	}
	return collideBegin + b.String() + collideEnd + "\n"
}

// collidePart returns the part on collide of the page as it is, "" if there is none.
func collidePart(doc string) string {
	begin, end := strings.Index(doc, collideBegin), strings.Index(doc, collideEnd)
	if begin < 0 || end < begin {
		return ""
	}
	return doc[begin : end+len(collideEnd)+1]
}

// writeCollide replaces the part on collide of the page, or appends it.
func writeCollide(t *testing.T, results []*collided) {
	t.Helper()
	doc, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(doc)
	if old := collidePart(text); old != "" {
		text = strings.Replace(text, old, collideSection(results), 1)
	} else {
		text += "\n" + collideSection(results)
	}
	if err := os.WriteFile(matrixFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// silence listens to the original program: whether writes at some lines of the source have changed memory. Memory that
// nobody has written is taken to hold zeros.
type silence struct {
	emu.NopListener
	module  *rewrite.Module
	lines   []int
	bytes   map[[2]uint64]byte // by block of shared memory, and address
	changed bool
}

func (s *silence) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Values: true, Shared: true}, Kernel: func(kernel *rewrite.Func) { s.module = kernel.Module },
	}
}

func (s *silence) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Access.Writes() {
			s.write(b, a, s.at(sites.At(s.module, a.Site)))
		}
	}
}

func (s *silence) write(b *abi.Batch, a *abi.Access, racing bool) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if a.New == nil || a.Wide { // not known: it may be anything
			s.changed = s.changed || racing
			continue
		}
		if a.Wrote>>lane&1 == 0 {
			continue
		}
		for i := range uint64(a.Bytes) {
			key := [2]uint64{0, a.At(lane) + i}
			if a.Space == abi.SpaceShared {
				key[0] = 1 + b.Cluster
			}
			now := byte(a.New[lane] >> (8 * i))
			s.changed = s.changed || racing && s.bytes[key] != now
			s.bytes[key] = now
		}
	}
}

// at reports whether an instruction is at one of the lines.
func (s *silence) at(in *rewrite.Inst) bool {
	for loc := in.Loc; loc != nil; loc = loc.InlinedAt {
		if slices.Contains(s.lines, loc.Line) {
			return true
		}
	}
	return in.Loc == nil
}

// silent reports whether no racing write of a case changes memory in eight random schedules.
func (c *Case) silent(t *testing.T, s *launch.Semantics) bool {
	t.Helper()
	for seed := range uint64(8) {
		listener := &silence{bytes: make(map[[2]uint64]byte)}
		for _, l := range s.Lines {
			listener.lines = append(listener.lines, l[:]...)
		}
		k := c.Run(t, "").Under("random", 1+seed)
		k.Options.Emulator.Listener = listener
		if _ = k.Play(t); listener.changed {
			return false
		}
	}
	return true
}

// TestSilence: a store is silent if it stores what is there, elsewhere or not.
func TestSilence(t *testing.T) {
	store := func(lane uint, value uint64) *abi.Access {
		class := &abi.AccessClass{Access: abi.AccessStore, Bytes: 4, Space: abi.SpaceGlobal}
		a := &abi.Access{AccessClass: class, Mask: 1 << lane, Wrote: 1 << lane, Addr: new([32]uint64), New: new([32]uint64)}
		a.Addr[lane], a.New[lane] = 64, value
		return a
	}
	s := &silence{lines: []int{7}, bytes: make(map[[2]uint64]byte)}
	for _, step := range []struct {
		line    int
		value   uint64
		changed bool
	}{{7, 0, false}, {8, 300, false}, {7, 300, false}, {7, 301, true}} {
		racing := s.at(&rewrite.Inst{Loc: &rewrite.SourceLoc{Line: step.line}})
		if s.write(&abi.Batch{}, store(3, step.value), racing); s.changed != step.changed {
			t.Errorf("%d at line %d: changed %v", step.value, step.line, s.changed)
		}
	}
}

// The tool sync: what synchronisation is for, and which can go.

package serve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/syncs"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// SyncInput is the input of sync.
type SyncInput struct {
	Kernel
	Lines []int `json:"lines,omitempty" jsonschema:"ask about the synchronisation of these source lines only, of the PTX where it has no source"`
}

func (in SyncInput) request() request { return request{Kernel: in.Kernel, Lines: in.Lines} }

// Changes is what sync would leave out or weaken.
type Changes struct {
	Edits    []string `json:"edits"` // by lines of the source
	Verified string   `json:"verified"`
	Patch    string   `json:"patch"`      // unified diff of the PTX, or its address if it is long
	PTX      string   `json:"ptx"`        // address of the changed PTX
	Hash     string   `json:"ptx_sha256"` // of the changed PTX
}

// Limits of the answers about synchronisation.
const (
	mostSyncs    = 12
	mostSyncText = 300 // bytes of one
)

// sync answers for each synchronisation of the launches. A program with races or faults is not asked about.
func (c *call) sync() error {
	plan, o, err := c.prepared()
	if err != nil {
		return err
	}
	lines := func(s *syncs.Site) bool { return slices.Contains(c.Lines, s.Line()) }
	if len(c.Lines) == 0 {
		lines = nil
	}
	res, err := syncs.Run(c.ctx, syncs.Options{Subject: trial.Subject{Plan: plan, Session: o, Workers: 1}, Asked: lines})
	if res == nil {
		return err
	}
	if res.Refused != "" {
		c.take(res.Report)
		c.leave("no synchronisation was asked about: %s", res.Refused)
		return err
	}
	res.Fill(res.Report)
	c.take(res.Report)
	c.Sync = answersOf(res.Report)
	if len(res.Report.Sync) == 0 {
		c.leave("there is no synchronisation to ask about")
	}
	if set := res.Report.SyncSet; set != nil {
		ptx := res.Module.AST.File.Src
		c.Changes = &Changes{res.Report.SyncChanges(), set.Verified, set.Diff, c.documents.keep("ptx", ptx), hash(ptx)}
		if len(set.Diff) > mostPatch {
			c.Changes.Patch = c.documents.keep("patch", []byte(set.Diff))
		}
	}
	return err
}

// answersOf returns the answers in words, those about what can change first.
func answersOf(rep *report.Report) (list []string) {
	for _, changeable := range []bool{true, false} {
		for i := range rep.Sync {
			if s := &rep.Sync[i]; s.Changeable() == changeable {
				text := append([]string{fmt.Sprintf("%s: %s: %s", s.At(), s.Instruction, s.Headline())}, s.Details()...)
				list = append(list, shortened(strings.Join(text, "; "), mostSyncText))
			}
		}
	}
	return list
}

// cut returns the changes within the limits of an answer.
func (x *Changes) cut(a *Answer) *Changes {
	if x == nil {
		return nil
	}
	short := *x
	short.Edits = nil
	for _, text := range a.cut("changes", x.Edits, mostReasons) {
		short.Edits = append(short.Edits, shortened(text, mostSyncText))
	}
	short.Verified = shortened(x.Verified, mostText)
	return &short
}

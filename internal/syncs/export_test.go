// What tests need to know of answers.

package syncs

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Changed returns the edits that an answer says to stand, nil if it says none.
func (a *Answer) Changed() []*repair.Edit {
	if a.change == nil {
		return nil
	}
	return a.edits()
}

// Without returns the edits that leave the site of an answer out, with those of the sites that go together with it.
func (a *Answer) Without() []*repair.Edit {
	c, _ := a.removal()
	if c == nil {
		return nil
	}
	return (&Answer{Site: a.Site, With: a.With, change: c}).edits()
}

// String describes an answer in one line.
func (a *Answer) String() string {
	return fmt.Sprintf("%s: %s: %s", a.Place(), session.OpcodeText(a.First()), a.Verdict)
}

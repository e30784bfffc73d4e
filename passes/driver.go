// The driver: actions before and after each pass of a pipeline.

package passes

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Driver observes a pipeline run. The zero value does nothing.
type Driver struct {
	// Before is called before each pass, including required analyses, and After after it, with the resulting module. An
	// error of After ends the run.
	Before func(*Pass)
	After  func(*Pass, *rewrite.Module) error
	// VerifyEach checks after each pass that the module's text has the meaning of the module, and that the pass makes
	// the same text when it runs again.
	VerifyEach bool
	// OnlyPlan says that only sites are needed: passes need not change the module.
	OnlyPlan bool
	// Given returns what is known of the launches of a kernel, by name. Nil: nothing is known.
	Given func(kernel string) address.Given
}

func (d *Driver) given(kernel string) address.Given {
	if d.Given == nil {
		return address.Given{}
	}
	return d.Given(kernel)
}

func (d *Driver) before(p *Pass) {
	if d.Before != nil {
		d.Before(p)
	}
}

func (d *Driver) after(p *Pass, m *rewrite.Module) error {
	if d.After != nil {
		return d.After(p, m)
	}
	return nil
}

// rehearse is called before a pass runs in ctx. It returns a function that verifies the result, runs the pass again on
// the same input and compares the results.
func (d *Driver) rehearse(ctx *Context) func(*rewrite.Module) error {
	if !d.VerifyEach {
		return func(*rewrite.Module) error { return nil }
	}
	again := *ctx
	again.out = &Output{Module: ctx.Module, Sites: slices.Clone(ctx.out.Sites), Stats: []Stats{{Pass: ctx.pass.Name}}}
	return func(m *rewrite.Module) error {
		if err := verifyText(m); err != nil {
			return err
		}
		if _, err := again.pass.Run(&again); err != nil {
			return fmt.Errorf("failed when it ran a second time: %w", err)
		}
		if got, want := again.Module.Source(), m.Source(); !bytes.Equal(got, want) {
			return fmt.Errorf("made another text when it ran a second time: %s", firstDifference(want, got))
		}
		return nil
	}
}

// firstDifference describes the first line in which two texts differ.
func firstDifference(a, b []byte) string {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	i := 0
	for i < len(x) && i < len(y) && bytes.Equal(x[i], y[i]) {
		i++
	}
	at := func(lines [][]byte) []byte {
		if i < len(lines) {
			return lines[i]
		}
		return nil
	}
	return fmt.Sprintf("line %d is %q, was %q", i+1, at(y), at(x))
}

// verifyText parses the text of a module as a GPU's driver would, and verifies the result.
func verifyText(m *rewrite.Module) error {
	ast, err := ptxgrammar.Parse(m.AST.File.Name, m.Source())
	if err != nil {
		return fmt.Errorf("made text that does not parse: %w", err)
	}
	fresh, err := m.Reload(ast)
	if err != nil {
		return fmt.Errorf("made text that does not load: %w", err)
	}
	if err := rewrite.Verify(fresh); err != nil {
		return fmt.Errorf("made text that is not correct: %w", err)
	}
	return nil
}

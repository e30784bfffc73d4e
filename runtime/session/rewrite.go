// Rewriting of a program by passes.

package session

import (
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// Rewrite runs a pipeline of passes over the program, such as "acqrel,iguard<granularity=8>", and returns the resulting
// PTX, which a GPU can run as well. The empty pipeline is the identity. The error is an *InputError.
func (p *Program) Rewrite(pipeline string) ([]byte, error) {
	parsed, err := passes.ParsePipeline(pipeline, all.Passes)
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	out, err := parsed.Run(p.Module)
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	return out.Module.Source(), nil
}

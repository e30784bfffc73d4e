// Launch files for a source that comes without one.

package source

import (
	"context"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/hostcode"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// Launches returns a template for kernels of a compiled file. The extents that the file's own host code launches a kernel with are
// known where they are constants.
func Launches(ctx context.Context, name string, p *session.Program, kernels []*rewrite.Func, o Options) (*launch.File, error) {
	text, err := session.Template(ctx, p, kernels, knownOf(ctx, name, kernels, o))
	if err != nil {
		return nil, err
	}
	return launch.Parse("template of "+name, []byte(text), launch.Options{})
}

// Facts reads the launches in the host code of a file. It is nil where there is none; where the file cannot be read, a note says so.
func Facts(ctx context.Context, name string, o hostcode.Options) []*facts.File {
	files, err := hostcode.Load(ctx, []string{name}, o)
	if err != nil {
		return []*facts.File{{Notes: []string{err.Error()}}}
	}
	if all := facts.Join(files); len(all.Launches)+len(all.Never) == 0 {
		return nil
	}
	return files
}

// knownOf returns what host code says about launches of kernels.
func knownOf(ctx context.Context, name string, kernels []*rewrite.Func, o Options) map[string]session.Known {
	if !Is(name) {
		return nil
	}
	files := Facts(ctx, name, hostcode.Options{Defines: o.Defines, Includes: o.Includes})
	known := make(map[string]session.Known)
	for _, l := range facts.Join(files).Launches {
		for _, k := range kernels {
			if !report.Denotes(l.Kernel, k.Name) {
				continue
			}
			have, ok := known[k.Name]
			now := session.Known{Grid: constants(l.Grid), Block: constants(l.Block)}
			if !ok || have.Block == [3]uint32{} {
				have.Block = now.Block
			}
			if have.Grid = larger(have.Grid, now.Grid); ok && have.Grid == [3]uint32{} || now.Grid == [3]uint32{} {
				have.Grid = [3]uint32{}
			}
			known[k.Name] = have
		}
	}
	return known
}

// constants returns extents that are constant, all 0 if one is not.
func constants(extents [3]*expr.Int) (list [3]uint32) {
	for i, x := range extents {
		if x == nil {
			return [3]uint32{}
		}
		v, ok := x.Const()
		if !ok || !v.IsInt64() || v.Int64() < 1 || v.Int64() > 1<<31-1 {
			return [3]uint32{}
		}
		list[i] = uint32(v.Int64())
	}
	return list
}

// larger returns the larger extents of two.
func larger(a, b [3]uint32) [3]uint32 {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
	return a
}

// The manager: runs pipelines with required passes, and caches results.

package passes

import (
	"fmt"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Output is the result of running a pipeline.
type Output struct {
	Module      *rewrite.Module // the input itself if no pass changed it
	Results     map[string]any  // by pass name, of the passes in the pipeline; of the last run of each
	Sites       []abi.Site      // Sites[i].ID == i+1
	Diagnostics []Diagnostic    // in the order they were reported
	Stats       []Stats         // in the order of the pipeline
}

// Stats holds the statistics of one pass, in the order of first counting.
type Stats struct {
	Pass   string
	Counts []Count
}

// Count is one statistic.
type Count struct {
	Name string
	N    int
}

func (o *Output) count(pass, name string, n int) {
	s := &o.Stats[len(o.Stats)-1]
	if s.Pass != pass {
		panic("BUG: passes: counting for " + pass + " while " + s.Pass + " runs")
	}
	for i := range s.Counts {
		if s.Counts[i].Name == name {
			s.Counts[i].N += n
			return
		}
	}
	s.Counts = append(s.Counts, Count{name, n})
}

// Run runs the pipeline on a module, which it does not modify. An analysis that several passes require is run once per
// module. The result of each transformation is verified; an error names the pass that broke the module.
func (p Pipeline) Run(m *rewrite.Module) (*Output, error) { return p.RunWith(m, Driver{}) }

// RunWith is Run with a driver.
func (p Pipeline) RunWith(m *rewrite.Module, d Driver) (*Output, error) {
	for i, s := range p.steps {
		if s.pass.Last && i+1 < len(p.steps) {
			return nil, fmt.Errorf("pass %s must be the last of a pipeline: it replaces instructions that %s would instrument", s.pass.Name, p.steps[i+1].pass.Name)
		}
	}
	out := &Output{Module: m, Results: map[string]any{}}
	r := &runner{out: out, driver: d, cache: map[cacheKey]any{}}
	for _, s := range p.steps {
		result, err := r.run(s.pass, s.options)
		if err != nil {
			return nil, err
		}
		out.Results[s.pass.Name] = result
	}
	return out, nil
}

// runner runs the passes of one pipeline.
type runner struct {
	out    *Output
	driver Driver
	cache  map[cacheKey]any // caches the results of required analyses
}

type cacheKey struct {
	pass   *Pass
	module *rewrite.Module
}

func (r *runner) run(p *Pass, options any) (any, error) {
	results := map[*Pass]any{}
	for _, need := range p.Requires {
		result, err := r.require(need)
		if err != nil {
			return nil, err
		}
		results[need] = result
	}
	ctx := &Context{Module: r.out.Module, Options: options, ResultOf: results, pass: p, driver: &r.driver, out: r.out}
	r.out.Stats = append(r.out.Stats, Stats{Pass: p.Name})
	again := r.driver.rehearse(ctx)
	r.driver.before(p)
	result, err := p.Run(ctx)
	if err != nil {
		return nil, fmt.Errorf("pass %s: %w", p.Name, err)
	}
	if ctx.changed {
		if err := rewrite.Verify(ctx.Module); err != nil {
			return nil, fmt.Errorf("pass %s broke the module: %w", p.Name, err)
		}
		r.out.Module = ctx.Module
	}
	if err := again(ctx.Module); err != nil {
		return nil, fmt.Errorf("pass %s: %w", p.Name, err)
	}
	return result, r.driver.after(p, ctx.Module)
}

// require returns the result of an analysis of the current module, from the cache if possible.
func (r *runner) require(p *Pass) (any, error) {
	key := cacheKey{p, r.out.Module}
	if result, ok := r.cache[key]; ok {
		return result, nil
	}
	_, options := p.flags()
	result, err := r.run(p, options)
	if err != nil {
		return nil, err
	}
	if key.module != r.out.Module {
		return nil, fmt.Errorf("pass %s: required as an analysis, but it changes the module", p.Name)
	}
	r.cache[key] = result
	return result, nil
}

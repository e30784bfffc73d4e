// Reading plan files.

package campaign

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/internal/yamldoc"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Strategies are the names of strategies, as plans have them: the ways to choose schedules.
var Strategies = session.SearchNames

// maxCount is the largest number of schedules that a plan may ask for.
const maxCount = 1 << 40

// Load reads a plan file. It opens no other file but lists of replays. Errors are *Error.
func Load(path string) (*Plan, error) {
	src, err := input.Read(path, MaxPlanBytes)
	if err != nil {
		return nil, &Error{err.Error(), err}
	}
	return Parse(path, src)
}

// Parse reads the text of a plan.
func Parse(path string, src []byte) (*Plan, error) {
	r := &reader{path}
	root, err := r.document(src)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(path)
	p := &Plan{
		Name: nameLike(strings.TrimSuffix(base, filepath.Ext(base))), File: path,
		Detectors: []string{session.DetectorNames()[0]}, Strategies: Strategies[:1],
		Budget: Budget{Quiet: DefaultQuiet}, Seed: 1, Prove: true,
		Task: TaskLimits{Schedules: DefaultTaskSchedules, Time: DefaultTaskTime},
	}
	err = r.fields(root, "the plan",
		field{"name", func(v *yaml.Node) (err error) { p.Name, err = r.name(v); return err }},
		field{"kernels", func(v *yaml.Node) error {
			return r.list(v, "a list of kernels", func(n *yaml.Node) error { return r.kernels(n, p) })
		}},
		field{"detectors", func(v *yaml.Node) error { return r.detectors(v, p) }},
		field{"strategies", func(v *yaml.Node) error { return r.strategies(v, p) }},
		field{"schedules", func(v *yaml.Node) error { return r.count(v, 1, &p.Schedules) }},
		field{"budget", func(v *yaml.Node) error { return r.budget(v, p) }},
		field{"seed", func(v *yaml.Node) (err error) { p.Seed, err = r.number(v, "a seed", 0, 1<<63); return err }},
		field{"prove", func(v *yaml.Node) (err error) { p.Prove, err = r.truth(v, "prove"); return err }},
		field{"task", func(v *yaml.Node) error { return r.task(v, p) }},
		field{"replays", func(v *yaml.Node) error { return r.replays(v, p) }},
	)
	if err == nil && len(p.Kernels) == 0 {
		err = r.pos(root).Errorf("no kernels; expected \"kernels:\" with at least one {ptx: FILE}")
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// document is the root of the one document in src.
func (r *reader) document(src []byte) (*yaml.Node, error) {
	root, err := yamldoc.Parse(src)
	var e *yamldoc.Error
	switch {
	case errors.As(err, &e):
		return nil, Pos{r.file, e.Line, e.Column}.Errorf("%s", e.Text)
	case root == nil:
		return nil, Pos{r.file, 1, 1}.Errorf("the file is empty; expected at least \"kernels:\"")
	}
	return root, nil
}

var nameText = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func (r *reader) name(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || !nameText.MatchString(n.Value) {
		return "", r.expected(n, "a name of up to 64 letters, digits, - and _")
	}
	return n.Value, nil
}

// nameLike makes a name of the base name of a file.
func nameLike(base string) string {
	name := regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(base, "-")
	name = strings.TrimLeft(name[:min(len(name), 64)], "-_")
	if name == "" {
		return "campaign"
	}
	return name
}

// count reads a number of schedules.
func (r *reader) count(n *yaml.Node, least uint64, to *int) error {
	v, err := r.number(n, "a number of schedules", least, maxCount)
	*to = int(v)
	return err
}

// textField is a field that is a text.
func (r *reader) textField(name, what string, to *string) field {
	return field{name, func(v *yaml.Node) (err error) { *to, err = r.text(v, what); return err }}
}

func (r *reader) kernels(n *yaml.Node, p *Plan) error {
	k := Kernels{Pos: r.pos(n)}
	err := r.fields(n, "an entry of kernels",
		r.textField("ptx", "a PTX file or a glob", &k.PTX),
		r.textField("app", "a program", &k.App),
		r.textField("saved", "a folder of saved launches", &k.Saved),
		r.textField("arch", "a target, such as sm_70", &k.Arch),
		field{"launch", func(v *yaml.Node) (err error) { k.Launch, err = r.texts(v, "launch files"); return err }},
	)
	given := 0
	for _, s := range []string{k.PTX, k.App, k.Saved} {
		if s != "" {
			given++
		}
	}
	switch {
	case err != nil:
		return err
	case given != 1:
		return k.Errorf("expected one of ptx, app and saved, found %d of them", given)
	case k.App != "" && len(k.Launch) == 0:
		return k.Errorf("app %s: expected launch: the launch files of its kernels", k.App)
	case k.Saved != "" && len(k.Launch) > 0:
		return k.Errorf("saved %s: launch has no place here: each saved launch has its own", k.Saved)
	case k.Arch != "" && k.App == "":
		return k.Errorf("arch: expected an app, the PTX of which it chooses")
	}
	p.Kernels = append(p.Kernels, k)
	return nil
}

func (r *reader) detectors(n *yaml.Node, p *Plan) error {
	p.Detectors = nil
	return r.list(n, "a list of detectors", func(v *yaml.Node) error {
		s, err := r.text(v, "a detector")
		if err != nil {
			return err
		}
		list, err := session.ParseDetectors(s)
		if err != nil {
			return r.pos(v).because(err)
		}
		for _, d := range list {
			spec := session.Specs([]*session.Detector{d})
			if slices.Contains(p.Detectors, spec) {
				return r.pos(v).Errorf("detector %s is there twice", spec)
			}
			p.Detectors = append(p.Detectors, spec)
		}
		return nil
	})
}

func (r *reader) strategies(n *yaml.Node, p *Plan) error {
	p.Strategies = nil
	return r.list(n, "a list of strategies", func(v *yaml.Node) error {
		if v.Kind != yaml.ScalarNode || !slices.Contains(Strategies, v.Value) {
			return r.expected(v, "a strategy (one of: "+strings.Join(Strategies, ", ")+")")
		}
		if slices.Contains(p.Strategies, v.Value) {
			return r.pos(v).Errorf("strategy %s is there twice", v.Value)
		}
		p.Strategies = append(p.Strategies, v.Value)
		return nil
	})
}

func (r *reader) budget(n *yaml.Node, p *Plan) error {
	b := &p.Budget
	return r.fields(n, "budget",
		field{"schedules", func(v *yaml.Node) error { return r.count(v, 1, &b.Schedules) }},
		field{"quiet", func(v *yaml.Node) error { return r.count(v, 0, &b.Quiet) }},
		field{"time", func(v *yaml.Node) (err error) { b.Time, err = r.duration(v, "a time"); return err }},
	)
}

func (r *reader) task(n *yaml.Node, p *Plan) error {
	t := &p.Task
	return r.fields(n, "task",
		field{"schedules", func(v *yaml.Node) error { return r.count(v, 1, &t.Schedules) }},
		field{"time", func(v *yaml.Node) (err error) { t.Time, err = r.duration(v, "a time"); return err }},
		field{"memory", func(v *yaml.Node) (err error) { t.Memory, err = r.number(v, "a number of bytes", 1, 1<<50); return err }},
		field{"steps", func(v *yaml.Node) (err error) {
			t.Steps, err = r.number(v, "a number of warp instructions", 1, 1<<50)
			return err
		}},
	)
}

// replays reads a list of replays, or the name of a file with one, relative to the plan.
func (r *reader) replays(n *yaml.Node, p *Plan) error {
	if n.Kind == yaml.SequenceNode {
		return r.replayList(n, p)
	}
	name, err := r.text(n, "a list of replays or a file with one")
	if err != nil {
		return err
	}
	file := beside(p.File, name)
	src, err := input.Read(file, MaxPlanBytes)
	if err != nil {
		return r.pos(n).because(err)
	}
	list := &reader{file}
	root, err := list.document(src)
	if err != nil {
		return err
	}
	return list.replayList(root, p)
}

func (r *reader) replayList(n *yaml.Node, p *Plan) error {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		return nil
	}
	return r.list(n, "a list of replays", func(v *yaml.Node) error {
		x := Replay{Pos: r.pos(v)}
		err := r.fields(v, "a replay",
			r.textField("finding", "the id of a finding", &x.Finding), r.textField("ptx", "a PTX file", &x.PTX), r.textField("launch", "a launch file", &x.Launch),
			r.textField("detector", "a detector", &x.Detector), r.textField("run", "a run: POLICY:SEED or a schedule", &x.Run),
		)
		if err != nil {
			return err
		}
		if x.Detector == "" {
			x.Detector = p.Detectors[0]
		}
		if _, err := session.ParseDetectors(x.Detector); err != nil {
			return x.because(err)
		}
		if _, err := ParseRun(x.Run); err != nil {
			return x.because(err)
		}
		p.Replays = append(p.Replays, x)
		return nil
	})
}

// beside is a file that another one names: relative to its folder.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// Reading plan files.

package campaign

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/yamldoc"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Strategies are the names in plans of strategies: the ways to choose schedules.
var Strategies = session.SearchNames

// maxCount is the largest number of schedules in a plan.
const maxCount = 1 << 40

// Load reads a plan file. The only other files that it opens are lists of replays. Errors are *Error.
func Load(path string) (*Plan, error) {
	src, err := input.Read(path, MaxPlanBytes)
	if err != nil {
		return nil, &Error{Msg: err.Error(), Err: err}
	}
	return Parse(path, src)
}

// Parse reads the text of a plan.
func Parse(path string, src []byte) (*Plan, error) {
	r := newReader(path)
	root, err := r.Document(src, "\"kernels:\"")
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
	err = r.Fields(root, "the plan",
		yamldoc.Key("name", func(v *yaml.Node) (err error) { p.Name, err = r.name(v); return err }),
		yamldoc.Key("kernels", func(v *yaml.Node) error {
			return r.list(v, "a list of kernels", func(n *yaml.Node) error { return r.kernels(n, p) })
		}),
		yamldoc.Key("detectors", func(v *yaml.Node) error { return r.detectors(v, p) }),
		yamldoc.Key("strategies", func(v *yaml.Node) error { return r.strategies(v, p) }),
		yamldoc.Key("schedules", func(v *yaml.Node) error { return r.count(v, 1, &p.Schedules) }),
		yamldoc.Key("budget", func(v *yaml.Node) error { return r.budget(v, p) }),
		yamldoc.Key("seed", func(v *yaml.Node) (err error) {
			p.Seed, err = r.number(v, "a seed", 0, 1<<63)
			return err
		}),
		yamldoc.Key("prove", func(v *yaml.Node) (err error) { p.Prove, err = r.truth(v, "prove"); return err }),
		yamldoc.Key("task", func(v *yaml.Node) error { return r.task(v, p) }),
		yamldoc.Key("replays", func(v *yaml.Node) error { return r.replays(v, p) }),
	)
	if err == nil && len(p.Kernels) == 0 {
		err = r.Pos(root).Errorf("no kernels; expected \"kernels:\" with at least one {ptx: FILE}")
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

var nameText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`) })

func (r *reader) name(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || !nameText().MatchString(n.Value) {
		return "", r.Expected(n, "a name of up to 64 letters, digits, - and _")
	}
	return n.Value, nil
}

// nameLike returns a campaign name derived from the base name of a file.
func nameLike(base string) string {
	name := regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(base, "-")
	name = strings.TrimLeft(name[:min(len(name), 64)], "-_")
	if name == "" {
		return "campaign"
	}
	return name
}

// count parses a number of schedules.
func (r *reader) count(n *yaml.Node, least uint64, to *int) error {
	v, err := r.number(n, "a number of schedules", least, maxCount)
	*to = int(v)
	return err
}

// textField returns a field with a text value.
func (r *reader) textField(name, what string, to *string) yamldoc.Field {
	return yamldoc.Key(name, func(v *yaml.Node) (err error) { *to, err = r.Text(v, what); return err })
}

func (r *reader) kernels(n *yaml.Node, p *Plan) error {
	k := Kernels{Pos: r.Pos(n)}
	err := r.Fields(n, "an entry of kernels",
		r.textField("ptx", "a PTX file or a glob", &k.PTX),
		r.textField("app", "a program", &k.App),
		r.textField("saved", "a folder of saved launches", &k.Saved),
		r.textField("arch", "a target, such as sm_70", &k.Arch),
		yamldoc.Key("launch", func(v *yaml.Node) (err error) {
			k.Launch, err = r.texts(v, "launch files")
			return err
		}),
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
		s, err := r.Text(v, "a detector")
		if err != nil {
			return err
		}
		list, err := session.ParseDetectors(s)
		if err != nil {
			return r.Pos(v).Because(err)
		}
		for _, d := range list {
			spec := session.Specs([]*session.Detector{d})
			if slices.Contains(p.Detectors, spec) {
				return r.Pos(v).Errorf("detector %s is there twice", spec)
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
			return r.Expected(v, "a strategy (one of: "+strings.Join(Strategies, ", ")+")")
		}
		if slices.Contains(p.Strategies, v.Value) {
			return r.Pos(v).Errorf("strategy %s is there twice", v.Value)
		}
		p.Strategies = append(p.Strategies, v.Value)
		return nil
	})
}

func (r *reader) budget(n *yaml.Node, p *Plan) error {
	b := &p.Budget
	return r.Fields(n, "budget",
		yamldoc.Key("schedules", func(v *yaml.Node) error { return r.count(v, 1, &b.Schedules) }),
		yamldoc.Key("quiet", func(v *yaml.Node) error { return r.count(v, 0, &b.Quiet) }),
		yamldoc.Key("time", func(v *yaml.Node) (err error) { b.Time, err = r.duration(v, "a time"); return err }),
	)
}

func (r *reader) task(n *yaml.Node, p *Plan) error {
	t := &p.Task
	return r.Fields(n, "task",
		yamldoc.Key("schedules", func(v *yaml.Node) error { return r.count(v, 1, &t.Schedules) }),
		yamldoc.Key("time", func(v *yaml.Node) (err error) { t.Time, err = r.duration(v, "a time"); return err }),
		yamldoc.Key("memory", func(v *yaml.Node) (err error) {
			t.Memory, err = r.number(v, "a number of bytes", 1, 1<<50)
			return err
		}),
		yamldoc.Key("steps", func(v *yaml.Node) (err error) {
			t.Steps, err = r.number(v, "a number of warp instructions", 1, 1<<50)
			return err
		}),
	)
}

// replays parses a list of replays, or the name of a file with one, relative to the plan.
func (r *reader) replays(n *yaml.Node, p *Plan) error {
	if n.Kind == yaml.SequenceNode {
		return r.replayList(n, p)
	}
	name, err := r.Text(n, "a list of replays or a file with one")
	if err != nil {
		return err
	}
	file := beside(p.File, name)
	src, err := input.Read(file, MaxPlanBytes)
	if err != nil {
		return r.Pos(n).Because(err)
	}
	list := newReader(file)
	root, err := list.Document(src, "one replay")
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
		x := Replay{Pos: r.Pos(v)}
		err := r.Fields(v, "a replay",
			r.textField("finding", "the id of a finding", &x.Finding), r.textField("ptx", "a PTX file", &x.PTX),
			r.textField("launch", "a launch file", &x.Launch),
			r.textField("detector", "a detector", &x.Detector),
			r.textField("run", "a run: POLICY:SEED or a schedule", &x.Run),
		)
		if err != nil {
			return err
		}
		if x.Detector == "" {
			x.Detector = p.Detectors[0]
		}
		if _, err := session.ParseDetectors(x.Detector); err != nil {
			return x.Because(err)
		}
		if _, err := ParseRun(x.Run); err != nil {
			return x.Because(err)
		}
		p.Replays = append(p.Replays, x)
		return nil
	})
}

// beside returns the path of a file that another file names, relative to the latter's folder.
func beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// Requirements: the PTX version and target that a feature needs.

package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Requirement is the content of the manual's PTX ISA Notes and Target ISA Notes about an instruction, a modifier or a
// directive.
type Requirement struct {
	Since Version // PTX ISA version that introduced it
	MinSM int     // minimum compute capability times ten (70 = sm_70); 0 = all
	// Only lists the targets of a feature that is specific to architectures (sm_90a) or families (sm_100f: sm_100a from
	// Since, sm_100f and later members of the family from PTX ISA 8.8); nil if MinSM suffices.
	Only []Target
	// Gone is the version from which on the feature is not available on GoneSM and later (vote and shfl without .sync
	// on sm_70); 0 for features without such a version.
	Gone   Version
	GoneSM int // 0 for all targets
}

// goneSM is the first target without vote and shfl that lack .sync.
const goneSM = 70

// Module is the .version and .target of a module, with which requirements are compared. A zero Version or Target.SM is
// unknown and meets every requirement.
type Module struct {
	Version Version
	Target  Target
}

// Words describes the requirement: "PTX 7.0 and sm_80".
func (r Requirement) Words() string {
	s := "PTX " + r.Since.String()
	if t := r.Targets(); t != allTargets {
		s += " and " + t
	}
	return s
}

const allTargets = "all"

// Targets describes the targets of the requirement: "all", "sm_80", "sm_90a", "sm_100f, sm_101f or sm_120f".
func (r Requirement) Targets() string {
	switch n := len(r.Only); {
	case n == 0 && r.MinSM == 0:
		return allTargets
	case n == 0:
		return Target{SM: r.MinSM}.String()
	default:
		words := make([]string, n)
		for i, t := range r.Only {
			words[i] = t.String()
		}
		last := words[n-1]
		if n == 1 {
			return last
		}
		return strings.Join(words[:n-1], ", ") + " or " + last
	}
}

// Unmet describes what a module lacks, "" for nothing: "needs PTX 7.0 and sm_80; the module says .version 6.4, .target
// sm_70".
func (r Requirement) Unmet(m Module) string {
	says := "the module says"
	if m.Version != 0 {
		says += " .version " + m.Version.String()
	}
	if m.Target.SM != 0 {
		if m.Version != 0 {
			says += ","
		}
		says += " .target " + m.Target.String()
	}
	switch {
	case r.metBy(m):
		return ""
	case r.goneFor(m):
		return fmt.Sprintf("is gone%s since PTX %s; %s", r.goneTargets(), r.Gone, says)
	}
	return fmt.Sprintf("needs %s; %s", r.Words(), says)
}

// isSet reports whether the requirement is not empty.
func (r Requirement) isSet() bool {
	return r.Since != 0 || r.MinSM != 0 || r.Only != nil || r.Gone != 0
}

func (r Requirement) goneFor(m Module) bool {
	return r.Gone != 0 && m.Version >= r.Gone && m.Target.SM >= r.GoneSM
}

// goneTargets returns the targets without the feature, " for sm_70 and later", or "" for all.
func (r Requirement) goneTargets() string {
	if r.GoneSM == 0 {
		return ""
	}
	return fmt.Sprintf(" for sm_%d and later", r.GoneSM)
}

func (r Requirement) metBy(m Module) bool {
	if m.Version != 0 && m.Version < r.Since || r.goneFor(m) {
		return false
	}
	if m.Target.SM == 0 {
		return true
	}
	if len(r.Only) > 0 {
		return m.Target.SM >= r.MinSM && slices.ContainsFunc(r.Only, m.Target.has)
	}
	const firstF64 = 13
	return m.Target.SM >= r.MinSM || r.MinSM == firstF64 && m.Target.MapF64
}

// and returns the conjunction of both requirements.
func (r Requirement) and(o Requirement) Requirement {
	both := Requirement{Since: max(r.Since, o.Since), MinSM: max(r.MinSM, o.MinSM), Gone: r.Gone, GoneSM: r.GoneSM}
	if both.Gone == 0 {
		both.Gone, both.GoneSM = o.Gone, o.GoneSM
	}
	switch {
	case len(r.Only) == 0:
		both.Only = o.Only
	case len(o.Only) == 0:
		both.Only = r.Only
	default:
		for _, t := range append(slices.Clone(r.Only), o.Only...) {
			in := func(list []Target) bool {
				return slices.ContainsFunc(list, t.has)
			}
			if in(r.Only) && in(o.Only) && !slices.Contains(both.Only, t) {
				both.Only = append(both.Only, t)
			}
		}
	}
	return both
}

// parseNeeds parses the text after the @ of a modifier in the tables: version without its dot, then targets: 78, 78/90,
// /70, 86/100f+101f.
func parseNeeds(s string) (Requirement, error) {
	var r Requirement
	version, targets, _ := strings.Cut(s, "/")
	version, until, gone := strings.Cut(version, "-")
	if gone {
		v, err := strconv.ParseUint(until, 10, 7)
		if err != nil {
			return r, fmt.Errorf("bad version in %q", s)
		}
		r.Gone = Version(v)
	}
	if version != "" {
		v, err := strconv.ParseUint(version, 10, 7)
		if err != nil {
			return r, fmt.Errorf("bad version in %q", s)
		}
		r.Since = Version(v)
	}
	if targets == "" {
		return r, nil
	}
	for t := range strings.SplitSeq(targets, "+") {
		if err := r.addTarget("sm_" + t); err != nil {
			return r, err
		}
	}
	return r, nil
}

// addTarget adds a target word of the tables: a minimum, or one of Only.
func (r *Requirement) addTarget(word string) error {
	t, ok := ParseTarget(word)
	switch {
	case !ok:
		return fmt.Errorf("unknown target %q", word)
	case t.Suffix == 0:
		r.MinSM = t.SM
	default:
		r.Only = append(r.Only, t)
		r.MinSM = t.SM
		for _, o := range r.Only {
			r.MinSM = min(r.MinSM, o.SM)
		}
	}
	return nil
}

// Requires returns the requirements of this spelling: those of the opcode, the form and every modifier together.
func (d *Decoded) Requires() Requirement { return d.Requirement }

// Unmet describes what a module lacks for this spelling, and which part of it has the requirement; "" for nothing:
// "cp.async needs PTX 7.0 and sm_80; the module says .version 6.4, .target sm_70".
func (d *Decoded) Unmet(m Module) string {
	if d.metBy(m) {
		return ""
	}
	spelled := d.Instr.Name
	for i, mod := range d.Mods {
		if mod == "" {
			continue
		}
		spelled += "." + mod
		if why := d.Form.Mods[i].needs(mod).Unmet(m); why != "" && d.Form.metBy(m) {
			return fmt.Sprintf("the .%s of %s %s", mod, d.Instr.Name, why)
		}
	}
	return spelled + " " + d.Requirement.Unmet(m)
}

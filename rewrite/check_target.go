// The checker: PTX version and target, directives.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// newerHeader reports whether the version or the target of a module is newer than the instruction table.
func newerHeader(m *ptxgrammar.Module) bool {
	return m.Version > isa.NewestVersion || slices.ContainsFunc(m.Target, isa.NewerTarget)
}

// checkNewer notes a version and targets that are newer than the instruction table.
func (l *loader) checkNewer() {
	note := func(off uint32, format string, args ...any) {
		l.mod.release = append(l.mod.release, &ptxgrammar.Error{
			Pos: l.ast.File.Position(off),
			Msg: fmt.Sprintf(format, args...),
		})
	}
	if l.ast.Version > isa.NewestVersion {
		note(l.ast.VersionAt.Start, ".version %s is newer than PTX %s, the newest that is known", l.ast.Version,
			isa.NewestVersion)
	}
	for _, word := range l.ast.Target {
		if isa.NewerTarget(word) {
			note(l.ast.TargetAt.Start, ".target %s is newer than the targets that are known", word)
		}
	}
}

// checkHeader checks that there are a version and a target, and records them.
func (l *loader) checkHeader() {
	if l.ast.Version == 0 {
		l.errorf(0, "missing .version directive: a module begins with one, such as .version 8.0")
	}
	if len(l.ast.Target) == 0 {
		l.errorf(0, "missing .target directive: a module begins with .version and one, such as .target sm_70")
	}
	l.module = l.mod.requirements()
	for _, word := range l.ast.Target {
		since, ok := isa.TargetSince(word)
		switch {
		case !ok && !isa.NewerTarget(word):
			l.newerf(l.ast.TargetAt.Start, "unknown target %q", word)
		case !ok:
		case l.ast.Version != 0 && since > l.ast.Version:
			l.errorf(l.ast.TargetAt.Start, ".target %s needs PTX %s; the module says .version %s", word, since,
				l.ast.Version)
		}
	}
}

// requirements returns the version and target of a module in the form of the instruction table.
func (m *Module) requirements() isa.Module {
	return isa.Module{Version: m.AST.Version, Target: isa.ModuleTarget(m.AST.Target)}
}

// checkRequirement checks that the module's version and target support the instruction.
func (l *funcLoader) checkRequirement(in *Inst) {
	if unmet := in.Unmet(l.module); unmet != "" {
		l.errorf(l.ast.OpcodeRange(in.AST).Start, "%s", unmet)
	}
}

// checkSpecial checks that the module's version and target support a special register.
func (l *loader) checkSpecial(o *ptxgrammar.Operand, sr isa.SpecialReg) {
	if !l.strict {
		return
	}
	if unmet := sr.Requires().Unmet(l.module); unmet != "" {
		l.errorf(l.ast.OperandRange(o).Start, "%s %s", sr.Name, unmet)
	}
}

// linkageWords lists the linking directives by bit.
var linkageWords = []struct {
	bit  ptxgrammar.Linkage
	name string
}{
	{ptxgrammar.Extern, ".extern"}, {ptxgrammar.Visible, ".visible"}, {ptxgrammar.Weak, ".weak"}, {ptxgrammar.Common, ".common"},
}

// checkDirectives checks that all directives exist and that the module's version and target support them.
func (l *loader) checkDirectives() {
	for i := range l.ast.Directives {
		d := &l.ast.Directives[i]
		l.checkDirective(d.Start, d.Name)
		if d.Prototype != nil {
			l.checkPerf(d.Prototype.Perf)
		}
	}
	for i := range l.ast.Funcs {
		f := &l.ast.Funcs[i]
		l.checkLinkage(f.Start, f.Linkage)
		l.checkPerf(f.Perf)
		l.checkClusters(f)
		l.checkAttrs(f.Returns)
		l.checkAttrs(f.Params)
	}
	for i := range l.ast.Decls {
		l.checkAttrs(l.ast.Decls[i].Vars)
		for _, v := range l.ast.Decls[i].Vars {
			l.checkLinkage(l.ast.Decls[i].Start, v.Linkage)
		}
	}
	l.checkLocs()
}

// checkAttrs checks the attributes of declarations.
func (l *loader) checkAttrs(vars []ptxgrammar.Var) {
	for _, v := range vars {
		for _, attr := range v.Attrs {
			l.checkDirective(v.Start, attr)
		}
	}
}

// checkLocs checks that the place at which a location is inlined is that of an earlier .loc, perhaps of another
// function. The manual does not require it, but ptxas does.
func (l *loader) checkLocs() {
	seen := map[ptxgrammar.LocAt]bool{}
	for i := range l.ast.Locs {
		loc := &l.ast.Locs[i]
		if at := loc.InlinedAt; at != nil {
			l.checkDirective(loc.Start, ".inlined_at")
			if !seen[*at] {
				l.errorf(loc.Start, "inlined_at %d %d %d: expected the file, line and column of an earlier .loc",
					at.File, at.Line, at.Col)
			}
		}
		seen[ptxgrammar.LocAt{File: loc.File, Line: loc.Line, Col: loc.Col}] = true
	}
}

// checkClusters checks that a function with .blocksareclusters is a kernel that says how large its blocks and clusters
// are.
func (l *loader) checkClusters(f *ptxgrammar.Func) {
	index := func(name string) int {
		return slices.IndexFunc(f.Perf, func(p ptxgrammar.Perf) bool { return p.Name == name })
	}
	i := index(".blocksareclusters")
	switch {
	case i < 0:
	case !f.Entry:
		l.errorf(f.Perf[i].Start, ".blocksareclusters on .func %s, expected on .entry", f.Name)
	case index(".reqntid") < 0 || index(".reqnctapercluster") < 0:
		l.errorf(f.Perf[i].Start, ".blocksareclusters of %s without .reqntid and .reqnctapercluster", f.Name)
	}
}

func (l *loader) checkPerf(list []ptxgrammar.Perf) {
	for i := range list {
		l.checkDirective(list[i].Start, list[i].Name)
	}
}

func (l *loader) checkLinkage(at uint32, have ptxgrammar.Linkage) {
	for _, w := range linkageWords {
		if have&w.bit != 0 {
			l.checkDirective(at, w.name)
		}
	}
}

// checkDirective checks one directive or attribute, named with its dot.
func (l *loader) checkDirective(at uint32, name string) {
	d, ok := isa.DirectiveOf(strings.TrimPrefix(name, "."))
	if !ok {
		l.newerf(at, "unknown directive %q", name)
	} else if unmet := d.Unmet(l.module); unmet != "" {
		l.errorf(at, "%s %s", name, unmet)
	}
}

// An inspection as JSON: what `ptxsan inspect --format json` prints.

package inspect

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// inspectionSchema is the version of the JSON form. Changes that break readers increment it.
const inspectionSchema = 1

type inspectionDoc struct {
	Schema      int             `json:"schema"`
	File        string          `json:"file"`
	Version     string          `json:"version"`
	Target      []string        `json:"target"`
	AddressSize int             `json:"address_size"`
	Variables   []variableDoc   `json:"variables"`
	Failures    []string        `json:"failures,omitempty"` // of passes that cannot run on the module
	Differences []differenceDoc `json:"differences"`        // what the emulator does not support or approximates
	Functions   []functionDoc   `json:"functions"`
}

type variableDoc struct {
	Name  string `json:"name"`
	Space string `json:"space"`
	Type  string `json:"type"`
	Size  uint64 `json:"size"` // in bytes, 0 if the launch gives it
}

type differenceDoc struct {
	What        string `json:"what"`
	Unsupported bool   `json:"unsupported"`
	Line        int    `json:"line"` // first place in the PTX
}

type functionDoc struct {
	Name            string         `json:"name"`
	Demangled       string         `json:"demangled"`
	Kernel          bool           `json:"kernel"`
	Line            int            `json:"line"`
	Parameters      []parameterDoc `json:"parameters"`
	Variables       []variableDoc  `json:"variables"`
	Instructions    int            `json:"instructions"`
	Blocks          int            `json:"blocks"`
	Edges           int            `json:"edges"`
	Registers       map[string]int `json:"registers"`
	Memory          map[string]int `json:"memory"`
	Synchronisation map[string]int `json:"synchronisation"`
	Patterns        []patternDoc   `json:"patterns"`
	Places          map[string]int `json:"places"` // number that each pass would instrument
}

type parameterDoc struct {
	Name     string `json:"name"`
	Type     string `json:"type,omitempty"`
	Size     uint64 `json:"size"`
	ByValue  bool   `json:"by_value,omitempty"` // a struct or array
	Pointer  bool   `json:"pointer,omitempty"`
	PointsTo string `json:"points_to,omitempty"`
}

type patternDoc struct {
	Kind   string `json:"kind"`
	Scope  string `json:"scope"`
	Line   int    `json:"line"` // in the PTX
	Source string `json:"source,omitempty"`
	Spin   bool   `json:"spin,omitempty"`
	Fences []int  `json:"fences,omitempty"` // lines in the PTX
}

// WriteJSON writes an inspection of module mod as WriteText does.
func (x *Inspection) WriteJSON(w io.Writer, mod *rewrite.Module, shown func(*rewrite.Func) bool) error {
	ast := mod.AST
	doc := inspectionDoc{
		Schema: inspectionSchema, File: ast.File.Name, Version: fmt.Sprintf("%d.%d", ast.Version/10, ast.Version%10),
		Target: ast.Target, AddressSize: ast.AddressSize,
		Variables: variableDocs(mod.Globals), Failures: x.Failures, Differences: []differenceDoc{},
		Functions: []functionDoc{},
	}
	for _, d := range x.Differences {
		doc.Differences = append(doc.Differences, differenceDoc{d.String(), d.Unsupported, d.At[0].Line})
	}
	for _, f := range x.Funcs {
		if shown(f.Func) {
			doc.Functions = append(doc.Functions, f.doc())
		}
	}
	enc := json.NewEncoder(output.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&doc)
}

func (f *FuncInspection) doc() functionDoc {
	d := functionDoc{
		Name: f.Name, Demangled: report.DemangleFull(f.Name), Kernel: f.Entry,
		Line:       f.Module.AST.File.Line(f.AST.NameAt.Start),
		Parameters: []parameterDoc{}, Instructions: len(f.Insts), Blocks: f.Blocks, Edges: f.Edges,
		Patterns:  []patternDoc{},
		Registers: countsDoc(f.Registers), Memory: countsDoc(f.Accesses), Synchronisation: countsDoc(f.Synchronisation),
		Places: countsDoc(f.Places),
	}
	for _, p := range kernelcode.KernelParams(f.Func) {
		q := parameterDoc{Name: p.Name, Size: p.Size, ByValue: p.Array, Pointer: p.Pointer || p.Shared}
		if !p.Array {
			q.Type = p.Type.String()
		}
		if p.Pointer && p.Elem != 0 {
			q.PointsTo = p.Elem.String()
		}
		d.Parameters = append(d.Parameters, q)
	}
	var locals []*rewrite.Var
	for _, v := range f.Locals {
		if v.Space != isa.SpaceParam {
			locals = append(locals, v)
		}
	}
	d.Variables = variableDocs(locals)
	for _, p := range f.Patterns {
		q := patternDoc{Kind: p.Kind.String(), Scope: p.Scope.String(), Line: p.Inst.Line, Spin: p.Spin}
		if p.Inst.Loc != nil {
			q.Source = fmt.Sprintf("%s:%d", p.Inst.Loc.File, p.Inst.Loc.Line)
		}
		for _, fence := range p.Fences {
			q.Fences = append(q.Fences, fence.Line)
		}
		d.Patterns = append(d.Patterns, q)
	}
	return d
}

func variableDocs(vars []*rewrite.Var) []variableDoc {
	list := []variableDoc{}
	for _, v := range vars {
		list = append(list, variableDoc{v.Name, v.Space.String(), v.Type.String(), v.Size})
	}
	return list
}

func countsDoc(counts []passes.Count) map[string]int {
	m := make(map[string]int, len(counts))
	for _, c := range counts {
		m[c.Name] += c.N
	}
	return m
}

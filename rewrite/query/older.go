// Targets without asynchronous copies: code that was compiled for one, and may have another form where it runs.

package query

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// asynchronous is the first target with copies to shared memory that end after their instruction, cp.async (PTX ISA
// 9.7.9.25), and with operations on barrier objects (9.7.13.15).
const asynchronous = 80

// newerHeaders lists parts of the names of CUDA headers. Their functions compile to asynchronous copies and barrier
// objects for sm_80 and later, and to loads and stores for earlier targets.
var newerHeaders = []string{"cuda_pipeline", "memcpy_async", "barrier"}

// Older returns a note about a module for a target without asynchronous copies whose source may have some for newer
// targets: one that is compiled from a header of them, or copies from global to shared memory in a loop. "" for other
// modules.
func Older(m *rewrite.Module) string {
	t := isa.ModuleTarget(m.AST.Target)
	if t.SM == 0 || t.SM >= asynchronous || !copiesAsynchronously(m) {
		return ""
	}
	return fmt.Sprintf("%s is compiled for sm_%d: asynchronous copies and barrier objects do not exist there, and their races are not in this code; the GPU that it runs on may be newer: compile with -arch=sm_80", m.AST.File.Name, t.SM)
}

// copiesAsynchronously reports whether code for newer targets may have asynchronous copies.
func copiesAsynchronously(m *rewrite.Module) bool {
	for file := range maps.Values(m.Files) {
		if slices.ContainsFunc(newerHeaders, func(part string) bool {
			return strings.Contains(path.Base(file),
				part)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(m.Funcs, copiesInLoop)
}

// copiesInLoop reports whether a loop loads from global and stores to shared memory.
func copiesInLoop(f *rewrite.Func) bool {
	if !copies(f.Insts) {
		return false
	}
	return slices.ContainsFunc(f.CFG().Loops(), func(l *rewrite.Loop) bool {
		var body []*rewrite.Inst
		for _, b := range l.Blocks {
			body = append(body, f.Insts[b.Start:b.End]...)
		}
		return copies(body)
	})
}

// copies reports whether instructions load from global and store to shared memory.
func copies(list []*rewrite.Inst) bool {
	has := func(kind isa.AccessKind, space isa.Space) bool {
		return slices.ContainsFunc(list, func(in *rewrite.Inst) bool {
			return in.Access.Kind == kind &&
				in.Access.Space == space
		})
	}
	return has(isa.AccessLoad, isa.SpaceGlobal) && has(isa.AccessStore, isa.SpaceShared)
}

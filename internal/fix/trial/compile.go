// Compilations: the plan for another text of the source.

package trial

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const folder = "ptxsan-fix-"

// Compile returns the plan for a text of the CUDA source with the name of a file, compiled as the original was, and what
// has compiled it.
func (s *Subject) Compile(ctx context.Context, name, text string, o hostcode.Options, edits []*repair.Edit,
) (plan *session.Plan, compiler string, err error) {
	if err = s.Spending.Compile(); err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", folder)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, name)
	if err = os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, "", err
	}
	arch := "sm_70"
	if t := s.Original().AST.Target; len(t) > 0 {
		arch = t[0]
	}
	o.Nvcc = madeByNvcc(s.Original())
	made, err := hostcode.CompileDevice(ctx, file, arch, o)
	if err != nil {
		return nil, "", err
	}
	p, err := session.Parse(name, made.PTX)
	if err != nil {
		return nil, "", err
	}
	plan, err = s.PlanOf(p, edits)
	return plan, made.Compiler, err
}

// madeByNvcc reports whether nvcc has compiled a module.
func madeByNvcc(m *rewrite.Module) bool {
	const head = 400
	src := m.AST.File.Src
	return bytes.Contains(src[:min(len(src), head)], []byte("NVIDIA NVVM Compiler"))
}

// Untitled returns the text of an error without the folder of a compiled text.
func Untitled(err error) string { return temporary().ReplaceAllString(err.Error(), "") }

// temporary matches the folder of a compiled text.
var temporary = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S*` + folder + `\d+[/\\]`) })

// Launch files for a source that comes without one.

package source

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Launches returns a launch file for kernels of a compiled file: the launches that its host code makes with constants,
// beside a template, or the template alone. Notes of the result say what is missing.
func Launches(
	ctx context.Context, name string, p *session.Program, kernels []*rewrite.Func, host *HostCode,
) (*launch.File, error) {
	list := host.read(kernels)
	t, err := session.TemplateOf(ctx, p, kernels, list.shapes, list.constant)
	if err != nil {
		return nil, err
	}
	file, err := launch.Parse("template of "+name, []byte(t.Guess), launch.Options{})
	if err != nil {
		return nil, err
	}
	if t.Text != "" {
		guess := file
		if file, err = launch.Parse("launches of "+name, []byte(t.Text), launch.Options{}); err != nil {
			return nil, err
		}
		file.Guess = guess
	}
	file.Notes = slices.Concat(list.notes, t.Notes)
	return file, nil
}

// Facts reads the launches in the host code of a file. It is nil where there is none; where the file cannot be read, it
// says so, and if it launches kernels, not every launch of them need occur.
func Facts(ctx context.Context, name string, o hostcode.Options) []*facts.File {
	files, err := hostcode.Load(ctx, []string{name}, o)
	if err != nil {
		text, wrong := input.Read(name, hostcode.MaxFileBytes)
		return []*facts.File{{Main: wrong != nil || launching.Match(text), Unread: err.Error()}}
	}
	if all := facts.Join(files); len(all.Launches)+len(all.Never) == 0 {
		return nil
	}
	return files
}

// HostCode is the host code of a file, which is being read. Nil is none.
type HostCode struct {
	done     chan struct{}
	program  *hostcode.Program
	launches bool // the text of the file launches
	err      error
}

// ReadHost begins to read the host code of a file.
func ReadHost(ctx context.Context, name string, o Options) *HostCode {
	h := &HostCode{done: make(chan struct{})}
	go func() {
		defer close(h.done)
		text, err := input.Read(name, hostcode.MaxFileBytes)
		h.launches = err != nil || launching.Match(text)
		read := hostcode.Options{Defines: o.Defines, Includes: o.Includes}
		h.program, h.err = hostcode.Read(ctx, []string{name}, read)
	}()
	return h
}

// launching matches what launches a kernel.
var launching = regexp.MustCompile(`<<<|[Ll]aunch`)

// hostLaunches is what host code says of launches.
type hostLaunches struct {
	constant []session.HostLaunch
	shapes   map[string]session.Shape // by kernels
	notes    []string
}

// read waits for the host code, and returns what it says about launches of kernels.
func (h *HostCode) read(kernels []*rewrite.Func) *hostLaunches {
	out := &hostLaunches{shapes: make(map[string]session.Shape)}
	if h == nil {
		return out
	}
	<-h.done
	switch {
	case h.err != nil && !h.launches:
		return out
	case errors.Is(h.err, exec.ErrNotFound):
		out.notes = []string{notRead + "clang is not installed (Debian and Ubuntu: apt-get install clang-19)"}
		return out
	case h.err != nil:
		out.notes = []string{notRead + h.err.Error()}
		return out
	}
	plain, any := h.program.Examples([]string{}), h.program.Examples(nil)
	all := newConverter(kernels)
	for _, l := range slices.Concat(plain.Launches, any.Launches) {
		all.add(l)
	}
	for _, l := range any.Launches {
		out.shape(kernels, l)
	}
	out.constant, out.notes = all.list, all.notes()
	if needsWhole(plain) || needsWhole(any) {
		out.notes = append(out.notes, wholeProgram)
	}
	return out
}

// Notes of what is missing.
const (
	notRead      = "the launches of the file itself are not read: "
	wholeProgram = "the program launches into streams, or several kernels that share buffers: ptxsan exec runs the whole of it"
)

// needsWhole reports whether launches depend on the rest of a program: they are in streams, or share buffers.
func needsWhole(f *facts.File) bool {
	users := make(map[string]facts.Pos)
	for _, l := range f.Launches {
		if f.Main && l.Streamed {
			return true
		}
		for _, b := range l.Buffers {
			if site, ok := users[b.Name]; f.Main && ok && site != l.Site {
				return true
			}
			users[b.Name] = l.Site
		}
	}
	return false
}

// shape adds the extents of a launch to what is known of its kernels. What differs between launches is the largest.
func (h *hostLaunches) shape(kernels []*rewrite.Func, l *facts.Launch) {
	now := session.Shape{Grid: constants(l.Grid), Block: constants(l.Block)}
	for _, k := range kernels {
		if !report.Denotes(l.Kernel, k.Name) {
			continue
		}
		have, ok := h.shapes[k.Name]
		if !ok {
			have = now
		}
		if have.Block == [3]uint32{} {
			have.Block = now.Block
		}
		for i := range have.Grid {
			if have.Grid[i] = max(have.Grid[i], now.Grid[i]); now.Grid[i] == 0 {
				have.Grid[i] = 0
			}
		}
		h.shapes[k.Name] = have
	}
}

// place returns a place in host code as text.
func place(p facts.Pos) string { return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line) }

// Subjects: a module and its launches, as files that can be sent to other machines.

package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Subject is a module with the launches of one launch file, which a campaign explores. Its files are blobs, identified
// by the hash of their contents.
type Subject struct {
	PTX        string     `json:"ptx"` // name for reports
	Module     string     `json:"module"`
	Launch     string     `json:"launch"`
	LaunchFile string     `json:"launch_file"`
	Data       []DataFile `json:"data,omitempty"`
}

// DataFile is a file that a launch file names.
type DataFile struct {
	Path string `json:"path"` // relative to the launch file
	Blob string `json:"blob"`
}

// Name returns a name for people: the module, and the launch file if its name differs; for a saved launch, its folder.
func (s *Subject) Name() string {
	if dir := filepath.Dir(s.PTX); s.PTX == filepath.Join(dir, savedModule) &&
		s.Launch == filepath.Join(dir, savedLaunch) && dir != "." {
		return dir
	}
	if stem := strings.TrimSuffix(s.PTX, filepath.Ext(s.PTX)); s.Launch == stem+".yaml" {
		return s.PTX
	}
	return s.PTX + " with " + s.Launch
}

// Blobs lists the hashes of the subject's files.
func (s *Subject) Blobs() []string {
	list := []string{s.Module, s.LaunchFile}
	for _, f := range s.Data {
		list = append(list, f.Blob)
	}
	return list
}

// Blobs returns the contents of a file with a given hash.
type Blobs func(ctx context.Context, hash string) ([]byte, error)

// Hash returns the identity of contents.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readySubject is a subject that is ready to run.
type readySubject struct {
	plan *session.Plan
	dir  string // folder of its data files, "" if none
}

// load reads the files of a subject. It ignores the expectations of the launch file, which are for a single run.
func (s *Subject) load(ctx context.Context, blobs Blobs, limits *TaskLimits) (*readySubject, error) {
	module, err := blobs(ctx, s.Module)
	if err != nil {
		return nil, err
	}
	l := &readySubject{}
	file, err := l.launchFile(ctx, s, blobs, limits)
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	file.Expect = nil
	p, err := program(s.PTX, module, file)
	if err == nil {
		l.plan, err = session.NewPlan(p, file, limits.Steps)
	}
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// program parses the part of a module that the launches of a file can reach.
func program(name string, text []byte, file *launch.File) (*session.Program, error) {
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if tree, err = session.Launched(tree, file); err != nil {
		return nil, err
	}
	m, err := rewrite.Check(tree)
	if err != nil {
		return nil, err
	}
	return session.NewProgram(m), nil
}

// launchFile reads the launch file. It writes the data files, under their names in the launch file, to a temporary
// folder.
func (l *readySubject) launchFile(ctx context.Context, s *Subject, blobs Blobs,
	limits *TaskLimits,
) (*launch.File, error) {
	text, err := blobs(ctx, s.LaunchFile)
	if err != nil {
		return nil, err
	}
	options := launch.Options{MaxBytes: limits.Memory, Name: s.Launch}
	if len(s.Data) == 0 {
		return launch.Parse(s.Launch, text, options)
	}
	if l.dir, err = os.MkdirTemp("", "ptxsan-campaign-"); err != nil {
		return nil, err
	}
	for _, f := range s.Data {
		data, err := blobs(ctx, f.Blob)
		if err != nil {
			return nil, err
		}
		if !filepath.IsLocal(f.Path) {
			return nil, fmt.Errorf("%s: the data file %s is not below the launch file", s.Launch, f.Path)
		}
		name := filepath.Join(l.dir, f.Path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, data, 0o600)); err != nil {
			return nil, err
		}
	}
	name := filepath.Join(l.dir, "launch.yaml")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return nil, err
	}
	return launch.Load(name, options)
}

// close removes the data files.
func (l *readySubject) close() error {
	if l.dir == "" {
		return nil
	}
	return os.RemoveAll(l.dir)
}

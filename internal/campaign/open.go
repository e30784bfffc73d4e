// Opening a campaign: the files that a plan names, checked before anything runs.

package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/cubin"
	"github.com/ptxsan/ptxsan/internal/fatbin"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// Size limits of files that a plan names.
const (
	maxModuleBytes = 128 << 20
	maxAppBytes    = 1 << 30
	maxDataBytes   = 4 << 30
)

// opener reads the files of a plan.
type opener struct {
	plan     *Plan
	c        *Campaign
	sources  map[string]func() ([]byte, error) // by hash
	known    map[[2]string]bool                // subjects
	progress func(string)
}

// Open reads the files that a plan names and checks that each launch can begin. Blobs are read again when they are
// needed. progress is called with the name of each file; nil for none.
func Open(ctx context.Context, p *Plan, progress func(string)) (*Campaign, Blobs, error) {
	if progress == nil {
		progress = func(string) {}
	}
	o := &opener{
		plan: p, c: &Campaign{Plan: p}, sources: make(map[string]func() ([]byte, error)),
		known: make(map[[2]string]bool), progress: progress,
	}
	for i := range p.Kernels {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := o.entry(ctx, &p.Kernels[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range p.Replays {
		if err := o.c.resolve(&p.Replays[i]); err != nil {
			return nil, nil, err
		}
	}
	return o.c, o.blob, nil
}

// blob implements Blobs.
func (o *opener) blob(_ context.Context, hash string) ([]byte, error) {
	read := o.sources[hash]
	if read == nil {
		return nil, fmt.Errorf("no file of the campaign has the hash %s", hash)
	}
	data, err := read()
	if err == nil && Hash(data) != hash {
		err = errors.New("a file of the campaign has changed since it began")
	}
	return data, err
}

// file registers a file and returns its contents and hash.
func (o *opener) file(name string, limit int64) ([]byte, string, error) {
	data, err := input.Read(name, limit)
	if err != nil {
		return nil, "", err
	}
	hash := Hash(data)
	o.sources[hash] = func() ([]byte, error) { return input.Read(name, limit) }
	return data, hash, nil
}

// entry adds the subjects of an entry of the plan.
func (o *opener) entry(ctx context.Context, k *Kernels) error {
	switch {
	case k.App != "":
		return o.app(ctx, k)
	case k.Saved != "":
		return o.saved(ctx, k)
	}
	files, err := o.glob(k, k.PTX)
	if err != nil {
		return err
	}
	for _, ptx := range files {
		launches := []string{strings.TrimSuffix(ptx, filepath.Ext(ptx)) + ".yaml"}
		if len(k.Launch) > 0 {
			if launches, err = o.launches(k); err != nil {
				return err
			}
		} else if _, err = os.Stat(launches[0]); err != nil {
			return k.Errorf("%s has no launch file %s: write one (ptxsan new) or name it with launch:", ptx,
				launches[0])
		}
		for _, l := range launches {
			if err = o.subject(ctx, k, ptx, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// glob lists files, relative to the plan, sorted.
func (o *opener) glob(k *Kernels, pattern string) ([]string, error) {
	name := beside(o.plan.File, pattern)
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{name}, nil
	}
	files, err := filepath.Glob(name)
	if err != nil {
		return nil, k.Errorf("%s: %v", pattern, err)
	}
	if len(files) == 0 {
		return nil, k.Errorf("no file matches %s", name)
	}
	return files, nil
}

func (o *opener) launches(k *Kernels) (list []string, err error) {
	for _, pattern := range k.Launch {
		files, err := o.glob(k, pattern)
		if err != nil {
			return nil, err
		}
		list = append(list, files...)
	}
	return list, nil
}

// Files in the folder of a saved launch.
const (
	savedModule = "kernel.ptx"
	savedLaunch = "launch.yaml"
)

// saved adds one launch or all launches that `exec --save` has written to a folder.
func (o *opener) saved(ctx context.Context, k *Kernels) error {
	dir := beside(o.plan.File, k.Saved)
	found := []string{filepath.Join(dir, savedModule)}
	if _, err := os.Stat(found[0]); err != nil {
		if found, err = filepath.Glob(filepath.Join(dir, "*", savedModule)); err != nil || len(found) == 0 {
			return k.Errorf("saved %s: no folder there has a %s", dir, savedModule)
		}
	}
	for _, ptx := range found {
		if err := o.subject(ctx, k, ptx, filepath.Join(filepath.Dir(ptx), savedLaunch)); err != nil {
			return err
		}
	}
	return nil
}

// app adds launches of the PTX in a program.
func (o *opener) app(ctx context.Context, k *Kernels) error {
	name := beside(o.plan.File, k.App)
	data, err := input.Read(name, maxAppBytes)
	if err != nil {
		return k.Because(err)
	}
	f, err := fatbin.Open(name, data)
	if err != nil {
		return k.Because(err)
	}
	all, err := cubin.Entries(f)
	if err != nil {
		return k.Because(err)
	}
	entries := slices.DeleteFunc(slices.Clone(all),
		func(e fatbin.PTXEntry) bool { return k.Arch != "" && e.Target() != k.Arch })
	if len(entries) == 0 {
		return k.Errorf("%s has no PTX%s; PTX: %s", name, strings.TrimSuffix(" for "+k.Arch, " for "),
			cmp.Or(fatbin.DescribePTX(all), "none"))
	}
	launches, err := o.launches(k)
	if err != nil {
		return err
	}
	for _, l := range launches {
		if err = o.appLaunch(ctx, k, name, entries, l); err != nil {
			return err
		}
	}
	return nil
}

// appLaunch adds a launch for the first PTX module of a program that has its kernel.
func (o *opener) appLaunch(ctx context.Context, k *Kernels, name string, entries []fatbin.PTXEntry,
	launchFile string,
) error {
	var first error
	for i, file := range fatbin.FileNames(filepath.Base(name), entries) {
		read := func() ([]byte, error) {
			p, err := cubin.Of(entries[i].Entry)
			if err != nil {
				return nil, err
			}
			return p.PTX, nil
		}
		text, err := read()
		if err != nil {
			return k.Because(err)
		}
		hash := Hash(text)
		o.sources[hash] = read
		if err = o.module(ctx, k, filepath.Join(filepath.Dir(name), file), hash, launchFile); err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// subject adds a PTX file with a launch file.
func (o *opener) subject(ctx context.Context, k *Kernels, ptx, launchFile string) error {
	_, hash, err := o.file(ptx, maxModuleBytes)
	if err != nil {
		return k.Because(err)
	}
	return o.module(ctx, k, ptx, hash, launchFile)
}

// module adds a module with a launch file, unless the campaign has it already.
func (o *opener) module(ctx context.Context, k *Kernels, ptx, hash, launchFile string) error {
	if o.known[[2]string{ptx, launchFile}] {
		return nil
	}
	o.progress(fmt.Sprintf("%d read, %s", len(o.c.Subjects), ptx))
	s := &Subject{PTX: ptx, Module: hash, Launch: launchFile}
	text, launchHash, err := o.file(launchFile, launch.MaxFileBytes)
	if err != nil {
		return k.Because(err)
	}
	s.LaunchFile = launchHash
	file, err := launch.Parse(launchFile, text, launch.Options{MaxBytes: o.plan.Task.Memory})
	if err != nil {
		return &Error{Msg: err.Error(), Err: err}
	}
	for _, path := range file.DataFiles() {
		_, blob, failed := o.file(filepath.Join(filepath.Dir(launchFile), path), maxDataBytes)
		if failed != nil {
			return &Error{Msg: fmt.Sprintf("%s: %v", launchFile, failed), Err: failed}
		}
		s.Data = append(s.Data, DataFile{path, blob})
	}
	l, err := s.load(ctx, o.blob, &o.plan.Task)
	if err != nil {
		return &Error{Msg: err.Error(), Err: err}
	}
	if len(o.c.Subjects) == MaxSubjects {
		return k.Errorf("more than %d pairs of a module and a launch file", MaxSubjects)
	}
	o.known[[2]string{ptx, launchFile}] = true
	o.c.Subjects = append(o.c.Subjects, s)
	return l.close()
}

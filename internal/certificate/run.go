// What one run of a launch file proves about kernels that proofs leave open.

package certificate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Run identifies a launch file, and lists its launches of which one run shows that they have no race in any schedule
// (docs/holds.md).
type Run struct {
	Launch File    `json:"launch"` // the launch file
	Data   []File  `json:"data"`   // the files that it names
	Claims []Claim `json:"claims"`
}

// Claim says that no pair of accesses of a launch races, in any schedule.
type Claim struct {
	Kernel string   `json:"kernel"`
	Site   string   `json:"site"`  // of the launch, in the launch file
	Needed []string `json:"needs"` // what launches must satisfy, so that the claim holds for them
}

// AddRun adds what one run of a launch file proves about open kernels, of those that an analysis has proved.
func (c *Certificate) AddRun(ctx context.Context, p *session.Program, file *launch.File, proved []*report.Proof) error {
	claims, err := c.claims(ctx, p, file, func(k *Kernel) bool {
		return slices.ContainsFunc(proved, func(x *report.Proof) bool {
			return x.Kernel == k.Name && x.Site == k.Site && x.Verdict == report.Clean
		})
	})
	if err != nil || len(claims) == 0 {
		return err
	}
	r := &Run{Claims: claims}
	r.Launch, r.Data, err = identifyLaunch(file)
	c.Run = r
	return err
}

// claims runs the launches of chosen open kernels in a launch file, and returns what the runs prove. A launch is run
// after those before it in the file.
func (c *Certificate) claims(ctx context.Context, p *session.Program, file *launch.File, chosen func(*Kernel) bool,
) (list []Claim, err error) {
	for i := range c.Kernels {
		k, made := &c.Kernels[i], &c.made[i]
		at := analysis.LaunchAt(file, k.Site)
		if k.Verdict != Open || at < 0 || !report.Denotes(file.Launches[at].Kernel, k.Name) || !chosen(k) {
			continue
		}
		needs, err := analysis.Claim(ctx, p, file, at, made)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, err
		case needs != nil:
			list = append(list, Claim{k.Name, k.Site, needs})
		}
	}
	return list, nil
}

// identifyLaunch returns the identities of a launch file and of the files that it names.
func identifyLaunch(file *launch.File) (of File, data []File, err error) {
	sum := sha256.Sum256(file.Text)
	of, data = File{file.Name, hex.EncodeToString(sum[:])}, []File{}
	for _, name := range file.DataFiles() {
		d := File{Name: name}
		if d.SHA256, err = hashOf(file, name); err != nil {
			return of, nil, err
		}
		data = append(data, d)
	}
	return of, data, nil
}

// hashOf returns the hash of a file that a launch file names.
func hashOf(file *launch.File, name string) (string, error) {
	f, err := file.Open(name)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// identified checks that a launch file is the one of a run, if a certificate has a run.
func (r *Run) identified(file *launch.File) error {
	switch {
	case r == nil:
		return nil
	case file == nil:
		return refuse("it rests on a run of %s, and no launch file is given", r.Launch.Name)
	}
	is, data, err := identifyLaunch(file)
	switch {
	case err != nil:
		return refuse("%v", err)
	case is != r.Launch:
		return refuse("it is for the launch file %s with SHA-256 %s; this one has %s", r.Launch.Name, r.Launch.SHA256,
			is.SHA256)
	case len(data) != len(r.Data):
		return refuse("it is for %d files with contents of buffers; the launch file names %d", len(r.Data), len(data))
	}
	for i, d := range data {
		if d != r.Data[i] {
			return refuse("it is for %s with SHA-256 %s; %s has %s", r.Data[i].Name, r.Data[i].SHA256, d.Name, d.SHA256)
		}
	}
	return nil
}

// verifyRun checks the claims of a run of a launch file by running it again.
func (c *Certificate) verifyRun(ctx context.Context, p *session.Program, file *launch.File) error {
	if c.Run == nil {
		return nil
	}
	claims, err := c.claims(ctx, p, file, func(k *Kernel) bool { return c.claimed(k) != nil })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refuse("%v", err)
	}
	for i := range c.Run.Claims {
		says := &c.Run.Claims[i]
		if i >= len(claims) || claims[i].Kernel != says.Kernel || claims[i].Site != says.Site {
			return refuse("%s: no run of %s shows that no pair races in any schedule", report.Demangle(says.Kernel),
				file.Name)
		}
		if is := claims[i].Needed; !slices.Equal(is, says.Needed) {
			return refuse("%s: the run needs %q; it says %q", report.Demangle(says.Kernel), is, says.Needed)
		}
	}
	if len(claims) > len(c.Run.Claims) {
		return refuse("a run of %s proves %d launches; it says %d", file.Name, len(claims), len(c.Run.Claims))
	}
	return nil
}

// claimed returns the claim of the run for a kernel, nil if there is none.
func (c *Certificate) claimed(k *Kernel) *Claim {
	if c.Run == nil {
		return nil
	}
	i := slices.IndexFunc(c.Run.Claims, func(x Claim) bool { return x.Kernel == k.Name && x.Site == k.Site })
	if i < 0 {
		return nil
	}
	return &c.Run.Claims[i]
}

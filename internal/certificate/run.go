// What one run of a launch file proves about kernels that proofs leave open.

package certificate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"slices"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Run is the run of a launch file whose verdict holds for every schedule (docs/holds.md).
type Run struct {
	Launch File    `json:"launch"` // the launch file
	Data   []File  `json:"data"`   // the files that it names
	Claims []Claim `json:"claims"`
}

// Claim says that no pair of accesses of a launch races, in any schedule.
type Claim struct {
	Kernel   string   `json:"kernel"`
	Site     string   `json:"site"`     // of the launch, in the launch file
	Contents []string `json:"contents"` // buffers whose contents before the first launch do not matter
	Resident int      `json:"resident"` // blocks that must be resident together, since they wait for one another
}

// maxClaims limits the number of launches that are run for a certificate. Each is run after those before it in the file.
const maxClaims = 16

// run returns what a launch file proves about the open kernels of a certificate: nil if that is nothing.
func (c *Certificate) run(ctx context.Context, p *session.Program, file *launch.File) (*Run, error) {
	claims, err := c.claims(ctx, p, file)
	if err != nil || len(claims) == 0 {
		return nil, err
	}
	r := &Run{Data: []File{}, Claims: claims}
	r.Launch, r.Data, err = identifyLaunch(file)
	return r, err
}

// claims runs the launches of the open kernels in a launch file, and returns what the runs prove.
func (c *Certificate) claims(ctx context.Context, p *session.Program, file *launch.File) (list []Claim, err error) {
	tried := 0
	for i := range c.Kernels {
		k := &c.Kernels[i]
		at := analysis.LaunchAt(file, k.Site)
		if k.Verdict != Open || at < 0 || tried == maxClaims || !report.Denotes(file.Launches[at].Kernel, k.Name) {
			continue
		}
		tried++
		h, err := analysis.Claim(ctx, p, file, at)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, err
		case h != nil:
			list = append(list, Claim{k.Name, k.Site, append([]string{}, h.Contents...), h.Resident})
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
		return refuse("it is for the launch file %s with SHA-256 %s; this one is %s and has %s", r.Launch.Name,
			r.Launch.SHA256, is.Name, is.SHA256)
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
	claims, err := c.claims(ctx, p, file)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refuse("%v", err)
	case len(claims) != len(c.Run.Claims):
		return refuse("a run of %s proves %d launches; it says %d", file.Name, len(claims), len(c.Run.Claims))
	}
	for i, says := range c.Run.Claims {
		if holds := claims[i]; !reflect.DeepEqual(holds, says) {
			return refuse("a run of %s proves %+v; it says %+v", file.Name, holds, says)
		}
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

// need returns what a launch must satisfy for the claim.
func (x *Claim) need() string {
	return analysis.LaunchNeed(x.Site, &report.Holds{Contents: x.Contents, Resident: x.Resident})
}

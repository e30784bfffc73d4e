// Certificates of runs of launch files.

package certificate_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// copied is a kernel whose threads from 32 on read what an mbarrier says to have arrived, if n is 32.
func copied() string {
	return kernelText("", `.shared .align 8 .b64 ready; mov.u64 %rd4, ready; mov.u64 %rd5, tile;
	mov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra $start; mbarrier.init.shared.b64 [%rd4], %r1;
	$start: bar.sync 0; setp.ge.u32 %p1, %r2, 32; mul.wide.u32 %rd6, %r2, 4; @%p1 bra $wait;
	add.s64 %rd5, %rd5, %rd6; add.s64 %rd1, %rd1, %rd6; cp.async.ca.shared.global [%rd5], [%rd1], 4;
	cp.async.mbarrier.arrive.noinc.shared.b64 [%rd4]; bra.uni $end;
	$wait: mbarrier.test_wait.parity.shared.b64 %p3, [%rd4], 0; @!%p3 bra $wait;
	sub.u32 %r3, 63, %r2; mul.wide.u32 %rd6, %r3, 4; add.s64 %rd5, %rd5, %rd6; ld.shared.u32 %r4, [%rd5];
	add.s64 %rd2, %rd2, %rd6; st.global.u32 [%rd2], %r4; $end:`)
}

const copiedLaunch = `buffers:
  data: {type: u32, count: 32, init: {file: data.bin}}
  out: {type: u32, count: 32, init: 0}
launches:
  - {kernel: k, grid: 1, block: 64, args: [data, out, 32]}
`

// launched returns options with a launch file and its facts.
func launched(t *testing.T, text string, data byte) analysis.Options {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "k.yaml")
	for name, content := range map[string][]byte{path: []byte(text), filepath.Join(dir, "data.bin"): bytes.Repeat([]byte{data}, 128)} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := launch.Load(path, launch.Options{Name: "k.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	return analysis.Options{Facts: []*facts.File{factfile.FromLaunches(file)}, File: file}
}

// ranCertificate returns the certificate of a program and the run of its launch file, after it was written and read.
func ranCertificate(t *testing.T, p *session.Program, o analysis.Options) *certificate.Certificate {
	t.Helper()
	if o.File == nil {
		return made(t, p, o)
	}
	out, err := analysis.Run(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := certificate.Make(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	if err = c.AddRun(t.Context(), p, o.File, out.Report.Proofs); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err = c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if c, err = certificate.Read(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRun makes and verifies a certificate of a run, and changes it in ways that make it wrong.
func TestRun(t *testing.T) {
	p := parsed(t, copied())
	o := launched(t, copiedLaunch, 1)
	file, given := o.File, o.Facts
	fresh := func() *certificate.Certificate { return ranCertificate(t, p, o) }
	c := fresh()
	if clean, open := c.Proved(); len(clean) != 1 || open > 0 || c.Run == nil || c.Kernels[0].Open == 0 {
		t.Fatalf("%d kernels are proved, %d are open, run %+v", len(clean), open, c.Run)
	}
	if err := c.Verify(t.Context(), p, given, file); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	const text = "proved: k: one run stands for every schedule\n    needs block.x = 64 (k.yaml:5:5)\n"
	if err := c.WriteText(&b); err != nil || !strings.HasPrefix(strings.Replace(b.String(), " launched at k.yaml:5:5", "", 1), text) {
		t.Errorf("%v, %q", err, b.String())
	}
	reject := func(c *certificate.Certificate, p *session.Program, given []*facts.File, file *launch.File, want string) {
		t.Helper()
		var r *certificate.Refusal
		if err := c.Verify(t.Context(), p, given, file); !errors.As(err, &r) || !strings.Contains(r.Why, want) {
			t.Errorf("verify: %v; want a refusal with %q", err, want)
		}
	}
	reject(c, p, given, nil, "it rests on a run of k.yaml, and no launch file is given")
	reject(c, parsed(t, copied()+"// other\n"), given, file, "this PTX has")
	reject(c, p, given, launched(t, copiedLaunch, 2).File, "it is for data.bin with SHA-256")
	for _, x := range []struct {
		want   string
		change func(r *certificate.Run)
	}{
		{"it is for the launch file k.yaml with SHA-256 0", func(r *certificate.Run) { r.Launch.SHA256 = "0" }},
		{"it is for the launch file l.yaml", func(r *certificate.Run) { r.Launch.Name = "l.yaml" }},
		{"it is for data.bin with SHA-256 0", func(r *certificate.Run) { r.Data[0].SHA256 = "0" }},
		{"it is for 0 files", func(r *certificate.Run) { r.Data = nil }},
		{"it says [\"block.x = 64", func(r *certificate.Run) { r.Claims[0].Needed = r.Claims[0].Needed[:1] }},
		{"it says [\"block.x = 64", func(r *certificate.Run) { r.Claims[0].Needed = append(r.Claims[0].Needed, "calm") }},
		{"l: no run of k.yaml shows", func(r *certificate.Run) { r.Claims[0].Kernel = "l" }},
		{"k: no run of k.yaml shows", func(r *certificate.Run) { r.Claims[0].Site = "k.yaml:1:1" }},
		{"k: no run of k.yaml shows", func(r *certificate.Run) { r.Claims = append(r.Claims, r.Claims[0]) }},
	} {
		c = fresh()
		x.change(c.Run)
		reject(c, p, given, file, x.want)
	}
	if c = fresh(); c.Run != nil {
		c.Run.Claims = nil
	}
	b.Reset()
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Read(bytes.Replace(b.Bytes(), []byte(`"claims": null`), []byte(`"claims": []`), 1)); err == nil || !strings.Contains(err.Error(), "proves nothing") {
		t.Errorf("a run without claims: %v", err)
	}
}

// TestRunOfRacy: a racy program has no such certificate, nor does it pass with that of another one whose hashes are
// replaced.
func TestRunOfRacy(t *testing.T) {
	p := parsed(t, copied())
	o := launched(t, copiedLaunch, 1)
	c := ranCertificate(t, p, o)
	early := launched(t, strings.Replace(copiedLaunch, "32]}", "16]}", 1), 1)
	if none := ranCertificate(t, p, early); none.Run != nil {
		t.Errorf("a racy launch: %+v", none.Run)
	}
	sum := sha256.Sum256(early.File.Text)
	c.Run.Launch.SHA256 = hex.EncodeToString(sum[:])
	var r *certificate.Refusal
	if err := c.Verify(t.Context(), p, early.Facts, early.File); !errors.As(err, &r) || r.Why != "it is for other facts about the launches" {
		t.Errorf("with the facts: %v", err)
	}
	if err := c.Verify(t.Context(), p, nil, early.File); !errors.As(err, &r) || !strings.Contains(r.Why, "k: no run of k.yaml shows") {
		t.Errorf("without the facts: %v", err)
	}
	unwaited := parsed(t, strings.Replace(copied(), "@!%p3 bra $wait", "", 1))
	if none := ranCertificate(t, unwaited, o); none.Run != nil {
		t.Errorf("a racy kernel: %+v", none.Run)
	}
}

// TestRunUnproved: a launch of a kernel that the analysis has not proved is not in the certificate, although its run has
// no race with the contents that it has.
func TestRunUnproved(t *testing.T) {
	p := parsed(t, copied())
	o := launched(t, copiedLaunch, 1)
	c, err := certificate.Make(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	unknown := &report.Proof{Kernel: "k", Site: "k.yaml:5:5", Verdict: report.Unknown}
	if err = c.AddRun(t.Context(), p, o.File, []*report.Proof{unknown}); err != nil || c.Run != nil {
		t.Errorf("%v, %+v", err, c.Run)
	}
}

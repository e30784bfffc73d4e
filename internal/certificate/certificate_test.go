package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const programs = "../../examples/hgrd"

// program reads a program of the examples with the facts of its host code.
func program(t *testing.T, name string) (*session.Program, []*facts.File) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs, name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := session.Parse(name+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := factfile.Load(filepath.Join("../static/hostcode/testdata/facts", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return p, []*facts.File{f}
}

// made returns a certificate, after it was written and read.
func made(t *testing.T, p *session.Program, o analysis.Options) *certificate.Certificate {
	t.Helper()
	c, err := certificate.Make(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err = c.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := certificate.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c.Kernels, again.Kernels) || len(c.Proofs) != len(again.Proofs) || c.Facts != again.Facts {
		t.Fatal("the certificate is read otherwise than it was written")
	}
	return again
}

// refused checks that a certificate is refused, with a reason that contains want.
func refused(t *testing.T, c *certificate.Certificate, p *session.Program, given []*facts.File, want string) {
	t.Helper()
	var r *certificate.Refusal
	if err := c.Verify(context.Background(), p, given, nil); !errors.As(err, &r) || !strings.Contains(r.Why, want) {
		t.Errorf("verify: %v; want a refusal with %q", err, want)
	}
}

// TestPrograms makes and verifies certificates of the race-free programs of the examples.
func TestPrograms(t *testing.T) {
	for _, name := range []string{"reduction", "random-access", "exp-distance", "convolution-separable", "tone-mapping", "copy-from-vec", "pitch-linear", "rule-110", "figure-1", "figure-2", "figure-5"} {
		t.Run(name, func(t *testing.T) {
			p, given := program(t, name)
			c := made(t, p, analysis.Options{Facts: given})
			if clean, open := c.Proved(); len(clean) == 0 || open > 0 {
				t.Fatalf("%d kernels are proved, %d are open", len(clean), open)
			}
			if err := c.Verify(context.Background(), p, given, nil); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOpen: a certificate of a racy program claims the pairs that are proved, and nothing of the program.
func TestOpen(t *testing.T) {
	p, given := program(t, "tissue")
	c := made(t, p, analysis.Options{Facts: given})
	clean, open := c.Proved()
	if len(clean) > 0 || open != 1 || c.Kernels[0].Open == 0 {
		t.Fatalf("%d proved, %d open", len(clean), open)
	}
	if err := c.Verify(context.Background(), p, nil, nil); err != nil {
		t.Error(err)
	}
	c.Kernels[0].Verdict, c.Kernels[0].Open = "clean", 0
	refused(t, c, p, nil, "it does not show that no pair races")
}

// TestRefused changes a certificate in ways that make it wrong.
func TestRefused(t *testing.T) {
	p, given := program(t, "figure-5")
	fresh := func() *certificate.Certificate { return made(t, p, analysis.Options{Facts: given}) }
	other, err := session.Parse("figure-5.ptx", append(slices.Clone(p.Module.AST.File.Src), "// other\n"...))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, fresh(), other, nil, "this PTX has")
	_, strange := program(t, "figure-2")
	refused(t, fresh(), p, strange, "other facts about the launches")
	for _, x := range []struct {
		what, want string
		change     func(c *certificate.Certificate)
	}{
		{"a pair is missing", "is missing", func(c *certificate.Certificate) { c.Kernels[0].Pairs = c.Kernels[0].Pairs[1:] }},
		{"a need is missing", "the proofs need", func(c *certificate.Certificate) { c.Kernels[0].Needed = c.Kernels[0].Needed[1:] }},
		{"another rule", "does not show this", func(c *certificate.Certificate) { c.Kernels[0].Pairs[0].Rules[0] = "magic" }},
		{"a pair that is none", "does not show this", func(c *certificate.Certificate) {
			q := c.Kernels[0].Pairs[0]
			q.First = "line 1: st.global.u32 [%rd1], %r1;"
			c.Kernels[0].Pairs = append(c.Kernels[0].Pairs, q)
		}},
		{"another verdict", "unknown verdict", func(c *certificate.Certificate) { c.Kernels[0].Verdict = "fine" }},
		{"another place", "it is about", func(c *certificate.Certificate) { c.Kernels[0].Site = "other.cu:1:1" }},
		{"another kernel", "it is about 1 kernels", func(c *certificate.Certificate) { c.Kernels[0].Name = "other" }},
		{"a proof is missing", "does not show", func(c *certificate.Certificate) { c.Proofs = c.Proofs[:len(c.Proofs)-1] }},
		{"no launches", "no launch for which its facts hold", func(c *certificate.Certificate) { c.Launches = nil }},
		{"launches without values", "no launch for which its facts hold", func(c *certificate.Certificate) {
			for _, l := range c.Launches {
				l.Ints = nil
			}
		}},
		{"launches for which the facts do not hold", "no launch for which its facts hold", func(c *certificate.Certificate) {
			for _, l := range c.Launches {
				l.Ints["ntid.x"] = big.NewInt(1 << 20)
			}
		}},
		{"no proofs", "does not show", func(c *certificate.Certificate) { c.Proofs = nil }},
		{"a proof of another query", "proof", func(c *certificate.Certificate) {
			n := len(c.Proofs) - 1
			c.Proofs[0].Proof, c.Proofs[n].Proof = c.Proofs[n].Proof, c.Proofs[0].Proof
		}},
		{"a proof without its last step", "contradiction", func(c *certificate.Certificate) {
			for _, q := range c.Proofs {
				q.Steps = q.Steps[:len(q.Steps)-1]
			}
		}},
		{"a proof without its facts", "proof", func(c *certificate.Certificate) {
			for _, q := range c.Proofs {
				q.Facts = nil
			}
		}},
		{"other facts", "no launch for which its facts hold", func(c *certificate.Certificate) {
			c.Facts = strings.ReplaceAll(c.Facts, "4 * width <= hRowSize", "4 * width <= 2 * hRowSize")
		}},
		{"no facts", "it is about", func(c *certificate.Certificate) { c.Facts = "" }},
		{"facts that are none", "facts of the certificate:1:1", func(c *certificate.Certificate) { c.Facts = "what" }},
		{"an assumption that is none", "unknown assumption", func(c *certificate.Certificate) { c.Assume = []string{"luck"} }},
		{"a class that is none", "unknown class", func(c *certificate.Certificate) { c.Ignored = []string{"luck"} }},
		{"facts are ignored", "", func(c *certificate.Certificate) { c.Ignored = []string{"sizes"} }},
	} {
		t.Run(x.what, func(t *testing.T) {
			c := fresh()
			x.change(c)
			refused(t, c, p, nil, x.want)
		})
	}
}

// TestChanged makes random changes of the text of a certificate: what is still accepted makes the same claims about the
// same launches.
func TestChanged(t *testing.T) {
	p, given := program(t, "figure-2")
	c := made(t, p, analysis.Options{Facts: given})
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		t.Fatal(err)
	}
	g := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 400 {
		src := slices.Clone(text.Bytes())
		at := g.IntN(len(src))
		for src[at] < '0' || src[at] > '9' {
			at = (at + 1) % len(src)
		}
		src[at] = strconv.Itoa(g.IntN(10))[0]
		d, err := certificate.Read(src)
		if err != nil || d.Verify(context.Background(), p, nil, nil) != nil {
			continue
		}
		accepted++
		if !reflect.DeepEqual(d.Kernels, c.Kernels) || normal(t, d.Facts) != normal(t, c.Facts) || d.PTX.SHA256 != c.PTX.SHA256 {
			t.Fatalf("accepted with other claims:\n%s", src)
		}
	}
	if accepted == 0 || accepted == 400 {
		t.Errorf("%d of 400 changed certificates are accepted", accepted)
	}
}

// normal returns facts without what no proof depends on: the requirements that figure-2's proofs do not use.
func normal(t *testing.T, text string) string {
	t.Helper()
	f, err := factfile.Parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l := f.Launches[0]
	return l.Kernel + l.Grid[0].String() + l.Block[0].String()
}

// TestTexts: what is no certificate is an error.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "this is no certificate",
		"{}":                                     "version 0",
		`{"certificate": 1}`:                     "version 1",
		`{"certificate": 4, "x": 1}`:             "unknown field",
		`{"certificate": 4, "proofs": [null]}`:   "without a query",
		`{"certificate": 4, "kernels": "k"}`:     "cannot unmarshal",
		`{"certificate": 4, "proofs": [{}]}`:     "without a query",
		`{"certificate": 4, "launches": [null]}`: "without a query",
		`{"certificate": 4, "facts": 3, "a": 1}`: "cannot unmarshal",
	} {
		if _, err := certificate.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

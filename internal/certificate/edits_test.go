// Random edits of certificates: what is still accepted claims what holds.

package certificate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	edits    = flag.Int("edits", 200, "random edits of certificates for TestEdits")
	studying = flag.Bool("study", false, "show the edits of TestEdits that are accepted")
)

// mostAccepted is the share of edits that may be accepted, of 1000: names, versions, and what no proof needs.
const mostAccepted = 200

// TestEdits edits certificates of 19 programs. An edited certificate that is accepted makes the claims of the original
// under its facts, or claims under other facts that a new analysis proves of them, too.
func TestEdits(t *testing.T) {
	subjects := editable(t)
	if len(subjects) < 19 {
		t.Fatalf("%d certificates", len(subjects))
	}
	g := rand.New(rand.NewPCG(3, 4))
	accepted := make(map[string]int)
	all := 0
	for n := range *edits {
		s := &subjects[n%len(subjects)]
		text, what := s.edited(t, g)
		c, err := certificate.Read(text)
		if err != nil || c.Verify(context.Background(), s.program, nil, s.file) != nil {
			continue
		}
		all++
		part, ok := s.holds(t, c)
		if accepted[part]++; !ok || *studying {
			t.Logf("%s: %s: %s", s.name, part, what)
		}
		if !ok {
			t.Errorf("%s: accepted, and a new analysis does not prove it: %s", s.name, what)
		}
	}
	t.Logf("%d of %d are accepted: %v", all, *edits, accepted)
	if all == 0 || 1000*all > mostAccepted**edits {
		t.Errorf("%d of %d edited certificates are accepted", all, *edits)
	}
}

// subject is a certificate to edit.
type subject struct {
	name    string
	program *session.Program
	file    *launch.File // nil if the certificate has no run
	c       *certificate.Certificate
	text    []byte // as package json writes it of maps: with its keys in order
}

// editable returns the certificates of the smaller race-free programs of the examples, and of each kind of proof.
func editable(t *testing.T) (out []subject) {
	add := func(name string, p *session.Program, o analysis.Options) {
		s := subject{name: name, program: p, file: o.File, c: ranCertificate(t, p, o)}
		var b bytes.Buffer
		if err := s.c.Write(&b); err != nil {
			t.Fatal(err)
		}
		var v any
		d := json.NewDecoder(&b)
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		var err error
		if s.text, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	for _, name := range []string{"reduction", "random-access", "exp-distance", "copy-from-vec", "pitch-linear", "figure-1", "figure-2", "figure-5", "tissue"} {
		p, given := program(t, name)
		add(name, p, analysis.Options{Facts: given})
	}
	for _, k := range kindsOfProofs() {
		add(k.name, parsed(t, k.text), assuming)
	}
	o := launched(t, copiedLaunch, 1)
	add("run", parsed(t, copied()), o)
	return out
}

// edited returns the text of the certificate after one edit, and what was edited.
func (s *subject) edited(t *testing.T, g *rand.Rand) (text []byte, what string) {
	for text = s.text; bytes.Equal(text, s.text); {
		var v any
		d := json.NewDecoder(bytes.NewReader(s.text))
		d.UseNumber()
		err := d.Decode(&v)
		if err != nil {
			t.Fatal(err)
		}
		var places []func() string
		collect(v, "", g, &places)
		what = places[g.IntN(len(places))]()
		if text, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	return text, what
}

// collect lists the edits of the parts of a JSON value: elements of lists are removed, repeated or exchanged, words of
// strings removed or replaced by other ones of the string, digits replaced, and truths inverted.
func collect(v any, at string, g *rand.Rand, out *[]func() string) {
	edit := func(x any, set func(any), at string) {
		*out = append(*out, func() string {
			y := changed(x, g)
			set(y)
			return fmt.Sprintf("%s: %v becomes %v", at, x, y)
		})
		collect(x, at, g, out)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			edit(v[key], func(x any) { v[key] = x }, at+"."+key)
		}
	case []any:
		for i := range v {
			edit(v[i], func(x any) { v[i] = x }, fmt.Sprint(at, "[", i, "]"))
		}
	}
}

// changed returns another value of the same type.
func changed(x any, g *rand.Rand) any {
	digit := func(text string) string {
		b := []byte(text)
		at := g.IntN(len(b))
		b[at] = "0123456789-"[g.IntN(11)]
		return string(b)
	}
	switch x := x.(type) {
	case bool:
		return !x
	case json.Number:
		if n := json.Number(digit(string(x))); json.Valid([]byte(n)) {
			return n
		}
		return json.Number("0")
	case string:
		words := strings.Split(x, " ")
		i := g.IntN(len(words))
		switch k := g.IntN(3); {
		case k == 0 && len(words) > 1:
			return strings.Join(slices.Delete(words, i, i+1), " ")
		case k == 1 && len(words) > 1:
			words[i] = words[g.IntN(len(words))]
			return strings.Join(words, " ")
		case x != "":
			return digit(x)
		}
		return "0"
	case []any:
		if len(x) == 0 {
			return x
		}
		list := slices.Clone(x)
		i, k := g.IntN(len(x)), g.IntN(len(x))
		switch g.IntN(3) {
		case 0:
			return slices.Delete(list, i, i+1)
		case 1:
			return append(list, x[i])
		}
		list[i], list[k] = list[k], list[i]
		return list
	}
	return x
}

// holds says what differs in an accepted certificate, and whether its claims hold: those of the original do.
func (s *subject) holds(t *testing.T, c *certificate.Certificate) (part string, ok bool) {
	same := reflect.DeepEqual(c.Kernels, s.c.Kernels) && reflect.DeepEqual(c.Run, s.c.Run) && c.PTX.SHA256 == s.c.PTX.SHA256
	switch {
	case same && c.Facts == s.c.Facts && slices.Equal(c.Assume, s.c.Assume) && slices.Equal(c.Ignored, s.c.Ignored):
		switch {
		case !reflect.DeepEqual(c.Proofs, s.c.Proofs):
			return "proofs", true
		case !reflect.DeepEqual(c.Launches, s.c.Launches):
			return "launches", true
		case !reflect.DeepEqual(c.Tool, s.c.Tool) || c.PTX.Name != s.c.PTX.Name:
			return "names", true
		}
		return "nothing", true
	case c.PTX.SHA256 != s.c.PTX.SHA256:
		return "another program", false
	case !reflect.DeepEqual(c.Run, s.c.Run):
		return "the run", c.Run == nil
	case len(c.Kernels) == 0: // the command says that nothing was checked
		return "no claims", true
	}
	o := analysis.Options{Drop: make(map[facts.Class]bool), Disjoint: slices.Contains(c.Assume, "disjoint"), NoWrap: slices.Contains(c.Assume, "no-wrap")}
	for _, name := range c.Ignored {
		o.Drop[facts.Class(name)] = true
	}
	o.Chosen = func(kernel string) bool { // a certificate may be about some kernels only
		return slices.ContainsFunc(c.Kernels, func(k certificate.Kernel) bool { return k.Name == kernel })
	}
	if c.Facts != "" {
		f, err := factfile.Parse("f", []byte(c.Facts))
		if err != nil {
			t.Fatal(err)
		}
		o.Facts = []*facts.File{f}
	}
	again := made(t, s.program, o)
	if reflect.DeepEqual(sorted(again.Kernels), sorted(c.Kernels)) {
		return "claims, proved again", true
	}
	return "claims", false
}

// sorted returns kernels with their pairs in an order of their own, as the order says nothing.
func sorted(list []certificate.Kernel) []certificate.Kernel {
	list = slices.Clone(list)
	for i := range list {
		list[i].Pairs = slices.SortedFunc(slices.Values(list[i].Pairs), func(p, q certificate.Pair) int { return strings.Compare(fmt.Sprint(p), fmt.Sprint(q)) })
	}
	return list
}

// Certificates with inflated counts, duplicate entries or missing keys are refused.

package certificate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/certificate"
)

// TestInflated: the counts of a certificate, of a proved kernel and of an open one, are those that hold.
func TestInflated(t *testing.T) {
	for _, name := range []string{"figure-5", "tissue"} {
		p, given := program(t, name)
		var b bytes.Buffer
		if err := made(t, p, analysis.Options{Facts: given}).Write(&b); err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			want   string
			change func(k *certificate.Kernel)
		}{
			{"is there too often", func(k *certificate.Kernel) { k.Pairs = append(k.Pairs, k.Pairs...) }},
			{"is missing", func(k *certificate.Kernel) { k.Pairs = k.Pairs[1:] }},
			{fmt.Sprint("with ", -5), func(k *certificate.Kernel) { k.Open = -5 }},
			{"open pairs; it says", func(k *certificate.Kernel) { k.Open++ }},
			{"the proofs need", func(k *certificate.Kernel) { k.Needed = append(k.Needed, "luck") }},
		} {
			c, err := certificate.Read(b.Bytes())
			if err != nil || len(c.Kernels[0].Pairs) == 0 {
				t.Fatalf("%s: %v, or no pair is proved", name, err)
			}
			x.change(&c.Kernels[0])
			refused(t, c, p, nil, x.want)
		}
	}
}

// TestChecked: proofs that nothing needs are not counted as checked.
func TestChecked(t *testing.T) {
	p, given := program(t, "figure-5")
	c := made(t, p, analysis.Options{Facts: given})
	want := fmt.Sprintf("; %d proofs were checked\n", len(c.Proofs))
	more := *c.Proofs[0]
	more.Query = "other"
	c.Proofs = append(c.Proofs, &more)
	if err := c.Verify(t.Context(), p, nil, nil); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.WriteText(&b); err != nil || !strings.HasSuffix(b.String(), want) {
		t.Errorf("%v, %q, want %q", err, b.String(), want)
	}
}

// TestStrict: each key of each object is there once, as it is spelled, and has a value.
func TestStrict(t *testing.T) {
	p, given := program(t, "figure-5")
	c := made(t, p, analysis.Options{Facts: given})
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	read := func(text, want string) {
		t.Helper()
		if _, err := certificate.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	keys := 0
	var whole any
	var try func(v any)
	try = func(v any) { // removes each key, and gives it no value
		switch v := v.(type) {
		case []any:
			if len(v) > 0 {
				try(v[0])
			}
		case map[string]any:
			for key, was := range v {
				if key == "certificate" {
					continue
				}
				if key != "values" && key != "truths" { // what these name are variables
					try(was)
				}
				keys++
				for _, change := range []func(){func() { delete(v, key) }, func() { v[key] = nil }, func() { v[strings.ToUpper(key)] = was }} {
					change()
					text, err := json.Marshal(whole)
					if err != nil {
						t.Fatal(err)
					}
					if _, err = certificate.Read(text); err == nil {
						t.Errorf("%s is missing, null or there twice: the certificate is read", key)
					}
					delete(v, strings.ToUpper(key))
					v[key] = was
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	try(whole)
	if keys < 20 {
		t.Errorf("%d keys", keys)
	}
	text := b.String()
	read(strings.Replace(text, `"facts":`, `"assume": [], "facts":`, 1), `"assume" is there twice`)
	read(strings.Replace(text, `"proofs": [`, `"proofs": [], "proofs": [`, 1), `"proofs" is there twice`)
	c.Proofs = append(c.Proofs, c.Proofs[0])
	b.Reset()
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	read(b.String(), "two proofs of the query "+c.Proofs[0].Query)
}

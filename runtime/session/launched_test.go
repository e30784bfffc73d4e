// Tests of modules of which a launch needs little, and what they cost.

package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// largeText is a module of at least so many bytes: the kernel scale again and again, with
// names of their own, scale0 and so on.
func largeText(bytes int) []byte {
	at := strings.Index(scale, ".visible")
	var out strings.Builder
	out.WriteString(scale[:at])
	for i := 0; out.Len() < bytes; i++ {
		out.WriteString(strings.ReplaceAll(scale[at:], "scale", fmt.Sprintf("scale%d", i)))
	}
	return []byte(out.String())
}

// TestLaunched: of a module only the kernels remain that launches name, where they were.
func TestLaunched(t *testing.T) {
	tree, err := ptxgrammar.Parse("large.ptx", largeText(20_000))
	if err != nil {
		t.Fatal(err)
	}
	all := len(tree.Funcs)
	for _, c := range []struct {
		kernels []string
		left    int
	}{{[]string{"scale7"}, 1}, {[]string{"scale7", "scale3", "scale7"}, 2}, {[]string{"scale7", "nothing"}, all}} {
		var f launchfile.File
		for _, k := range c.kernels {
			f.Launches = append(f.Launches, launchfile.Launch{Kernel: k})
		}
		got, failed := session.Launched(tree, &f)
		if failed != nil {
			t.Fatal(failed)
		}
		if len(got.Funcs) != c.left {
			t.Errorf("%v: %d functions, want %d", c.kernels, len(got.Funcs), c.left)
		}
		last := got.Funcs[len(got.Funcs)-1]
		for i := range tree.Funcs {
			if tree.Funcs[i].Name == last.Name && tree.File.Position(tree.Funcs[i].Start) != got.File.Position(last.Start) {
				t.Errorf("%v: %s has moved", c.kernels, last.Name)
			}
		}
	}
	one, err := ptxgrammar.Parse("one.ptx", []byte(scale))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := session.Launched(one, &launchfile.File{Launches: []launchfile.Launch{{Kernel: "scale"}}}); err != nil || got != one {
		t.Errorf("a module without other functions has changed: %v", err)
	}
}

// BenchmarkLargeModule launches one kernel of a module of 50 MB.
func BenchmarkLargeModule(b *testing.B) {
	text := largeText(50_000_000)
	for _, detector := range []string{"precise", "iguard"} {
		b.Run("detector="+detector, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := launchOne(text, detector); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// launchOne reads a module and launches one of its kernels under a detector.
func launchOne(text []byte, detector string) error {
	dets, err := session.ParseDetectors(detector)
	if err != nil {
		return err
	}
	tree, err := ptxgrammar.Parse("large.ptx", text)
	if err != nil {
		return err
	}
	if tree, err = session.Launched(tree, &launchfile.File{Launches: []launchfile.Launch{{Kernel: "scale5"}}}); err != nil {
		return err
	}
	mod, err := rewrite.Check(tree)
	if err != nil {
		return err
	}
	s, err := session.Open(session.Options{Detectors: dets})
	if err != nil {
		return err
	}
	if err = s.Load(session.NewProgram(mod)); err != nil {
		return err
	}
	data, err := session.Buffer(s, "data", make([]uint32, 32))
	if err != nil {
		return err
	}
	_, err = s.Launch(context.Background(), session.Launch{Kernel: "scale5", Block: emu.Dim3{X: 32}, Args: []any{data, 3}})
	return err
}

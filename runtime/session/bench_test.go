package session_test

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// BenchmarkLaunch is the time of a launch of one warp, most of which is what a session does
// around the kernel: docs/performance.md has the figures.
func BenchmarkLaunch(b *testing.B) {
	for _, detector := range []string{"", "precise", "iguard"} {
		b.Run("detector="+detector, func(b *testing.B) {
			var o session.Options
			var err error
			if detector != "" {
				if o.Detectors, err = session.ParseDetectors(detector); err != nil {
					b.Fatal(err)
				}
			}
			s, err := session.Open(o)
			if err != nil {
				b.Fatal(err)
			}
			p, err := session.Parse("scale.ptx", []byte(scale))
			if err == nil {
				err = s.Load(p)
			}
			if err != nil {
				b.Fatal(err)
			}
			data, err := session.Buffer(s, "data", make([]uint32, 32))
			if err != nil {
				b.Fatal(err)
			}
			l := session.Launch{Kernel: "scale", Block: emu.Dim3{X: 32}, Args: []any{data, 3}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Launch(context.Background(), l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package cubin

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
)

// FuzzRead reads damaged cubins: they are read or refused, in time and memory that their size bounds.
func FuzzRead(f *testing.F) {
	for _, version := range []uint16{2, 4, 5} {
		for _, rel := range []bool{false, true} {
			f.Add(cubinOf(version, rel, cubintest.Text(sectionText, plain)))
		}
	}
	f.Add(cubintest.Build([]string{"k", "f"}, []cubintest.Section{cubintest.Text(sectionText+".1", plain), cubintest.Text(sectionText+".2", head)}, false))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read("k.cubin", data)
		if err == nil && len(p.PTX) > 1000*len(data)+1<<20 {
			t.Errorf("%d bytes of PTX of %d", len(p.PTX), len(data))
		}
	})
}

package fatbin_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fatbin"
)

// TestNew: a new fat binary is read again, compressed or not.
func TestNew(t *testing.T) {
	list := []fatbin.Replacement{
		{PTX: []byte(".version 7.0\n.target sm_70\n.address_size 64\n"), Arch: 70, Major: 7},
		{PTX: []byte(".version 8.0\n.target sm_90\n.address_size 64\n"), Arch: 90, Major: 8},
	}
	for _, how := range []fatbin.Compression{fatbin.Uncompressed, fatbin.LZ4} {
		data, err := fatbin.New(list, how)
		if err != nil {
			t.Fatal(err)
		}
		const entry, optionsAt = 16, 20 // behind the header of the fat binary; behind the start of the entry
		if at := binary.LittleEndian.Uint32(data[entry+optionsAt:]); at != 64 || binary.LittleEndian.Uint64(data[entry+at:]) != 0 {
			t.Errorf("options at %d: the driver reads an offset and a length there", at)
		}
		f, err := fatbin.Open("new", data)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Modules) != 1 || len(f.Modules[0].Entries) != len(list) {
			t.Fatalf("%d modules, %d entries; want 1 and %d", len(f.Modules), len(f.Modules[0].Entries), len(list))
		}
		for i, e := range f.Modules[0].Entries {
			text, err := e.Data()
			if err != nil || string(text) != string(list[i].PTX) || e.Arch != list[i].Arch || e.Major != list[i].Major {
				t.Errorf("entry %d: sm_%d, PTX %d, %q, %v", i, e.Arch, e.Major, text, err)
			}
		}
	}
}

package cuda_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// TestVisible: how many devices processes have with a list of those that they see.
func TestVisible(t *testing.T) {
	for _, c := range []struct {
		devices uint32
		list    string
		want    uint32 // 0 for none
	}{
		{4, "0", 1},
		{4, "3,1", 2},
		{4, " 2 , 0 ", 2},
		{4, "0,4,1", 1},
		{4, "0,-1,1", 1},
		{4, "1,1", 0},
		{4, "", 0},
		{4, "-1", 0},
		{4, "x", 0},
		{4, "GPU-70747873-616e-2065-6d75-6c61746f7202,0", 2},
		{4, "GPU-7", 1},
		{4, "GPU-8", 0},
		{4, "MIG-GPU-70747873/1/0", 0},
		{4, "99999999999999999999", 0},
		{1, "", 1},
		{1, "3", 1},
	} {
		noted := 0
		p := newProcess(t, &cuda.Options{Devices: c.devices, Note: func(string) { noted++ }})
		err := p.Visible(c.list)
		switch {
		case c.want == 0:
			wantResult(t, c.list, err, cuda.NoDevice)
		case err != nil || p.Devices() != c.want:
			t.Errorf("%q of %d devices: %d, %v, want %d", c.list, c.devices, p.Devices(), err, c.want)
		}
		if (noted > 0) != (c.list != "" && c.list[0] == 'M') {
			t.Errorf("%q: %d notes", c.list, noted)
		}
	}
}

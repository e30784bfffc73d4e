// Tests of launches that are saved and repeated.

package cuda_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestSave: a launch that is saved can be repeated, with the buffers as they were before it, whether a pointer is
// an argument or a field of a struct, and wherever in a buffer it points.
func TestSave(t *testing.T) {
	for _, c := range []struct {
		kernel string
		offset uint64
		field  bool
		args   string
	}{
		{"racy", 0, false, "[buffer1]"},
		{"racy", 4, false, "[{buffer: buffer1, offset: 4}]"},
		{"inside", 0, true, "[[{u32: 7}, {u32: 1}, buffer1]]"},
		{"inside", 4, true, "[[{u32: 7}, {u32: 1}, {buffer: buffer1, offset: 4}]]"},
	} {
		dir := t.TempDir()
		p := newProcess(t, &cuda.Options{Save: dir})
		k := kernel(t, p, c.kernel)
		data, err := p.Alloc(8, cuda.OnDevice, waits, nil)
		if err == nil {
			err = p.Fill(data, 0, 4, 9, 2, 1, cuda.In{})
		}
		var arg []byte
		if c.field {
			arg = binary.LittleEndian.AppendUint64(arg, 1<<32+7)
		}
		if err == nil {
			err = launch(p, k, 2, binary.LittleEndian.AppendUint64(arg, data+c.offset))
		}
		if err != nil {
			t.Fatal(err)
		}
		repeatSaved(t, p, filepath.Join(dir, "process1-launch1"), "args: "+c.args+"\n")
	}
}

// TestSaveVariables: a launch is saved with the variables that its code names, as they were before it.
func TestSaveVariables(t *testing.T) {
	dir := t.TempDir()
	p := newProcess(t, &cuda.Options{Save: dir})
	id, err := p.LoadModule([]byte(stale), cuda.In{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(id, "k")
	if err != nil {
		t.Fatal(err)
	}
	step, _, err := p.Variable(id, "step")
	if err != nil {
		t.Fatal(err)
	}
	data, err := p.Alloc(512, cuda.OnDevice, waits, nil)
	if err == nil {
		err = p.Fill(step, 0, 4, 9, 1, 1, waits)
	}
	if err == nil {
		err = p.Fill(data, 0, 4, 9, 1, 1, waits)
	}
	if err == nil {
		err = launch(p, k, 64, binary.LittleEndian.AppendUint64(nil, data))
	}
	if err != nil {
		t.Fatal(err)
	}
	repeatSaved(t, p, filepath.Join(dir, "process1-launch1"), "globals:\n  \"step\": {file: global1.bin}\n  \"at\": {file: global2.bin}\n")
}

// TestSaveTextures: a launch is saved with the textures that its arguments name, or that references are bound to. The
// kernels race where they find the right texel.
func TestSaveTextures(t *testing.T) {
	for _, reference := range []string{"", "ref"} {
		dir := t.TempDir()
		p := newProcess(t, &cuda.Options{Save: dir})
		name := map[string]string{"": "seen", "ref": "seenByReference"}[reference]
		k := kernel(t, p, name)
		data, err := p.Alloc(8, cuda.OnDevice, waits, nil)
		if err != nil {
			t.Fatal(err)
		}
		texels, err := p.Alloc(64, cuda.OnDevice, waits, nil)
		if err == nil {
			err = p.Write(texels+4*(2*4+1), []byte{0, 0, 0xe0, 0x40}, waits) // 7
		}
		image := &cuda.Texture{Address: texels, Dims: 2, Width: 4, Height: 4, Kind: cuda.ChannelFloat, Bits: 32, Channels: 1, Reference: reference}
		if reference != "" {
			image.Module = k.Module
		}
		object := uint64(0)
		if err == nil {
			object, err = p.Texture(image)
		}
		args := binary.LittleEndian.AppendUint64(nil, data)
		if reference == "" {
			args = binary.LittleEndian.AppendUint64(args, object)
		}
		if err == nil {
			err = launch(p, k, 2, args)
		}
		if err != nil {
			t.Fatal(err)
		}
		repeatSaved(t, p, filepath.Join(dir, "process1-launch1"), "size: [4, 4], channels: 1, address: wrap}")
	}
}

// TestSaveHost: a saved launch says whether the host may access memory while its kernels run.
func TestSaveHost(t *testing.T) {
	for origin, want := range map[cuda.Origin]bool{cuda.OnDevice: true, cuda.PinnedMemory: false} {
		dir := t.TempDir()
		p := newProcess(t, &cuda.Options{Save: dir})
		k := kernel(t, p, "racy")
		data, err := p.Alloc(8, cuda.OnDevice, waits, nil)
		if err == nil && origin != cuda.OnDevice {
			_, err = p.Alloc(4096, origin, waits,
				func(size uint64) (cuda.Mapping, error) { return make(pages, size, size+16), nil })
		}
		if err == nil {
			err = launch(p, k, 2, binary.LittleEndian.AppendUint64(nil, data))
		}
		if err != nil {
			t.Fatal(err)
		}
		file, err := launchfile.Load(filepath.Join(dir, "process1-launch1", "launch.yaml"), launchfile.Options{})
		if err != nil || file.NoHost != want {
			t.Errorf("origin %d: %v, the host is excluded: %t", origin, err, file != nil && file.NoHost)
		}
	}
}

// repeatSaved checks a saved launch, whose file has a line, and expects the race of the process.
func repeatSaved(t *testing.T, p *cuda.Process, dir, line string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "kernel.ptx"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "launch.yaml")
	yaml, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(yaml), line) {
		t.Errorf("no %q in\n%s%v", line, yaml, err)
	}
	file, err := launchfile.Load(name, launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep := check(t, text, file)
	if len(rep.Races) != 1 || rep.Races[0].ID != p.Report().Races[0].ID {
		t.Errorf("races of the repeated launch: %+v", rep.Races)
	}
}

// check plays a launch file.
func check(t *testing.T, text []byte, file *launchfile.File) *report.Report {
	t.Helper()
	program, err := session.Parse("module1.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

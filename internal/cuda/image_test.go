// Images of machine code with its PTX.

package cuda_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cubin/cubintest"
	"github.com/ptxsan/ptxsan/internal/cuda"
)

// kernelText is PTX for an architecture as machine code has it. Its kernel stores to one word, in line 9.
func kernelText(arch int) string {
	return fmt.Sprintf(`.version 8.6
.target sm_%d
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b64 %%rd<2>;
ld.param.u64 %%rd1, [out];

st.global.u32 [%%rd1], %[1]d;

ret;
}
`, arch)
}

// withPTX is machine code of kernelText for an architecture.
func withPTX(arch int) cubintest.Entry {
	code := cubintest.Compiled("k", kernelText(arch), fmt.Sprintf("k%d.cu", arch), [2]int{9, 7})
	return cubintest.Entry{Kind: 2, Arch: uint32(arch), Data: code}
}

func text(arch int) cubintest.Entry {
	return cubintest.Entry{Kind: 1, Arch: uint32(arch), Data: []byte(kernelText(arch))}
}

// without is machine code of functions without PTX.
func without(arch int, functions ...string) cubintest.Entry {
	return cubintest.Entry{Kind: 2, Arch: uint32(arch), Data: cubintest.Build(functions, nil, false)}
}

// TestMachineCode: a module is the PTX for the highest architecture that the device has, be it a text or what machine
// code has; a text is preferred to machine code of the same architecture.
func TestMachineCode(t *testing.T) {
	for name, c := range map[string]struct {
		image []byte
		want  byte
		code  bool // it is from machine code
		note  bool // a GPU prefers machine code
	}{
		"a cubin":                   {withPTX(90).Data, 90, true, false},
		"a fat binary":              {cubintest.Fatbin(withPTX(80), without(90, "k")), 80, true, true},
		"machine code is later":     {cubintest.Fatbin(text(70), withPTX(90), withPTX(80)), 90, true, false},
		"a text is later":           {cubintest.Fatbin(withPTX(80), text(90)), 90, false, false},
		"both are for the same":     {cubintest.Fatbin(withPTX(90), text(90)), 90, false, false},
		"machine code is too late":  {cubintest.Fatbin(withPTX(100), text(70)), 70, false, false},
		"everything is too late":    {cubintest.Fatbin(withPTX(120), text(100), withPTX(103)), 100, false, false},
		"the later one has no text": {cubintest.Fatbin(without(90, "k"), text(70)), 70, false, true},
		"only a later one has text": {cubintest.Fatbin(without(90, "k"), text(100)), 100, false, true},
		"code of another family":    {cubintest.Fatbin(without(80, "k"), text(70)), 70, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 9}})
			k := kernelOf(t, p, c.image, "k")
			data, err := p.Alloc(4, cuda.OnDevice, waits, nil)
			if err == nil {
				err = launch(p, k, 32, binary.LittleEndian.AppendUint64(nil, data))
			}
			got := make([]byte, 4)
			if err == nil {
				err = p.Read(data, got, cuda.In{})
			}
			if err != nil || got[0] != c.want {
				t.Errorf("the kernel stores %v, %v; want %d", got, err, c.want)
			}
			rep := p.Report()
			noted := slices.ContainsFunc(rep.Notes, func(n string) bool { return strings.Contains(n, "from machine code for sm_") })
			const instead = "a GPU like the device runs other code: exec replaces machine code for sm_90, which has no PTX, by PTX for sm_"
			if other := slices.Contains(rep.Notes, fmt.Sprint(instead, c.want)); other != c.note {
				t.Errorf("notes %q; want one about another architecture: %v", rep.Notes, c.note)
			}
			if noted != c.code {
				t.Errorf("notes %q; want one about machine code: %v", rep.Notes, c.code)
			}
			if s := rep.Races[0].First.Source; c.code && (s == nil || s.File != fmt.Sprintf("k%d.cu", c.want) || s.Line != 7) {
				t.Errorf("got %+v, want line 7", s)
			}
		})
	}
}

// TestMachineCodeOnly: machine code without PTX is refused, with the flags for its architecture, once for all modules.
func TestMachineCodeOnly(t *testing.T) {
	var said []string
	p := newProcess(t, &cuda.Options{Note: func(text string) { said = append(said, text) }})
	for _, image := range [][]byte{without(90, "k").Data, cubintest.Fatbin(without(90, "k")), linked(string(without(90, "k").Data))} {
		_, err := p.LoadModule(image, cuda.In{})
		wantResult(t, "machine code", err, cuda.NoImageForDevice)
	}
	if len(said) != 1 || !strings.Contains(said[0], `NVCC_APPEND_FLAGS="-lineinfo"`) ||
		!strings.Contains(said[0], `NVCC_APPEND_FLAGS="-gencode arch=compute_90,code=compute_90"`) {
		t.Errorf("%q, want one message with flags for sm_90", said)
	}
	notes := p.Report().Notes
	if len(notes) != 1 || !strings.Contains(notes[0], "modules 1, 2, 3: machine code for sm_90") {
		t.Errorf("%q, want one note", notes)
	}
}

// TestMachineCodeLinked: of images to be linked, those without PTX are left out and named.
func TestMachineCodeLinked(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	id, err := p.LoadModule(linked(string(withPTX(80).Data), string(without(80, "_Z5twicei").Data)), cuda.In{})
	if err == nil {
		_, err = p.Kernel(id, "k")
	}
	if err != nil {
		t.Fatal(err)
	}
	want := "not checked: machine code without PTX, from objects that were compiled without -lineinfo: twice(int)"
	if notes := p.Report().Notes; !slices.Contains(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}

// TestLinkedAtBuild: of NVVM IR the PTX is in what it was linked to when the program was built. Without IR, images are
// linked again.
func TestLinkedAtBuild(t *testing.T) {
	ir := cubintest.Fatbin(cubintest.Entry{Kind: 8, Arch: 80, Data: []byte("IR")})
	built := func(images ...string) []byte {
		image := linked(images...)
		binary.LittleEndian.PutUint32(image, 0x424c5850)
		return image
	}
	p := newProcess(t, &cuda.Options{})
	for i, image := range [][]byte{
		built(string(withPTX(80).Data), string(ir), string(ir)),
		built(string(without(80, "k").Data), kernelText(80)),
	} {
		id, err := p.LoadModule(image, cuda.In{})
		if err == nil {
			_, err = p.Kernel(id, "k")
		}
		if err != nil {
			t.Errorf("image %d: %v", i, err)
		}
	}
	for _, image := range [][]byte{linked(string(ir)), built(string(without(80, "k").Data), string(ir))} {
		_, err := p.LoadModule(image, cuda.In{})
		wantResult(t, "IR", err, cuda.NoImageForDevice)
	}
	wantResult(t, "nothing", second(p.LoadModule(built(), cuda.In{})), cuda.InvalidPTX)
}

// TestHiddenParameters: a kernel with parameters that the driver makes is not launched, and the host passes the others.
func TestHiddenParameters(t *testing.T) {
	p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 9}})
	id, err := p.LoadModule([]byte(`.version 9.4
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .hidden .param .align 64 .b8 map[128]) { ret; }
`), cuda.In{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(id, "k")
	if err != nil {
		t.Fatal(err)
	}
	if len(k.Params) != 1 {
		t.Errorf("%d parameters, want 1", len(k.Params))
	}
	wantResult(t, "a launch", launch(p, k, 1, make([]byte, 8)), cuda.NotSupported)
}

// TestReadProgram: on a GPU an image is not replaced by PTX of a part of it, nor one of Tile IR.
func TestReadProgram(t *testing.T) {
	device := cuda.Target{Major: 9}
	if _, err := cuda.ReadProgram(1, withPTX(90).Data, device); err != nil {
		t.Error(err)
	}
	_, err := cuda.ReadProgram(1, linked(string(withPTX(90).Data), string(without(90, "f").Data)), device)
	wantResult(t, "a part", err, cuda.NoImageForDevice)
	tile := strings.NewReplacer("8.6", "9.4", "u64 out)\n", "u64 out)\n.reqntid 64\n.language 7\n").Replace(kernelText(90))
	_, err = cuda.ReadProgram(1, []byte(tile), device)
	wantResult(t, "Tile IR", err, cuda.NotSupported)
}

package devices

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// arrayDriver is a driver without a device: texture objects are 0x100 and on, surface objects 0x200 and on. It
// writes down what is done to arrays, and the parameters of launches.
type arrayDriver struct {
	gpu.Runner
	gpu.Code
	made map[uint64]uint64 // objects, by the first number
	did  []string
}

func (d *arrayDriver) object(first uint64) (uint64, error) {
	d.made[first]++
	return first + d.made[first] - 1, nil
}

func (d *arrayDriver) EncodeTensorMap(*gpu.TensorMap) ([]byte, error) { return nil, nil }
func (d *arrayDriver) NewTexture(*gpu.Texture) (uint64, error)        { return d.object(0x100) }
func (d *arrayDriver) NewSurface(*gpu.Array) (uint64, error)          { return d.object(0x200) }
func (d *arrayDriver) NewArray(*gpu.Array) error                      { return d.note("make") }
func (d *arrayDriver) FillArray(*gpu.Array) error                     { return d.note("fill") }
func (d *arrayDriver) EmptyArray(*gpu.Array) error                    { return d.note("empty") }
func (d *arrayDriver) Free(uint64) error                              { return nil }
func (d *arrayDriver) Describe(addr uint64) (string, uint64, bool) {
	return "buffer", addr % 0x1000, true
}
func (d *arrayDriver) Compile([]byte) (gpu.Code, error) { return d, nil }
func (d *arrayDriver) Run(_ context.Context, l gpu.Launch, _ func() error) error {
	return d.note(string(l.Params))
}

func (d *arrayDriver) note(what string) error {
	d.did = append(d.did, what)
	return nil
}

const surfaceKernels = `.version 7.0
.target sm_70
.address_size 64
.visible .entry write(.param .u64 image, .param .align 8 .b8 both[16])
{
	.reg .b32 %r<2>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [image];
	ld.param.u64 %rd2, [both+8];
	mov.u32 %r1, 0;
	tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];
	sust.b.1d.b32.trap [%rd2, {%r1}], %r1;
	ret;
}
.visible .entry read(.param .u64 canvas)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [canvas];
	mov.u32 %r1, 0;
	suld.b.1d.b32.trap %r1, [%rd1, {%r1}];
	ret;
}
.visible .entry stored(.param .u64 table)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [table];
	ld.global.u64 %rd2, [%rd1];
	mov.u32 %r1, 0;
	sust.b.1d.b32.trap [%rd2, {%r1}], %r1;
	ret;
}
`

// TestSurfacesOfADriver: a parameter that is a surface gets the surface object of the array that its texture has,
// arrays are filled before a launch, and emptied after one that writes them.
func TestSurfacesOfADriver(t *testing.T) {
	tree, err := ptxgrammar.Parse("k.ptx", []byte(surfaceKernels))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	driver := &arrayDriver{made: make(map[uint64]uint64)}
	dev := OnGPU(driver).(gpuDevice)
	texel := emu.Texture{Dims: 1, Width: 8, Format: isa.F32, Channels: 1, Addr: 0x1000}
	for _, tex := range []struct {
		addr, object uint64
		linear       bool
	}{{0x1000, 0x100, false}, {0x1000, 0x101, false}, {0x2000, 0x102, false}, {0x2000, 0x103, true}} {
		texel.Addr, texel.Buffer = tex.addr, tex.linear
		var object uint64
		if object, err = dev.NewTexture(texel, true); err != nil || object != tex.object {
			t.Fatalf("texture 0x%x, %v", object, err)
		}
	}
	if len(dev.arrays.list) != 2 { // textures of the same texels share one
		t.Errorf("%d arrays", len(dev.arrays.list))
	}
	m, err := dev.Place(mod, emu.Config{})
	if err != nil {
		t.Fatal(err)
	}
	launch := func(kernel string, params ...uint64) ([]string, error) {
		driver.did = nil
		packed, err := binary.Append(nil, binary.LittleEndian, params)
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(packed)
		_, err = m.Launch(t.Context(), emu.LaunchConfig{Kernel: kernel, Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 1, Y: 1, Z: 1}, Params: packed})
		if !bytes.Equal(packed, before) {
			t.Error("the caller's parameters have changed")
		}
		return driver.did, err
	}
	words := func(params ...uint64) string {
		packed, _ := binary.Append(nil, binary.LittleEndian, params) // numbers have a size
		return string(packed)
	}
	for _, c := range []struct {
		kernel       string
		params, want []uint64
		empty        bool
	}{
		{"write", []uint64{0x100, 7, 0x101}, []uint64{0x100, 7, 0x200}, true},
		{"write", []uint64{0x103, 7, 0x102}, []uint64{0x103, 7, 0x201}, true},
		{"read", []uint64{0x102}, []uint64{0x201}, false},
	} {
		want := []string{"fill", "fill", words(c.want...)}
		if c.empty {
			want = append(want, "empty")
		}
		if did, err := launch(c.kernel, c.params...); err != nil || !slices.Equal(did, want) {
			t.Errorf("%s: %q, %v", c.kernel, did, err)
		}
	}
	for kernel, c := range map[string]struct {
		param uint64
		want  string
	}{"read": {0x103, "surfaces in linear memory"}, "stored": {0x1000, "surfaces that are no parameter of the kernel"}} {
		if did, err := launch(kernel, c.param); err == nil || !strings.Contains(err.Error(), c.want) || did != nil {
			t.Errorf("%s: %q, %v", kernel, did, err)
		}
	}
	if err := dev.Free(0x2000); err != nil || len(dev.arrays.list) != 1 {
		t.Errorf("%v, and %d arrays are left", err, len(dev.arrays.list))
	}
}

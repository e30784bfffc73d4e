// Textures and surfaces in arrays of the driver, which kernels on a GPU fetch from and write to.

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arraysPTX fetches from textures that the driver has in arrays alone, turns the texels of a surface upside down, and
// fetches those through a texture in a later launch.
const arraysPTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry fetch(.param .u64 line, .param .u64 layers, .param .u64 cube, .param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [line];
	ld.param.u64 %rd2, [layers];
	ld.param.u64 %rd3, [cube];
	ld.param.u64 %rd4, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd5, %r1, 12;
	add.u64 %rd4, %rd4, %rd5;
	cvt.rn.f32.u32 %f0, %r1;
	tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f0}];
	st.global.f32 [%rd4], %f1;
	mov.u32 %r2, 1;
	tex.a1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r2, %r1}];
	st.global.f32 [%rd4+4], %f1;
	and.b32 %r3, %r1, 1;
	tex.3d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r3, %r2, %r3, %r3}];
	st.global.f32 [%rd4+8], %f1;
	ret;
}
.visible .entry turn(.param .u64 unused, .param .u64 canvas)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [canvas];
	mov.u32 %r1, %tid.x;
	shl.b32 %r1, %r1, 2;
	mov.u32 %r2, 0;
	mov.u32 %r3, 1;
	suld.b.2d.b32.trap %r4, [%rd1, {%r1, %r2}];
	sust.b.2d.b32.trap [%rd1, {%r1, %r3}], %r4;
	ret;
}
.visible .entry look(.param .u64 image, .param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [image];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 1;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2}];
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd2, %rd2, %rd3;
	st.global.f32 [%rd2], %f1;
	ret;
}
.visible .entry mixed(.param .u64 image)
{
	.reg .b32 %r<2>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [image];
	mov.u32 %r1, 0;
	tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r1}];
	sust.b.2d.b32.trap [%rd1, {%r1, %r1}], %r1;
	ret;
}
`

const arraysLaunch = `buffers:
  texels: {type: f32, init: [1, 2, 3, 4, 10, 20, 30, 40]}
  fetched: {type: f32, count: 12}
  looked: {type: f32, count: 4}
textures:
  line: {buffer: texels, size: 8, filter: linear}
  layers: {buffer: texels, size: 4, layers: 2}
  cube: {buffer: texels, size: [2, 2, 2]}
  image: {buffer: texels, size: [4, 2]}
  linear: {buffer: texels, size: 8, memory: linear}
launches:
`

// arrays compares the arrays that kernels read on a GPU with those on the emulator, and tests unsupported ones.
func arrays(t *testing.T, words []string) {
	dir := t.TempDir()
	run := func(launches string) string {
		for name, text := range map[string]string{"k.ptx": arraysPTX, "k.yaml": arraysLaunch + launches} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args := []string{"check", "--device", "both", "--detector", "iguard", "--launch", filepath.Join(dir, "k.yaml"), filepath.Join(dir, "k.ptx")}
		out, err := exec.Command(words[0], slices.Concat(words[1:], args)...).CombinedOutput()
		return string(out) + errorText(err)
	}
	out := run(`  - {kernel: fetch, grid: 1, block: 4, args: [line, layers, cube, fetched]}
  - {kernel: turn, grid: 1, block: 4, args: [0, image]}
  - {kernel: look, grid: 1, block: 4, args: [image, looked]}
expect:
  buffers:
    texels: {equals: [1, 2, 3, 4, 1, 2, 3, 4]}
    fetched: {equals: [1, 10, 3, 1.5, 20, 40, 2.5, 30, 3, 3.5, 40, 40]}
    looked: {equals: [1, 2, 3, 4]}
`)
	for _, name := range []string{"texels", "fetched", "looked"} {
		if !strings.Contains(out, "GPU: buffer "+name+": as expected: ok") || !strings.Contains(out, "GPU: buffer "+name+": as on the emulator: ok") {
			t.Errorf("buffer %s in\n%s", name, out)
		}
	}
	for launch, want := range map[string]string{
		"kernel: mixed, grid: 1, block: 1, args: [image]":    "the parameter image of kernel mixed is a texture and a surface, which to a GPU's driver are two objects",
		"kernel: turn, grid: 1, block: 1, args: [0, linear]": "surfaces in linear memory are not supported on a GPU",
	} {
		if out := run("  - {" + launch + "}\n"); !strings.Contains(out, want) {
			t.Errorf("%s: %s", launch, out)
		}
	}
}

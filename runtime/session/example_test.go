package session_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// scale multiplies the elements of an array by a number.
const scale = `.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 data, .param .u32 by)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [by];
	mov.u32 %r2, %tid.x;
	mad.wide.u32 %rd2, %r2, 4, %rd1;
	ld.global.u32 %r3, [%rd2];
	mul.lo.u32 %r3, %r3, %r1;
	st.global.u32 [%rd2], %r3;
	ret;
}
`

// A module is parsed, rewritten by a pass, and printed.
func ExampleProgram_Rewrite() {
	program, err := session.Parse("scale.ptx", []byte(scale))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := program.Rewrite("instcount")
	if err != nil {
		fmt.Println(err)
		return
	}
	before, after := strings.Count(scale, "\n"), strings.Count(string(text), "\n")
	fmt.Println("more lines:", after > before)
	// Output: more lines: true
}

// A kernel runs with Go slices as buffers.
func ExampleSession_Launch() {
	ctx := context.Background()
	program, err := session.Parse("scale.ptx", []byte(scale))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := session.Open(session.Options{})
	if err := s.Load(program); err != nil {
		fmt.Println(err)
		return
	}
	data, _ := session.Buffer(s, "data", []uint32{1, 2, 3, 4})
	if _, err := s.Launch(ctx, session.Launch{Kernel: "scale", Block: emu.Dim3{X: 4}, Args: []any{data, 10}}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Values[uint32](data))
	// Output: [10 20 30 40] <nil>
}

// printer stands for the *testing.T of a test.
type printer struct{}

func (printer) Helper() {}

func (printer) Fatal(args ...any) {
	lines := strings.Split(fmt.Sprint(args...), "\n")
	fmt.Println(strings.Join(lines[2:5], "\n"))
}

// A test fails with the report when a kernel has a race: two blocks update one array.
func ExampleClean() {
	t := printer{} // a *testing.T
	program, err := session.Parse("scale.ptx", []byte(scale))
	if err != nil {
		t.Fatal(err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := session.Open(session.Options{Detectors: detectors})
	if err := s.Load(program); err != nil {
		t.Fatal(err)
	}
	data, _ := session.Buffer(s, "data", []uint32{1, 2, 3, 4})
	twice := session.Launch{Kernel: "scale", Grid: emu.Dim3{X: 2}, Block: emu.Dim3{X: 4}, Args: []any{data, 10}}
	if _, err := s.Launch(context.Background(), twice); err != nil {
		t.Fatal(err)
	}
	session.Clean(t, s)
	// Output:
	// ========= Error: Race reported between Write access at scale() in scale.ptx:14
	// =========     and Read access at scale() in scale.ptx:12 [4 hazards]
	// =========     Cause: not-strong on __global__ data[0] (4 bytes), inter-block
}

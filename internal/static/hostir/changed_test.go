package hostir_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/hostir"
)

// TestChanged: launches say which variables in device memory the code of the host may have written to.
func TestChanged(t *testing.T) {
	const head = `target triple = "x86_64-unknown-linux-gnu"
@_ZN2ns3tabE = internal global [4 x i32] undef, align 16
@kept = internal global [4 x i32] undef, align 16
@plain = dso_local global i32 0, align 4
@.str = private unnamed_addr constant [4 x i8] c"tab\00", align 1
define internal void @__cuda_register_globals(ptr %0) {
  call void @__cudaRegisterVar(ptr %0, ptr @kept, ptr @.str, ptr @.str, i32 0, i64 16, i32 1, i32 0)
  ret void
}
`
	for name, c := range map[string]struct{ text, more, want string }{
		"none":                       {"store i32 1, ptr @plain", "", "[]"},
		"a copy":                     {"%1 = call i32 @_Z18cudaMemcpyToSymbolIA4_iEiRKT_PKvmm14cudaMemcpyKind(ptr noundef nonnull align 4 @_ZN2ns3tabE, ptr null, i64 16, i64 0, i32 1)", "", "[_ZN2ns3tabE]"},
		"a copy from it":             {"%1 = call i32 @_Z20cudaMemcpyFromSymbolIA4_iEiPvRKT_mm14cudaMemcpyKind(ptr null, ptr @kept, i64 16, i64 0, i32 2)", "", "[]"},
		"its address":                {"%1 = call i32 @up(ptr getelementptr inbounds ([4 x i32], ptr @kept, i64 0, i64 1))", "", "[kept]"},
		"its address as a number":    {"%1 = call i32 @up(i64 add (i64 ptrtoint (ptr @kept to i64), i64 4))", "", "[kept]"},
		"a pointer at file scope":    {"store i32 1, ptr @plain", "@p = global ptr @kept", "[kept]"},
		"the driver":                 {"%1 = call i32 @cuModuleGetGlobal_v2(ptr null, ptr null, ptr null, ptr @.str)", "", "[tab]"},
		"the driver, by other names": {"%1 = call i32 @cuModuleGetGlobal_v2(ptr null, ptr null, ptr null, ptr %0)", "", "[*]"},
	} {
		text := head + c.more + "\ndefine i32 @main(i32 %n, ptr %0) {\n  " + c.text + `
  %c = call i32 @__cudaPushCallConfiguration(i64 4294967297, i32 1, i64 4294967328, i32 1, i64 0, ptr null)
  call void @_Z16__device_stub__kv()
  ret i32 0
}
`
		f := hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: []byte(text)})
		if len(f.Launches) == 0 {
			t.Errorf("%s: there is no launch", name)
		}
		for _, l := range f.Launches {
			if got := fmt.Sprint(l.Changed); got != c.want {
				t.Errorf("%s: %s are changed, want %s", name, got, c.want)
			}
		}
	}
}

// TestFirst: the variables of the module hold what it says where the program makes one launch alone.
func TestFirst(t *testing.T) {
	const (
		launch = "  %c = call i32 @__cudaPushCallConfiguration(i64 4294967297, i32 1, i64 4294967328, i32 1, i64 0, ptr null)\n  call void @_Z16__device_stub__kv()\n"
		end    = "  ret i32 0\n}\n"
		main   = "define i32 @main(i32 %n, ptr %0) {\nentry:\n"
		kept   = "@kept = internal global i32 undef, align 4\n"
	)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"one launch":           {kept + main + launch + end, true},
		"two launches":         {kept + main + launch + "  call void @_Z16__device_stub__kv()\n" + end, false},
		"another kernel":       {kept + main + "  call void @_Z16__device_stub__lv()\n" + launch + end, false},
		"a loop":               {kept + main + "  br label %l\nl:\n" + launch + "  %b = call i1 @more()\n  br i1 %b, label %l, label %e\ne:\n" + end, false},
		"in a function":        {kept + "define void @f() {\nentry:\n" + launch + "  ret void\n}\n" + main + "  call void @f()\n" + end, false},
		"main calls itself":    {kept + main + launch + "  %d = call i32 @main(i32 1, ptr %0)\n" + end, false},
		"launched by its name": {kept + main + launch + "  call void @run(ptr @_Z16__device_stub__kv)\n" + end, false},
		"launched by a graph":  {kept + main + launch + "  %g = call i32 @cudaGraphLaunch(ptr %0, ptr %0)\n" + end, false},
		"no variables":         {main + launch + end, false},
	} {
		f := hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: []byte("target triple = \"x86_64-unknown-linux-gnu\"\n" + c.text)})
		if len(f.Launches) == 0 {
			t.Errorf("%s: there is no launch", name)
		}
		for _, l := range f.Launches {
			if l.First != c.want {
				t.Errorf("%s: first is %t, want %t", name, l.First, c.want)
			}
		}
	}
}

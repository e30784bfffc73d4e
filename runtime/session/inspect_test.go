package session_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestInspect counts what a function has, and where passes would instrument it.
func TestInspect(t *testing.T) {
	program, err := session.Parse("scale.ptx", []byte(scale))
	if err != nil {
		t.Fatal(err)
	}
	x, err := session.Inspect(program.Module)
	if err != nil || len(x.Funcs) != 1 || len(x.Failures) != 0 {
		t.Fatalf("%+v, %v", x, err)
	}
	f := x.Funcs[0]
	got := fmt.Sprint(f.Name, f.Registers, f.Accesses, f.Synchronisation, f.Blocks, f.Edges, len(f.Patterns))
	if want := "scale[{.b32 3} {.b64 2}] [{global read 1} {global write 1}] [] 1 0 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	places := make(map[string]int)
	for _, p := range f.Places {
		places[p.Name] = p.N
	}
	if places["memtrace"] != 2 || places["iguard"] == 0 {
		t.Errorf("places: %v", places)
	}
}

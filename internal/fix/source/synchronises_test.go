// What is left out of a line, and what stays as it is.

package source

import (
	"strings"
	"testing"
)

// TestRemove: a statement that only synchronises is left out; one that may do something else is not, nor one of several
// in a line, whose column may be that of another.
func TestRemove(t *testing.T) {
	const macros = "#define SYNC() __syncthreads()\n#define TWICE() do { __syncthreads(); __syncwarp(); } while (0)\n" +
		"#define STEP() do { work(); __syncthreads(); } while (0)\n#define OF(x) __syncwarp(x)\n" +
		"#define LONG() __syncthreads(); \\\n  work()\n"
	for _, c := range []struct {
		line, at, want string // want is - if nothing is left out
	}{
		{"  __syncthreads();", "__sync", ""},
		{"  __syncthreads(); // all", "__sync", ""},
		{"  if (x) __syncthreads();", "__sync", "  if (x) ;"},
		{"  if (x) __syncthreads();", "if", "-"},
		{"  a = b; __syncthreads();", "__sync", "  a = b;"},
		{"  __syncthreads(); x = 1;", "__sync", "  x = 1;"},
		{"  check(a); __syncthreads();", "check", "-"},
		{"  __syncwarp(); __syncthreads();", "__syncwarp", "-"},
		{"  check(a);", "check", "-"},
		{"  Scan(t).Sum(a, b);", "Scan", "-"},
		{"  cg::this_thread_block().sync();", "cg", "-"},
		{"  cg::sync(block);", "cg", ""},
		{"  bar.arrive_and_wait();", "bar", ""},
		{"  __pipeline_wait_prior(0);", "__pipe", ""},
		{"  SYNC();", "SYNC", ""},
		{"  TWICE();", "TWICE", ""},
		{"  STEP();", "STEP", "-"},
		{"  OF(3);", "OF", "-"},
		{"  LONG();", "LONG", "-"},
		{`  asm volatile("bar.sync 1, 64;" ::: "memory");`, "asm", ""},
		{`  asm volatile("{\n\tbar.sync 1, 64;\n\tbar.sync 2, 64;\n}");`, "asm", ""},
		{`  asm volatile("st.shared.u32 [%0], 1; bar.sync 1, 64;" :: "r"(p));`, "asm", "-"},
	} {
		s := New("k.cu", macros+"{\n"+c.line+"\n")
		n := strings.Count(macros, "\n") + 2
		ok := s.remove(n, strings.Index(c.line, c.at)+1)
		got := strings.TrimSuffix(s.lines[n-1], "\n")
		if c.want == "-" {
			c.want, ok = c.line, !ok
		}
		if !ok || got != c.want {
			t.Errorf("%s: got %q, expected %q", c.line, got, c.want)
		}
	}
}

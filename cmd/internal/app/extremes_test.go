package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// extremes are numbers at which sums and products of sizes and offsets leave 31, 32, 48,
// 63 or 64 bits.
var extremes = []string{
	"0", "1", "-1", "4", "32", "4096", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "281474976710655", "281474976710656",
	"4611686018427387904", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551608", "18446744073709551615", "18446744073709551616",
}

const plainLaunch = "buffers: {b: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [b]}]\n"

// extremeBody returns a kernel of a body with N, that has a buffer in %a.
func extremeBody(body string) limitCase {
	return limitCase{ptx: limitHeader + ".extern .shared .align 16 .b8 dyn[];\n.visible .entry k (.param .u64 p)\n{\n.reg .u64 %a, %b; .reg .u32 %r; .reg .v2 .u32 %v; .reg .pred %q;\nld.param.u64 %a, [p];\nmov.u32 %r, %tid.x;\n" + body + "\nret;\n}\n", launch: plainLaunch}
}

// numericFields are launch files and kernels with a number N in each place that takes one.
func numericFields() map[string]limitCase {
	fields := map[string]limitCase{}
	for name, body := range instructionFields {
		fields[name] = extremeBody(body)
	}
	for name, text := range moduleFields {
		c := extremeBody("st.global.u32 [%a], %r;")
		c.ptx = limitHeader + text + strings.TrimPrefix(c.ptx, limitHeader)
		fields[name] = c
	}
	for _, name := range []string{".maxntid", ".reqntid", ".maxnreg", ".minnctapersm", ".reqnctapercluster", ".maxclusterrank"} {
		c := extremeBody("st.global.u32 [%a], %r;")
		c.ptx = strings.Replace(c.ptx, "(.param .u64 p)", "(.param .u64 p) "+name+" N", 1)
		fields[name] = c
	}
	for name, text := range launchFields {
		c := extremeBody("st.global.u32 [%a], %r;")
		c.launch = text
		fields[name] = c
	}
	return fields
}

// instructionFields are bodies of kernels.
var instructionFields = map[string]string{
	"global offset":     "ld.global.u32 %r, [%a+N];",
	"store offset":      "st.global.u32 [%a+N], %r;",
	"vector offset":     "ld.global.v4.u32 {%r, %r, %r, %r}, [%a+N];",
	"absolute":          "ld.global.u32 %r, [N];",
	"param offset":      "ld.param.u32 %r, [p+N];",
	"atomic offset":     "atom.global.add.u32 %r, [%a+N], 1;",
	"shared array":      ".shared .b8 s[N];\nst.shared.u32 [s], %r;",
	"two shared arrays": ".shared .b8 s[N];\n.shared .b8 t[N];\nst.shared.u32 [t], %r;",
	"shared dimensions": ".shared .b32 s[N][N];\nst.shared.u32 [s], %r;",
	"shared offset":     ".shared .b8 s[64];\nst.shared.u32 [s+N], %r;",
	"shared alignment":  ".shared .align N .b8 s[64];\nst.shared.u32 [s], %r;",
	"dynamic shared":    "st.shared.u32 [dyn+N], %r;",
	"local array":       ".local .b8 s[N];\nst.local.u32 [s], %r;",
	"two local arrays":  ".local .b8 s[N];\n.local .b8 t[N];\nst.local.u32 [t], %r;",
	"local offset":      ".local .b8 s[64];\nld.local.u32 %r, [s+N];",
	"local alignment":   ".local .align N .b8 s[64];\nst.local.u32 [s], %r;",
	"address of offset": ".shared .b8 s[64];\nmov.u64 %b, s+N;\nst.shared.u32 [%b], %r;",
	"registers":         ".reg .b32 %x<N>;\nmov.u32 %x0, 1;",
	"immediate":         "add.u32 %r, %r, N;\nadd.u64 %b, %a, N;\nst.global.u32 [%b], %r;",
	"shift":             "shl.b32 %r, %r, N;\nmul.wide.u32 %b, %r, 4;\nadd.u64 %b, %a, %b;\nst.global.u32 [%b], %r;",
	"scaled index":      "mul.lo.u64 %b, %a, N;\nadd.u64 %b, %b, N;\nld.global.u32 %r, [%b];",
	"barrier":           "bar.sync N;",
	"barrier count":     "bar.sync 0, N;",
	"copy size":         "cp.async.ca.shared.global [dyn], [%a], 4, N;\ncp.async.wait_all;",
	"alloca":            "alloca.u64 %b, N;\nst.local.u32 [%b], %r;",
	"alloca alignment":  "alloca.u64 %b, 16, N;\nst.local.u32 [%b], %r;",
	"prefetch":          "prefetch.global.L1 [%a+N];",
	"discard":           "discard.global.L2 [%a+N], 128;",
	"param argument":    "{ .param .b8 x[N]; st.param.b32 [x], %r; }",
	"bit field":         "bfe.u32 %r, %r, N, N;\nst.global.u32 [%a], %r;",
	"nanosleep":         "nanosleep.u32 N;",
	"member mask":       "bar.warp.sync N;",
	"shuffle":           "shfl.sync.idx.b32 %r, %r, N, N, N;",
	"line":              ".loc 1 N N\nst.global.u32 [%a], %r;",
}

// moduleFields precede the kernel.
var moduleFields = map[string]string{
	"module array":   ".global .b8 g[N];\n",
	"module arrays":  ".global .b8 g[N];\n.global .b8 h[N];\n.const .b8 c[N];\n",
	"initial value":  ".global .u64 g = N;\n",
	"initial offset": ".global .u32 x;\n.global .u64 g = generic(x)+N;\n",
	"module align":   ".global .align N .b8 g[4];\n",
	"param array":    ".entry e (.param .b8 s[N]) { ret; }\n",
}

// launchFields are launch files.
var launchFields = map[string]string{
	"count":          "buffers: {b: {type: u32, count: N}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [b]}]\n",
	"two counts":     "buffers: {b: {type: u64, count: N}, c: {type: u64, count: N}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [b]}]\n",
	"grid":           "buffers: {b: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: [N, N, N], block: 32, args: [b]}]\n",
	"block":          "buffers: {b: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 1, block: [N, N, N], args: [b]}]\n",
	"cluster":        "buffers: {b: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 16, block: 32, cluster: N, args: [b]}]\n",
	"shared":         "buffers: {b: {type: u32, count: 64}}\nlaunches: [{kernel: k, grid: 1, block: 32, shared: N, args: [b]}]\n",
	"argument":       "launches: [{kernel: k, grid: 1, block: 32, args: [N]}]\n",
	"seed":           "buffers: {b: {type: u32, count: 64, init: random, seed: N, min: N, max: N}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [b]}]\n",
	"initial number": "buffers: {b: {type: s16, count: 64, init: N}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [b]}]\n",
	"tensor dims":    "buffers: {b: {type: u32, count: 64}}\ntensormaps: {m: {buffer: b, dims: [N, N], box: [4, 4]}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [m]}]\n",
	"tensor strides": "buffers: {b: {type: u32, count: 64}}\ntensormaps: {m: {buffer: b, dims: [4, 4], strides: [N], box: [4, 4]}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [m]}]\n",
	"tensor box":     "buffers: {b: {type: u32, count: 64}}\ntensormaps: {m: {buffer: b, dims: [4, 4], box: [N, N]}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [m]}]\n",
}

// TestExtremeNumbers puts numbers at the edges of 31 to 64 bits into every place of PTX and
// of launch files that takes a number. Whatever they make of a program, no command panics,
// or takes memory for them; and in each place some number makes a program that runs.
func TestExtremeNumbers(t *testing.T) {
	for name, c := range numericFields() {
		if testing.Short() && len(name)%4 != 0 {
			continue
		}
		runs := false
		for i, n := range extremes {
			with := strings.NewReplacer("[N", "["+n, "N]", n+"]", "+N", "+"+n, " N", " "+n, "<N", "<"+n, "(N", "("+n)
			one := limitCase{ptx: with.Replace(c.ptx), launch: with.Replace(c.launch), flags: []string{"--memory-limit", "64M", "--max-steps", "10000"}}
			code, out := one.run(t)
			runs = runs || code != command.BadUsage
			checkExtreme(t, name+" "+n, code, out)
			if (i+len(name))%10 == 1 && !testing.Short() {
				checkInstrumented(t, name+" "+n, one)
			}
		}
		if !runs {
			t.Errorf("%s: no number makes a program that runs", name)
		}
	}
}

func checkExtreme(t *testing.T, what string, code int, out string) {
	t.Helper()
	if code == command.Failed || strings.Contains(out, "internal error") {
		t.Errorf("%s: exit code %d\n%.1500s", what, code, out)
	}
}

// checkInstrumented is checkExtreme for passes and for a detector that listens.
func checkInstrumented(t *testing.T, what string, c limitCase) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"k.ptx": c.ptx, "k.yaml": c.launch} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, line := range []string{"rewrite --passes acqrel,iguard -o o.ptx k.ptx", "check --max-steps 10000 --memory-limit 64M --launch k.yaml k.ptx"} {
		var out bytes.Buffer
		code := run(context.Background(), strings.Fields("ptxsan "+line), nil, &out, &out)
		checkExtreme(t, what+", "+line, code, out.String())
	}
}

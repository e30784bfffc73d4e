// The limits of ptxsan analyze on inputs, and on the cache of its results.

package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/certificate"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
)

// analyzeLimitTests returns those of the limits of analyze.
func analyzeLimitTests(t *testing.T) map[string]limitTest {
	dir := t.TempDir()
	program := filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(program, []byte(limitKernel("")), 0o600); err != nil {
		t.Fatal(err)
	}
	// analyze runs the command with a file.
	analyze := func(t *testing.T, flag, name, text string, more ...string) (int, string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		code := run(context.Background(), append(append([]string{"ptxsan", "analyze", "--no-cache"}, more...), flag, path, program), nil, &out, &out)
		return code, out.String()
	}
	// file is a case with a file of a given size in bytes.
	file := func(flag, name, text, filler string, size int) limitCase {
		return limitCase{do: func(t *testing.T) (int, string) {
			return analyze(t, flag, name, text+strings.Repeat(filler, (size-len(text))/len(filler))+strings.Repeat(" ", (size-len(text))%len(filler)))
		}}
	}
	comment := "\n//" + strings.Repeat(" ", 997)
	ir := "target triple = \"x86_64-unknown-linux-gnu\"\n"
	yes, no := "launches: [{kernel: k}]\n", strings.Repeat("#", 999)+"\n"
	launches := func(n int) limitCase {
		return limitCase{do: func(t *testing.T) (int, string) {
			return analyze(t, "--facts", "f.yaml", "launches:\n"+strings.Repeat("- {kernel: k}\n", n), "--budget", "1")
		}}
	}
	variables := func(n int) limitCase {
		return limitCase{do: func(t *testing.T) (int, string) {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "v%d: s32, ", i)
			}
			return analyze(t, "--facts", "f.yaml", "launches: [{kernel: k, variables: {"+b.String()+"}}]\n")
		}}
	}
	// steps is a certificate that lacks some keys, of two objects, two lists, two more values, and steps.
	steps := func(n int) limitCase {
		return limitCase{exit: command.BadUsage, do: func(t *testing.T) (int, string) {
			path := filepath.Join(t.TempDir(), "k.cert")
			text := fmt.Sprintf(`{"certificate": 4, "proofs": [{"query": "q", "steps": [%s]}]}`, `"0"`+strings.Repeat(`, "0"`, n-6))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			code := run(context.Background(), []string{"ptxsan", "verify", path, program}, nil, &out, &out)
			return code, out.String()
		}}
	}
	larger := func(n int) string { return fmt.Sprintf("larger than the limit of %d bytes", n) }
	host := file("--host", "a.cu", "", comment, hostcode.MaxFileBytes)
	if _, err := exec.LookPath("clang-19"); err != nil {
		host.exit = 2 // nothing reads the file
	}
	tests := map[string]limitTest{
		"bytes of a facts file":                       {file("--facts", "f.yaml", yes, no, factfile.MaxFileBytes), file("--facts", "f.yaml", yes, no, factfile.MaxFileBytes+1), larger(factfile.MaxFileBytes)},
		"bytes of a file of host code":                {host, file("--host", "a.cu", "", comment, hostcode.MaxFileBytes+1), larger(hostcode.MaxFileBytes)},
		"bytes of a file of LLVM IR":                  {file("--host", "a.ll", ir, strings.ReplaceAll(comment, "//", "; "), hostcode.MaxIRBytes), file("--host", "a.ll", ir, comment, hostcode.MaxIRBytes+1), larger(hostcode.MaxIRBytes)},
		"values and words of a certificate":           {steps(certificate.MaxParts), steps(certificate.MaxParts + 1), "values and words, expected at most"},
		"launches of a facts file":                    {launches(factfile.MaxLaunches), launches(factfile.MaxLaunches + 1), "more than"},
		"variables of a launch of a facts file":       {variables(factfile.MaxVariables), variables(factfile.MaxVariables + 1), "more than"},
		"files of the cache of `analyze`":             {cacheFiles(program, limits.CacheFiles), cacheFiles(program, limits.CacheFiles+1), "beyond"},
		"bytes of the cache of `analyze`":             {cacheBytes(program, limits.CacheBytes), cacheBytes(program, limits.CacheBytes+1), "beyond"},
		"bytes of a result in the cache of `analyze`": {cachedBytes(program, limits.CacheEntryBytes), cachedBytes(program, limits.CacheEntryBytes+1), "beyond"},
	}
	return tests
}

// fillCache analyses a program with a cache in a folder.
func fillCache(program, dir string) (int, string) {
	var out bytes.Buffer
	code := run(context.Background(), []string{"ptxsan", "analyze", "--cache", dir, program}, nil, &out, &out)
	return code, out.String()
}

// oldFile makes a file in a folder that is older than others there.
func oldFile(t *testing.T, dir, name string, size int64) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	old := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	return path
}

// gone adds a word to the output of a command when a file is deleted.
func gone(path string, code int, out string) (int, string) {
	if _, err := os.Stat(path); err != nil {
		out += "beyond"
	}
	return code, out
}

// cacheFiles fills a cache with a number of files.
func cacheFiles(program string, n int) limitCase {
	return limitCase{do: func(t *testing.T) (int, string) {
		dir := t.TempDir()
		for i := range n - 2 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		oldest := oldFile(t, dir, "old", 0)
		code, out := fillCache(program, dir)
		return gone(oldest, code, out)
	}}
}

// result returns the file of the only result in a cache, with its size.
func result(t *testing.T, dir string) (string, int64) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%d results, %v", len(list), err)
	}
	info, err := os.Stat(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return list[0], info.Size()
}

// cacheBytes fills a cache to a size in bytes.
func cacheBytes(program string, n int64) limitCase {
	return limitCase{do: func(t *testing.T) (int, string) {
		first := t.TempDir()
		fillCache(program, first)
		_, size := result(t, first)
		dir := t.TempDir()
		oldest := oldFile(t, dir, "old", n-size)
		code, out := fillCache(program, dir)
		return gone(oldest, code, out)
	}}
}

// cachedBytes extends a result in a cache to a size in bytes, by spaces at its end.
func cachedBytes(program string, n int64) limitCase {
	return limitCase{do: func(t *testing.T) (int, string) {
		dir := t.TempDir()
		fillCache(program, dir)
		path, size := result(t, dir)
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(bytes.Repeat([]byte(" "), int(n-size)))
		if wrong := f.Close(); err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		code, out := fillCache(program, dir)
		if _, now := result(t, dir); now != n { // written anew
			out += "beyond"
		}
		return code, out
	}}
}

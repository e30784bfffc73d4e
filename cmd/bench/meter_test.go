package main

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// counterFile returns a file of counters: tables of two and three bytes, and functions with the given counters.
func counterFile(functions ...[]uint64) []byte {
	file := append([]byte("\x00cwm\x01\x00\x00\x00"), make([]byte, counterHeader-8)...)
	file[24] = 2
	file = binary.LittleEndian.AppendUint64(file, uint64(len(functions)))
	file = binary.LittleEndian.AppendUint32(file, 2)
	file = binary.LittleEndian.AppendUint32(file, 3)
	file = append(file, "\xff\xff\xff\xff\xff\x00\x00\x00"...) // 5 bytes of tables, and up to a multiple of 4
	for i, f := range functions {
		file = binary.AppendUvarint(file, uint64(len(f)))
		file = binary.AppendUvarint(binary.AppendUvarint(file, 1000), uint64(i)) // package and number
		for _, c := range f {
			file = binary.AppendUvarint(file, c)
		}
	}
	return append(file, make([]byte, counterFooter)...)
}

func TestSumCounters(t *testing.T) {
	sum, err := sumCounters(counterFile([]uint64{1, 200, 0}, nil, []uint64{1 << 31}))
	if err != nil || sum != 201+1<<31 {
		t.Errorf("got %d, %v", sum, err)
	}
	good := counterFile([]uint64{1, 2, 3})
	for name, bad := range map[string][]byte{
		"nothing":      nil,
		"short":        good[:60],
		"truncated":    append(good[:len(good)-counterFooter-1:len(good)-counterFooter-1], good[len(good)-counterFooter:]...),
		"more":         append(good[:len(good):len(good)], 0),
		"magic":        append([]byte("\x00cvm"), good[4:]...),
		"version":      append([]byte("\x00cwm\x02"), good[5:]...),
		"large tables": append(append(good[:40:40], 255, 255, 255, 255), good[44:]...),
	} {
		if sum, err := sumCounters(bad); !errors.Is(err, errCounters) {
			t.Errorf("%s: got %d, %v", name, sum, err)
		}
	}
}

// TestCountedGrowth counts the basic blocks that detectors execute for 2^10 to 2^14 accesses, in patterns whose cost
// grew faster than the number of accesses in earlier versions: one access by each of that many threads, or rounds by a
// few of them. It also asks the program about one pattern, as make scale does.
func TestCountedGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles the detectors with coverage counters, which takes 15 s; make test runs it")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command, which compiles the detectors with coverage counters: ", err)
	}
	dir := t.TempDir()
	bench := filepath.Join(dir, "bench")
	build := exec.Command(tool, "build", "-tags", "purego", "-cover", "-covermode=atomic", "-coverpkg=github.com/ptxsan/ptxsan/cmd/bench,github.com/ptxsan/ptxsan/internal/detect/...,github.com/ptxsan/ptxsan/internal/vclock,github.com/ptxsan/ptxsan/internal/pagetable,github.com/ptxsan/ptxsan/internal/slab", "-o", bench, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, only := range []string{"hot word*/*/global", "rounds, hot word/store*/*", "rounds, hot word/atomic of a block/*", "rounds, moving word/atomic/*"} {
		cmd := exec.Command(bench, "-scale", "-count", "-threads", "14", "-rounds", "14", "-only", only)
		cmd.Env = append(os.Environ(), "GOCOVERDIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "| global |") {
			t.Errorf("%s: %v\n%s", only, err, out)
		}
	}
	s := settings{counter: bench, threads: 14, rounds: 14}
	row := pattern{name: "row", operation: "store", space: "global"}
	if exponent, exceeds, err := s.countedExponent(t.Context(), &row, "scord"); err != nil || exponent < 0.5 || exponent > growthLimit || exceeds {
		t.Errorf("a row of stores under scord: exponent %v, %t, %v", exponent, exceeds, err)
	}
	row.name = "no such pattern"
	if exponent, _, err := s.countedExponent(t.Context(), &row, "scord"); err == nil {
		t.Errorf("no pattern: exponent %v", exponent)
	}
}

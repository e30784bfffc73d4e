package emu_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// lostUpdate counts without atomics: updates are lost only when a thread is preempted
// between its load and its store.
const lostUpdate = `
	ld.volatile.global.u32 %r5, [%base]; add.u32 %r5, %r5, 1; st.volatile.global.u32 [%base], %r5; ret;`

// traced runs kernel k twice on one machine and returns the trace and the buffer.
func traced(t testing.TB, text string, cfg emu.Config, grid, block uint32) (string, []uint32) {
	t.Helper()
	l := &tracer{}
	cfg.Listener = l
	m := load(t, text, cfg)
	out := alloc(t, m, "out", 256)
	for range 2 {
		clean(t, launch(t, m, grid, block, out))
	}
	return strings.Join(l.lines, "\n"), words(t, m, out, 256)
}

// TestReplay: a recorded schedule gives the same run again, through its text form,
// under every policy.
func TestReplay(t *testing.T) {
	divergent := `
		setp.lt.u32 %p1, %r1, 7; @%p1 bra A; atom.global.add.u32 %r5, [%base], 1; bra B;
	A:	atom.global.add.u32 %r5, [%base+4], 1;
	B:	st.global.u32 [%out+64], %r5; bar.sync 0; ld.volatile.global.u32 %r6, [%base]; ret;`
	for name, policy := range policies {
		for i, body := range []string{spinLock, divergent, lostUpdate} {
			if policy == emu.Lockstep && i == 0 {
				continue
			}
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				var rec emu.Schedule
				want, buf := traced(t, kernel(body), emu.Config{Policy: policy, Seed: 7, Record: &rec}, 5, 40)
				text, err := rec.MarshalText()
				if err != nil {
					t.Fatal(err)
				}
				var back, again emu.Schedule
				if err := back.UnmarshalText(text); err != nil {
					t.Fatal(err)
				}
				if back.Turns() != rec.Turns() || back.Turns() == 0 || back.Policy != policy {
					t.Fatalf("%d turns of policy %d, recorded %d", back.Turns(), back.Policy, rec.Turns())
				}
				got, buf2 := traced(t, kernel(body), emu.Config{Replay: &back, Record: &again}, 5, 40)
				if got != want || !slices.Equal(buf, buf2) {
					t.Fatal("the replay is another run")
				}
				if err := new(emu.Schedule).UnmarshalText(append(text, "AAAA"...)); err == nil {
					t.Error("a schedule with something behind its end is accepted")
				}
				if text2, err := again.MarshalText(); err != nil || !bytes.Equal(text, text2) {
					t.Fatal("the replay recorded another schedule", err)
				}
			})
		}
	}
}

// TestReplayOfAnother: a schedule is refused for what it does not fit.
func TestReplayOfAnother(t *testing.T) {
	var rec emu.Schedule
	traced(t, kernel(spinLock), emu.Config{Policy: emu.Random, Record: &rec}, 2, 40)
	for _, c := range []struct {
		want        string
		body        string
		grid, block uint32
		init        uint32
		launches    int
		memory      emu.Memory
	}{
		{"is of another program than test.ptx", spinLock + " ", 2, 40, 0, 1, emu.SC},
		{"block (41,1,1)", spinLock, 2, 41, 0, 1, emu.SC},
		{"the schedule has 2 launches, this is number 3", spinLock, 2, 40, 0, 3, emu.SC},
		{"the schedule does not fit", spinLock, 2, 40, 1, 1, emu.SC},
		{"is of a run with memory sc, this one has memory ptx", spinLock, 2, 40, 0, 1, emu.PTX},
	} {
		m := load(t, kernel(c.body), emu.Config{Replay: &rec, MaxSteps: 100000, Memory: c.memory})
		out := alloc(t, m, "out", 256)
		if err := m.Write(out, []byte{byte(c.init)}); err != nil {
			t.Fatal(err)
		}
		var err error
		for range c.launches {
			_, err = m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(c.grid), Block: dim(c.block), Params: args(out)})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestMinimize: what remains of a schedule that loses an update is one preemption.
func TestMinimize(t *testing.T) {
	const threads = 8
	for _, cfg := range []emu.Config{{Policy: emu.Random}, {Policy: emu.PCT, Length: 16}} {
		final := func(cfg emu.Config) (uint32, error) {
			m := load(t, kernel(lostUpdate), cfg)
			out := alloc(t, m, "out", threads+1)
			_, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(threads), Block: dim(1), Params: args(out)})
			return words(t, m, out, 1)[0], err
		}
		var rec emu.Schedule
		cfg.Record = &rec
		lost, err := uint32(threads), error(nil)
		for ; err == nil && lost == threads && cfg.Seed < 100; cfg.Seed++ {
			lost, err = final(cfg)
		}
		if err != nil || lost == threads {
			t.Fatalf("policy %d: no update is lost: %d %v", cfg.Policy, lost, err)
		}
		runs := 0
		small, err := emu.Minimize(context.Background(), &rec, 500, func(s *emu.Schedule) (bool, error) {
			runs++
			n, runErr := final(emu.Config{Replay: s})
			return n != threads, runErr
		})
		if err != nil {
			t.Fatal(err)
		}
		if small.Turns() != 1 || runs > 500 {
			t.Errorf("policy %d: %d turns of %d remain after %d runs", cfg.Policy, small.Turns(), rec.Turns(), runs)
		}
		if n, err := final(emu.Config{Replay: small}); err != nil || n == threads {
			t.Errorf("the minimised schedule loses nothing: %d %v", n, err)
		}
	}
}

// FuzzSchedule: damaged schedules are errors.
func FuzzSchedule(f *testing.F) {
	var rec emu.Schedule
	traced(f, kernel(lostUpdate), emu.Config{Policy: emu.Random, Record: &rec}, 2, 33)
	text, err := rec.MarshalText()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, 0, byte(0))
	f.Add(text, 40, byte('x'))
	f.Add(text, len(text)-3, byte('0'))
	f.Fuzz(func(t *testing.T, text []byte, at int, b byte) {
		text = bytes.Clone(text)
		if at >= 0 && at < len(text) {
			text[at] = b
		}
		var s emu.Schedule
		if s.UnmarshalText(text) != nil {
			return
		}
		m := load(t, kernel(lostUpdate), emu.Config{Replay: &s, MaxSteps: 10_000})
		out := alloc(t, m, "out", 256)
		if r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(2), Block: dim(33), Params: args(out)}); err == nil {
			clean(t, r)
		}
	})
}

// TestPCTDepth: a bug of depth 2 (one preemption) shows in as many runs as the paper
// promises, 1/(n*k), and in runs without change points when the order of threads is
// enough.
func TestPCTDepth(t *testing.T) {
	found := func(depth int, body string, grid uint32, bad func(w []uint32) bool) int {
		n := 0
		for seed := range uint64(200) {
			w := run(t, kernel(body), emu.Config{Policy: emu.PCT, Seed: seed, Depth: depth, Length: 8}, grid, 1, 4)
			if bad(w) {
				n++
			}
		}
		return n
	}
	lost := func(w []uint32) bool { return w[0] != 2 }
	if n := found(1, lostUpdate, 2, lost); n != 0 {
		t.Errorf("without change points %d runs lose an update", n)
	}
	if n := found(2, lostUpdate, 2, lost); n < 200/16 {
		t.Errorf("with one change point %d of 200 runs lose an update", n)
	}
	order := "st.volatile.global.u32 [%base+8], %r2; ret;"
	if n := found(1, order, 2, func(w []uint32) bool { return w[2] == 0 }); n < 60 || n > 140 {
		t.Errorf("block 0 is last in %d of 200 runs", n)
	}
}

// TestRoundRobin: every variant gives the same run each time, again by replay, and
// lets threads that wait for each other finish.
func TestRoundRobin(t *testing.T) {
	for seed := range uint64(16) {
		var rec emu.Schedule
		want, _ := traced(t, kernel(spinLock), emu.Config{Policy: emu.RoundRobin, Seed: seed, Record: &rec}, 3, 40)
		got, buf := traced(t, kernel(spinLock), emu.Config{Policy: emu.RoundRobin, Seed: seed}, 3, 40)
		back, _ := traced(t, kernel(spinLock), emu.Config{Replay: &rec}, 3, 40)
		if got != want || back != want {
			t.Errorf("variant %d: two runs differ", seed)
		}
		if buf[1] != 240 { // of two launches
			t.Errorf("variant %d: the counter is %d, want 240", seed, buf[1])
		}
	}
}

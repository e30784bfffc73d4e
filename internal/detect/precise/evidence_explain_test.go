package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// missing is what a report should say of what lies between two accesses.
type missing struct {
	cause                   detect.Cause
	missing                 string // the beginning
	fence, publish, observe uint32 // sites
}

func (want *missing) compare(t *testing.T, r *detect.Race) {
	t.Helper()
	if r.Cause != want.cause || !strings.HasPrefix(r.Missing, want.missing) {
		t.Errorf("%s: %q", r.Cause, r.Missing)
	}
	if got := [3]uint32{r.Fence, r.Publish, r.Observe}; got != [3]uint32{want.fence, want.publish, want.observe} {
		t.Errorf("fence, write and read of the message: %d, want %+v", got, want)
	}
}

// TestMissing: reports name the edge that is missing. Step i has site i+1.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		steps string
		missing
	}{
		"no acquire": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 2, 3},
		},
		"no acquire in the block": {
			"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; B ld.relaxed.gpu x; B ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 3, 4},
		},
		"no release": {
			"A st.weak d; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 3},
		},
		"no release, and a fence that acquires": {
			"A st.weak d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.gpu; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 3},
		},
		"neither": {
			"A st.weak d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "a release and an acquire: what is written at {publish}", 0, 2, 3},
		},
		"the release comes too early": {
			"A fence.acq_rel.gpu; A st.weak d; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a release:", 0, 3, 4},
		},
		"the acquire is too narrow": {
			"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.cta; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope acquire: the first thread is in another block, and the second has executed only narrower ones, such as that at {fence}", 4, 0, 0},
		},
		"the acquiring read is too narrow": {
			"A st.weak d; A st.release.gpu x; A st.relaxed.gpu y; D ld.acquire.cta y; D ld.weak d",
			missing{"insufficient-atomic-scope", "a gpu-scope access at {fence}: the other thread is in another block", 4, 0, 0},
		},
		"the write of the message is too narrow": {
			"A st.weak d; A fence.acq_rel.gpu; A st.relaxed.cluster x; D ld.acquire.gpu x; D ld.weak d",
			missing{"insufficient-atomic-scope", "a gpu-scope access at {fence}", 3, 0, 0},
		},
		"narrow fence": {
			"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope fence or release: the second thread is in another block, and", 2, 0, 0},
		},
		"wide enough for the cluster": {
			"A st.weak d; A fence.acq_rel.cluster; A st.relaxed.gpu x; C ld.relaxed.gpu x; C ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed", 0, 3, 4},
		},
		"too narrow for another one": {
			"A st.weak d; A fence.acq_rel.cluster; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope fence or release: the second thread is in another block, and", 2, 0, 0},
		},
		"narrow atomic": {
			"A atom.relaxed.cta x; C atom.relaxed.gpu x",
			missing{"insufficient-atomic-scope", "a scope of both accesses that includes the other thread, which is in another block of its cluster: the first is of scope cta", 0, 0, 0},
		},
		"narrow atomics": {
			"A atom.relaxed.cta x; D atom.relaxed.cluster x",
			missing{"insufficient-atomic-scope", "a scope of both accesses that includes the other thread, which is in another block: the first is of scope cta, the second of scope cluster", 0, 0, 0},
		},
		"narrow release": {
			"A st.weak d; A st.release.cluster x; A st.relaxed.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope fence or release: the second thread is in another block, and", 2, 0, 0},
		},
		"a wide release, then a narrow one": {
			"A st.weak d; A st.release.gpu x; A st.release.cta y; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed", 0, 2, 4},
		},
		"who passes it on does not release": {
			"A st.weak d; A st.release.gpu x; C ld.acquire.gpu x; C st.relaxed.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} passes on what the first thread did", 0, 4, 5},
		},
		"who passes it on does not acquire": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "an acquire: the thread that passes on what the first released has observed it at {observe}", 0, 2, 3},
		},
		"neither the first nor who passes it on": {
			"A st.weak d; A st.relaxed.gpu x; C ld.relaxed.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "a release and an acquire: what is written at {publish} and read at {observe} passes on", 0, 2, 3},
		},
		"the first, though passed on in order": {
			"A st.weak d; A st.relaxed.gpu x; C ld.acquire.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} passes on", 0, 2, 3},
		},
		"who passes it on fences too narrowly": {
			"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; B ld.relaxed.gpu x; B fence.acq_rel.cta; B st.relaxed.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope fence or release", 5, 6, 7},
		},
		"who passes it on writes too narrowly": {
			"A st.weak d; A st.release.cta x; B ld.acquire.cta x; B fence.acq_rel.gpu; B st.relaxed.cluster y; D ld.acquire.gpu y; D ld.weak d",
			missing{"insufficient-atomic-scope", "a gpu-scope access at {fence}", 5, 0, 0},
		},
		"a store breaks the chain": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C fence.sc.cta; C st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a chain of atomic operations: the store at {fence}", 5, 2, 3},
		},
		"an atomic operation is part of the message": {
			"A st.weak d; A st.relaxed.gpu x; C atom.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 4},
		},
		"red reads no message": {
			"A st.weak d; A red.relaxed.gpu x; D red.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 3},
		},
		"another thread tells before": {
			"B st.weak d; A st.release.gpu x; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-barrier", "a block barrier: another thread writes at {publish} that it has been made", 0, 2, 3},
		},
		"another thread hears after": {
			"A st.weak d; A st.release.gpu x; D ld.acquire.gpu x; E ld.weak d",
			missing{"missing-barrier", "a block barrier: another thread reads at {observe} that the first access has been made", 0, 2, 3},
		},
		"other threads on both sides": {
			"B st.weak d; A st.release.gpu x; D ld.acquire.gpu x; E ld.weak d",
			missing{"missing-barrier", "a block barrier: what is written at {publish}, and read at {observe}, is by other threads", 0, 2, 3},
		},
		"blocks of a cluster":   {"A st.weak d; C ld.weak d", missing{"missing-barrier", "a barrier of the cluster between the two blocks", 0, 0, 0}},
		"a counter in no order": {"A atom.relaxed.gpu x; D ld.volatile x", missing{"missing-barrier", "an order of the two, or an access that says that none is meant", 0, 0, 0}},
		"volatile in no order":  {"A st.volatile x; D ld.volatile x", missing{"missing-barrier", "an order of the two, or an access that says that none is meant", 0, 0, 0}},
		"a word in no order, and a message from before": {
			"A st.release.gpu y; D ld.acquire.gpu y; A atom.relaxed.gpu x; D ld.volatile x",
			missing{"missing-fence", "an order of the two, or an access that says that none is meant", 0, 1, 2},
		},
		"a fence for the cluster":  {"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; C ld.acquire.gpu x; C ld.weak d", missing{"insufficient-fence-scope", "a cluster-scope fence or release", 2, 0, 0}},
		"warps without a message":  {"A st.weak d; B ld.weak d", missing{cause: "missing-barrier"}},
		"blocks without a message": {"A st.weak d; D ld.weak d", missing{cause: "missing-barrier"}},
		"a weak store and atomics": {"A st.weak x; D atom.relaxed.gpu x", missing{"not-strong", "a strong access: {first} is weak", 0, 0, 0}},
		"a weak read of a counter": {"A atom.relaxed.gpu x; D ld.weak x", missing{"not-strong", "a strong access: {second} is weak", 0, 0, 0}},
		"and in the block":         {"A atom.relaxed.gpu x; B ld.weak x", missing{cause: "missing-barrier"}},
	} {
		t.Run(name, func(t *testing.T) {
			races := report(t, litmusEvents(t, strings.Split(c.steps, "; ")))
			if len(races) == 0 {
				t.Fatal("no race")
			}
			c.compare(t, &races[0])
		})
	}
}

// TestGuess: what a read lacks that only guesses what a compare-and-swap will find is
// strength, also where a barrier would order it, and whatever fences there are.
func TestGuess(t *testing.T) {
	for _, events := range []string{"A atom.relaxed.gpu x; B ld.weak x", "A atom.relaxed.gpu x; D ld.weak x; A fence.acq_rel.cta; D ld.weak x"} {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		d.SetGuesses(map[uint32]bool{2: true, 4: true})
		races := play(d, litmusEvents(t, strings.Split(events, "; ")))
		if len(races) == 0 {
			t.Fatalf("no race in %s", events)
		}
		want := missing{cause: "not-strong", missing: "a strong read: {second} guesses"}
		for i := range races {
			want.compare(t, &races[i])
		}
	}
}

// TestLook: what a read lacks that only decides whether a compare-and-swap is executed is strength where it races with
// such a swap, and an order where it races with another strong access.
func TestLook(t *testing.T) {
	for events, want := range map[string]missing{
		"A atom.relaxed.gpu x; B ld.weak x": {cause: "not-strong", missing: "a strong read: {second} guesses"},
		"A st.relaxed.gpu x; B ld.weak x":   {cause: "missing-barrier"},
	} {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		d.SetLooks(map[uint32]bool{2: true}, map[uint32]bool{1: strings.Contains(events, "atom")})
		races := play(d, litmusEvents(t, strings.Split(events, "; ")))
		if len(races) != 1 {
			t.Fatalf("%d races in %s", len(races), events)
		}
		want.compare(t, &races[0])
	}
}

// TestCounterTells: a counter that both threads change tells the second one of the first one's strong access where it
// looks at what it reads; else it might as well come first.
func TestCounterTells(t *testing.T) {
	events := litmusEvents(t, strings.Split("A st.volatile d; A atom.relaxed.gpu y; D atom.relaxed.gpu y; D ld.volatile d", "; "))
	for looks, want := range map[bool]missing{
		true:  {"missing-fence", "a release and an acquire: what is written at {publish}", 0, 2, 3},
		false: {"missing-fence", "an order of the two, or an access that says that none is meant", 0, 2, 3},
	} {
		races := reportKnowing(t, events, map[uint32]bool{3: looks})
		if len(races) != 1 {
			t.Fatalf("%d findings, want a warning", len(races))
		}
		want.compare(t, &races[0])
	}
}

// report is what the detector reports of events, when all reads are of data.
func report(t *testing.T, events []abi.Event) []detect.Race {
	t.Helper()
	return reportKnowing(t, events, map[uint32]bool{})
}

// reportKnowing is what the detector reports of events when it knows the sites of reads
// that decide.
func reportKnowing(t *testing.T, events []abi.Event, decides map[uint32]bool) []detect.Race {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.SetDecisions(decides)
	return play(d, events)
}

// play is what a detector reports of one grid.
func play(d *precise.Detector, events []abi.Event) []detect.Race {
	return playIn(d, events, batching(len(events)%3))
}

// traceShape is the shape of a launch with these events.
func traceShape(events []abi.Event) detect.LaunchShape {
	shape := detect.LaunchShape{Grid: [3]uint32{traceBlocks, 1, 1}, Block: [3]uint32{64, 1, 1}}
	for i := range events {
		if events[i].Block != events[i].Cluster {
			shape.Cluster = [3]uint32{2, 1, 1}
		}
	}
	return shape
}

// batching is how accesses come to a detector.
type batching int

const (
	together batching = iota // in batches of those of a warp that follow each other
	oneByOne                 // in batches of one
	asEvents                 // as events
)

// playIn is play with accesses that come in some way.
func playIn(d detect.Detector, events []abi.Event, how batching) []detect.Race {
	begin := abi.Event{Kind: abi.EventKernelBegin}
	for i := range events {
		if events[i].Proxy == abi.ProxyAsync {
			begin.Proxy = abi.ProxyAsync
		}
	}
	d.Begin(detect.Launch{LaunchShape: traceShape(events)})
	d.Event(&begin)
	b := newBatcher(d)
	for i := range events {
		ev := events[i]
		if how != asEvents && b.add(&ev) {
			if how == oneByOne {
				b.flush()
			}
			continue
		}
		b.flush()
		abi.Deliver(d, &ev)
	}
	b.flush()
	d.Event(&abi.Event{Kind: abi.EventKernelEnd})
	if p, ok := d.(*precise.Detector); ok && !p.ObservationsRise() {
		panic("observations are not in order:\n" + traceText(events))
	} else if ok {
		if _, right := p.CodesKnown(); !right {
			panic("a list has another code than its entries:\n" + traceText(events))
		}
	}
	return d.End()
}

// TestOptions: what New refuses.
func TestOptions(t *testing.T) {
	for _, o := range []precise.Options{{Model: "tso", Memory: 1 << 30}, {Model: precise.ModelPTX, Memory: 1}} {
		if _, err := precise.New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// TestMemory: a detector that has no room says what it gave up.
func TestMemory(t *testing.T) {
	d, err := precise.New(precise.Options{Model: precise.ModelPTX, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	for i := range uint64(4096) {
		ev := abi.Event{Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 1, Mask: 1, Live: 1, Site: 1}
		ev.Addr[0] = i * 4096
		abi.Deliver(d, &ev)
	}
	d.End()
	if s := d.Statistics(); len(s) != 1 || !strings.Contains(s[0], "not checked: pairs of accesses that are far apart") {
		t.Errorf("statistics %q", s)
	}
}

package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestMissing: reports name the edge that is missing.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct{ steps, cause, missing, hint string }{
		"no acquire": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C ld.weak d", "missing-fence",
			"an acquire: the second thread has observed", "ld.acquire.cluster in place of",
		},
		"the acquire is too narrow": {
			"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.cta; D ld.weak d", "missing-fence",
			"an acquire: the second thread has observed", "ld.acquire.gpu in place of",
		},
		"narrow fence": {
			"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d", "insufficient-fence-scope",
			"a gpu-scope fence or release: the second thread is in another block, and", "",
		},
		"wide enough for the cluster": {
			"A st.weak d; A fence.acq_rel.cluster; A st.relaxed.gpu x; C ld.relaxed.gpu x; C ld.weak d", "missing-fence",
			"an acquire: the second thread has observed", "ld.acquire.cluster in place of",
		},
		"too narrow for another one": {
			"A st.weak d; A fence.acq_rel.cluster; A st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d", "insufficient-fence-scope",
			"a gpu-scope fence or release: the second thread is in another block, and", "",
		},
		"narrow atomic": {
			"A atom.relaxed.cta x; C atom.relaxed.gpu x", "insufficient-atomic-scope",
			"which is in another block of its cluster: the first is of scope cta", "use scope cluster for both",
		},
		"narrow atomics": {
			"A atom.relaxed.cta x; D atom.relaxed.cluster x", "insufficient-atomic-scope",
			"the first is of scope cta, the second of scope cluster", "use scope gpu",
		},
		"narrow release": {
			"A st.weak d; A st.release.cluster x; A st.relaxed.gpu y; D ld.acquire.gpu y; D ld.weak d", "insufficient-fence-scope",
			"a gpu-scope fence or release: the second thread is in another block, and", "",
		},
		"a wide release, then a narrow one": {
			"A st.weak d; A st.release.gpu x; A st.release.cta y; D ld.relaxed.gpu x; D ld.weak d", "missing-fence",
			"an acquire: the second thread has observed", "ld.acquire.gpu in place of",
		},
		"warps": {"A st.weak d; B ld.weak d", "missing-barrier", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{traceBlocks, 1, 1}, Block: [3]uint32{64, 1, 1}}})
			d.Event(&abi.Event{Kind: abi.EventKernelBegin})
			for _, ev := range litmusEvents(t, strings.Split(c.steps, "; ")) {
				d.Event(&ev)
			}
			races := d.End()
			if len(races) != 1 {
				t.Fatalf("%d races", len(races))
			}
			r := races[0]
			if r.Cause != c.cause || !strings.Contains(r.Missing, c.missing) || !strings.HasPrefix(r.Hint, c.hint) {
				t.Errorf("%s: %q; %q", r.Cause, r.Missing, r.Hint)
			}
			if narrow := r.Cause == "insufficient-fence-scope"; narrow && r.Fence != 2 || !narrow && r.Fence != 0 {
				t.Errorf("the fence that is too narrow has site %d", r.Fence)
			}
		})
	}
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
		ev := abi.Event{Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4, Mask: 1, Live: 1, Site: 1}
		ev.Addr[0] = i * 4096
		d.Event(&ev)
	}
	d.End()
	if s := d.Statistics(); len(s) != 1 || !strings.Contains(s[0], "not checked: pairs of accesses that are far apart") {
		t.Errorf("statistics %q", s)
	}
}

package precise_test

import (
	"strings"
	"testing"
)

// TestChains: what messages lack that go through several blocks, or by way of threads that barriers order with those
// that access. Step i has site i+1.
func TestChains(t *testing.T) {
	for name, c := range map[string]struct {
		steps string
		missing
	}{
		"told by another thread of a block that has ended": {
			"B st.weak d; A bar; B bar; A st.relaxed.gpu x; A end; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "a release and an acquire: what is written at {publish} tells the second thread", 0, 4, 6},
		},
		"the same, and released": {
			"B st.weak d; A bar; B bar; A st.release.gpu x; A end; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 4, 6},
		},
		"heard by another thread of its block": {
			"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D bar; E bar; E ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 2, 3},
		},
		"heard by another thread that acquires too narrowly": {
			"A st.weak d; A st.release.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.cta; D bar; E bar; E ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope acquire: the first thread is in another block, and the second has executed only narrower ones, such as that at {fence}", 4, 2, 3},
		},
		"heard by another thread, which acquires, and not released": {
			"A st.weak d; A st.relaxed.gpu x; D ld.acquire.gpu x; D bar; E bar; E ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 3},
		},
		"passed on without an acquire, by a block that has ended": {
			"B st.weak d; A bar; B bar; A st.release.gpu x; A end; C ld.relaxed.gpu x; C st.release.gpu y; C end; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "an acquire: the thread that passes on what the first released has observed it at {observe}", 0, 4, 6},
		},
		"passed on without a release": {
			"B st.weak d; A bar; B bar; A st.release.gpu x; A end; C ld.acquire.gpu x; C st.relaxed.gpu y; C end; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} passes on what the first thread did", 0, 7, 9},
		},
		"passed on with an acquire that is too narrow": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C fence.acq_rel.cta; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d",
			missing{"insufficient-fence-scope", "a cluster-scope acquire: the thread that passes on what the first released has executed only narrower ones, such as that at {fence}", 4, 2, 3},
		},
		"an acquire that is too narrow, and too late": {
			"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C st.release.gpu y; C fence.acq_rel.cta; D ld.acquire.gpu y; D ld.weak d",
			missing{"missing-fence", "an acquire: the thread that passes on what the first released", 0, 2, 3},
		},
		"a fence that is too narrow, and too late": {
			"A st.weak d; A st.relaxed.gpu x; A fence.acq_rel.cta; D ld.acquire.gpu x; D ld.weak d",
			missing{"missing-fence", "a release: what is written at {publish} tells the second thread", 0, 2, 4},
		},
		"fences that are too narrow, before and after": {
			"A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; A fence.acq_rel.cta; D ld.acquire.gpu x; D ld.weak d",
			missing{"insufficient-fence-scope", "a gpu-scope fence or release", 0, 0, 0}, // the report finds which
		},
		"wide fences before and after, and a narrow one": {
			"A st.weak d; A fence.acq_rel.gpu; A fence.acq_rel.cta; A st.relaxed.gpu x; A fence.acq_rel.gpu; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 4, 6},
		},
		"a narrow fence of the first thread, and another one that releases": {
			"B st.weak d; B fence.acq_rel.cta; A bar; B bar; A st.release.gpu x; D ld.relaxed.gpu x; D ld.weak d",
			missing{"missing-fence", "an acquire: the second thread has observed at {observe}", 0, 5, 6},
		},
		"a narrow fence of the second thread is no acquire": {
			"A st.weak d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.cta; D ld.weak d",
			missing{"missing-fence", "a release and an acquire: what is written at {publish} tells the second thread", 0, 2, 3},
		},
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

package analysis_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestFaults: a fault that is proved is reported if an execution shows it; without one, nothing is. Its pairs are
// neither proved nor possible races, and others keep their verdicts.
func TestFaults(t *testing.T) {
	const (
		null  = "mov.u64 %rd4, 0; st.u32 [%rd4+4], %r1;"
		guard = "ld.global.u32 %r3, [%rd2]; setp.ne.u32 %p1, %r3, 77; @%p1 bra E; "
	)
	for name, c := range map[string]struct {
		body, verdict, proof, message string
		faulted, possible             int
	}{
		"a store to null":                                 {null, report.Fault, report.Fault, "null page", 1, 0},
		"null behind a proved store":                      {"st.global.u32 [%rd3], %r1; " + null, report.Fault, report.Fault, "null page", 2, 0},
		"null behind a race":                              {"st.global.u32 [%rd1], %r1; " + null, report.Racy, report.Racy, "null page", 2, 0},
		"null beside what is not known":                   {"ld.global.u32 %r3, [%rd2]; mad.wide.u32 %rd5, %r3, 4, %rd1; st.global.u32 [%rd5], %r1; " + null, report.Fault, report.Unknown, "null page", 3, 1},
		"two faults":                                      {null + " st.u32 [%rd4+8], %r1;", report.Fault, report.Fault, "address 0x4", 3, 0},
		"null to which no thread comes":                   {"setp.lt.u32 %p1, %r1, 32; @%p1 bra E; " + null, report.Clean, report.Clean, "", 0, 0},
		"null behind a value in memory":                   {guard + null, report.Unknown, report.Unknown, "", 0, 2},
		"a call of a number":                              {"mov.u64 %rd4, 5; P: .callprototype _ (); call %rd4, (), P;", report.Fault, report.Fault, "not the address of a function", 0, 0},
		"a call behind a value in memory":                 {guard + "mov.u64 %rd4, 5; P: .callprototype _ (); call %rd4, (), P;", report.Unknown, report.Unknown, "", 0, 0},
		"outside of an allocation":                        {"st.global.u32 [%rd2+64], %r1;", report.Fault, report.Fault, "0 bytes after", 1, 0},
		"outside of an allocation, in its own place each": {"mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4+64], %r1;", report.Fault, report.Fault, "0 bytes after", 0, 0},
		"before an allocation":                            {"mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4-128], %r1;", report.Fault, report.Fault, "before", 0, 0},
		"a load outside":                                  {"ld.global.u32 %r3, [%rd2+64];", report.Fault, report.Fault, "0 bytes after", 0, 0},
		"the last load inside":                            {"ld.global.u32 %r3, [%rd2+60];", report.Clean, report.Clean, "", 0, 0},
		"outside of a variable":                           {"mad.wide.u32 %rd5, %r1, 4, var; st.global.u32 [%rd5+128], %r1;", report.Fault, report.Fault, "after", 0, 0},
		"inside of a variable":                            {"mad.wide.u32 %rd5, %r1, 4, var; st.global.u32 [%rd5], %r1;", report.Clean, report.Clean, "", 0, 0},
		"outside of a constant":                           {"ld.const.u32 %r3, [con+16];", report.Fault, report.Fault, "after", 0, 0},
		"inside of a constant":                            {"ld.const.u32 %r3, [con+12];", report.Clean, report.Clean, "", 0, 0},
		"outside, to which no thread comes":               {"setp.lt.u32 %p1, %r1, 32; @%p1 bra E; st.global.u32 [%rd2+64], %r1;", report.Clean, report.Clean, "", 0, 0},
		"outside behind a value in memory":                {guard + "mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4+64], %r1;", report.Unknown, report.Unknown, "", 0, 0},
		"outside of a shared variable":                    {"mad.lo.u32 %r4, %r1, 4, sh; st.shared.u32 [%r4+128], %r1;", report.Fault, report.Fault, "after", 0, 0},
		"in the next shared variable":                     {"mov.u32 %r5, more; ld.shared.u32 %r4, [sh+128];", report.Fault, report.Fault, "of the variable sh, which has 128 bytes", 0, 0},
		"outside by a number of the host":                 {"setp.lt.u32 %p1, %r2, 16; @%p1 bra E; mad.wide.u32 %rd4, %r2, 4, %rd2; ld.global.u32 %r4, [%rd4];", report.Fault, report.Fault, "after", 0, 0},
		"outside for one number of the host":              {"mad.wide.u32 %rd4, %r2, 4, %rd2; ld.global.u32 %r4, [%rd4];", report.Clean, report.Clean, "", 0, 0},
		"outside in the last round of a loop":             {"mov.u32 %r4, 0; L: mad.wide.u32 %rd4, %r4, 4, %rd2; ld.global.u32 %r5, [%rd4]; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 17; @%p1 bra L;", report.Clean, report.Clean, "", 0, 0},
		"a prefetch outside":                              {"prefetch.global.L2 [%rd2+64];", report.Clean, report.Clean, "", 0, 0},
		"outside of an allocation in some threads":        {"mad.wide.u32 %rd4, %r1, 4, %rd2; st.global.u32 [%rd4], %r1;", report.Clean, report.Clean, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.NewReplacer("L: ", "L:\n\t", "; ", ";\n\t").Replace(c.body)
			prog, err := session.Parse("k.ptx", []byte(strings.Replace(confirmHead, ".visible", ".global .u32 var[32];\n.shared .u32 sh[32];\n.shared .u32 more[32];\n.const .u32 con[4];\n.visible", 1)+"\t"+body+"\nE:\n\tret;\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			f, err := factfile.Parse("f.yaml", []byte("launches:\n  - {kernel: k, grid: [1, 1, 1], block: [32, 1, 1], args: [{buffer: a}, {buffer: b}, unknown], buffers: {a: {size: 4096}, b: {size: 64}}}\n"))
			if err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{"", t.TempDir()} { // with and without kept results, which are made, and then read
				var cache *analysis.Cache
				if dir != "" {
					cache = &analysis.Cache{Dir: dir, MaxFiles: 10, MaxBytes: 1 << 20, EntryBytes: 1 << 20}
				}
				for range 2 {
					out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: []*facts.File{f}, Cache: cache})
					if err != nil {
						t.Fatal(err)
					}
					r := out.Report
					r.SettleStatic(report.Error)
					p := r.Proofs[0]
					if r.Verdict != c.verdict || p.Verdict != c.proof || p.Faulted != c.faulted || p.Possible != c.possible {
						t.Errorf("%s, %s with %d faulted and %d possible pairs: %v", r.Verdict, p.Verdict, p.Faulted, p.Possible, p.Notes)
					}
					if len(r.Faults) > 1 || (len(r.Faults) == 1) != (c.message != "") || c.message != "" && !strings.Contains(r.Faults[0].Message, c.message) {
						t.Errorf("faults %v, want %q", headlines(r.Faults), c.message)
					}
					shown := func(x *report.Race) bool {
						return strings.Contains(x.Reason, "null pointer") || strings.Contains(x.Reason, "outside")
					}
					if c.message != "" && slices.ContainsFunc(r.Races, shown) {
						t.Errorf("a pair of an access that faults is called a possible race")
					}
				}
			}
		})
	}
}

func headlines(faults []*report.FaultEvent) (list []string) {
	for _, f := range faults {
		list = append(list, f.Headline())
	}
	return list
}

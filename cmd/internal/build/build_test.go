package build

import (
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for want, info := range map[string]*debug.BuildInfo{
		"1.2 (go1.26)":   {GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}},
		"1.3.0 (go1.26)": {GoVersion: "go1.26", Main: debug.Module{Version: "v1.3.0"}},
		"1.2 (commit abc, 2026-01-02, go1.26)": {
			GoVersion: "go1.26", Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.time", "2026-01-02T03:04:05Z"), setting("vcs.modified", "false")},
		},
		"1.2 (commit abc, modified, 2026-01-02, go1.26)": {
			GoVersion: "go1.26", Settings: []debug.BuildSetting{setting("vcs.revision", "abc"), setting("vcs.time", "2026-01-02T03:04:05Z"), setting("vcs.modified", "true")},
		},
	} {
		if got := describe("1.2", info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

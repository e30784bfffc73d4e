// Package build returns how the running command was built: version, commit and date.
package build

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Describe returns a version with the commit and date that the go command has recorded in the binary, and the release
// of Go. A build outside of a repository has no commit and date.
func Describe(version string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	return describe(version, info)
}

func describe(version string, info *debug.BuildInfo) string {
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	parts := []string{info.GoVersion}
	if commit := settings["vcs.revision"]; commit != "" {
		if settings["vcs.modified"] == "true" {
			commit += ", modified"
		}
		date, _, _ := strings.Cut(settings["vcs.time"], "T")
		parts = append([]string{"commit " + commit, date}, parts...)
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = strings.TrimPrefix(v, "v")
	}
	return fmt.Sprintf("%s (%s)", version, strings.Join(parts, ", "))
}

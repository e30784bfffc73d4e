// Package shimtest says where tests keep the drop-in libraries, which take half a minute of a processor to compile: in
// one folder for all packages, from one run to the next. A folder of libraries is named after the digest of what they
// are compiled from. The package must not know what the libraries hold.
package shimtest

import (
	"os"
	"path/filepath"
	"testing"
)

// user is the folder of the user's caches, before a test names another one.
var user, errUser = os.UserCacheDir()

// Cache returns the folder, in that of the user's caches.
func Cache(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Join(user, "ptxsan-tests"), errUser
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil { // no home
		return t.TempDir()
	}
	return dir
}

// What a file of source says of launches if its host code cannot be read.

package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// TestUnread: a file that launches kernels need not launch them in every way, although its host code cannot be read. One
// without launches says nothing, and its kernels may be launched in any way.
func TestUnread(t *testing.T) {
	for text, launches := range map[string]bool{
		"#error\n__global__ void k(int *a) { *a = 1; }\nint main() { k<<<1, 1>>>(0); }\n": true,
		"#error\n__global__ void k(int *a) { *a = 1; }\n":                                 false,
	} {
		name := filepath.Join(t.TempDir(), "k.cu")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list := source.Facts(t.Context(), name, hostcode.Options{})
		if len(list) != 1 || list[0].Main != launches || list[0].Unread == "" || len(list[0].Launches) > 0 {
			t.Errorf("%s: %+v", text, list)
		}
	}
}

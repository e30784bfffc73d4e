// Patches of CUDA sources.

package fix_test

import (
	"os"
	"strings"
	"testing"
)

func TestSourcePatch(t *testing.T) {
	for name, want := range map[string][]string{
		"fence/message-block-fence": {"__threadfence();"},
		"barrier/exchange-shared":   {"+  __syncthreads();"},
		"warp/exchange-global":      {"+  __syncwarp();"},
		"atomic/lost-increment":     {"atomicAdd(&", ", 1);"},
	} {
		res := mend(t, suite+"/"+name+"-racy.yaml", 20, 100)
		file := suite + "/" + name + ".cu"
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		patch, left := res.SourcePatch(file, src)
		for _, text := range want {
			if !strings.Contains(patch, text) {
				t.Errorf("%s: %d edits are not in the patch, expected %q in\n%s", name, len(left), text, patch)
			}
		}
	}
}

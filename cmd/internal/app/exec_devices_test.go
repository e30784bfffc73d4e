// The programs of examples/devices: what exec says of several GPUs in one program.

package app

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// onDevices are the command lines of examples/devices, with what they print, and each cause of their races with the
// lines, 0 for a copy.
var onDevices = []struct {
	args  string
	out   string
	races []string
}{
	{"one_shot", "one-shot all-reduce: right", nil},
	{"one_shot device", "one-shot all-reduce: right", []string{
		"insufficient-atomic-scope 19 28", "insufficient-atomic-scope 46 48", "insufficient-fence-scope 46 48",
	}},
	{"one_shot unflagged", "one-shot all-reduce: wrong", []string{"missing-stream-order 46 48"}},
	{"two_shot", "two-shot all-reduce: right", nil},
	{"two_shot one", "two-shot all-reduce: wrong", []string{"missing-fence 32 35"}},
	{"ping_pong", "ping-pong: right", nil},
	{"ping_pong early", "ping-pong: right", []string{"missing-fence 28 36"}},
	{"copy", "copy between devices: right", nil},
	{"copy no_event", "copy between devices: right", []string{"missing-stream-order 0 13"}},
	{"counter", "counter: right", nil},
	{"counter device", "counter: right", []string{"insufficient-atomic-scope 12 12"}},
	{"broadcast", "broadcast: right", nil},
	{"broadcast relaxed", "broadcast: right", []string{"missing-fence 14 30"}},
	{"fence", "fence: right", nil},
	{"fence device", "fence: right", []string{"insufficient-fence-scope 10 28"}},
	{"ipc_pool", "pool of two processes: right", nil},
	{"ipc_pool event", "pool of two processes: right", nil},
	{"ipc_pool early", "pool of two processes: right", []string{"missing-stream-order 15 17"}},
	{"ipc_pool reuse", "pool of two processes: right", []string{"missing-stream-order 15 17"}},
}

// TestDevices builds the programs of examples/devices by nvcc, and runs them with two devices.
func TestDevices(t *testing.T) {
	long(t)
	need(t, "nvcc")
	ptxsan := buildCommand(t)
	useDropIns(t)
	dir := t.TempDir()
	for _, c := range onDevices {
		args := strings.Fields(c.args)
		if program := filepath.Join(dir, args[0]); !exists(program) {
			build := exec.Command("nvcc", "-arch="+lowest(t), "-lineinfo", "-g", "-o", program, "../../../examples/devices/"+args[0]+".cu")
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("nvcc: %v\n%s", err, text)
			}
		}
		t.Run(c.args, func(t *testing.T) {
			out, code, rep := runApplication(t, ptxsan, dir, args, "--devices", "2")
			var races []string
			for _, x := range rep.Races {
				for _, x := range x.Each() {
					a, b := session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line
					races = append(races, fmt.Sprintf("%s %d %d", x.Cause, min(a, b), max(a, b)))
					if x.First.Device == nil || x.Second.Device == nil || *x.First.Device == *x.Second.Device {
						t.Errorf("%s: the devices are not told", x.Headline())
					}
				}
			}
			slices.Sort(races)
			if races = slices.Compact(races); out != c.out+"\n" || code != min(len(races), 1) || !slices.Equal(races, c.races) {
				t.Errorf("exit code %d, output %q, races %q; want %q, %q", code, out, races, c.out, c.races)
			}
		})
	}
}

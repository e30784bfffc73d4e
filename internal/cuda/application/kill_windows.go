// How an application ends before it wants to.

package application

import "os"

func kill(p *os.Process) { _ = p.Kill() }

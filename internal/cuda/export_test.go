package cuda

// Launches is how many kernels the process has launched.
func (p *Process) Launches() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.selector.launches
}

// Placed is placed.
func Placed(ptx []byte, files ...string) []byte {
	ptx, _ = placed(ptx, files)
	return ptx
}

// The Fence-SC orders that the axioms are tried with, and their limit.

package weakmem

// maxTried is the maximum of Graph.tried, in squares of the number of operations.
const maxTried = 1 << 24

// failed counts an order with which the axioms do not hold, but for the first one of an examination, and reports false.
func (c *check) failed() bool {
	if c.again {
		c.g.tried += c.n * c.n
	}
	c.again = true
	return false
}

// Exceeded reports whether so many orders have been tried that Consistent gives up.
func (g *Graph) Exceeded() bool { return g.tried > maxTried }

// fences tries the Fence-SC orders (8.9.4): a morally strong pair of fence.sc that causality does not order is ordered
// either way. Where one way fails, the other one is tried only if the axioms can hold without that pair: more order
// demands more.
func (c *check) fences(base matrix) bool {
	for i := range c.n {
		if base.has(i, i) && c.g.events[i].SC {
			return c.failed()
		}
	}
	for i := range c.n {
		for j := i - 1; j >= 0; j-- { // those before j follow from it
			if !c.g.events[i].SC || !c.g.events[j].SC || !c.g.morally(i, j) || base.has(i, j) || base.has(j, i) {
				continue
			}
			one := base.clone()
			one.addClosed(c.n, j, i)
			if c.fences(one) {
				return true
			}
			if c.g.Exceeded() || !c.coherent(base) {
				return false
			}
			base.addClosed(c.n, i, j)
			return c.fences(base)
		}
	}
	return c.coherent(base)
}

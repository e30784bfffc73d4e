// The numbers of access classes, and the size of what is kept of accesses.

package accesses

// Classes holds the access classes of a launch by number. Number 0 is none.
type Classes struct {
	List    []Class
	numbers map[Class]uint32
}

// NewClasses returns no classes.
func NewClasses() Classes {
	return Classes{List: make([]Class, 1), numbers: make(map[Class]uint32)}
}

// At returns the class with a number.
func (c *Classes) At(number uint32) *Class { return &c.List[number] }

// NumberOf returns the number of a class, and adds the class if it is new.
func (c *Classes) NumberOf(x Class) uint32 {
	i, ok := c.numbers[x]
	if !ok {
		i = uint32(len(c.List))
		c.List, c.numbers[x] = append(c.List, x), i
	}
	return i
}

// Bytes is the size in bytes of the record of accesses.
type Bytes uint64

// Add adds to the size.
func (b *Bytes) Add(n uintptr) { *b += Bytes(n) }

// Sub subtracts what is not kept any more.
func (b *Bytes) Sub(n uintptr) { *b -= min(*b, Bytes(n)) }

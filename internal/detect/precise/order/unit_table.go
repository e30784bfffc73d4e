// Tables with a value for each of some units.

package order

// UnitTable holds a value for each of some units.
type UnitTable[T any] struct {
	blocks []*[Radix]*T // by the upper bits of the unit, then by the lower ones
}

// Of returns the value of a unit, nil if it has none.
func (x *UnitTable[T]) Of(u Unit) *T {
	if b := u >> RadixBits; int(b) < len(x.blocks) && x.blocks[b] != nil {
		return x.blocks[b][u%Radix]
	}
	return nil
}

// Set sets the value of a unit.
func (x *UnitTable[T]) Set(u Unit, value *T) {
	b := int(u >> RadixBits)
	if b >= len(x.blocks) {
		x.blocks = append(x.blocks, make([]*[Radix]*T, b+1-len(x.blocks))...)
	}
	if x.blocks[b] == nil {
		x.blocks[b] = new([Radix]*T)
	}
	x.blocks[b][u%Radix] = value
}

// DropBlock drops the values of the units of a block.
func (x *UnitTable[T]) DropBlock(number uint32) {
	if int(number) < len(x.blocks) {
		x.blocks[number] = nil
	}
}

// All calls yield for all values until it returns false.
func (x *UnitTable[T]) All(yield func(*T) bool) {
	for _, b := range x.blocks {
		if b == nil {
			continue
		}
		for _, value := range b {
			if value != nil && !yield(value) {
				return
			}
		}
	}
}

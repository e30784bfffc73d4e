package rewrite

import "sync"

// lazy is an analysis of a function, made on first use. Several goroutines may ask
// for it: emulated devices that share a module do.
type lazy[T any] struct {
	once sync.Once
	made T
}

func (l *lazy[T]) get(build func() T) T {
	l.once.Do(func() { l.made = build() })
	return l.made
}

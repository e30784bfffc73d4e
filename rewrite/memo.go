// Cached results of analyses of functions and modules.

package rewrite

import "sync"

// memos caches results by key. Emulated devices that share a module call it concurrently; a result may need other
// results of the same function.
type memos struct{ entries sync.Map }

// memoEntry is a result, computed once.
type memoEntry struct {
	once  sync.Once
	value any
}

// Memo returns what compute returned for key. It calls compute once, however many goroutines call Memo. Analyses of
// other packages use it with keys of their own types; they must not change results, nor depend on anything but the
// module and the key.
func (m *memos) Memo(key any, compute func() any) any {
	e, ok := m.entries.Load(key)
	if !ok {
		e, _ = m.entries.LoadOrStore(key, new(memoEntry))
	}
	entry := e.(*memoEntry)
	entry.once.Do(func() { entry.value = compute() })
	return entry.value
}

// memo is Memo for results of one type.
func memo[T any](f *Func, key any, compute func() T) T {
	return f.Memo(key, func() any { return compute() }).(T)
}

// Keys of the analyses of this package.
type (
	cfgKey            struct{}
	livenessKey       struct{}
	ssaKey            struct{}
	defUseKey         struct{}
	writersKey        struct{}
	uniformityKey     struct{ raceFree bool }
	reconvergencesKey struct{}
	ordersGridsKey    struct{}
)

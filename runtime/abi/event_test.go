package abi_test

import (
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestBrief tests that an event made from the result of Brief has all fields of the original except values per lane,
// and that Brief returns nil for events with values per lane.
func TestBrief(t *testing.T) {
	for kind := abi.EventNone; kind <= abi.EventTensorAfter; kind++ {
		var ev, got abi.Event
		fill(reflect.ValueOf(&ev).Elem())
		ev.Kind = kind
		b := ev.Brief()
		if withLanes[kind] != (b == nil) {
			t.Errorf("kind %d: it has something for each lane: %t", kind, b == nil)
		}
		if b == nil {
			continue
		}
		got.SetBrief(b)
		ev.Addr, ev.New, ev.Old, ev.Pending, ev.Ages = got.Addr, got.New, got.Old, got.Pending, nil
		if got != ev || got.Addr != [abi.WarpLanes]uint64{} {
			t.Errorf("kind %d: %+v", kind, got)
		}
	}
}

// withLanes are kinds of events that use Addr or Pending.
var withLanes = map[abi.EventKind]bool{
	abi.EventKernelBegin: true, abi.EventAccess: true, abi.EventMbarrierInit: true, abi.EventMbarrierInval: true,
	abi.EventMbarrierArrive: true, abi.EventMbarrierExpect: true, abi.EventMbarrierComplete: true, abi.EventMbarrierCopyArrive: true,
	abi.EventMbarrierPass: true, abi.EventAsyncCommit: true, abi.EventAsyncWait: true, abi.EventAsyncDone: true, abi.EventAlloc: true,
	abi.EventFree: true, abi.EventTensorAlloc: true, abi.EventLaunch: true,
}

// fill sets every field to something other than zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	default:
		v.SetUint(77)
	}
}

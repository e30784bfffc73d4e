// Package compare compares an access with the record of earlier ones: it finds those that are neither ordered before it
// nor morally strong with it, reports them as races, and enters the access. It must know neither batches of accesses
// nor what an access synchronises.
package compare

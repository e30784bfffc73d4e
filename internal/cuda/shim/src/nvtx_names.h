// This library has no functions by name only.

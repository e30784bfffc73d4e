"""CUTLASS's DSL for Python: a reversal of blocks through shared memory."""
import ctypes

import cutlass
import cutlass.cute as cute

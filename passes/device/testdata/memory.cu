// Memory: vector types, loads and stores with cache operators, address spaces, atomics, the heap.
#include "results.h"

// Sizes and alignments of the four types of a name, and the members of what makes them.
#define VECTORS(name)                                                                                \
  KERNEL(vectors_##name, int)                                                                        \
    name##1 a = make_##name##1(in[0]);                                                               \
    name##2 b = make_##name##2(in[0], in[1]);                                                        \
    name##3 c = make_##name##3(in[0], in[1], in[2]);                                                 \
    name##4 d = make_##name##4(in[0], in[1], in[2], 4);                                              \
    PUT(sizeof a), PUT(alignof(name##1)), PUT(sizeof b), PUT(alignof(name##2));                      \
    PUT(sizeof c), PUT(alignof(name##3)), PUT(sizeof d), PUT(alignof(name##4));                      \
    PUT((int)a.x), PUT((int)b.x), PUT((int)b.y), PUT((int)c.x), PUT((int)c.y), PUT((int)c.z);        \
    PUT((int)d.x), PUT((int)d.y), PUT((int)d.z), PUT((int)d.w);                                      \
  }

VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(longlong)
VECTORS(ulonglong)
VECTORS(float)
VECTORS(double)

// What each load returns, and what each store leaves.
#define COPIES(name, type)                                                                           \
  extern "C" __global__ void copies_##name(const type *in, type *out) {                              \
    out[0] = __ldg(in);                                                                              \
    out[1] = __ldca(in);                                                                             \
    out[2] = __ldcg(in);                                                                             \
    out[3] = __ldcs(in);                                                                             \
    out[4] = __ldlu(in);                                                                             \
    out[5] = __ldcv(in);                                                                             \
    __stwb(&out[6], *in);                                                                            \
    __stcg(&out[7], *in);                                                                            \
    __stcs(&out[8], *in);                                                                            \
    __stwt(&out[9], *in);                                                                            \
  }

COPIES(char, char)
COPIES(schar, signed char)
COPIES(uchar, unsigned char)
COPIES(short, short)
COPIES(ushort, unsigned short)
COPIES(int, int)
COPIES(uint, unsigned)
COPIES(long, long)
COPIES(ulong, unsigned long)
COPIES(longlong, long long)
COPIES(ulonglong, unsigned long long)
COPIES(float, float)
COPIES(double, double)
COPIES(char2, char2)
COPIES(uchar2, uchar2)
COPIES(short2, short2)
COPIES(ushort2, ushort2)
COPIES(int2, int2)
COPIES(uint2, uint2)
COPIES(longlong2, longlong2)
COPIES(ulonglong2, ulonglong2)
COPIES(float2, float2)
COPIES(double2, double2)
COPIES(char4, char4)
COPIES(uchar4, uchar4)
COPIES(short4, short4)
COPIES(ushort4, ushort4)
COPIES(int4, int4)
COPIES(uint4, uint4)
COPIES(float4, float4)

// An atomic operation on in[0]: the old value, then the new one.
#define ATOMIC(...) (*p = in[0], PUT(__VA_ARGS__), PUT(*p))
#define ATOMICS(type, scope, ...)                                                                    \
  extern "C" __global__ void atomic_##type##scope(const __VA_ARGS__ *in, ull *out, __VA_ARGS__ *p) { \
    in += 3 * threadIdx.x, out += threadIdx.x, p += threadIdx.x;                                     \
    __VA_ARGS__ v = in[1];

ATOMICS(int, , int)
  ATOMIC(atomicAdd(p, v));
  ATOMIC(atomicSub(p, v));
  ATOMIC(atomicExch(p, v));
  ATOMIC(atomicMin(p, v));
  ATOMIC(atomicMax(p, v));
  ATOMIC(atomicAnd(p, v));
  ATOMIC(atomicOr(p, v));
  ATOMIC(atomicXor(p, v));
  ATOMIC(atomicCAS(p, in[2], v));
}
ATOMICS(int, _block, int)
  ATOMIC(atomicAdd_block(p, v));
  ATOMIC(atomicSub_block(p, v));
  ATOMIC(atomicExch_block(p, v));
  ATOMIC(atomicMin_block(p, v));
  ATOMIC(atomicMax_block(p, v));
  ATOMIC(atomicAnd_block(p, v));
  ATOMIC(atomicOr_block(p, v));
  ATOMIC(atomicXor_block(p, v));
  ATOMIC(atomicCAS_block(p, in[2], v));
}
ATOMICS(int, _system, int)
  ATOMIC(atomicAdd_system(p, v));
  ATOMIC(atomicSub_system(p, v));
  ATOMIC(atomicExch_system(p, v));
  ATOMIC(atomicMin_system(p, v));
  ATOMIC(atomicMax_system(p, v));
  ATOMIC(atomicAnd_system(p, v));
  ATOMIC(atomicOr_system(p, v));
  ATOMIC(atomicXor_system(p, v));
  ATOMIC(atomicCAS_system(p, in[2], v));
}
ATOMICS(unsigned, , unsigned)
  ATOMIC(atomicAdd(p, v));
  ATOMIC(atomicSub(p, v));
  ATOMIC(atomicExch(p, v));
  ATOMIC(atomicMin(p, v));
  ATOMIC(atomicMax(p, v));
  ATOMIC(atomicAnd(p, v));
  ATOMIC(atomicOr(p, v));
  ATOMIC(atomicXor(p, v));
  ATOMIC(atomicCAS(p, in[2], v));
  ATOMIC(atomicInc(p, v));
  ATOMIC(atomicDec(p, v));
}
ATOMICS(unsigned, _block, unsigned)
  ATOMIC(atomicAdd_block(p, v));
  ATOMIC(atomicSub_block(p, v));
  ATOMIC(atomicExch_block(p, v));
  ATOMIC(atomicMin_block(p, v));
  ATOMIC(atomicMax_block(p, v));
  ATOMIC(atomicAnd_block(p, v));
  ATOMIC(atomicOr_block(p, v));
  ATOMIC(atomicXor_block(p, v));
  ATOMIC(atomicCAS_block(p, in[2], v));
  ATOMIC(atomicInc_block(p, v));
  ATOMIC(atomicDec_block(p, v));
}
ATOMICS(unsigned, _system, unsigned)
  ATOMIC(atomicAdd_system(p, v));
  ATOMIC(atomicSub_system(p, v));
  ATOMIC(atomicExch_system(p, v));
  ATOMIC(atomicMin_system(p, v));
  ATOMIC(atomicMax_system(p, v));
  ATOMIC(atomicAnd_system(p, v));
  ATOMIC(atomicOr_system(p, v));
  ATOMIC(atomicXor_system(p, v));
  ATOMIC(atomicCAS_system(p, in[2], v));
  ATOMIC(atomicInc_system(p, v));
  ATOMIC(atomicDec_system(p, v));
}
ATOMICS(ull, , ull)
  ATOMIC(atomicAdd(p, v));
  ATOMIC(atomicExch(p, v));
  ATOMIC(atomicMin(p, v));
  ATOMIC(atomicMax(p, v));
  ATOMIC(atomicAnd(p, v));
  ATOMIC(atomicOr(p, v));
  ATOMIC(atomicXor(p, v));
  ATOMIC(atomicCAS(p, in[2], v));
}
ATOMICS(ull, _block, ull)
  ATOMIC(atomicAdd_block(p, v));
  ATOMIC(atomicExch_block(p, v));
  ATOMIC(atomicMin_block(p, v));
  ATOMIC(atomicMax_block(p, v));
  ATOMIC(atomicAnd_block(p, v));
  ATOMIC(atomicOr_block(p, v));
  ATOMIC(atomicXor_block(p, v));
  ATOMIC(atomicCAS_block(p, in[2], v));
}
ATOMICS(ull, _system, ull)
  ATOMIC(atomicAdd_system(p, v));
  ATOMIC(atomicExch_system(p, v));
  ATOMIC(atomicMin_system(p, v));
  ATOMIC(atomicMax_system(p, v));
  ATOMIC(atomicAnd_system(p, v));
  ATOMIC(atomicOr_system(p, v));
  ATOMIC(atomicXor_system(p, v));
  ATOMIC(atomicCAS_system(p, in[2], v));
}
ATOMICS(longlong, , long long)
  ATOMIC(atomicMin(p, v));
  ATOMIC(atomicMax(p, v));
  ATOMIC(atomicAnd(p, v));
  ATOMIC(atomicOr(p, v));
  ATOMIC(atomicXor(p, v));
}
ATOMICS(longlong, _block, long long)
  ATOMIC(atomicMin_block(p, v));
  ATOMIC(atomicMax_block(p, v));
  ATOMIC(atomicAnd_block(p, v));
  ATOMIC(atomicOr_block(p, v));
  ATOMIC(atomicXor_block(p, v));
}
ATOMICS(longlong, _system, long long)
  ATOMIC(atomicMin_system(p, v));
  ATOMIC(atomicMax_system(p, v));
  ATOMIC(atomicAnd_system(p, v));
  ATOMIC(atomicOr_system(p, v));
  ATOMIC(atomicXor_system(p, v));
}
ATOMICS(float, , float)
  ATOMIC(atomicAdd(p, v));
  ATOMIC(atomicExch(p, v));
}
ATOMICS(float, _block, float)
  ATOMIC(atomicAdd_block(p, v));
  ATOMIC(atomicExch_block(p, v));
}
ATOMICS(float, _system, float)
  ATOMIC(atomicAdd_system(p, v));
  ATOMIC(atomicExch_system(p, v));
}
ATOMICS(double, , double)
  ATOMIC(atomicAdd(p, v));
}
ATOMICS(double, _block, double)
  ATOMIC(atomicAdd_block(p, v));
}
ATOMICS(double, _system, double)
  ATOMIC(atomicAdd_system(p, v));
}
ATOMICS(ushort, , unsigned short)
  ATOMIC(atomicCAS(p, in[2], v));
}

__constant__ int fixed[2] = {5, 6};

KERNEL(spaces, int)
  __shared__ int tile[2];
  int local[2] = {in[0], in[1]};
  int *volatile far = local;  // keeps the array in memory
  ull global = __cvta_generic_to_global(in), shared = __cvta_generic_to_shared(tile);
  ull constant = __cvta_generic_to_constant(fixed), stack = __cvta_generic_to_local(far);
  unsigned second;
  tile[1] = in[1];
  asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(second) : "l"(shared) : "memory");
  PUT(__isGlobal(in));
  PUT(__isShared(in));
  PUT(__isLocal(in));
  PUT(__isConstant(in));
  PUT(__isGlobal(tile));
  PUT(__isShared(tile));
  PUT(__isLocal(tile));
  PUT(__isConstant(tile));
  PUT(__isGlobal(far));
  PUT(__isShared(far));
  PUT(__isLocal(far));
  PUT(__isConstant(far));
  PUT(__isGlobal(fixed));
  PUT(__isShared(fixed));
  PUT(__isLocal(fixed));
  PUT(__isConstant(fixed));
  PUT(__cvta_global_to_generic(global) == in);
  PUT(__cvta_shared_to_generic(shared) == tile);
  PUT(__cvta_constant_to_generic(constant) == fixed);
  PUT(__cvta_local_to_generic(stack) == far);
  PUT(second);
}

KERNEL(heap, int)
  int *p = (int *)malloc(16), *q = (int *)malloc(16);
  memset(p, in[0], 16);
  memcpy(q, p, 12);
  memcpy(q + 3, in + 1, 4);
  PUT(q[0]);
  PUT(q[2]);
  PUT(q[3]);
  free(p);
  free(q);
}

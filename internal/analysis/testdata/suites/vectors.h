// Operators and functions of CUDA's short vectors, which programs take from the headers of CUDA's samples.
#pragma once

#define VECTOR2(op, a, b) a.x op b.x, a.y op b.y
#define VECTOR3(op, a, b) VECTOR2(op, a, b), a.z op b.z
#define VECTOR4(op, a, b) VECTOR3(op, a, b), a.w op b.w
#define SCALAR2(op, a, s) a.x op s, a.y op s
#define SCALAR3(op, a, s) SCALAR2(op, a, s), a.z op s
#define SCALAR4(op, a, s) SCALAR3(op, a, s), a.w op s

#define OPERATOR(n, T, s, op) \
	static inline __host__ __device__ T##n operator op(T##n a, T##n b) { return make_##T##n(VECTOR##n(op, a, b)); } \
	static inline __host__ __device__ T##n operator op(T##n a, s b) { return make_##T##n(SCALAR##n(op, a, b)); } \
	static inline __host__ __device__ void operator op##=(T##n &a, T##n b) { a = a op b; } \
	static inline __host__ __device__ void operator op##=(T##n &a, s b) { a = a op b; }
#define OPERATORS(n, T, s) OPERATOR(n, T, s, +) OPERATOR(n, T, s, -) OPERATOR(n, T, s, *) OPERATOR(n, T, s, /) \
	static inline __host__ __device__ T##n operator*(s b, T##n a) { return a * b; }

OPERATORS(2, float, float)
OPERATORS(3, float, float)
OPERATORS(4, float, float)
OPERATORS(2, int, int)
OPERATORS(3, int, int)
OPERATORS(4, int, int)
OPERATORS(2, uint, unsigned)
OPERATORS(3, uint, unsigned)
OPERATORS(4, uint, unsigned)

static inline __host__ __device__ float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
static inline __host__ __device__ float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
static inline __host__ __device__ float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
static inline __host__ __device__ float2 make_float2(float s) { return make_float2(s, s); }
static inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
static inline __host__ __device__ float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
static inline __host__ __device__ float3 make_float3(float2 a, float z) { return make_float3(a.x, a.y, z); }
static inline __host__ __device__ float4 make_float4(float s) { return make_float4(s, s, s, s); }
static inline __host__ __device__ float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0); }
static inline __host__ __device__ float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
static inline __host__ __device__ float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
static inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline __host__ __device__ float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline __host__ __device__ float length(float2 a) { return sqrtf(dot(a, a)); }
static inline __host__ __device__ float length(float3 a) { return sqrtf(dot(a, a)); }
static inline __host__ __device__ float length(float4 a) { return sqrtf(dot(a, a)); }
static inline __host__ __device__ float2 normalize(float2 a) { return a / length(a); }
static inline __host__ __device__ float3 normalize(float3 a) { return a / length(a); }
static inline __host__ __device__ float4 normalize(float4 a) { return a / length(a); }
static inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
static inline __host__ __device__ float3 lerp(float3 a, float3 b, float t) { return a + (b - a) * t; }
static inline __host__ __device__ float4 lerp(float4 a, float4 b, float t) { return a + (b - a) * t; }
static inline __host__ __device__ float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
static inline __host__ __device__ int clamp(int v, int a, int b) { return v < a ? a : v > b ? b : v; }

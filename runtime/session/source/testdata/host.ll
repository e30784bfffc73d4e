; ModuleID = 'host.cu'
source_filename = "host.cu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIiEiPPT_m = comdat any

$_Z10cudaMallocIfEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

; Function Attrs: mustprogress noinline norecurse optnone uwtable
define dso_local void @_Z20__device_stub__wholePiPKffi(ptr noundef %p, ptr noundef %q, float noundef %x, i32 noundef %n) #0 !dbg !11 {
entry:
  %p.addr = alloca ptr, align 8
  %q.addr = alloca ptr, align 8
  %x.addr = alloca float, align 4
  %n.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %p, ptr %p.addr, align 8
  store ptr %q, ptr %q.addr, align 8
  store float %x, ptr %x.addr, align 4
  store i32 %n, ptr %n.addr, align 4
  %kernel_args = alloca ptr, i64 4, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %p.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %q.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %x.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !14
  store ptr %n.addr, ptr %3, align 8, !dbg !14
  %4 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %5 = load i64, ptr %shmem_size, align 8, !dbg !14
  %6 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %8 = load i64, ptr %7, align 8, !dbg !14
  %9 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %10 = load i32, ptr %9, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %12 = load i64, ptr %11, align 8, !dbg !14
  %13 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %14 = load i32, ptr %13, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__wholePiPKffi, i64 %8, i32 %10, i64 %12, i32 %14, ptr noundef %kernel_args, i64 noundef %5, ptr noundef %6), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #1

; Function Attrs: mustprogress noinline norecurse optnone uwtable
define dso_local void @_Z21__device_stub__partlyPii(ptr noundef %p, i32 noundef %n) #0 !dbg !16 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %p.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %n.addr, ptr %1, align 8, !dbg !17
  %2 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !17
  %3 = load i64, ptr %shmem_size, align 8, !dbg !17
  %4 = load ptr, ptr %stream, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !17
  %5 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !17
  %6 = load i64, ptr %5, align 8, !dbg !17
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !17
  %8 = load i32, ptr %7, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !17
  %9 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !17
  %10 = load i64, ptr %9, align 8, !dbg !17
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !17
  %12 = load i32, ptr %11, align 8, !dbg !17
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z21__device_stub__partlyPii, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

; Function Attrs: mustprogress noinline norecurse optnone uwtable
define dso_local void @_Z20__device_stub__oftenPii(ptr noundef %p, i32 noundef %n) #0 !dbg !19 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !20
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !20
  store ptr %p.addr, ptr %0, align 8, !dbg !20
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !20
  store ptr %n.addr, ptr %1, align 8, !dbg !20
  %2 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !20
  %3 = load i64, ptr %shmem_size, align 8, !dbg !20
  %4 = load ptr, ptr %stream, align 8, !dbg !20
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !20
  %5 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !20
  %6 = load i64, ptr %5, align 8, !dbg !20
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !20
  %8 = load i32, ptr %7, align 8, !dbg !20
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !20
  %9 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !20
  %10 = load i64, ptr %9, align 8, !dbg !20
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !20
  %12 = load i32, ptr %11, align 8, !dbg !20
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__oftenPii, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !20
  br label %setup.end, !dbg !20

setup.end:                                        ; preds = %entry
  ret void, !dbg !21
}

; Function Attrs: mustprogress noinline norecurse optnone uwtable
define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) #2 !dbg !22 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %n = alloca i32, align 4
  %p = alloca ptr, align 8
  %q = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp6 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp6.coerce = alloca { i64, i32 }, align 4
  %agg.tmp8 = alloca %struct.dim3, align 4
  %agg.tmp11 = alloca %struct.dim3, align 4
  %agg.tmp8.coerce = alloca { i64, i32 }, align 4
  %agg.tmp11.coerce = alloca { i64, i32 }, align 4
  %i = alloca i32, align 4
  %agg.tmp18 = alloca %struct.dim3, align 4
  %agg.tmp19 = alloca %struct.dim3, align 4
  %agg.tmp18.coerce = alloca { i64, i32 }, align 4
  %agg.tmp19.coerce = alloca { i64, i32 }, align 4
  %agg.tmp25 = alloca %struct.dim3, align 4
  %agg.tmp26 = alloca %struct.dim3, align 4
  %agg.tmp25.coerce = alloca { i64, i32 }, align 4
  %agg.tmp26.coerce = alloca { i64, i32 }, align 4
  %agg.tmp31 = alloca %struct.dim3, align 4
  %agg.tmp32 = alloca %struct.dim3, align 4
  %agg.tmp31.coerce = alloca { i64, i32 }, align 4
  %agg.tmp32.coerce = alloca { i64, i32 }, align 4
  %agg.tmp37 = alloca %struct.dim3, align 4
  %agg.tmp38 = alloca %struct.dim3, align 4
  %agg.tmp37.coerce = alloca { i64, i32 }, align 4
  %agg.tmp38.coerce = alloca { i64, i32 }, align 4
  %agg.tmp43 = alloca %struct.dim3, align 4
  %agg.tmp44 = alloca %struct.dim3, align 4
  %agg.tmp43.coerce = alloca { i64, i32 }, align 4
  %agg.tmp44.coerce = alloca { i64, i32 }, align 4
  %agg.tmp49 = alloca %struct.dim3, align 4
  %agg.tmp50 = alloca %struct.dim3, align 4
  %agg.tmp49.coerce = alloca { i64, i32 }, align 4
  %agg.tmp50.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load i32, ptr %argc.addr, align 4, !dbg !23
  %cmp = icmp sgt i32 %0, 1, !dbg !24
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !23

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr %argv.addr, align 8, !dbg !25
  %arrayidx = getelementptr inbounds ptr, ptr %1, i64 1, !dbg !25
  %2 = load ptr, ptr %arrayidx, align 8, !dbg !25
  %call = call noundef i32 @_Z4atoiPKc(ptr noundef %2), !dbg !26
  br label %cond.end, !dbg !23

cond.false:                                       ; preds = %entry
  br label %cond.end, !dbg !23

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %call, %cond.true ], [ 1000, %cond.false ], !dbg !23
  store i32 %cond, ptr %n, align 4, !dbg !27
  %3 = load i32, ptr %n, align 4, !dbg !28
  %conv = sext i32 %3 to i64, !dbg !28
  %mul = mul i64 %conv, 4, !dbg !29
  %call1 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %mul), !dbg !30
  %call2 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %q, i64 noundef 64), !dbg !31
  %4 = load ptr, ptr %p, align 8, !dbg !32
  %5 = load i32, ptr %n, align 4, !dbg !33
  %conv3 = sext i32 %5 to i64, !dbg !33
  %mul4 = mul i64 %conv3, 4, !dbg !34
  %call5 = call i32 @cudaMemset(ptr noundef %4, i32 noundef 0, i64 noundef %mul4), !dbg !35
  %6 = load i32, ptr %n, align 4, !dbg !36
  %add = add nsw i32 %6, 127, !dbg !37
  %div = sdiv i32 %add, 128, !dbg !38
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %div, i32 noundef 1, i32 noundef 1), !dbg !39
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp6, i32 noundef 128, i32 noundef 1, i32 noundef 1), !dbg !40
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !41
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !41
  %8 = load i64, ptr %7, align 4, !dbg !41
  %9 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !41
  %10 = load i32, ptr %9, align 4, !dbg !41
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp6.coerce, ptr align 4 %agg.tmp6, i64 12, i1 false), !dbg !41
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 0, !dbg !41
  %12 = load i64, ptr %11, align 4, !dbg !41
  %13 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 1, !dbg !41
  %14 = load i32, ptr %13, align 4, !dbg !41
  %call7 = call i32 @__cudaPushCallConfiguration(i64 %8, i32 %10, i64 %12, i32 %14, i64 noundef 256, ptr noundef null), !dbg !41
  %tobool = icmp ne i32 %call7, 0, !dbg !41
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !42

kcall.configok:                                   ; preds = %cond.end
  %15 = load ptr, ptr %p, align 8, !dbg !43
  %16 = load ptr, ptr %q, align 8, !dbg !44
  %add.ptr = getelementptr inbounds float, ptr %16, i64 2, !dbg !45
  %17 = load i32, ptr %n, align 4, !dbg !46
  call void @_Z20__device_stub__wholePiPKffi(ptr noundef %15, ptr noundef %add.ptr, float noundef 5.000000e-01, i32 noundef %17) #6, !dbg !42
  br label %kcall.end, !dbg !42

kcall.end:                                        ; preds = %kcall.configok, %cond.end
  %18 = load i32, ptr %n, align 4, !dbg !47
  %add9 = add nsw i32 %18, 127, !dbg !48
  %div10 = sdiv i32 %add9, 128, !dbg !49
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp8, i32 noundef %div10, i32 noundef 1, i32 noundef 1), !dbg !50
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp11, i32 noundef 128, i32 noundef 1, i32 noundef 1), !dbg !51
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp8.coerce, ptr align 4 %agg.tmp8, i64 12, i1 false), !dbg !52
  %19 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp8.coerce, i32 0, i32 0, !dbg !52
  %20 = load i64, ptr %19, align 4, !dbg !52
  %21 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp8.coerce, i32 0, i32 1, !dbg !52
  %22 = load i32, ptr %21, align 4, !dbg !52
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp11.coerce, ptr align 4 %agg.tmp11, i64 12, i1 false), !dbg !52
  %23 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 0, !dbg !52
  %24 = load i64, ptr %23, align 4, !dbg !52
  %25 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 1, !dbg !52
  %26 = load i32, ptr %25, align 4, !dbg !52
  %call12 = call i32 @__cudaPushCallConfiguration(i64 %20, i32 %22, i64 %24, i32 %26, i64 noundef 256, ptr noundef null), !dbg !52
  %tobool13 = icmp ne i32 %call12, 0, !dbg !52
  br i1 %tobool13, label %kcall.end16, label %kcall.configok14, !dbg !53

kcall.configok14:                                 ; preds = %kcall.end
  %27 = load ptr, ptr %p, align 8, !dbg !54
  %28 = load ptr, ptr %q, align 8, !dbg !55
  %add.ptr15 = getelementptr inbounds float, ptr %28, i64 2, !dbg !56
  %29 = load i32, ptr %n, align 4, !dbg !57
  call void @_Z20__device_stub__wholePiPKffi(ptr noundef %27, ptr noundef %add.ptr15, float noundef 5.000000e-01, i32 noundef %29) #6, !dbg !53
  br label %kcall.end16, !dbg !53

kcall.end16:                                      ; preds = %kcall.configok14, %kcall.end
  store i32 1, ptr %i, align 4, !dbg !58
  br label %for.cond, !dbg !59

for.cond:                                         ; preds = %for.inc, %kcall.end16
  %30 = load i32, ptr %i, align 4, !dbg !60
  %31 = load i32, ptr %n, align 4, !dbg !61
  %cmp17 = icmp slt i32 %30, %31, !dbg !62
  br i1 %cmp17, label %for.body, label %for.end, !dbg !63

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp18, i32 noundef 3, i32 noundef 1, i32 noundef 1), !dbg !64
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp19, i32 noundef 8, i32 noundef 8, i32 noundef 1), !dbg !65
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp18.coerce, ptr align 4 %agg.tmp18, i64 12, i1 false), !dbg !66
  %32 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 0, !dbg !66
  %33 = load i64, ptr %32, align 4, !dbg !66
  %34 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 1, !dbg !66
  %35 = load i32, ptr %34, align 4, !dbg !66
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp19.coerce, ptr align 4 %agg.tmp19, i64 12, i1 false), !dbg !66
  %36 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 0, !dbg !66
  %37 = load i64, ptr %36, align 4, !dbg !66
  %38 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 1, !dbg !66
  %39 = load i32, ptr %38, align 4, !dbg !66
  %call20 = call i32 @__cudaPushCallConfiguration(i64 %33, i32 %35, i64 %37, i32 %39, i64 noundef 0, ptr noundef null), !dbg !66
  %tobool21 = icmp ne i32 %call20, 0, !dbg !66
  br i1 %tobool21, label %kcall.end23, label %kcall.configok22, !dbg !67

kcall.configok22:                                 ; preds = %for.body
  %40 = load ptr, ptr %p, align 8, !dbg !68
  %41 = load i32, ptr %i, align 4, !dbg !69
  call void @_Z21__device_stub__partlyPii(ptr noundef %40, i32 noundef %41) #6, !dbg !67
  br label %kcall.end23, !dbg !67

kcall.end23:                                      ; preds = %kcall.configok22, %for.body
  br label %for.inc, !dbg !67

for.inc:                                          ; preds = %kcall.end23
  %42 = load i32, ptr %i, align 4, !dbg !70
  %mul24 = mul nsw i32 %42, 3, !dbg !70
  store i32 %mul24, ptr %i, align 4, !dbg !70
  br label %for.cond, !dbg !63, !llvm.loop !71

for.end:                                          ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp25, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !74
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp26, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !75
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp25.coerce, ptr align 4 %agg.tmp25, i64 12, i1 false), !dbg !76
  %43 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp25.coerce, i32 0, i32 0, !dbg !76
  %44 = load i64, ptr %43, align 4, !dbg !76
  %45 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp25.coerce, i32 0, i32 1, !dbg !76
  %46 = load i32, ptr %45, align 4, !dbg !76
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp26.coerce, ptr align 4 %agg.tmp26, i64 12, i1 false), !dbg !76
  %47 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp26.coerce, i32 0, i32 0, !dbg !76
  %48 = load i64, ptr %47, align 4, !dbg !76
  %49 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp26.coerce, i32 0, i32 1, !dbg !76
  %50 = load i32, ptr %49, align 4, !dbg !76
  %call27 = call i32 @__cudaPushCallConfiguration(i64 %44, i32 %46, i64 %48, i32 %50, i64 noundef 0, ptr noundef null), !dbg !76
  %tobool28 = icmp ne i32 %call27, 0, !dbg !76
  br i1 %tobool28, label %kcall.end30, label %kcall.configok29, !dbg !77

kcall.configok29:                                 ; preds = %for.end
  %51 = load ptr, ptr %p, align 8, !dbg !78
  call void @_Z20__device_stub__oftenPii(ptr noundef %51, i32 noundef 1) #6, !dbg !77
  br label %kcall.end30, !dbg !77

kcall.end30:                                      ; preds = %kcall.configok29, %for.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp31, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !79
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp32, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !80
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp31.coerce, ptr align 4 %agg.tmp31, i64 12, i1 false), !dbg !81
  %52 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp31.coerce, i32 0, i32 0, !dbg !81
  %53 = load i64, ptr %52, align 4, !dbg !81
  %54 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp31.coerce, i32 0, i32 1, !dbg !81
  %55 = load i32, ptr %54, align 4, !dbg !81
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp32.coerce, ptr align 4 %agg.tmp32, i64 12, i1 false), !dbg !81
  %56 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp32.coerce, i32 0, i32 0, !dbg !81
  %57 = load i64, ptr %56, align 4, !dbg !81
  %58 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp32.coerce, i32 0, i32 1, !dbg !81
  %59 = load i32, ptr %58, align 4, !dbg !81
  %call33 = call i32 @__cudaPushCallConfiguration(i64 %53, i32 %55, i64 %57, i32 %59, i64 noundef 0, ptr noundef null), !dbg !81
  %tobool34 = icmp ne i32 %call33, 0, !dbg !81
  br i1 %tobool34, label %kcall.end36, label %kcall.configok35, !dbg !82

kcall.configok35:                                 ; preds = %kcall.end30
  %60 = load ptr, ptr %p, align 8, !dbg !83
  call void @_Z20__device_stub__oftenPii(ptr noundef %60, i32 noundef 2) #6, !dbg !82
  br label %kcall.end36, !dbg !82

kcall.end36:                                      ; preds = %kcall.configok35, %kcall.end30
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp37, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !84
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp38, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !85
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp37.coerce, ptr align 4 %agg.tmp37, i64 12, i1 false), !dbg !86
  %61 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp37.coerce, i32 0, i32 0, !dbg !86
  %62 = load i64, ptr %61, align 4, !dbg !86
  %63 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp37.coerce, i32 0, i32 1, !dbg !86
  %64 = load i32, ptr %63, align 4, !dbg !86
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp38.coerce, ptr align 4 %agg.tmp38, i64 12, i1 false), !dbg !86
  %65 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp38.coerce, i32 0, i32 0, !dbg !86
  %66 = load i64, ptr %65, align 4, !dbg !86
  %67 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp38.coerce, i32 0, i32 1, !dbg !86
  %68 = load i32, ptr %67, align 4, !dbg !86
  %call39 = call i32 @__cudaPushCallConfiguration(i64 %62, i32 %64, i64 %66, i32 %68, i64 noundef 0, ptr noundef null), !dbg !86
  %tobool40 = icmp ne i32 %call39, 0, !dbg !86
  br i1 %tobool40, label %kcall.end42, label %kcall.configok41, !dbg !87

kcall.configok41:                                 ; preds = %kcall.end36
  %69 = load ptr, ptr %p, align 8, !dbg !88
  call void @_Z20__device_stub__oftenPii(ptr noundef %69, i32 noundef 3) #6, !dbg !87
  br label %kcall.end42, !dbg !87

kcall.end42:                                      ; preds = %kcall.configok41, %kcall.end36
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp43, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !89
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp44, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !90
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp43.coerce, ptr align 4 %agg.tmp43, i64 12, i1 false), !dbg !91
  %70 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp43.coerce, i32 0, i32 0, !dbg !91
  %71 = load i64, ptr %70, align 4, !dbg !91
  %72 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp43.coerce, i32 0, i32 1, !dbg !91
  %73 = load i32, ptr %72, align 4, !dbg !91
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp44.coerce, ptr align 4 %agg.tmp44, i64 12, i1 false), !dbg !91
  %74 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp44.coerce, i32 0, i32 0, !dbg !91
  %75 = load i64, ptr %74, align 4, !dbg !91
  %76 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp44.coerce, i32 0, i32 1, !dbg !91
  %77 = load i32, ptr %76, align 4, !dbg !91
  %call45 = call i32 @__cudaPushCallConfiguration(i64 %71, i32 %73, i64 %75, i32 %77, i64 noundef 0, ptr noundef null), !dbg !91
  %tobool46 = icmp ne i32 %call45, 0, !dbg !91
  br i1 %tobool46, label %kcall.end48, label %kcall.configok47, !dbg !92

kcall.configok47:                                 ; preds = %kcall.end42
  %78 = load ptr, ptr %p, align 8, !dbg !93
  call void @_Z20__device_stub__oftenPii(ptr noundef %78, i32 noundef 4) #6, !dbg !92
  br label %kcall.end48, !dbg !92

kcall.end48:                                      ; preds = %kcall.configok47, %kcall.end42
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp49, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !94
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp50, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !95
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp49.coerce, ptr align 4 %agg.tmp49, i64 12, i1 false), !dbg !96
  %79 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp49.coerce, i32 0, i32 0, !dbg !96
  %80 = load i64, ptr %79, align 4, !dbg !96
  %81 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp49.coerce, i32 0, i32 1, !dbg !96
  %82 = load i32, ptr %81, align 4, !dbg !96
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp50.coerce, ptr align 4 %agg.tmp50, i64 12, i1 false), !dbg !96
  %83 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp50.coerce, i32 0, i32 0, !dbg !96
  %84 = load i64, ptr %83, align 4, !dbg !96
  %85 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp50.coerce, i32 0, i32 1, !dbg !96
  %86 = load i32, ptr %85, align 4, !dbg !96
  %call51 = call i32 @__cudaPushCallConfiguration(i64 %80, i32 %82, i64 %84, i32 %86, i64 noundef 0, ptr noundef null), !dbg !96
  %tobool52 = icmp ne i32 %call51, 0, !dbg !96
  br i1 %tobool52, label %kcall.end54, label %kcall.configok53, !dbg !97

kcall.configok53:                                 ; preds = %kcall.end48
  %87 = load ptr, ptr %p, align 8, !dbg !98
  call void @_Z20__device_stub__oftenPii(ptr noundef %87, i32 noundef 5) #6, !dbg !97
  br label %kcall.end54, !dbg !97

kcall.end54:                                      ; preds = %kcall.configok53, %kcall.end48
  %88 = load i32, ptr %retval, align 4, !dbg !99
  ret i32 %88, !dbg !99
}

declare noundef i32 @_Z4atoiPKc(ptr noundef) #3

; Function Attrs: mustprogress noinline optnone uwtable
define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %size) #4 comdat !dbg !100 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !102
  %1 = load i64, ptr %size.addr, align 8, !dbg !103
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !104
  ret i32 %call, !dbg !105
}

; Function Attrs: mustprogress noinline optnone uwtable
define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %p, i64 noundef %size) #4 comdat !dbg !106 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !107
  %1 = load i64, ptr %size.addr, align 8, !dbg !108
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !109
  ret i32 %call, !dbg !110
}

declare i32 @cudaMemset(ptr noundef, i32 noundef, i64 noundef) #3

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef) #3

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr #5 comdat align 2 !dbg !111 {
entry:
  %this.addr = alloca ptr, align 8
  %x.addr = alloca i32, align 4
  %y.addr = alloca i32, align 4
  %z.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %x, ptr %x.addr, align 4
  store i32 %y, ptr %y.addr, align 4
  store i32 %z, ptr %z.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !113
  %0 = load i32, ptr %x.addr, align 4, !dbg !114
  store i32 %0, ptr %x2, align 4, !dbg !113
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !115
  %1 = load i32, ptr %y.addr, align 4, !dbg !116
  store i32 %1, ptr %y3, align 4, !dbg !115
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !117
  %2 = load i32, ptr %z.addr, align 4, !dbg !118
  store i32 %2, ptr %z4, align 4, !dbg !117
  ret void, !dbg !119
}

declare i32 @cudaMalloc(ptr noundef, i64 noundef) #3

attributes #0 = { mustprogress noinline norecurse optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress noinline norecurse optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress noinline optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0, !1, !2, !3, !4, !5, !6, !7}
!llvm.dbg.cu = !{!8}
!llvm.ident = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "host.cu", directory: "runtime/source/testdata", checksumkind: CSK_MD5, checksum: "5ea68c029ee27c5b314e79c3c2e1bd2e")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "whole", scope: !9, file: !9, line: 2, type: !12, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 2, column: 63, scope: !11)
!15 = !DILocation(line: 2, column: 64, scope: !11)
!16 = distinct !DISubprogram(name: "partly", scope: !9, file: !9, line: 3, type: !12, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 3, column: 39, scope: !16)
!18 = !DILocation(line: 3, column: 40, scope: !16)
!19 = distinct !DISubprogram(name: "often", scope: !9, file: !9, line: 4, type: !12, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 4, column: 38, scope: !19)
!21 = !DILocation(line: 4, column: 39, scope: !19)
!22 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 8, type: !12, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!23 = !DILocation(line: 9, column: 11, scope: !22)
!24 = !DILocation(line: 9, column: 16, scope: !22)
!25 = !DILocation(line: 9, column: 27, scope: !22)
!26 = !DILocation(line: 9, column: 22, scope: !22)
!27 = !DILocation(line: 9, column: 7, scope: !22)
!28 = !DILocation(line: 12, column: 18, scope: !22)
!29 = !DILocation(line: 12, column: 20, scope: !22)
!30 = !DILocation(line: 12, column: 3, scope: !22)
!31 = !DILocation(line: 13, column: 3, scope: !22)
!32 = !DILocation(line: 14, column: 14, scope: !22)
!33 = !DILocation(line: 14, column: 20, scope: !22)
!34 = !DILocation(line: 14, column: 22, scope: !22)
!35 = !DILocation(line: 14, column: 3, scope: !22)
!36 = !DILocation(line: 15, column: 12, scope: !22)
!37 = !DILocation(line: 15, column: 14, scope: !22)
!38 = !DILocation(line: 15, column: 21, scope: !22)
!39 = !DILocation(line: 15, column: 11, scope: !22)
!40 = !DILocation(line: 15, column: 28, scope: !22)
!41 = !DILocation(line: 15, column: 8, scope: !22)
!42 = !DILocation(line: 15, column: 3, scope: !22)
!43 = !DILocation(line: 15, column: 40, scope: !22)
!44 = !DILocation(line: 15, column: 43, scope: !22)
!45 = !DILocation(line: 15, column: 45, scope: !22)
!46 = !DILocation(line: 15, column: 56, scope: !22)
!47 = !DILocation(line: 16, column: 12, scope: !22)
!48 = !DILocation(line: 16, column: 14, scope: !22)
!49 = !DILocation(line: 16, column: 21, scope: !22)
!50 = !DILocation(line: 16, column: 11, scope: !22)
!51 = !DILocation(line: 16, column: 28, scope: !22)
!52 = !DILocation(line: 16, column: 8, scope: !22)
!53 = !DILocation(line: 16, column: 3, scope: !22)
!54 = !DILocation(line: 16, column: 40, scope: !22)
!55 = !DILocation(line: 16, column: 43, scope: !22)
!56 = !DILocation(line: 16, column: 45, scope: !22)
!57 = !DILocation(line: 16, column: 56, scope: !22)
!58 = !DILocation(line: 17, column: 12, scope: !22)
!59 = !DILocation(line: 17, column: 8, scope: !22)
!60 = !DILocation(line: 17, column: 19, scope: !22)
!61 = !DILocation(line: 17, column: 23, scope: !22)
!62 = !DILocation(line: 17, column: 21, scope: !22)
!63 = !DILocation(line: 17, column: 3, scope: !22)
!64 = !DILocation(line: 18, column: 14, scope: !22)
!65 = !DILocation(line: 18, column: 17, scope: !22)
!66 = !DILocation(line: 18, column: 11, scope: !22)
!67 = !DILocation(line: 18, column: 5, scope: !22)
!68 = !DILocation(line: 18, column: 31, scope: !22)
!69 = !DILocation(line: 18, column: 34, scope: !22)
!70 = !DILocation(line: 17, column: 28, scope: !22)
!71 = distinct !{!71, !63, !72, !73}
!72 = !DILocation(line: 18, column: 35, scope: !22)
!73 = !{!"llvm.loop.mustprogress"}
!74 = !DILocation(line: 19, column: 11, scope: !22)
!75 = !DILocation(line: 19, column: 14, scope: !22)
!76 = !DILocation(line: 19, column: 8, scope: !22)
!77 = !DILocation(line: 19, column: 3, scope: !22)
!78 = !DILocation(line: 19, column: 20, scope: !22)
!79 = !DILocation(line: 20, column: 11, scope: !22)
!80 = !DILocation(line: 20, column: 14, scope: !22)
!81 = !DILocation(line: 20, column: 8, scope: !22)
!82 = !DILocation(line: 20, column: 3, scope: !22)
!83 = !DILocation(line: 20, column: 20, scope: !22)
!84 = !DILocation(line: 21, column: 11, scope: !22)
!85 = !DILocation(line: 21, column: 14, scope: !22)
!86 = !DILocation(line: 21, column: 8, scope: !22)
!87 = !DILocation(line: 21, column: 3, scope: !22)
!88 = !DILocation(line: 21, column: 20, scope: !22)
!89 = !DILocation(line: 22, column: 11, scope: !22)
!90 = !DILocation(line: 22, column: 14, scope: !22)
!91 = !DILocation(line: 22, column: 8, scope: !22)
!92 = !DILocation(line: 22, column: 3, scope: !22)
!93 = !DILocation(line: 22, column: 20, scope: !22)
!94 = !DILocation(line: 23, column: 11, scope: !22)
!95 = !DILocation(line: 23, column: 14, scope: !22)
!96 = !DILocation(line: 23, column: 8, scope: !22)
!97 = !DILocation(line: 23, column: 3, scope: !22)
!98 = !DILocation(line: 23, column: 20, scope: !22)
!99 = !DILocation(line: 24, column: 1, scope: !22)
!100 = distinct !DISubprogram(name: "cudaMalloc<int>", scope: !101, file: !101, line: 200, type: !12, scopeLine: 200, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!101 = !DIFile(filename: "../../device/include/cuda_runtime.h", directory: "runtime/source/testdata", checksumkind: CSK_MD5, checksum: "5ec29ba3e49cece3cce0af37fd70e167")
!102 = !DILocation(line: 200, column: 102, scope: !100)
!103 = !DILocation(line: 200, column: 105, scope: !100)
!104 = !DILocation(line: 200, column: 82, scope: !100)
!105 = !DILocation(line: 200, column: 75, scope: !100)
!106 = distinct !DISubprogram(name: "cudaMalloc<float>", scope: !101, file: !101, line: 200, type: !12, scopeLine: 200, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!107 = !DILocation(line: 200, column: 102, scope: !106)
!108 = !DILocation(line: 200, column: 105, scope: !106)
!109 = !DILocation(line: 200, column: 82, scope: !106)
!110 = !DILocation(line: 200, column: 75, scope: !106)
!111 = distinct !DISubprogram(name: "dim3", scope: !112, file: !112, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!112 = !DIFile(filename: "../../device/include/cuda_vectors.h", directory: "runtime/source/testdata", checksumkind: CSK_MD5, checksum: "6e2dabc37325335362dc0df438402f72")
!113 = !DILocation(line: 42, column: 70, scope: !111)
!114 = !DILocation(line: 42, column: 72, scope: !111)
!115 = !DILocation(line: 42, column: 76, scope: !111)
!116 = !DILocation(line: 42, column: 78, scope: !111)
!117 = !DILocation(line: 42, column: 82, scope: !111)
!118 = !DILocation(line: 42, column: 84, scope: !111)
!119 = !DILocation(line: 42, column: 88, scope: !111)

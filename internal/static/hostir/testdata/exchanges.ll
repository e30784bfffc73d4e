source_filename = "exchanges.cu"

%struct.dim3 = type { i32, i32, i32 }
%struct.Pair = type { ptr, ptr }

$_Z10cudaMallocIiEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

$_ZN4Pair4turnEv = comdat any

define dso_local void @_Z19__device_stub__stepPKiPii(ptr noundef %in, ptr noundef %out, i32 noundef %n) !dbg !11 {
entry:
  %in.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %in, ptr %in.addr, align 8
  store ptr %out, ptr %out.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %in.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %out.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %n.addr, ptr %2, align 8, !dbg !14
  %3 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %4 = load i64, ptr %shmem_size, align 8, !dbg !14
  %5 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %7 = load i64, ptr %6, align 8, !dbg !14
  %8 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %9 = load i32, ptr %8, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %11 = load i64, ptr %10, align 8, !dbg !14
  %12 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %13 = load i32, ptr %12, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z19__device_stub__stepPKiPii, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z19__device_stub__wavePKiS0_Pi(ptr noundef %old, ptr noundef %now, ptr noundef %next) !dbg !16 {
entry:
  %old.addr = alloca ptr, align 8
  %now.addr = alloca ptr, align 8
  %next.addr = alloca ptr, align 8
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %old, ptr %old.addr, align 8
  store ptr %now, ptr %now.addr, align 8
  store ptr %next, ptr %next.addr, align 8
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %old.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %now.addr, ptr %1, align 8, !dbg !17
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !17
  store ptr %next.addr, ptr %2, align 8, !dbg !17
  %3 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !17
  %4 = load i64, ptr %shmem_size, align 8, !dbg !17
  %5 = load ptr, ptr %stream, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !17
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !17
  %7 = load i64, ptr %6, align 8, !dbg !17
  %8 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !17
  %9 = load i32, ptr %8, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !17
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !17
  %11 = load i64, ptr %10, align 8, !dbg !17
  %12 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !17
  %13 = load i32, ptr %12, align 8, !dbg !17
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z19__device_stub__wavePKiS0_Pi, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !19 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %n = alloca i32, align 4
  %a = alloca ptr, align 8
  %b = alloca ptr, align 8
  %c = alloca ptr, align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !20
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !20
  %call = call i32 @atoi(ptr noundef %1), !dbg !21
  store i32 %call, ptr %n, align 4, !dbg !22
  %2 = load i32, ptr %n, align 4, !dbg !23
  %cmp = icmp slt i32 %2, 1, !dbg !24
  br i1 %cmp, label %if.then, label %if.end, !dbg !23

if.then:                                          ; preds = %entry
  store i32 1, ptr %retval, align 4, !dbg !25
  br label %return, !dbg !25

if.end:                                           ; preds = %entry
  %call1 = call noundef ptr @_ZL8allocatei(i32 noundef 4), !dbg !26
  store ptr %call1, ptr %a, align 8, !dbg !27
  %call2 = call noundef ptr @_ZL8allocatei(i32 noundef 8), !dbg !28
  store ptr %call2, ptr %b, align 8, !dbg !29
  %call3 = call noundef ptr @_ZL8allocatei(i32 noundef 12), !dbg !30
  store ptr %call3, ptr %c, align 8, !dbg !31
  %3 = load ptr, ptr %a, align 8, !dbg !32
  %4 = load ptr, ptr %b, align 8, !dbg !33
  %5 = load i32, ptr %n, align 4, !dbg !34
  call void @_ZL5swapsPiS_i(ptr noundef %3, ptr noundef %4, i32 noundef %5), !dbg !35
  %6 = load ptr, ptr %a, align 8, !dbg !36
  %7 = load ptr, ptr %b, align 8, !dbg !37
  %8 = load i32, ptr %n, align 4, !dbg !38
  call void @_ZL15swaps_sometimesPiS_i(ptr noundef %6, ptr noundef %7, i32 noundef %8), !dbg !39
  %9 = load ptr, ptr %a, align 8, !dbg !40
  %10 = load ptr, ptr %b, align 8, !dbg !41
  %11 = load i32, ptr %n, align 4, !dbg !42
  call void @_ZL7assignsPiS_i(ptr noundef %9, ptr noundef %10, i32 noundef %11), !dbg !43
  %12 = load ptr, ptr %a, align 8, !dbg !44
  %13 = load ptr, ptr %b, align 8, !dbg !45
  %14 = load ptr, ptr %c, align 8, !dbg !46
  %15 = load i32, ptr %n, align 4, !dbg !47
  call void @_ZL7rotatesPiS_S_i(ptr noundef %12, ptr noundef %13, ptr noundef %14, i32 noundef %15), !dbg !48
  %16 = load i32, ptr %n, align 4, !dbg !49
  call void @_ZL6arraysi(i32 noundef %16), !dbg !50
  %17 = load ptr, ptr %a, align 8, !dbg !51
  %18 = load ptr, ptr %b, align 8, !dbg !52
  %19 = load i32, ptr %n, align 4, !dbg !53
  call void @_ZL8branchesPiS_i(ptr noundef %17, ptr noundef %18, i32 noundef %19), !dbg !54
  %20 = load i32, ptr %n, align 4, !dbg !55
  call void @_ZL5partsi(i32 noundef %20), !dbg !56
  store i32 0, ptr %retval, align 4, !dbg !57
  br label %return, !dbg !57

return:                                           ; preds = %if.end, %if.then
  %21 = load i32, ptr %retval, align 4, !dbg !58
  ret i32 %21, !dbg !58
}

declare i32 @atoi(ptr noundef)

define internal noundef ptr @_ZL8allocatei(i32 noundef %bytes) !dbg !59 {
entry:
  %bytes.addr = alloca i32, align 4
  %p = alloca ptr, align 8
  store i32 %bytes, ptr %bytes.addr, align 4
  store ptr null, ptr %p, align 8, !dbg !60
  %0 = load i32, ptr %bytes.addr, align 4, !dbg !61
  %conv = sext i32 %0 to i64, !dbg !61
  %call = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %conv), !dbg !62
  %1 = load ptr, ptr %p, align 8, !dbg !63
  ret ptr %1, !dbg !64
}

define internal void @_ZL5swapsPiS_i(ptr noundef %a, ptr noundef %b, i32 noundef %n) !dbg !65 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %i, align 4, !dbg !66
  br label %for.cond, !dbg !67

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !68
  %1 = load i32, ptr %n.addr, align 4, !dbg !69
  %cmp = icmp slt i32 %0, %1, !dbg !70
  br i1 %cmp, label %for.body, label %for.end, !dbg !71

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !72
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !73
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !74
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !74
  %3 = load i64, ptr %2, align 4, !dbg !74
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !74
  %5 = load i32, ptr %4, align 4, !dbg !74
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !74
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !74
  %7 = load i64, ptr %6, align 4, !dbg !74
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !74
  %9 = load i32, ptr %8, align 4, !dbg !74
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !74
  %tobool = icmp ne i32 %call, 0, !dbg !74
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !75

kcall.configok:                                   ; preds = %for.body
  %10 = load ptr, ptr %a.addr, align 8, !dbg !76
  %11 = load ptr, ptr %b.addr, align 8, !dbg !77
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %10, ptr noundef %11, i32 noundef 1), !dbg !75
  br label %kcall.end, !dbg !75

kcall.end:                                        ; preds = %kcall.configok, %for.body
  call void @_ZL4flipRPiS0_(ptr noundef nonnull align 8 dereferenceable(8) %a.addr, ptr noundef nonnull align 8 dereferenceable(8) %b.addr), !dbg !78
  br label %for.inc, !dbg !79

for.inc:                                          ; preds = %kcall.end
  %12 = load i32, ptr %i, align 4, !dbg !80
  %inc = add nsw i32 %12, 1, !dbg !80
  store i32 %inc, ptr %i, align 4, !dbg !80
  br label %for.cond, !dbg !71, !llvm.loop !81

for.end:                                          ; preds = %for.cond
  ret void, !dbg !83
}

define internal void @_ZL15swaps_sometimesPiS_i(ptr noundef %a, ptr noundef %b, i32 noundef %n) !dbg !84 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %i, align 4, !dbg !85
  br label %for.cond, !dbg !86

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !87
  %1 = load i32, ptr %n.addr, align 4, !dbg !88
  %cmp = icmp slt i32 %0, %1, !dbg !89
  br i1 %cmp, label %for.body, label %for.end, !dbg !90

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !91
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !92
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !93
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !93
  %3 = load i64, ptr %2, align 4, !dbg !93
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !93
  %5 = load i32, ptr %4, align 4, !dbg !93
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !93
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !93
  %7 = load i64, ptr %6, align 4, !dbg !93
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !93
  %9 = load i32, ptr %8, align 4, !dbg !93
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !93
  %tobool = icmp ne i32 %call, 0, !dbg !93
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !94

kcall.configok:                                   ; preds = %for.body
  %10 = load ptr, ptr %a.addr, align 8, !dbg !95
  %11 = load ptr, ptr %b.addr, align 8, !dbg !96
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %10, ptr noundef %11, i32 noundef 2), !dbg !94
  br label %kcall.end, !dbg !94

kcall.end:                                        ; preds = %kcall.configok, %for.body
  %12 = load i32, ptr %i, align 4, !dbg !97
  %rem = srem i32 %12, 3, !dbg !98
  %cmp2 = icmp eq i32 %rem, 1, !dbg !99
  br i1 %cmp2, label %if.then, label %if.end, !dbg !97

if.then:                                          ; preds = %kcall.end
  call void @_ZL4flipRPiS0_(ptr noundef nonnull align 8 dereferenceable(8) %a.addr, ptr noundef nonnull align 8 dereferenceable(8) %b.addr), !dbg !100
  br label %if.end, !dbg !100

if.end:                                           ; preds = %if.then, %kcall.end
  br label %for.inc, !dbg !101

for.inc:                                          ; preds = %if.end
  %13 = load i32, ptr %i, align 4, !dbg !102
  %inc = add nsw i32 %13, 1, !dbg !102
  store i32 %inc, ptr %i, align 4, !dbg !102
  br label %for.cond, !dbg !90, !llvm.loop !103

for.end:                                          ; preds = %for.cond
  ret void, !dbg !104
}

define internal void @_ZL7assignsPiS_i(ptr noundef %a, ptr noundef %b, i32 noundef %n) !dbg !105 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 2, ptr %i, align 4, !dbg !106
  br label %for.cond, !dbg !107

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !108
  %1 = load i32, ptr %n.addr, align 4, !dbg !109
  %cmp = icmp slt i32 %0, %1, !dbg !110
  br i1 %cmp, label %for.body, label %for.end, !dbg !111

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !112
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !113
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !114
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !114
  %3 = load i64, ptr %2, align 4, !dbg !114
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !114
  %5 = load i32, ptr %4, align 4, !dbg !114
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !114
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !114
  %7 = load i64, ptr %6, align 4, !dbg !114
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !114
  %9 = load i32, ptr %8, align 4, !dbg !114
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !114
  %tobool = icmp ne i32 %call, 0, !dbg !114
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !115

kcall.configok:                                   ; preds = %for.body
  %10 = load ptr, ptr %a.addr, align 8, !dbg !116
  %11 = load ptr, ptr %b.addr, align 8, !dbg !117
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %10, ptr noundef %11, i32 noundef 3), !dbg !115
  br label %kcall.end, !dbg !115

kcall.end:                                        ; preds = %kcall.configok, %for.body
  %12 = load ptr, ptr %b.addr, align 8, !dbg !118
  store ptr %12, ptr %a.addr, align 8, !dbg !119
  br label %for.inc, !dbg !120

for.inc:                                          ; preds = %kcall.end
  %13 = load i32, ptr %i, align 4, !dbg !121
  %add = add nsw i32 %13, 2, !dbg !121
  store i32 %add, ptr %i, align 4, !dbg !121
  br label %for.cond, !dbg !111, !llvm.loop !122

for.end:                                          ; preds = %for.cond
  ret void, !dbg !123
}

define internal void @_ZL7rotatesPiS_S_i(ptr noundef %a, ptr noundef %b, ptr noundef %c, i32 noundef %n) !dbg !124 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %c.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  %t = alloca ptr, align 8
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store ptr %c, ptr %c.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %i, align 4, !dbg !125
  br label %for.cond, !dbg !126

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !127
  %1 = load i32, ptr %n.addr, align 4, !dbg !128
  %cmp = icmp slt i32 %0, %1, !dbg !129
  br i1 %cmp, label %for.body, label %for.end, !dbg !130

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !131
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !132
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !133
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !133
  %3 = load i64, ptr %2, align 4, !dbg !133
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !133
  %5 = load i32, ptr %4, align 4, !dbg !133
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !133
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !133
  %7 = load i64, ptr %6, align 4, !dbg !133
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !133
  %9 = load i32, ptr %8, align 4, !dbg !133
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !133
  %tobool = icmp ne i32 %call, 0, !dbg !133
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !134

kcall.configok:                                   ; preds = %for.body
  %10 = load ptr, ptr %a.addr, align 8, !dbg !135
  %11 = load ptr, ptr %b.addr, align 8, !dbg !136
  %12 = load ptr, ptr %c.addr, align 8, !dbg !137
  call void @_Z19__device_stub__wavePKiS0_Pi(ptr noundef %10, ptr noundef %11, ptr noundef %12), !dbg !134
  br label %kcall.end, !dbg !134

kcall.end:                                        ; preds = %kcall.configok, %for.body
  %13 = load ptr, ptr %a.addr, align 8, !dbg !138
  store ptr %13, ptr %t, align 8, !dbg !139
  %14 = load ptr, ptr %b.addr, align 8, !dbg !140
  store ptr %14, ptr %a.addr, align 8, !dbg !141
  %15 = load ptr, ptr %c.addr, align 8, !dbg !142
  store ptr %15, ptr %b.addr, align 8, !dbg !143
  %16 = load ptr, ptr %t, align 8, !dbg !144
  store ptr %16, ptr %c.addr, align 8, !dbg !145
  br label %for.inc, !dbg !146

for.inc:                                          ; preds = %kcall.end
  %17 = load i32, ptr %i, align 4, !dbg !147
  %inc = add nsw i32 %17, 1, !dbg !147
  store i32 %inc, ptr %i, align 4, !dbg !147
  br label %for.cond, !dbg !130, !llvm.loop !148

for.end:                                          ; preds = %for.cond
  ret void, !dbg !149
}

define internal void @_ZL6arraysi(i32 noundef %n) !dbg !150 {
entry:
  %n.addr = alloca i32, align 4
  %both = alloca [2 x ptr], align 16
  %all = alloca [3 x ptr], align 16
  %i = alloca i32, align 4
  %now = alloca i32, align 4
  %i5 = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp9 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp9.coerce = alloca { i64, i32 }, align 4
  %agg.tmp16 = alloca %struct.dim3, align 4
  %agg.tmp17 = alloca %struct.dim3, align 4
  %agg.tmp16.coerce = alloca { i64, i32 }, align 4
  %agg.tmp17.coerce = alloca { i64, i32 }, align 4
  %agg.tmp26 = alloca %struct.dim3, align 4
  %agg.tmp27 = alloca %struct.dim3, align 4
  %agg.tmp26.coerce = alloca { i64, i32 }, align 4
  %agg.tmp27.coerce = alloca { i64, i32 }, align 4
  store i32 %n, ptr %n.addr, align 4
  %call = call noundef ptr @_ZL8allocatei(i32 noundef 40), !dbg !151
  %arrayidx = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 0, !dbg !152
  store ptr %call, ptr %arrayidx, align 16, !dbg !153
  %call1 = call noundef ptr @_ZL8allocatei(i32 noundef 44), !dbg !154
  %arrayidx2 = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 1, !dbg !155
  store ptr %call1, ptr %arrayidx2, align 8, !dbg !156
  store i32 0, ptr %i, align 4, !dbg !157
  br label %for.cond, !dbg !158

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !159
  %cmp = icmp slt i32 %0, 3, !dbg !160
  br i1 %cmp, label %for.body, label %for.end, !dbg !161

for.body:                                         ; preds = %for.cond
  %1 = load i32, ptr %i, align 4, !dbg !162
  %idxprom = sext i32 %1 to i64, !dbg !163
  %arrayidx3 = getelementptr inbounds [3 x ptr], ptr %all, i64 0, i64 %idxprom, !dbg !163
  %call4 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %arrayidx3, i64 noundef 48), !dbg !164
  br label %for.inc, !dbg !164

for.inc:                                          ; preds = %for.body
  %2 = load i32, ptr %i, align 4, !dbg !165
  %inc = add nsw i32 %2, 1, !dbg !165
  store i32 %inc, ptr %i, align 4, !dbg !165
  br label %for.cond, !dbg !161, !llvm.loop !166

for.end:                                          ; preds = %for.cond
  store i32 0, ptr %now, align 4, !dbg !168
  store i32 0, ptr %i5, align 4, !dbg !169
  br label %for.cond6, !dbg !170

for.cond6:                                        ; preds = %for.inc42, %for.end
  %3 = load i32, ptr %i5, align 4, !dbg !171
  %4 = load i32, ptr %n.addr, align 4, !dbg !172
  %cmp7 = icmp slt i32 %3, %4, !dbg !173
  br i1 %cmp7, label %for.body8, label %for.end44, !dbg !174

for.body8:                                        ; preds = %for.cond6
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !175
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp9, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !176
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !177
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !177
  %6 = load i64, ptr %5, align 4, !dbg !177
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !177
  %8 = load i32, ptr %7, align 4, !dbg !177
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp9.coerce, ptr align 4 %agg.tmp9, i64 12, i1 false), !dbg !177
  %9 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 0, !dbg !177
  %10 = load i64, ptr %9, align 4, !dbg !177
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 1, !dbg !177
  %12 = load i32, ptr %11, align 4, !dbg !177
  %call10 = call i32 @__cudaPushCallConfiguration(i64 %6, i32 %8, i64 %10, i32 %12, i64 noundef 0, ptr noundef null), !dbg !177
  %tobool = icmp ne i32 %call10, 0, !dbg !177
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !178

kcall.configok:                                   ; preds = %for.body8
  %13 = load i32, ptr %i5, align 4, !dbg !179
  %and = and i32 %13, 1, !dbg !180
  %idxprom11 = sext i32 %and to i64, !dbg !181
  %arrayidx12 = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 %idxprom11, !dbg !181
  %14 = load ptr, ptr %arrayidx12, align 8, !dbg !181
  %15 = load i32, ptr %i5, align 4, !dbg !182
  %and13 = and i32 %15, 1, !dbg !183
  %sub = sub nsw i32 1, %and13, !dbg !184
  %idxprom14 = sext i32 %sub to i64, !dbg !185
  %arrayidx15 = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 %idxprom14, !dbg !185
  %16 = load ptr, ptr %arrayidx15, align 8, !dbg !185
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %14, ptr noundef %16, i32 noundef 4), !dbg !178
  br label %kcall.end, !dbg !178

kcall.end:                                        ; preds = %kcall.configok, %for.body8
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp16, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !186
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp17, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !187
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp16.coerce, ptr align 4 %agg.tmp16, i64 12, i1 false), !dbg !188
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 0, !dbg !188
  %18 = load i64, ptr %17, align 4, !dbg !188
  %19 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 1, !dbg !188
  %20 = load i32, ptr %19, align 4, !dbg !188
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp17.coerce, ptr align 4 %agg.tmp17, i64 12, i1 false), !dbg !188
  %21 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp17.coerce, i32 0, i32 0, !dbg !188
  %22 = load i64, ptr %21, align 4, !dbg !188
  %23 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp17.coerce, i32 0, i32 1, !dbg !188
  %24 = load i32, ptr %23, align 4, !dbg !188
  %call18 = call i32 @__cudaPushCallConfiguration(i64 %18, i32 %20, i64 %22, i32 %24, i64 noundef 0, ptr noundef null), !dbg !188
  %tobool19 = icmp ne i32 %call18, 0, !dbg !188
  br i1 %tobool19, label %kcall.end25, label %kcall.configok20, !dbg !189

kcall.configok20:                                 ; preds = %kcall.end
  %25 = load i32, ptr %now, align 4, !dbg !190
  %idxprom21 = sext i32 %25 to i64, !dbg !191
  %arrayidx22 = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 %idxprom21, !dbg !191
  %26 = load ptr, ptr %arrayidx22, align 8, !dbg !191
  %27 = load i32, ptr %now, align 4, !dbg !192
  %xor = xor i32 %27, 1, !dbg !193
  %idxprom23 = sext i32 %xor to i64, !dbg !194
  %arrayidx24 = getelementptr inbounds [2 x ptr], ptr %both, i64 0, i64 %idxprom23, !dbg !194
  %28 = load ptr, ptr %arrayidx24, align 8, !dbg !194
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %26, ptr noundef %28, i32 noundef 5), !dbg !189
  br label %kcall.end25, !dbg !189

kcall.end25:                                      ; preds = %kcall.configok20, %kcall.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp26, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !195
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp27, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !196
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp26.coerce, ptr align 4 %agg.tmp26, i64 12, i1 false), !dbg !197
  %29 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp26.coerce, i32 0, i32 0, !dbg !197
  %30 = load i64, ptr %29, align 4, !dbg !197
  %31 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp26.coerce, i32 0, i32 1, !dbg !197
  %32 = load i32, ptr %31, align 4, !dbg !197
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp27.coerce, ptr align 4 %agg.tmp27, i64 12, i1 false), !dbg !197
  %33 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp27.coerce, i32 0, i32 0, !dbg !197
  %34 = load i64, ptr %33, align 4, !dbg !197
  %35 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp27.coerce, i32 0, i32 1, !dbg !197
  %36 = load i32, ptr %35, align 4, !dbg !197
  %call28 = call i32 @__cudaPushCallConfiguration(i64 %30, i32 %32, i64 %34, i32 %36, i64 noundef 0, ptr noundef null), !dbg !197
  %tobool29 = icmp ne i32 %call28, 0, !dbg !197
  br i1 %tobool29, label %kcall.end40, label %kcall.configok30, !dbg !198

kcall.configok30:                                 ; preds = %kcall.end25
  %37 = load i32, ptr %i5, align 4, !dbg !199
  %rem = srem i32 %37, 3, !dbg !200
  %idxprom31 = sext i32 %rem to i64, !dbg !201
  %arrayidx32 = getelementptr inbounds [3 x ptr], ptr %all, i64 0, i64 %idxprom31, !dbg !201
  %38 = load ptr, ptr %arrayidx32, align 8, !dbg !201
  %39 = load i32, ptr %i5, align 4, !dbg !202
  %add = add nsw i32 %39, 1, !dbg !203
  %rem33 = srem i32 %add, 3, !dbg !204
  %idxprom34 = sext i32 %rem33 to i64, !dbg !205
  %arrayidx35 = getelementptr inbounds [3 x ptr], ptr %all, i64 0, i64 %idxprom34, !dbg !205
  %40 = load ptr, ptr %arrayidx35, align 8, !dbg !205
  %41 = load i32, ptr %i5, align 4, !dbg !206
  %add36 = add nsw i32 %41, 2, !dbg !207
  %rem37 = srem i32 %add36, 3, !dbg !208
  %idxprom38 = sext i32 %rem37 to i64, !dbg !209
  %arrayidx39 = getelementptr inbounds [3 x ptr], ptr %all, i64 0, i64 %idxprom38, !dbg !209
  %42 = load ptr, ptr %arrayidx39, align 8, !dbg !209
  call void @_Z19__device_stub__wavePKiS0_Pi(ptr noundef %38, ptr noundef %40, ptr noundef %42), !dbg !198
  br label %kcall.end40, !dbg !198

kcall.end40:                                      ; preds = %kcall.configok30, %kcall.end25
  %43 = load i32, ptr %now, align 4, !dbg !210
  %xor41 = xor i32 %43, 1, !dbg !210
  store i32 %xor41, ptr %now, align 4, !dbg !210
  br label %for.inc42, !dbg !211

for.inc42:                                        ; preds = %kcall.end40
  %44 = load i32, ptr %i5, align 4, !dbg !212
  %inc43 = add nsw i32 %44, 1, !dbg !212
  store i32 %inc43, ptr %i5, align 4, !dbg !212
  br label %for.cond6, !dbg !174, !llvm.loop !213

for.end44:                                        ; preds = %for.cond6
  ret void, !dbg !214
}

define internal void @_ZL8branchesPiS_i(ptr noundef %a, ptr noundef %b, i32 noundef %n) !dbg !215 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %in = alloca ptr, align 8
  %out = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp6 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp6.coerce = alloca { i64, i32 }, align 4
  %last = alloca ptr, align 8
  %agg.tmp10 = alloca %struct.dim3, align 4
  %agg.tmp11 = alloca %struct.dim3, align 4
  %agg.tmp10.coerce = alloca { i64, i32 }, align 4
  %agg.tmp11.coerce = alloca { i64, i32 }, align 4
  %agg.tmp21 = alloca %struct.dim3, align 4
  %agg.tmp22 = alloca %struct.dim3, align 4
  %agg.tmp21.coerce = alloca { i64, i32 }, align 4
  %agg.tmp22.coerce = alloca { i64, i32 }, align 4
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4, !dbg !216
  %cmp = icmp sgt i32 %0, 5, !dbg !217
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !216

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr %a.addr, align 8, !dbg !218
  br label %cond.end, !dbg !216

cond.false:                                       ; preds = %entry
  %2 = load ptr, ptr %b.addr, align 8, !dbg !219
  br label %cond.end, !dbg !216

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %1, %cond.true ], [ %2, %cond.false ], !dbg !216
  store ptr %cond, ptr %in, align 8, !dbg !220
  %3 = load i32, ptr %n.addr, align 4, !dbg !221
  %cmp1 = icmp sgt i32 %3, 5, !dbg !222
  br i1 %cmp1, label %cond.true2, label %cond.false3, !dbg !221

cond.true2:                                       ; preds = %cond.end
  %4 = load ptr, ptr %b.addr, align 8, !dbg !223
  br label %cond.end4, !dbg !221

cond.false3:                                      ; preds = %cond.end
  %5 = load ptr, ptr %a.addr, align 8, !dbg !224
  br label %cond.end4, !dbg !221

cond.end4:                                        ; preds = %cond.false3, %cond.true2
  %cond5 = phi ptr [ %4, %cond.true2 ], [ %5, %cond.false3 ], !dbg !221
  store ptr %cond5, ptr %out, align 8, !dbg !225
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !226
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp6, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !227
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !228
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !228
  %7 = load i64, ptr %6, align 4, !dbg !228
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !228
  %9 = load i32, ptr %8, align 4, !dbg !228
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp6.coerce, ptr align 4 %agg.tmp6, i64 12, i1 false), !dbg !228
  %10 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 0, !dbg !228
  %11 = load i64, ptr %10, align 4, !dbg !228
  %12 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 1, !dbg !228
  %13 = load i32, ptr %12, align 4, !dbg !228
  %call = call i32 @__cudaPushCallConfiguration(i64 %7, i32 %9, i64 %11, i32 %13, i64 noundef 0, ptr noundef null), !dbg !228
  %tobool = icmp ne i32 %call, 0, !dbg !228
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !229

kcall.configok:                                   ; preds = %cond.end4
  %14 = load ptr, ptr %in, align 8, !dbg !230
  %15 = load ptr, ptr %out, align 8, !dbg !231
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %14, ptr noundef %15, i32 noundef 6), !dbg !229
  br label %kcall.end, !dbg !229

kcall.end:                                        ; preds = %kcall.configok, %cond.end4
  store ptr null, ptr %last, align 8, !dbg !232
  %16 = load i32, ptr %n.addr, align 4, !dbg !233
  %cmp7 = icmp sgt i32 %16, 7, !dbg !234
  br i1 %cmp7, label %if.then, label %if.end, !dbg !233

if.then:                                          ; preds = %kcall.end
  %17 = load ptr, ptr %a.addr, align 8, !dbg !235
  store ptr %17, ptr %last, align 8, !dbg !236
  br label %if.end, !dbg !237

if.end:                                           ; preds = %if.then, %kcall.end
  %18 = load ptr, ptr %last, align 8, !dbg !238
  %tobool8 = icmp ne ptr %18, null, !dbg !238
  br i1 %tobool8, label %if.then9, label %if.end16, !dbg !238

if.then9:                                         ; preds = %if.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp10, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !239
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp11, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !240
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp10.coerce, ptr align 4 %agg.tmp10, i64 12, i1 false), !dbg !241
  %19 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp10.coerce, i32 0, i32 0, !dbg !241
  %20 = load i64, ptr %19, align 4, !dbg !241
  %21 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp10.coerce, i32 0, i32 1, !dbg !241
  %22 = load i32, ptr %21, align 4, !dbg !241
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp11.coerce, ptr align 4 %agg.tmp11, i64 12, i1 false), !dbg !241
  %23 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 0, !dbg !241
  %24 = load i64, ptr %23, align 4, !dbg !241
  %25 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 1, !dbg !241
  %26 = load i32, ptr %25, align 4, !dbg !241
  %call12 = call i32 @__cudaPushCallConfiguration(i64 %20, i32 %22, i64 %24, i32 %26, i64 noundef 0, ptr noundef null), !dbg !241
  %tobool13 = icmp ne i32 %call12, 0, !dbg !241
  br i1 %tobool13, label %kcall.end15, label %kcall.configok14, !dbg !242

kcall.configok14:                                 ; preds = %if.then9
  %27 = load ptr, ptr %last, align 8, !dbg !243
  %28 = load ptr, ptr %b.addr, align 8, !dbg !244
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %27, ptr noundef %28, i32 noundef 7), !dbg !242
  br label %kcall.end15, !dbg !242

kcall.end15:                                      ; preds = %kcall.configok14, %if.then9
  br label %if.end16, !dbg !242

if.end16:                                         ; preds = %kcall.end15, %if.end
  %29 = load i32, ptr %n.addr, align 4, !dbg !245
  %call17 = call i32 @opaque(i32 noundef %29), !dbg !246
  %conv = sitofp i32 %call17 to double, !dbg !246
  %mul = fmul double %conv, 5.000000e-01, !dbg !247
  %cmp18 = fcmp ogt double %mul, 1.000000e+00, !dbg !248
  br i1 %cmp18, label %if.then19, label %if.end20, !dbg !246

if.then19:                                        ; preds = %if.end16
  %30 = load ptr, ptr %a.addr, align 8, !dbg !249
  store ptr %30, ptr %in, align 8, !dbg !250
  %31 = load ptr, ptr %a.addr, align 8, !dbg !251
  store ptr %31, ptr %out, align 8, !dbg !252
  br label %if.end20, !dbg !253

if.end20:                                         ; preds = %if.then19, %if.end16
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp21, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !254
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp22, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !255
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp21.coerce, ptr align 4 %agg.tmp21, i64 12, i1 false), !dbg !256
  %32 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp21.coerce, i32 0, i32 0, !dbg !256
  %33 = load i64, ptr %32, align 4, !dbg !256
  %34 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp21.coerce, i32 0, i32 1, !dbg !256
  %35 = load i32, ptr %34, align 4, !dbg !256
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp22.coerce, ptr align 4 %agg.tmp22, i64 12, i1 false), !dbg !256
  %36 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 0, !dbg !256
  %37 = load i64, ptr %36, align 4, !dbg !256
  %38 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 1, !dbg !256
  %39 = load i32, ptr %38, align 4, !dbg !256
  %call23 = call i32 @__cudaPushCallConfiguration(i64 %33, i32 %35, i64 %37, i32 %39, i64 noundef 0, ptr noundef null), !dbg !256
  %tobool24 = icmp ne i32 %call23, 0, !dbg !256
  br i1 %tobool24, label %kcall.end26, label %kcall.configok25, !dbg !257

kcall.configok25:                                 ; preds = %if.end20
  %40 = load ptr, ptr %in, align 8, !dbg !258
  %41 = load ptr, ptr %out, align 8, !dbg !259
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %40, ptr noundef %41, i32 noundef 8), !dbg !257
  br label %kcall.end26, !dbg !257

kcall.end26:                                      ; preds = %kcall.configok25, %if.end20
  ret void, !dbg !260
}

define internal void @_ZL5partsi(i32 noundef %n) !dbg !261 {
entry:
  %n.addr = alloca i32, align 4
  %base = alloca ptr, align 8
  %p = alloca %struct.Pair, align 8
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp2 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp2.coerce = alloca { i64, i32 }, align 4
  %q = alloca %struct.Pair, align 8
  %x = alloca ptr, align 8
  %y = alloca ptr, align 8
  %i10 = alloca i32, align 4
  %agg.tmp14 = alloca %struct.dim3, align 4
  %agg.tmp15 = alloca %struct.dim3, align 4
  %agg.tmp14.coerce = alloca { i64, i32 }, align 4
  %agg.tmp15.coerce = alloca { i64, i32 }, align 4
  %t = alloca ptr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4, !dbg !262
  %mul = mul nsw i32 2, %0, !dbg !263
  %conv = sext i32 %mul to i64, !dbg !264
  %mul1 = mul i64 %conv, 4, !dbg !265
  %call = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %base, i64 noundef %mul1), !dbg !266
  %in = getelementptr inbounds %struct.Pair, ptr %p, i32 0, i32 0, !dbg !267
  %1 = load ptr, ptr %base, align 8, !dbg !268
  store ptr %1, ptr %in, align 8, !dbg !267
  %out = getelementptr inbounds %struct.Pair, ptr %p, i32 0, i32 1, !dbg !267
  %2 = load ptr, ptr %base, align 8, !dbg !269
  %3 = load i32, ptr %n.addr, align 4, !dbg !270
  %idx.ext = sext i32 %3 to i64, !dbg !271
  %add.ptr = getelementptr inbounds i32, ptr %2, i64 %idx.ext, !dbg !271
  store ptr %add.ptr, ptr %out, align 8, !dbg !267
  store i32 0, ptr %i, align 4, !dbg !272
  br label %for.cond, !dbg !273

for.cond:                                         ; preds = %for.inc, %entry
  %4 = load i32, ptr %i, align 4, !dbg !274
  %cmp = icmp slt i32 %4, 9, !dbg !275
  br i1 %cmp, label %for.body, label %for.end, !dbg !276

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !277
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp2, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !278
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !279
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !279
  %6 = load i64, ptr %5, align 4, !dbg !279
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !279
  %8 = load i32, ptr %7, align 4, !dbg !279
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp2.coerce, ptr align 4 %agg.tmp2, i64 12, i1 false), !dbg !279
  %9 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 0, !dbg !279
  %10 = load i64, ptr %9, align 4, !dbg !279
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 1, !dbg !279
  %12 = load i32, ptr %11, align 4, !dbg !279
  %call3 = call i32 @__cudaPushCallConfiguration(i64 %6, i32 %8, i64 %10, i32 %12, i64 noundef 0, ptr noundef null), !dbg !279
  %tobool = icmp ne i32 %call3, 0, !dbg !279
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !280

kcall.configok:                                   ; preds = %for.body
  %in4 = getelementptr inbounds %struct.Pair, ptr %p, i32 0, i32 0, !dbg !281
  %13 = load ptr, ptr %in4, align 8, !dbg !281
  %out5 = getelementptr inbounds %struct.Pair, ptr %p, i32 0, i32 1, !dbg !282
  %14 = load ptr, ptr %out5, align 8, !dbg !282
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %13, ptr noundef %14, i32 noundef 9), !dbg !280
  br label %kcall.end, !dbg !280

kcall.end:                                        ; preds = %kcall.configok, %for.body
  call void @_ZN4Pair4turnEv(ptr noundef nonnull align 8 dereferenceable(16) %p), !dbg !283
  br label %for.inc, !dbg !284

for.inc:                                          ; preds = %kcall.end
  %15 = load i32, ptr %i, align 4, !dbg !285
  %inc = add nsw i32 %15, 1, !dbg !285
  store i32 %inc, ptr %i, align 4, !dbg !285
  br label %for.cond, !dbg !276, !llvm.loop !286

for.end:                                          ; preds = %for.cond
  %in6 = getelementptr inbounds %struct.Pair, ptr %q, i32 0, i32 0, !dbg !287
  %call7 = call noundef ptr @_ZL8allocatei(i32 noundef 52), !dbg !288
  store ptr %call7, ptr %in6, align 8, !dbg !287
  %out8 = getelementptr inbounds %struct.Pair, ptr %q, i32 0, i32 1, !dbg !287
  %call9 = call noundef ptr @_ZL8allocatei(i32 noundef 56), !dbg !289
  store ptr %call9, ptr %out8, align 8, !dbg !287
  store ptr %p, ptr %x, align 8, !dbg !290
  store ptr %q, ptr %y, align 8, !dbg !291
  store i32 0, ptr %i10, align 4, !dbg !292
  br label %for.cond11, !dbg !293

for.cond11:                                       ; preds = %for.inc22, %for.end
  %16 = load i32, ptr %i10, align 4, !dbg !294
  %17 = load i32, ptr %n.addr, align 4, !dbg !295
  %cmp12 = icmp slt i32 %16, %17, !dbg !296
  br i1 %cmp12, label %for.body13, label %for.end24, !dbg !297

for.body13:                                       ; preds = %for.cond11
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp14, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !298
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp15, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !299
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp14.coerce, ptr align 4 %agg.tmp14, i64 12, i1 false), !dbg !300
  %18 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp14.coerce, i32 0, i32 0, !dbg !300
  %19 = load i64, ptr %18, align 4, !dbg !300
  %20 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp14.coerce, i32 0, i32 1, !dbg !300
  %21 = load i32, ptr %20, align 4, !dbg !300
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp15.coerce, ptr align 4 %agg.tmp15, i64 12, i1 false), !dbg !300
  %22 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp15.coerce, i32 0, i32 0, !dbg !300
  %23 = load i64, ptr %22, align 4, !dbg !300
  %24 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp15.coerce, i32 0, i32 1, !dbg !300
  %25 = load i32, ptr %24, align 4, !dbg !300
  %call16 = call i32 @__cudaPushCallConfiguration(i64 %19, i32 %21, i64 %23, i32 %25, i64 noundef 0, ptr noundef null), !dbg !300
  %tobool17 = icmp ne i32 %call16, 0, !dbg !300
  br i1 %tobool17, label %kcall.end21, label %kcall.configok18, !dbg !301

kcall.configok18:                                 ; preds = %for.body13
  %26 = load ptr, ptr %x, align 8, !dbg !302
  %in19 = getelementptr inbounds %struct.Pair, ptr %26, i32 0, i32 0, !dbg !303
  %27 = load ptr, ptr %in19, align 8, !dbg !303
  %28 = load ptr, ptr %y, align 8, !dbg !304
  %in20 = getelementptr inbounds %struct.Pair, ptr %28, i32 0, i32 0, !dbg !305
  %29 = load ptr, ptr %in20, align 8, !dbg !305
  call void @_Z19__device_stub__stepPKiPii(ptr noundef %27, ptr noundef %29, i32 noundef 10), !dbg !301
  br label %kcall.end21, !dbg !301

kcall.end21:                                      ; preds = %kcall.configok18, %for.body13
  %30 = load ptr, ptr %x, align 8, !dbg !306
  store ptr %30, ptr %t, align 8, !dbg !307
  %31 = load ptr, ptr %y, align 8, !dbg !308
  store ptr %31, ptr %x, align 8, !dbg !309
  %32 = load ptr, ptr %t, align 8, !dbg !310
  store ptr %32, ptr %y, align 8, !dbg !311
  br label %for.inc22, !dbg !312

for.inc22:                                        ; preds = %kcall.end21
  %33 = load i32, ptr %i10, align 4, !dbg !313
  %inc23 = add nsw i32 %33, 1, !dbg !313
  store i32 %inc23, ptr %i10, align 4, !dbg !313
  br label %for.cond11, !dbg !297, !llvm.loop !314

for.end24:                                        ; preds = %for.cond11
  ret void, !dbg !315
}

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !316 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !318
  %1 = load i64, ptr %size.addr, align 8, !dbg !319
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !320
  ret i32 %call, !dbg !321
}

declare i32 @cudaMalloc(ptr noundef, i64 noundef)

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !322 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !324
  %0 = load i32, ptr %x.addr, align 4, !dbg !325
  store i32 %0, ptr %x2, align 4, !dbg !324
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !326
  %1 = load i32, ptr %y.addr, align 4, !dbg !327
  store i32 %1, ptr %y3, align 4, !dbg !326
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !328
  %2 = load i32, ptr %z.addr, align 4, !dbg !329
  store i32 %2, ptr %z4, align 4, !dbg !328
  ret void, !dbg !330
}

define internal void @_ZL4flipRPiS0_(ptr noundef nonnull align 8 dereferenceable(8) %a, ptr noundef nonnull align 8 dereferenceable(8) %b) !dbg !331 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  %t = alloca ptr, align 8
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  %0 = load ptr, ptr %a.addr, align 8, !dbg !332
  %1 = load ptr, ptr %0, align 8, !dbg !332
  store ptr %1, ptr %t, align 8, !dbg !333
  %2 = load ptr, ptr %b.addr, align 8, !dbg !334
  %3 = load ptr, ptr %2, align 8, !dbg !334
  %4 = load ptr, ptr %a.addr, align 8, !dbg !335
  store ptr %3, ptr %4, align 8, !dbg !336
  %5 = load ptr, ptr %t, align 8, !dbg !337
  %6 = load ptr, ptr %b.addr, align 8, !dbg !338
  store ptr %5, ptr %6, align 8, !dbg !339
  ret void, !dbg !340
}

declare i32 @opaque(i32 noundef)

define linkonce_odr dso_local void @_ZN4Pair4turnEv(ptr noundef nonnull align 8 dereferenceable(16) %this) comdat align 2 !dbg !341 {
entry:
  %this.addr = alloca ptr, align 8
  %t = alloca ptr, align 8
  store ptr %this, ptr %this.addr, align 8
  %this1 = load ptr, ptr %this.addr, align 8
  %in = getelementptr inbounds %struct.Pair, ptr %this1, i32 0, i32 0, !dbg !342
  %0 = load ptr, ptr %in, align 8, !dbg !342
  store ptr %0, ptr %t, align 8, !dbg !343
  %out = getelementptr inbounds %struct.Pair, ptr %this1, i32 0, i32 1, !dbg !344
  %1 = load ptr, ptr %out, align 8, !dbg !344
  %in2 = getelementptr inbounds %struct.Pair, ptr %this1, i32 0, i32 0, !dbg !345
  store ptr %1, ptr %in2, align 8, !dbg !346
  %2 = load ptr, ptr %t, align 8, !dbg !347
  %out3 = getelementptr inbounds %struct.Pair, ptr %this1, i32 0, i32 1, !dbg !348
  store ptr %2, ptr %out3, align 8, !dbg !349
  ret void, !dbg !350
}



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "exchanges.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "step", scope: !9, file: !9, line: 5, type: !12, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 5, column: 54, scope: !11)
!15 = !DILocation(line: 5, column: 82, scope: !11)
!16 = distinct !DISubprogram(name: "wave", scope: !9, file: !9, line: 6, type: !12, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 6, column: 65, scope: !16)
!18 = !DILocation(line: 6, column: 104, scope: !16)
!19 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 117, type: !12, scopeLine: 117, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 118, column: 16, scope: !19)
!21 = !DILocation(line: 118, column: 11, scope: !19)
!22 = !DILocation(line: 118, column: 7, scope: !19)
!23 = !DILocation(line: 119, column: 7, scope: !19)
!24 = !DILocation(line: 119, column: 9, scope: !19)
!25 = !DILocation(line: 120, column: 5, scope: !19)
!26 = !DILocation(line: 121, column: 12, scope: !19)
!27 = !DILocation(line: 121, column: 8, scope: !19)
!28 = !DILocation(line: 121, column: 30, scope: !19)
!29 = !DILocation(line: 121, column: 26, scope: !19)
!30 = !DILocation(line: 121, column: 48, scope: !19)
!31 = !DILocation(line: 121, column: 44, scope: !19)
!32 = !DILocation(line: 122, column: 9, scope: !19)
!33 = !DILocation(line: 122, column: 12, scope: !19)
!34 = !DILocation(line: 122, column: 15, scope: !19)
!35 = !DILocation(line: 122, column: 3, scope: !19)
!36 = !DILocation(line: 123, column: 19, scope: !19)
!37 = !DILocation(line: 123, column: 22, scope: !19)
!38 = !DILocation(line: 123, column: 25, scope: !19)
!39 = !DILocation(line: 123, column: 3, scope: !19)
!40 = !DILocation(line: 124, column: 11, scope: !19)
!41 = !DILocation(line: 124, column: 14, scope: !19)
!42 = !DILocation(line: 124, column: 17, scope: !19)
!43 = !DILocation(line: 124, column: 3, scope: !19)
!44 = !DILocation(line: 125, column: 11, scope: !19)
!45 = !DILocation(line: 125, column: 14, scope: !19)
!46 = !DILocation(line: 125, column: 17, scope: !19)
!47 = !DILocation(line: 125, column: 20, scope: !19)
!48 = !DILocation(line: 125, column: 3, scope: !19)
!49 = !DILocation(line: 126, column: 10, scope: !19)
!50 = !DILocation(line: 126, column: 3, scope: !19)
!51 = !DILocation(line: 127, column: 12, scope: !19)
!52 = !DILocation(line: 127, column: 15, scope: !19)
!53 = !DILocation(line: 127, column: 18, scope: !19)
!54 = !DILocation(line: 127, column: 3, scope: !19)
!55 = !DILocation(line: 128, column: 9, scope: !19)
!56 = !DILocation(line: 128, column: 3, scope: !19)
!57 = !DILocation(line: 129, column: 3, scope: !19)
!58 = !DILocation(line: 130, column: 1, scope: !19)
!59 = distinct !DISubprogram(name: "allocate", scope: !9, file: !9, line: 23, type: !12, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!60 = !DILocation(line: 24, column: 8, scope: !59)
!61 = !DILocation(line: 25, column: 18, scope: !59)
!62 = !DILocation(line: 25, column: 3, scope: !59)
!63 = !DILocation(line: 26, column: 10, scope: !59)
!64 = !DILocation(line: 26, column: 3, scope: !59)
!65 = distinct !DISubprogram(name: "swaps", scope: !9, file: !9, line: 32, type: !12, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!66 = !DILocation(line: 33, column: 12, scope: !65)
!67 = !DILocation(line: 33, column: 8, scope: !65)
!68 = !DILocation(line: 33, column: 19, scope: !65)
!69 = !DILocation(line: 33, column: 23, scope: !65)
!70 = !DILocation(line: 33, column: 21, scope: !65)
!71 = !DILocation(line: 33, column: 3, scope: !65)
!72 = !DILocation(line: 34, column: 12, scope: !65)
!73 = !DILocation(line: 34, column: 15, scope: !65)
!74 = !DILocation(line: 34, column: 9, scope: !65)
!75 = !DILocation(line: 34, column: 5, scope: !65)
!76 = !DILocation(line: 34, column: 21, scope: !65)
!77 = !DILocation(line: 34, column: 24, scope: !65)
!78 = !DILocation(line: 35, column: 5, scope: !65)
!79 = !DILocation(line: 36, column: 3, scope: !65)
!80 = !DILocation(line: 33, column: 27, scope: !65)
!81 = distinct !{!81, !71, !79, !82}
!82 = !{!"llvm.loop.mustprogress"}
!83 = !DILocation(line: 37, column: 1, scope: !65)
!84 = distinct !DISubprogram(name: "swaps_sometimes", scope: !9, file: !9, line: 40, type: !12, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!85 = !DILocation(line: 41, column: 12, scope: !84)
!86 = !DILocation(line: 41, column: 8, scope: !84)
!87 = !DILocation(line: 41, column: 19, scope: !84)
!88 = !DILocation(line: 41, column: 23, scope: !84)
!89 = !DILocation(line: 41, column: 21, scope: !84)
!90 = !DILocation(line: 41, column: 3, scope: !84)
!91 = !DILocation(line: 42, column: 12, scope: !84)
!92 = !DILocation(line: 42, column: 15, scope: !84)
!93 = !DILocation(line: 42, column: 9, scope: !84)
!94 = !DILocation(line: 42, column: 5, scope: !84)
!95 = !DILocation(line: 42, column: 21, scope: !84)
!96 = !DILocation(line: 42, column: 24, scope: !84)
!97 = !DILocation(line: 43, column: 9, scope: !84)
!98 = !DILocation(line: 43, column: 11, scope: !84)
!99 = !DILocation(line: 43, column: 15, scope: !84)
!100 = !DILocation(line: 44, column: 7, scope: !84)
!101 = !DILocation(line: 45, column: 3, scope: !84)
!102 = !DILocation(line: 41, column: 27, scope: !84)
!103 = distinct !{!103, !90, !101, !82}
!104 = !DILocation(line: 46, column: 1, scope: !84)
!105 = distinct !DISubprogram(name: "assigns", scope: !9, file: !9, line: 49, type: !12, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!106 = !DILocation(line: 50, column: 12, scope: !105)
!107 = !DILocation(line: 50, column: 8, scope: !105)
!108 = !DILocation(line: 50, column: 19, scope: !105)
!109 = !DILocation(line: 50, column: 23, scope: !105)
!110 = !DILocation(line: 50, column: 21, scope: !105)
!111 = !DILocation(line: 50, column: 3, scope: !105)
!112 = !DILocation(line: 51, column: 12, scope: !105)
!113 = !DILocation(line: 51, column: 15, scope: !105)
!114 = !DILocation(line: 51, column: 9, scope: !105)
!115 = !DILocation(line: 51, column: 5, scope: !105)
!116 = !DILocation(line: 51, column: 21, scope: !105)
!117 = !DILocation(line: 51, column: 24, scope: !105)
!118 = !DILocation(line: 52, column: 9, scope: !105)
!119 = !DILocation(line: 52, column: 7, scope: !105)
!120 = !DILocation(line: 53, column: 3, scope: !105)
!121 = !DILocation(line: 50, column: 28, scope: !105)
!122 = distinct !{!122, !111, !120, !82}
!123 = !DILocation(line: 54, column: 1, scope: !105)
!124 = distinct !DISubprogram(name: "rotates", scope: !9, file: !9, line: 57, type: !12, scopeLine: 57, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!125 = !DILocation(line: 58, column: 12, scope: !124)
!126 = !DILocation(line: 58, column: 8, scope: !124)
!127 = !DILocation(line: 58, column: 19, scope: !124)
!128 = !DILocation(line: 58, column: 23, scope: !124)
!129 = !DILocation(line: 58, column: 21, scope: !124)
!130 = !DILocation(line: 58, column: 3, scope: !124)
!131 = !DILocation(line: 59, column: 12, scope: !124)
!132 = !DILocation(line: 59, column: 15, scope: !124)
!133 = !DILocation(line: 59, column: 9, scope: !124)
!134 = !DILocation(line: 59, column: 5, scope: !124)
!135 = !DILocation(line: 59, column: 21, scope: !124)
!136 = !DILocation(line: 59, column: 24, scope: !124)
!137 = !DILocation(line: 59, column: 27, scope: !124)
!138 = !DILocation(line: 60, column: 14, scope: !124)
!139 = !DILocation(line: 60, column: 10, scope: !124)
!140 = !DILocation(line: 61, column: 9, scope: !124)
!141 = !DILocation(line: 61, column: 7, scope: !124)
!142 = !DILocation(line: 62, column: 9, scope: !124)
!143 = !DILocation(line: 62, column: 7, scope: !124)
!144 = !DILocation(line: 63, column: 9, scope: !124)
!145 = !DILocation(line: 63, column: 7, scope: !124)
!146 = !DILocation(line: 64, column: 3, scope: !124)
!147 = !DILocation(line: 58, column: 27, scope: !124)
!148 = distinct !{!148, !130, !146, !82}
!149 = !DILocation(line: 65, column: 1, scope: !124)
!150 = distinct !DISubprogram(name: "arrays", scope: !9, file: !9, line: 68, type: !12, scopeLine: 68, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!151 = !DILocation(line: 70, column: 13, scope: !150)
!152 = !DILocation(line: 70, column: 3, scope: !150)
!153 = !DILocation(line: 70, column: 11, scope: !150)
!154 = !DILocation(line: 71, column: 13, scope: !150)
!155 = !DILocation(line: 71, column: 3, scope: !150)
!156 = !DILocation(line: 71, column: 11, scope: !150)
!157 = !DILocation(line: 72, column: 12, scope: !150)
!158 = !DILocation(line: 72, column: 8, scope: !150)
!159 = !DILocation(line: 72, column: 19, scope: !150)
!160 = !DILocation(line: 72, column: 21, scope: !150)
!161 = !DILocation(line: 72, column: 3, scope: !150)
!162 = !DILocation(line: 73, column: 21, scope: !150)
!163 = !DILocation(line: 73, column: 17, scope: !150)
!164 = !DILocation(line: 73, column: 5, scope: !150)
!165 = !DILocation(line: 72, column: 27, scope: !150)
!166 = distinct !{!166, !161, !167, !82}
!167 = !DILocation(line: 73, column: 27, scope: !150)
!168 = !DILocation(line: 74, column: 7, scope: !150)
!169 = !DILocation(line: 75, column: 12, scope: !150)
!170 = !DILocation(line: 75, column: 8, scope: !150)
!171 = !DILocation(line: 75, column: 19, scope: !150)
!172 = !DILocation(line: 75, column: 23, scope: !150)
!173 = !DILocation(line: 75, column: 21, scope: !150)
!174 = !DILocation(line: 75, column: 3, scope: !150)
!175 = !DILocation(line: 76, column: 12, scope: !150)
!176 = !DILocation(line: 76, column: 15, scope: !150)
!177 = !DILocation(line: 76, column: 9, scope: !150)
!178 = !DILocation(line: 76, column: 5, scope: !150)
!179 = !DILocation(line: 76, column: 26, scope: !150)
!180 = !DILocation(line: 76, column: 28, scope: !150)
!181 = !DILocation(line: 76, column: 21, scope: !150)
!182 = !DILocation(line: 76, column: 44, scope: !150)
!183 = !DILocation(line: 76, column: 46, scope: !150)
!184 = !DILocation(line: 76, column: 41, scope: !150)
!185 = !DILocation(line: 76, column: 34, scope: !150)
!186 = !DILocation(line: 77, column: 12, scope: !150)
!187 = !DILocation(line: 77, column: 15, scope: !150)
!188 = !DILocation(line: 77, column: 9, scope: !150)
!189 = !DILocation(line: 77, column: 5, scope: !150)
!190 = !DILocation(line: 77, column: 26, scope: !150)
!191 = !DILocation(line: 77, column: 21, scope: !150)
!192 = !DILocation(line: 77, column: 37, scope: !150)
!193 = !DILocation(line: 77, column: 41, scope: !150)
!194 = !DILocation(line: 77, column: 32, scope: !150)
!195 = !DILocation(line: 78, column: 12, scope: !150)
!196 = !DILocation(line: 78, column: 15, scope: !150)
!197 = !DILocation(line: 78, column: 9, scope: !150)
!198 = !DILocation(line: 78, column: 5, scope: !150)
!199 = !DILocation(line: 78, column: 25, scope: !150)
!200 = !DILocation(line: 78, column: 27, scope: !150)
!201 = !DILocation(line: 78, column: 21, scope: !150)
!202 = !DILocation(line: 78, column: 38, scope: !150)
!203 = !DILocation(line: 78, column: 40, scope: !150)
!204 = !DILocation(line: 78, column: 45, scope: !150)
!205 = !DILocation(line: 78, column: 33, scope: !150)
!206 = !DILocation(line: 78, column: 56, scope: !150)
!207 = !DILocation(line: 78, column: 58, scope: !150)
!208 = !DILocation(line: 78, column: 63, scope: !150)
!209 = !DILocation(line: 78, column: 51, scope: !150)
!210 = !DILocation(line: 79, column: 9, scope: !150)
!211 = !DILocation(line: 80, column: 3, scope: !150)
!212 = !DILocation(line: 75, column: 27, scope: !150)
!213 = distinct !{!213, !174, !211, !82}
!214 = !DILocation(line: 81, column: 1, scope: !150)
!215 = distinct !DISubprogram(name: "branches", scope: !9, file: !9, line: 84, type: !12, scopeLine: 84, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!216 = !DILocation(line: 85, column: 13, scope: !215)
!217 = !DILocation(line: 85, column: 15, scope: !215)
!218 = !DILocation(line: 85, column: 21, scope: !215)
!219 = !DILocation(line: 85, column: 25, scope: !215)
!220 = !DILocation(line: 85, column: 8, scope: !215)
!221 = !DILocation(line: 85, column: 35, scope: !215)
!222 = !DILocation(line: 85, column: 37, scope: !215)
!223 = !DILocation(line: 85, column: 43, scope: !215)
!224 = !DILocation(line: 85, column: 47, scope: !215)
!225 = !DILocation(line: 85, column: 29, scope: !215)
!226 = !DILocation(line: 86, column: 10, scope: !215)
!227 = !DILocation(line: 86, column: 13, scope: !215)
!228 = !DILocation(line: 86, column: 7, scope: !215)
!229 = !DILocation(line: 86, column: 3, scope: !215)
!230 = !DILocation(line: 86, column: 19, scope: !215)
!231 = !DILocation(line: 86, column: 23, scope: !215)
!232 = !DILocation(line: 87, column: 8, scope: !215)
!233 = !DILocation(line: 88, column: 7, scope: !215)
!234 = !DILocation(line: 88, column: 9, scope: !215)
!235 = !DILocation(line: 89, column: 12, scope: !215)
!236 = !DILocation(line: 89, column: 10, scope: !215)
!237 = !DILocation(line: 89, column: 5, scope: !215)
!238 = !DILocation(line: 90, column: 7, scope: !215)
!239 = !DILocation(line: 91, column: 12, scope: !215)
!240 = !DILocation(line: 91, column: 15, scope: !215)
!241 = !DILocation(line: 91, column: 9, scope: !215)
!242 = !DILocation(line: 91, column: 5, scope: !215)
!243 = !DILocation(line: 91, column: 21, scope: !215)
!244 = !DILocation(line: 91, column: 27, scope: !215)
!245 = !DILocation(line: 92, column: 14, scope: !215)
!246 = !DILocation(line: 92, column: 7, scope: !215)
!247 = !DILocation(line: 92, column: 17, scope: !215)
!248 = !DILocation(line: 92, column: 23, scope: !215)
!249 = !DILocation(line: 93, column: 10, scope: !215)
!250 = !DILocation(line: 93, column: 8, scope: !215)
!251 = !DILocation(line: 94, column: 11, scope: !215)
!252 = !DILocation(line: 94, column: 9, scope: !215)
!253 = !DILocation(line: 95, column: 3, scope: !215)
!254 = !DILocation(line: 96, column: 10, scope: !215)
!255 = !DILocation(line: 96, column: 13, scope: !215)
!256 = !DILocation(line: 96, column: 7, scope: !215)
!257 = !DILocation(line: 96, column: 3, scope: !215)
!258 = !DILocation(line: 96, column: 19, scope: !215)
!259 = !DILocation(line: 96, column: 23, scope: !215)
!260 = !DILocation(line: 97, column: 1, scope: !215)
!261 = distinct !DISubprogram(name: "parts", scope: !9, file: !9, line: 100, type: !12, scopeLine: 100, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!262 = !DILocation(line: 102, column: 25, scope: !261)
!263 = !DILocation(line: 102, column: 23, scope: !261)
!264 = !DILocation(line: 102, column: 21, scope: !261)
!265 = !DILocation(line: 102, column: 27, scope: !261)
!266 = !DILocation(line: 102, column: 3, scope: !261)
!267 = !DILocation(line: 103, column: 12, scope: !261)
!268 = !DILocation(line: 103, column: 13, scope: !261)
!269 = !DILocation(line: 103, column: 19, scope: !261)
!270 = !DILocation(line: 103, column: 26, scope: !261)
!271 = !DILocation(line: 103, column: 24, scope: !261)
!272 = !DILocation(line: 104, column: 12, scope: !261)
!273 = !DILocation(line: 104, column: 8, scope: !261)
!274 = !DILocation(line: 104, column: 19, scope: !261)
!275 = !DILocation(line: 104, column: 21, scope: !261)
!276 = !DILocation(line: 104, column: 3, scope: !261)
!277 = !DILocation(line: 105, column: 12, scope: !261)
!278 = !DILocation(line: 105, column: 15, scope: !261)
!279 = !DILocation(line: 105, column: 9, scope: !261)
!280 = !DILocation(line: 105, column: 5, scope: !261)
!281 = !DILocation(line: 105, column: 23, scope: !261)
!282 = !DILocation(line: 105, column: 29, scope: !261)
!283 = !DILocation(line: 106, column: 7, scope: !261)
!284 = !DILocation(line: 107, column: 3, scope: !261)
!285 = !DILocation(line: 104, column: 27, scope: !261)
!286 = distinct !{!286, !276, !284, !82}
!287 = !DILocation(line: 108, column: 12, scope: !261)
!288 = !DILocation(line: 108, column: 13, scope: !261)
!289 = !DILocation(line: 108, column: 27, scope: !261)
!290 = !DILocation(line: 108, column: 43, scope: !261)
!291 = !DILocation(line: 108, column: 52, scope: !261)
!292 = !DILocation(line: 109, column: 12, scope: !261)
!293 = !DILocation(line: 109, column: 8, scope: !261)
!294 = !DILocation(line: 109, column: 19, scope: !261)
!295 = !DILocation(line: 109, column: 23, scope: !261)
!296 = !DILocation(line: 109, column: 21, scope: !261)
!297 = !DILocation(line: 109, column: 3, scope: !261)
!298 = !DILocation(line: 110, column: 12, scope: !261)
!299 = !DILocation(line: 110, column: 15, scope: !261)
!300 = !DILocation(line: 110, column: 9, scope: !261)
!301 = !DILocation(line: 110, column: 5, scope: !261)
!302 = !DILocation(line: 110, column: 21, scope: !261)
!303 = !DILocation(line: 110, column: 24, scope: !261)
!304 = !DILocation(line: 110, column: 28, scope: !261)
!305 = !DILocation(line: 110, column: 31, scope: !261)
!306 = !DILocation(line: 111, column: 15, scope: !261)
!307 = !DILocation(line: 111, column: 11, scope: !261)
!308 = !DILocation(line: 112, column: 9, scope: !261)
!309 = !DILocation(line: 112, column: 7, scope: !261)
!310 = !DILocation(line: 113, column: 9, scope: !261)
!311 = !DILocation(line: 113, column: 7, scope: !261)
!312 = !DILocation(line: 114, column: 3, scope: !261)
!313 = !DILocation(line: 109, column: 27, scope: !261)
!314 = distinct !{!314, !297, !312, !82}
!315 = !DILocation(line: 115, column: 1, scope: !261)
!316 = distinct !DISubprogram(name: "cudaMalloc<int>", scope: !317, file: !317, line: 200, type: !12, scopeLine: 200, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!317 = !DIFile(filename: "/tmp/ptxsan-hostcode-2047443763/cuda_runtime.h")
!318 = !DILocation(line: 200, column: 102, scope: !316)
!319 = !DILocation(line: 200, column: 105, scope: !316)
!320 = !DILocation(line: 200, column: 82, scope: !316)
!321 = !DILocation(line: 200, column: 75, scope: !316)
!322 = distinct !DISubprogram(name: "dim3", scope: !323, file: !323, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!323 = !DIFile(filename: "/tmp/ptxsan-hostcode-2047443763/cuda_vectors.h")
!324 = !DILocation(line: 42, column: 70, scope: !322)
!325 = !DILocation(line: 42, column: 72, scope: !322)
!326 = !DILocation(line: 42, column: 76, scope: !322)
!327 = !DILocation(line: 42, column: 78, scope: !322)
!328 = !DILocation(line: 42, column: 82, scope: !322)
!329 = !DILocation(line: 42, column: 84, scope: !322)
!330 = !DILocation(line: 42, column: 88, scope: !322)
!331 = distinct !DISubprogram(name: "flip", scope: !9, file: !9, line: 17, type: !12, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!332 = !DILocation(line: 18, column: 12, scope: !331)
!333 = !DILocation(line: 18, column: 8, scope: !331)
!334 = !DILocation(line: 19, column: 7, scope: !331)
!335 = !DILocation(line: 19, column: 3, scope: !331)
!336 = !DILocation(line: 19, column: 5, scope: !331)
!337 = !DILocation(line: 20, column: 7, scope: !331)
!338 = !DILocation(line: 20, column: 3, scope: !331)
!339 = !DILocation(line: 20, column: 5, scope: !331)
!340 = !DILocation(line: 21, column: 1, scope: !331)
!341 = distinct !DISubprogram(name: "turn", scope: !9, file: !9, line: 10, type: !12, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!342 = !DILocation(line: 11, column: 14, scope: !341)
!343 = !DILocation(line: 11, column: 10, scope: !341)
!344 = !DILocation(line: 12, column: 10, scope: !341)
!345 = !DILocation(line: 12, column: 5, scope: !341)
!346 = !DILocation(line: 12, column: 8, scope: !341)
!347 = !DILocation(line: 13, column: 11, scope: !341)
!348 = !DILocation(line: 13, column: 5, scope: !341)
!349 = !DILocation(line: 13, column: 9, scope: !341)
!350 = !DILocation(line: 14, column: 3, scope: !341)

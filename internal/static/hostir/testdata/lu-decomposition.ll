source_filename = "lu-decomposition.cu"

%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIfEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

define dso_local void @_Z23__device_stub__diagonalPfii(ptr noundef %m, i32 noundef %dim, i32 noundef %offset) !dbg !11 {
entry:
  %m.addr = alloca ptr, align 8
  %dim.addr = alloca i32, align 4
  %offset.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %m, ptr %m.addr, align 8
  store i32 %dim, ptr %dim.addr, align 4
  store i32 %offset, ptr %offset.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %m.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %dim.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %offset.addr, ptr %2, align 8, !dbg !14
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z23__device_stub__diagonalPfii, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z24__device_stub__perimeterPfii(ptr noundef %m, i32 noundef %dim, i32 noundef %offset) !dbg !16 {
entry:
  %m.addr = alloca ptr, align 8
  %dim.addr = alloca i32, align 4
  %offset.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %m, ptr %m.addr, align 8
  store i32 %dim, ptr %dim.addr, align 4
  store i32 %offset, ptr %offset.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %m.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %dim.addr, ptr %1, align 8, !dbg !17
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !17
  store ptr %offset.addr, ptr %2, align 8, !dbg !17
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z24__device_stub__perimeterPfii, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

define dso_local void @_Z23__device_stub__internalPfii(ptr noundef %m, i32 noundef %dim, i32 noundef %offset) !dbg !19 {
entry:
  %m.addr = alloca ptr, align 8
  %dim.addr = alloca i32, align 4
  %offset.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %m, ptr %m.addr, align 8
  store i32 %dim, ptr %dim.addr, align 4
  store i32 %offset, ptr %offset.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !20
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !20
  store ptr %m.addr, ptr %0, align 8, !dbg !20
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !20
  store ptr %dim.addr, ptr %1, align 8, !dbg !20
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !20
  store ptr %offset.addr, ptr %2, align 8, !dbg !20
  %3 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !20
  %4 = load i64, ptr %shmem_size, align 8, !dbg !20
  %5 = load ptr, ptr %stream, align 8, !dbg !20
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !20
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !20
  %7 = load i64, ptr %6, align 8, !dbg !20
  %8 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !20
  %9 = load i32, ptr %8, align 8, !dbg !20
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !20
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !20
  %11 = load i64, ptr %10, align 8, !dbg !20
  %12 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !20
  %13 = load i32, ptr %12, align 8, !dbg !20
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z23__device_stub__internalPfii, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !20
  br label %setup.end, !dbg !20

setup.end:                                        ; preds = %entry
  ret void, !dbg !21
}

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !22 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %dim = alloca i32, align 4
  %m = alloca ptr, align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !23
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !23
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !23
  %call = call i32 @atoi(ptr noundef %1), !dbg !24
  store i32 %call, ptr %dim, align 4, !dbg !25
  %2 = load i32, ptr %dim, align 4, !dbg !26
  %cmp = icmp slt i32 %2, 16, !dbg !27
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !28

lor.lhs.false:                                    ; preds = %entry
  %3 = load i32, ptr %dim, align 4, !dbg !29
  %rem = srem i32 %3, 16, !dbg !30
  %cmp1 = icmp ne i32 %rem, 0, !dbg !31
  br i1 %cmp1, label %if.then, label %if.end, !dbg !26

if.then:                                          ; preds = %lor.lhs.false, %entry
  store i32 1, ptr %retval, align 4, !dbg !32
  br label %return, !dbg !32

if.end:                                           ; preds = %lor.lhs.false
  %4 = load i32, ptr %dim, align 4, !dbg !33
  %5 = load i32, ptr %dim, align 4, !dbg !34
  %mul = mul nsw i32 %4, %5, !dbg !35
  %conv = sext i32 %mul to i64, !dbg !33
  %mul2 = mul i64 %conv, 4, !dbg !36
  %call3 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %m, i64 noundef %mul2), !dbg !37
  %6 = load ptr, ptr %m, align 8, !dbg !38
  %7 = load i32, ptr %dim, align 4, !dbg !39
  call void @_ZL9decomposePfi(ptr noundef %6, i32 noundef %7), !dbg !40
  %call4 = call i32 @cudaDeviceSynchronize(), !dbg !41
  br label %return, !dbg !42

return:                                           ; preds = %if.end, %if.then
  %8 = load i32, ptr %retval, align 4, !dbg !42
  ret i32 %8, !dbg !42
}

declare i32 @atoi(ptr noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !43 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !45
  %1 = load i64, ptr %size.addr, align 8, !dbg !46
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !47
  ret i32 %call, !dbg !48
}

define internal void @_ZL9decomposePfi(ptr noundef %m, i32 noundef %dim) !dbg !49 {
entry:
  %m.addr = alloca ptr, align 8
  %dim.addr = alloca i32, align 4
  %block = alloca %struct.dim3, align 4
  %i = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  %agg.tmp2 = alloca %struct.dim3, align 4
  %agg.tmp5 = alloca %struct.dim3, align 4
  %agg.tmp2.coerce = alloca { i64, i32 }, align 4
  %agg.tmp5.coerce = alloca { i64, i32 }, align 4
  %grid = alloca %struct.dim3, align 4
  %agg.tmp16 = alloca %struct.dim3, align 4
  %agg.tmp17 = alloca %struct.dim3, align 4
  %agg.tmp16.coerce = alloca { i64, i32 }, align 4
  %agg.tmp17.coerce = alloca { i64, i32 }, align 4
  %agg.tmp22 = alloca %struct.dim3, align 4
  %agg.tmp23 = alloca %struct.dim3, align 4
  %agg.tmp22.coerce = alloca { i64, i32 }, align 4
  %agg.tmp23.coerce = alloca { i64, i32 }, align 4
  store ptr %m, ptr %m.addr, align 8
  store i32 %dim, ptr %dim.addr, align 4
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %block, i32 noundef 16, i32 noundef 16, i32 noundef 1), !dbg !50
  store i32 0, ptr %i, align 4, !dbg !51
  br label %for.cond, !dbg !52

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !53
  %1 = load i32, ptr %dim.addr, align 4, !dbg !54
  %sub = sub nsw i32 %1, 16, !dbg !55
  %cmp = icmp slt i32 %0, %sub, !dbg !56
  br i1 %cmp, label %for.body, label %for.end, !dbg !57

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !58
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !59
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !60
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !60
  %3 = load i64, ptr %2, align 4, !dbg !60
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !60
  %5 = load i32, ptr %4, align 4, !dbg !60
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !60
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !60
  %7 = load i64, ptr %6, align 4, !dbg !60
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !60
  %9 = load i32, ptr %8, align 4, !dbg !60
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !60
  %tobool = icmp ne i32 %call, 0, !dbg !60
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !61

kcall.configok:                                   ; preds = %for.body
  %10 = load ptr, ptr %m.addr, align 8, !dbg !62
  %11 = load i32, ptr %dim.addr, align 4, !dbg !63
  %12 = load i32, ptr %i, align 4, !dbg !64
  call void @_Z23__device_stub__diagonalPfii(ptr noundef %10, i32 noundef %11, i32 noundef %12), !dbg !61
  br label %kcall.end, !dbg !61

kcall.end:                                        ; preds = %kcall.configok, %for.body
  %13 = load i32, ptr %dim.addr, align 4, !dbg !65
  %14 = load i32, ptr %i, align 4, !dbg !66
  %sub3 = sub nsw i32 %13, %14, !dbg !67
  %div = sdiv i32 %sub3, 16, !dbg !68
  %sub4 = sub nsw i32 %div, 1, !dbg !69
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp2, i32 noundef %sub4, i32 noundef 1, i32 noundef 1), !dbg !70
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp5, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !71
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp2.coerce, ptr align 4 %agg.tmp2, i64 12, i1 false), !dbg !72
  %15 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 0, !dbg !72
  %16 = load i64, ptr %15, align 4, !dbg !72
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 1, !dbg !72
  %18 = load i32, ptr %17, align 4, !dbg !72
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp5.coerce, ptr align 4 %agg.tmp5, i64 12, i1 false), !dbg !72
  %19 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp5.coerce, i32 0, i32 0, !dbg !72
  %20 = load i64, ptr %19, align 4, !dbg !72
  %21 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp5.coerce, i32 0, i32 1, !dbg !72
  %22 = load i32, ptr %21, align 4, !dbg !72
  %call6 = call i32 @__cudaPushCallConfiguration(i64 %16, i32 %18, i64 %20, i32 %22, i64 noundef 0, ptr noundef null), !dbg !72
  %tobool7 = icmp ne i32 %call6, 0, !dbg !72
  br i1 %tobool7, label %kcall.end9, label %kcall.configok8, !dbg !73

kcall.configok8:                                  ; preds = %kcall.end
  %23 = load ptr, ptr %m.addr, align 8, !dbg !74
  %24 = load i32, ptr %dim.addr, align 4, !dbg !75
  %25 = load i32, ptr %i, align 4, !dbg !76
  call void @_Z24__device_stub__perimeterPfii(ptr noundef %23, i32 noundef %24, i32 noundef %25), !dbg !73
  br label %kcall.end9, !dbg !73

kcall.end9:                                       ; preds = %kcall.configok8, %kcall.end
  %26 = load i32, ptr %dim.addr, align 4, !dbg !77
  %27 = load i32, ptr %i, align 4, !dbg !78
  %sub10 = sub nsw i32 %26, %27, !dbg !79
  %div11 = sdiv i32 %sub10, 16, !dbg !80
  %sub12 = sub nsw i32 %div11, 1, !dbg !81
  %28 = load i32, ptr %dim.addr, align 4, !dbg !82
  %29 = load i32, ptr %i, align 4, !dbg !83
  %sub13 = sub nsw i32 %28, %29, !dbg !84
  %div14 = sdiv i32 %sub13, 16, !dbg !85
  %sub15 = sub nsw i32 %div14, 1, !dbg !86
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %grid, i32 noundef %sub12, i32 noundef %sub15, i32 noundef 1), !dbg !87
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp16, ptr align 4 %grid, i64 12, i1 false), !dbg !88
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp17, ptr align 4 %block, i64 12, i1 false), !dbg !89
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp16.coerce, ptr align 4 %agg.tmp16, i64 12, i1 false), !dbg !90
  %30 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 0, !dbg !90
  %31 = load i64, ptr %30, align 4, !dbg !90
  %32 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 1, !dbg !90
  %33 = load i32, ptr %32, align 4, !dbg !90
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp17.coerce, ptr align 4 %agg.tmp17, i64 12, i1 false), !dbg !90
  %34 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp17.coerce, i32 0, i32 0, !dbg !90
  %35 = load i64, ptr %34, align 4, !dbg !90
  %36 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp17.coerce, i32 0, i32 1, !dbg !90
  %37 = load i32, ptr %36, align 4, !dbg !90
  %call18 = call i32 @__cudaPushCallConfiguration(i64 %31, i32 %33, i64 %35, i32 %37, i64 noundef 0, ptr noundef null), !dbg !90
  %tobool19 = icmp ne i32 %call18, 0, !dbg !90
  br i1 %tobool19, label %kcall.end21, label %kcall.configok20, !dbg !91

kcall.configok20:                                 ; preds = %kcall.end9
  %38 = load ptr, ptr %m.addr, align 8, !dbg !92
  %39 = load i32, ptr %dim.addr, align 4, !dbg !93
  %40 = load i32, ptr %i, align 4, !dbg !94
  call void @_Z23__device_stub__internalPfii(ptr noundef %38, i32 noundef %39, i32 noundef %40), !dbg !91
  br label %kcall.end21, !dbg !91

kcall.end21:                                      ; preds = %kcall.configok20, %kcall.end9
  br label %for.inc, !dbg !95

for.inc:                                          ; preds = %kcall.end21
  %41 = load i32, ptr %i, align 4, !dbg !96
  %add = add nsw i32 %41, 16, !dbg !96
  store i32 %add, ptr %i, align 4, !dbg !96
  br label %for.cond, !dbg !57, !llvm.loop !97

for.end:                                          ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp22, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !99
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp23, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !100
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp22.coerce, ptr align 4 %agg.tmp22, i64 12, i1 false), !dbg !101
  %42 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 0, !dbg !101
  %43 = load i64, ptr %42, align 4, !dbg !101
  %44 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 1, !dbg !101
  %45 = load i32, ptr %44, align 4, !dbg !101
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp23.coerce, ptr align 4 %agg.tmp23, i64 12, i1 false), !dbg !101
  %46 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp23.coerce, i32 0, i32 0, !dbg !101
  %47 = load i64, ptr %46, align 4, !dbg !101
  %48 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp23.coerce, i32 0, i32 1, !dbg !101
  %49 = load i32, ptr %48, align 4, !dbg !101
  %call24 = call i32 @__cudaPushCallConfiguration(i64 %43, i32 %45, i64 %47, i32 %49, i64 noundef 0, ptr noundef null), !dbg !101
  %tobool25 = icmp ne i32 %call24, 0, !dbg !101
  br i1 %tobool25, label %kcall.end27, label %kcall.configok26, !dbg !102

kcall.configok26:                                 ; preds = %for.end
  %50 = load ptr, ptr %m.addr, align 8, !dbg !103
  %51 = load i32, ptr %dim.addr, align 4, !dbg !104
  %52 = load i32, ptr %i, align 4, !dbg !105
  call void @_Z23__device_stub__diagonalPfii(ptr noundef %50, i32 noundef %51, i32 noundef %52), !dbg !102
  br label %kcall.end27, !dbg !102

kcall.end27:                                      ; preds = %kcall.configok26, %for.end
  ret void, !dbg !106
}

declare i32 @cudaDeviceSynchronize()

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !107 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !109
  %0 = load i32, ptr %x.addr, align 4, !dbg !110
  store i32 %0, ptr %x2, align 4, !dbg !109
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !111
  %1 = load i32, ptr %y.addr, align 4, !dbg !112
  store i32 %1, ptr %y3, align 4, !dbg !111
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !113
  %2 = load i32, ptr %z.addr, align 4, !dbg !114
  store i32 %2, ptr %z4, align 4, !dbg !113
  ret void, !dbg !115
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

declare i32 @cudaMalloc(ptr noundef, i64 noundef)



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "lu-decomposition.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "diagonal", scope: !9, file: !9, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 9, column: 57, scope: !11)
!15 = !DILocation(line: 26, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "perimeter", scope: !9, file: !9, line: 28, type: !12, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 28, column: 58, scope: !16)
!18 = !DILocation(line: 51, column: 1, scope: !16)
!19 = distinct !DISubprogram(name: "internal", scope: !9, file: !9, line: 53, type: !12, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 53, column: 57, scope: !19)
!21 = !DILocation(line: 60, column: 1, scope: !19)
!22 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 74, type: !12, scopeLine: 74, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!23 = !DILocation(line: 75, column: 18, scope: !22)
!24 = !DILocation(line: 75, column: 13, scope: !22)
!25 = !DILocation(line: 75, column: 7, scope: !22)
!26 = !DILocation(line: 76, column: 7, scope: !22)
!27 = !DILocation(line: 76, column: 11, scope: !22)
!28 = !DILocation(line: 76, column: 18, scope: !22)
!29 = !DILocation(line: 76, column: 21, scope: !22)
!30 = !DILocation(line: 76, column: 25, scope: !22)
!31 = !DILocation(line: 76, column: 32, scope: !22)
!32 = !DILocation(line: 77, column: 5, scope: !22)
!33 = !DILocation(line: 80, column: 18, scope: !22)
!34 = !DILocation(line: 80, column: 24, scope: !22)
!35 = !DILocation(line: 80, column: 22, scope: !22)
!36 = !DILocation(line: 80, column: 28, scope: !22)
!37 = !DILocation(line: 80, column: 3, scope: !22)
!38 = !DILocation(line: 81, column: 13, scope: !22)
!39 = !DILocation(line: 81, column: 16, scope: !22)
!40 = !DILocation(line: 81, column: 3, scope: !22)
!41 = !DILocation(line: 82, column: 3, scope: !22)
!42 = !DILocation(line: 83, column: 1, scope: !22)
!43 = distinct !DISubprogram(name: "cudaMalloc<float>", scope: !44, file: !44, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!44 = !DIFile(filename: "/tmp/ptxsan-hostcode-2011912779/cuda_runtime.h")
!45 = !DILocation(line: 160, column: 102, scope: !43)
!46 = !DILocation(line: 160, column: 105, scope: !43)
!47 = !DILocation(line: 160, column: 82, scope: !43)
!48 = !DILocation(line: 160, column: 75, scope: !43)
!49 = distinct !DISubprogram(name: "decompose", scope: !9, file: !9, line: 62, type: !12, scopeLine: 62, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!50 = !DILocation(line: 63, column: 8, scope: !49)
!51 = !DILocation(line: 65, column: 10, scope: !49)
!52 = !DILocation(line: 65, column: 8, scope: !49)
!53 = !DILocation(line: 65, column: 15, scope: !49)
!54 = !DILocation(line: 65, column: 19, scope: !49)
!55 = !DILocation(line: 65, column: 23, scope: !49)
!56 = !DILocation(line: 65, column: 17, scope: !49)
!57 = !DILocation(line: 65, column: 3, scope: !49)
!58 = !DILocation(line: 66, column: 16, scope: !49)
!59 = !DILocation(line: 66, column: 19, scope: !49)
!60 = !DILocation(line: 66, column: 13, scope: !49)
!61 = !DILocation(line: 66, column: 5, scope: !49)
!62 = !DILocation(line: 66, column: 27, scope: !49)
!63 = !DILocation(line: 66, column: 30, scope: !49)
!64 = !DILocation(line: 66, column: 35, scope: !49)
!65 = !DILocation(line: 67, column: 18, scope: !49)
!66 = !DILocation(line: 67, column: 24, scope: !49)
!67 = !DILocation(line: 67, column: 22, scope: !49)
!68 = !DILocation(line: 67, column: 27, scope: !49)
!69 = !DILocation(line: 67, column: 34, scope: !49)
!70 = !DILocation(line: 67, column: 17, scope: !49)
!71 = !DILocation(line: 67, column: 39, scope: !49)
!72 = !DILocation(line: 67, column: 14, scope: !49)
!73 = !DILocation(line: 67, column: 5, scope: !49)
!74 = !DILocation(line: 67, column: 47, scope: !49)
!75 = !DILocation(line: 67, column: 50, scope: !49)
!76 = !DILocation(line: 67, column: 55, scope: !49)
!77 = !DILocation(line: 68, column: 16, scope: !49)
!78 = !DILocation(line: 68, column: 22, scope: !49)
!79 = !DILocation(line: 68, column: 20, scope: !49)
!80 = !DILocation(line: 68, column: 25, scope: !49)
!81 = !DILocation(line: 68, column: 32, scope: !49)
!82 = !DILocation(line: 68, column: 38, scope: !49)
!83 = !DILocation(line: 68, column: 44, scope: !49)
!84 = !DILocation(line: 68, column: 42, scope: !49)
!85 = !DILocation(line: 68, column: 47, scope: !49)
!86 = !DILocation(line: 68, column: 54, scope: !49)
!87 = !DILocation(line: 68, column: 10, scope: !49)
!88 = !DILocation(line: 69, column: 16, scope: !49)
!89 = !DILocation(line: 69, column: 22, scope: !49)
!90 = !DILocation(line: 69, column: 13, scope: !49)
!91 = !DILocation(line: 69, column: 5, scope: !49)
!92 = !DILocation(line: 69, column: 31, scope: !49)
!93 = !DILocation(line: 69, column: 34, scope: !49)
!94 = !DILocation(line: 69, column: 39, scope: !49)
!95 = !DILocation(line: 70, column: 3, scope: !49)
!96 = !DILocation(line: 65, column: 33, scope: !49)
!97 = distinct !{!97, !57, !95, !98}
!98 = !{!"llvm.loop.mustprogress"}
!99 = !DILocation(line: 71, column: 14, scope: !49)
!100 = !DILocation(line: 71, column: 17, scope: !49)
!101 = !DILocation(line: 71, column: 11, scope: !49)
!102 = !DILocation(line: 71, column: 3, scope: !49)
!103 = !DILocation(line: 71, column: 25, scope: !49)
!104 = !DILocation(line: 71, column: 28, scope: !49)
!105 = !DILocation(line: 71, column: 33, scope: !49)
!106 = !DILocation(line: 72, column: 1, scope: !49)
!107 = distinct !DISubprogram(name: "dim3", scope: !108, file: !108, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!108 = !DIFile(filename: "/tmp/ptxsan-hostcode-2011912779/cuda_vectors.h")
!109 = !DILocation(line: 42, column: 70, scope: !107)
!110 = !DILocation(line: 42, column: 72, scope: !107)
!111 = !DILocation(line: 42, column: 76, scope: !107)
!112 = !DILocation(line: 42, column: 78, scope: !107)
!113 = !DILocation(line: 42, column: 82, scope: !107)
!114 = !DILocation(line: 42, column: 84, scope: !107)
!115 = !DILocation(line: 42, column: 88, scope: !107)

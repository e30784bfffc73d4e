source_filename = "pitch-linear.cu"

%struct.dim3 = type { i32, i32, i32 }

$_ZN4dim3C2Ejjj = comdat any

define dso_local void @_Z20__device_stub__shiftPfPKfiiiii(ptr noundef %out, ptr noundef %in, i32 noundef %pitch, i32 noundef %width, i32 noundef %height, i32 noundef %dx, i32 noundef %dy) !dbg !11 {
entry:
  %out.addr = alloca ptr, align 8
  %in.addr = alloca ptr, align 8
  %pitch.addr = alloca i32, align 4
  %width.addr = alloca i32, align 4
  %height.addr = alloca i32, align 4
  %dx.addr = alloca i32, align 4
  %dy.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %out, ptr %out.addr, align 8
  store ptr %in, ptr %in.addr, align 8
  store i32 %pitch, ptr %pitch.addr, align 4
  store i32 %width, ptr %width.addr, align 4
  store i32 %height, ptr %height.addr, align 4
  store i32 %dx, ptr %dx.addr, align 4
  store i32 %dy, ptr %dy.addr, align 4
  %kernel_args = alloca ptr, i64 7, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %out.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %in.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %pitch.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !14
  store ptr %width.addr, ptr %3, align 8, !dbg !14
  %4 = getelementptr ptr, ptr %kernel_args, i32 4, !dbg !14
  store ptr %height.addr, ptr %4, align 8, !dbg !14
  %5 = getelementptr ptr, ptr %kernel_args, i32 5, !dbg !14
  store ptr %dx.addr, ptr %5, align 8, !dbg !14
  %6 = getelementptr ptr, ptr %kernel_args, i32 6, !dbg !14
  store ptr %dy.addr, ptr %6, align 8, !dbg !14
  %7 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %8 = load i64, ptr %shmem_size, align 8, !dbg !14
  %9 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %10 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %11 = load i64, ptr %10, align 8, !dbg !14
  %12 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %13 = load i32, ptr %12, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %14 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %15 = load i64, ptr %14, align 8, !dbg !14
  %16 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %17 = load i32, ptr %16, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__shiftPfPKfiiiii, i64 %11, i32 %13, i64 %15, i32 %17, ptr noundef %kernel_args, i64 noundef %8, ptr noundef %9), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !16 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %nx = alloca i32, align 4
  %ny = alloca i32, align 4
  %out = alloca ptr, align 8
  %in = alloca ptr, align 8
  %pitchBytes = alloca i64, align 8
  %block = alloca %struct.dim3, align 4
  %grid = alloca %struct.dim3, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp16 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp16.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !17
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !17
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !17
  %call = call i32 @atoi(ptr noundef %1), !dbg !18
  store i32 %call, ptr %nx, align 4, !dbg !19
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx1 = getelementptr inbounds ptr, ptr %2, i64 2, !dbg !20
  %3 = load ptr, ptr %arrayidx1, align 8, !dbg !20
  %call2 = call i32 @atoi(ptr noundef %3), !dbg !21
  store i32 %call2, ptr %ny, align 4, !dbg !22
  %4 = load i32, ptr %nx, align 4, !dbg !23
  %cmp = icmp sle i32 %4, 0, !dbg !24
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !25

lor.lhs.false:                                    ; preds = %entry
  %5 = load i32, ptr %ny, align 4, !dbg !26
  %cmp3 = icmp sle i32 %5, 0, !dbg !27
  br i1 %cmp3, label %if.then, label %lor.lhs.false4, !dbg !28

lor.lhs.false4:                                   ; preds = %lor.lhs.false
  %6 = load i32, ptr %nx, align 4, !dbg !29
  %rem = srem i32 %6, 32, !dbg !30
  %cmp5 = icmp ne i32 %rem, 0, !dbg !31
  br i1 %cmp5, label %if.then, label %lor.lhs.false6, !dbg !32

lor.lhs.false6:                                   ; preds = %lor.lhs.false4
  %7 = load i32, ptr %ny, align 4, !dbg !33
  %rem7 = srem i32 %7, 32, !dbg !34
  %cmp8 = icmp ne i32 %rem7, 0, !dbg !35
  br i1 %cmp8, label %if.then, label %if.end, !dbg !23

if.then:                                          ; preds = %lor.lhs.false6, %lor.lhs.false4, %lor.lhs.false, %entry
  store i32 1, ptr %retval, align 4, !dbg !36
  br label %return, !dbg !36

if.end:                                           ; preds = %lor.lhs.false6
  %8 = load i32, ptr %nx, align 4, !dbg !37
  %conv = sext i32 %8 to i64, !dbg !37
  %mul = mul i64 %conv, 4, !dbg !38
  %9 = load i32, ptr %ny, align 4, !dbg !39
  %conv9 = sext i32 %9 to i64, !dbg !39
  %call10 = call i32 @cudaMallocPitch(ptr noundef %out, ptr noundef %pitchBytes, i64 noundef %mul, i64 noundef %conv9), !dbg !40
  %10 = load i32, ptr %nx, align 4, !dbg !41
  %11 = load i32, ptr %ny, align 4, !dbg !42
  %mul11 = mul nsw i32 %10, %11, !dbg !43
  %conv12 = sext i32 %mul11 to i64, !dbg !41
  %mul13 = mul i64 %conv12, 4, !dbg !44
  %call14 = call i32 @cudaMalloc(ptr noundef %in, i64 noundef %mul13), !dbg !45
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %block, i32 noundef 32, i32 noundef 32, i32 noundef 1), !dbg !46
  %12 = load i32, ptr %nx, align 4, !dbg !47
  %div = sdiv i32 %12, 32, !dbg !48
  %13 = load i32, ptr %ny, align 4, !dbg !49
  %div15 = sdiv i32 %13, 32, !dbg !50
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %grid, i32 noundef %div, i32 noundef %div15, i32 noundef 1), !dbg !51
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp, ptr align 4 %grid, i64 12, i1 false), !dbg !52
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp16, ptr align 4 %block, i64 12, i1 false), !dbg !53
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !54
  %14 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !54
  %15 = load i64, ptr %14, align 4, !dbg !54
  %16 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !54
  %17 = load i32, ptr %16, align 4, !dbg !54
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp16.coerce, ptr align 4 %agg.tmp16, i64 12, i1 false), !dbg !54
  %18 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 0, !dbg !54
  %19 = load i64, ptr %18, align 4, !dbg !54
  %20 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp16.coerce, i32 0, i32 1, !dbg !54
  %21 = load i32, ptr %20, align 4, !dbg !54
  %call17 = call i32 @__cudaPushCallConfiguration(i64 %15, i32 %17, i64 %19, i32 %21, i64 noundef 0, ptr noundef null), !dbg !54
  %tobool = icmp ne i32 %call17, 0, !dbg !54
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !55

kcall.configok:                                   ; preds = %if.end
  %22 = load ptr, ptr %out, align 8, !dbg !56
  %23 = load ptr, ptr %in, align 8, !dbg !57
  %24 = load i64, ptr %pitchBytes, align 8, !dbg !58
  %div18 = udiv i64 %24, 4, !dbg !59
  %conv19 = trunc i64 %div18 to i32, !dbg !60
  %25 = load i32, ptr %nx, align 4, !dbg !61
  %26 = load i32, ptr %ny, align 4, !dbg !62
  call void @_Z20__device_stub__shiftPfPKfiiiii(ptr noundef %22, ptr noundef %23, i32 noundef %conv19, i32 noundef %25, i32 noundef %26, i32 noundef 3, i32 noundef 5), !dbg !55
  br label %kcall.end, !dbg !55

kcall.end:                                        ; preds = %kcall.configok, %if.end
  %call20 = call i32 @cudaDeviceSynchronize(), !dbg !63
  br label %return, !dbg !64

return:                                           ; preds = %kcall.end, %if.then
  %27 = load i32, ptr %retval, align 4, !dbg !64
  ret i32 %27, !dbg !64
}

declare i32 @atoi(ptr noundef)

declare i32 @cudaMallocPitch(ptr noundef, ptr noundef, i64 noundef, i64 noundef)

declare i32 @cudaMalloc(ptr noundef, i64 noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !65 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !67
  %0 = load i32, ptr %x.addr, align 4, !dbg !68
  store i32 %0, ptr %x2, align 4, !dbg !67
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !69
  %1 = load i32, ptr %y.addr, align 4, !dbg !70
  store i32 %1, ptr %y3, align 4, !dbg !69
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !71
  %2 = load i32, ptr %z.addr, align 4, !dbg !72
  store i32 %2, ptr %z4, align 4, !dbg !71
  ret void, !dbg !73
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

declare i32 @cudaDeviceSynchronize()



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "pitch-linear.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "shift", scope: !9, file: !9, line: 8, type: !12, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 8, column: 102, scope: !11)
!15 = !DILocation(line: 12, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 14, type: !12, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 15, column: 17, scope: !16)
!18 = !DILocation(line: 15, column: 12, scope: !16)
!19 = !DILocation(line: 15, column: 7, scope: !16)
!20 = !DILocation(line: 15, column: 37, scope: !16)
!21 = !DILocation(line: 15, column: 32, scope: !16)
!22 = !DILocation(line: 15, column: 27, scope: !16)
!23 = !DILocation(line: 16, column: 7, scope: !16)
!24 = !DILocation(line: 16, column: 10, scope: !16)
!25 = !DILocation(line: 16, column: 15, scope: !16)
!26 = !DILocation(line: 16, column: 18, scope: !16)
!27 = !DILocation(line: 16, column: 21, scope: !16)
!28 = !DILocation(line: 16, column: 26, scope: !16)
!29 = !DILocation(line: 16, column: 29, scope: !16)
!30 = !DILocation(line: 16, column: 32, scope: !16)
!31 = !DILocation(line: 16, column: 39, scope: !16)
!32 = !DILocation(line: 16, column: 44, scope: !16)
!33 = !DILocation(line: 16, column: 47, scope: !16)
!34 = !DILocation(line: 16, column: 50, scope: !16)
!35 = !DILocation(line: 16, column: 57, scope: !16)
!36 = !DILocation(line: 17, column: 5, scope: !16)
!37 = !DILocation(line: 20, column: 47, scope: !16)
!38 = !DILocation(line: 20, column: 50, scope: !16)
!39 = !DILocation(line: 20, column: 67, scope: !16)
!40 = !DILocation(line: 20, column: 3, scope: !16)
!41 = !DILocation(line: 21, column: 28, scope: !16)
!42 = !DILocation(line: 21, column: 33, scope: !16)
!43 = !DILocation(line: 21, column: 31, scope: !16)
!44 = !DILocation(line: 21, column: 36, scope: !16)
!45 = !DILocation(line: 21, column: 3, scope: !16)
!46 = !DILocation(line: 22, column: 8, scope: !16)
!47 = !DILocation(line: 23, column: 13, scope: !16)
!48 = !DILocation(line: 23, column: 16, scope: !16)
!49 = !DILocation(line: 23, column: 24, scope: !16)
!50 = !DILocation(line: 23, column: 27, scope: !16)
!51 = !DILocation(line: 23, column: 8, scope: !16)
!52 = !DILocation(line: 24, column: 11, scope: !16)
!53 = !DILocation(line: 24, column: 17, scope: !16)
!54 = !DILocation(line: 24, column: 8, scope: !16)
!55 = !DILocation(line: 24, column: 3, scope: !16)
!56 = !DILocation(line: 24, column: 26, scope: !16)
!57 = !DILocation(line: 24, column: 31, scope: !16)
!58 = !DILocation(line: 24, column: 41, scope: !16)
!59 = !DILocation(line: 24, column: 52, scope: !16)
!60 = !DILocation(line: 24, column: 40, scope: !16)
!61 = !DILocation(line: 24, column: 70, scope: !16)
!62 = !DILocation(line: 24, column: 74, scope: !16)
!63 = !DILocation(line: 25, column: 3, scope: !16)
!64 = !DILocation(line: 26, column: 1, scope: !16)
!65 = distinct !DISubprogram(name: "dim3", scope: !66, file: !66, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!66 = !DIFile(filename: "/tmp/ptxsan-hostcode-2599792766/cuda_vectors.h")
!67 = !DILocation(line: 42, column: 70, scope: !65)
!68 = !DILocation(line: 42, column: 72, scope: !65)
!69 = !DILocation(line: 42, column: 76, scope: !65)
!70 = !DILocation(line: 42, column: 78, scope: !65)
!71 = !DILocation(line: 42, column: 82, scope: !65)
!72 = !DILocation(line: 42, column: 84, scope: !65)
!73 = !DILocation(line: 42, column: 88, scope: !65)

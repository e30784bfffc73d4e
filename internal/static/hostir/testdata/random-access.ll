source_filename = "random-access.cu"

%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIjEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

define dso_local void @_Z19__device_stub__seedPj(ptr noundef %state) !dbg !11 {
entry:
  %state.addr = alloca ptr, align 8
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %state, ptr %state.addr, align 8
  %kernel_args = alloca ptr, i64 1, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %state.addr, ptr %0, align 8, !dbg !14
  %1 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %2 = load i64, ptr %shmem_size, align 8, !dbg !14
  %3 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %4 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %5 = load i64, ptr %4, align 8, !dbg !14
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %7 = load i32, ptr %6, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %8 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %9 = load i64, ptr %8, align 8, !dbg !14
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %11 = load i32, ptr %10, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z19__device_stub__seedPj, i64 %5, i32 %7, i64 %9, i32 %11, ptr noundef %kernel_args, i64 noundef %2, ptr noundef %3), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z22__device_stub__advancePjS_i(ptr noundef %state, ptr noundef %table, i32 noundef %rows) !dbg !16 {
entry:
  %state.addr = alloca ptr, align 8
  %table.addr = alloca ptr, align 8
  %rows.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %state, ptr %state.addr, align 8
  store ptr %table, ptr %table.addr, align 8
  store i32 %rows, ptr %rows.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %state.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %table.addr, ptr %1, align 8, !dbg !17
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !17
  store ptr %rows.addr, ptr %2, align 8, !dbg !17
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z22__device_stub__advancePjS_i, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !19 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %rows = alloca i32, align 4
  %state = alloca ptr, align 8
  %table = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp4 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp4.coerce = alloca { i64, i32 }, align 4
  %agg.tmp6 = alloca %struct.dim3, align 4
  %agg.tmp7 = alloca %struct.dim3, align 4
  %agg.tmp6.coerce = alloca { i64, i32 }, align 4
  %agg.tmp7.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !20
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !20
  %call = call i32 @atoi(ptr noundef %1), !dbg !21
  store i32 %call, ptr %rows, align 4, !dbg !22
  %call1 = call noundef i32 @_Z10cudaMallocIjEiPPT_m(ptr noundef %state, i64 noundef 512), !dbg !23
  %2 = load i32, ptr %rows, align 4, !dbg !24
  %mul = mul nsw i32 %2, 128, !dbg !25
  %conv = sext i32 %mul to i64, !dbg !24
  %mul2 = mul i64 %conv, 4, !dbg !26
  %call3 = call noundef i32 @_Z10cudaMallocIjEiPPT_m(ptr noundef %table, i64 noundef %mul2), !dbg !27
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !28
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp4, i32 noundef 128, i32 noundef 1, i32 noundef 1), !dbg !29
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !30
  %3 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !30
  %4 = load i64, ptr %3, align 4, !dbg !30
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !30
  %6 = load i32, ptr %5, align 4, !dbg !30
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp4.coerce, ptr align 4 %agg.tmp4, i64 12, i1 false), !dbg !30
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp4.coerce, i32 0, i32 0, !dbg !30
  %8 = load i64, ptr %7, align 4, !dbg !30
  %9 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp4.coerce, i32 0, i32 1, !dbg !30
  %10 = load i32, ptr %9, align 4, !dbg !30
  %call5 = call i32 @__cudaPushCallConfiguration(i64 %4, i32 %6, i64 %8, i32 %10, i64 noundef 0, ptr noundef null), !dbg !30
  %tobool = icmp ne i32 %call5, 0, !dbg !30
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !31

kcall.configok:                                   ; preds = %entry
  %11 = load ptr, ptr %state, align 8, !dbg !32
  call void @_Z19__device_stub__seedPj(ptr noundef %11), !dbg !31
  br label %kcall.end, !dbg !31

kcall.end:                                        ; preds = %kcall.configok, %entry
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp6, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !33
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp7, i32 noundef 128, i32 noundef 1, i32 noundef 1), !dbg !34
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp6.coerce, ptr align 4 %agg.tmp6, i64 12, i1 false), !dbg !35
  %12 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 0, !dbg !35
  %13 = load i64, ptr %12, align 4, !dbg !35
  %14 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 1, !dbg !35
  %15 = load i32, ptr %14, align 4, !dbg !35
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp7.coerce, ptr align 4 %agg.tmp7, i64 12, i1 false), !dbg !35
  %16 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp7.coerce, i32 0, i32 0, !dbg !35
  %17 = load i64, ptr %16, align 4, !dbg !35
  %18 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp7.coerce, i32 0, i32 1, !dbg !35
  %19 = load i32, ptr %18, align 4, !dbg !35
  %call8 = call i32 @__cudaPushCallConfiguration(i64 %13, i32 %15, i64 %17, i32 %19, i64 noundef 0, ptr noundef null), !dbg !35
  %tobool9 = icmp ne i32 %call8, 0, !dbg !35
  br i1 %tobool9, label %kcall.end11, label %kcall.configok10, !dbg !36

kcall.configok10:                                 ; preds = %kcall.end
  %20 = load ptr, ptr %state, align 8, !dbg !37
  %21 = load ptr, ptr %table, align 8, !dbg !38
  %22 = load i32, ptr %rows, align 4, !dbg !39
  call void @_Z22__device_stub__advancePjS_i(ptr noundef %20, ptr noundef %21, i32 noundef %22), !dbg !36
  br label %kcall.end11, !dbg !36

kcall.end11:                                      ; preds = %kcall.configok10, %kcall.end
  %call12 = call i32 @cudaDeviceSynchronize(), !dbg !40
  %23 = load i32, ptr %retval, align 4, !dbg !41
  ret i32 %23, !dbg !41
}

declare i32 @atoi(ptr noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIjEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !42 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !44
  %1 = load i64, ptr %size.addr, align 8, !dbg !45
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !46
  ret i32 %call, !dbg !47
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !48 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !50
  %0 = load i32, ptr %x.addr, align 4, !dbg !51
  store i32 %0, ptr %x2, align 4, !dbg !50
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !52
  %1 = load i32, ptr %y.addr, align 4, !dbg !53
  store i32 %1, ptr %y3, align 4, !dbg !52
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !54
  %2 = load i32, ptr %z.addr, align 4, !dbg !55
  store i32 %2, ptr %z4, align 4, !dbg !54
  ret void, !dbg !56
}

declare i32 @cudaDeviceSynchronize()

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
!9 = !DIFile(filename: "random-access.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "seed", scope: !9, file: !9, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 9, column: 39, scope: !11)
!15 = !DILocation(line: 12, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "advance", scope: !9, file: !9, line: 14, type: !12, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 14, column: 69, scope: !16)
!18 = !DILocation(line: 22, column: 1, scope: !16)
!19 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 24, type: !12, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 25, column: 19, scope: !19)
!21 = !DILocation(line: 25, column: 14, scope: !19)
!22 = !DILocation(line: 25, column: 7, scope: !19)
!23 = !DILocation(line: 27, column: 3, scope: !19)
!24 = !DILocation(line: 28, column: 22, scope: !19)
!25 = !DILocation(line: 28, column: 27, scope: !19)
!26 = !DILocation(line: 28, column: 37, scope: !19)
!27 = !DILocation(line: 28, column: 3, scope: !19)
!28 = !DILocation(line: 29, column: 10, scope: !19)
!29 = !DILocation(line: 29, column: 13, scope: !19)
!30 = !DILocation(line: 29, column: 7, scope: !19)
!31 = !DILocation(line: 29, column: 3, scope: !19)
!32 = !DILocation(line: 29, column: 24, scope: !19)
!33 = !DILocation(line: 30, column: 13, scope: !19)
!34 = !DILocation(line: 30, column: 16, scope: !19)
!35 = !DILocation(line: 30, column: 10, scope: !19)
!36 = !DILocation(line: 30, column: 3, scope: !19)
!37 = !DILocation(line: 30, column: 27, scope: !19)
!38 = !DILocation(line: 30, column: 34, scope: !19)
!39 = !DILocation(line: 30, column: 41, scope: !19)
!40 = !DILocation(line: 31, column: 3, scope: !19)
!41 = !DILocation(line: 32, column: 1, scope: !19)
!42 = distinct !DISubprogram(name: "cudaMalloc<unsigned int>", scope: !43, file: !43, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!43 = !DIFile(filename: "/tmp/ptxsan-hostcode-2807798349/cuda_runtime.h")
!44 = !DILocation(line: 160, column: 102, scope: !42)
!45 = !DILocation(line: 160, column: 105, scope: !42)
!46 = !DILocation(line: 160, column: 82, scope: !42)
!47 = !DILocation(line: 160, column: 75, scope: !42)
!48 = distinct !DISubprogram(name: "dim3", scope: !49, file: !49, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!49 = !DIFile(filename: "/tmp/ptxsan-hostcode-2807798349/cuda_vectors.h")
!50 = !DILocation(line: 42, column: 70, scope: !48)
!51 = !DILocation(line: 42, column: 72, scope: !48)
!52 = !DILocation(line: 42, column: 76, scope: !48)
!53 = !DILocation(line: 42, column: 78, scope: !48)
!54 = !DILocation(line: 42, column: 82, scope: !48)
!55 = !DILocation(line: 42, column: 84, scope: !48)
!56 = !DILocation(line: 42, column: 88, scope: !48)

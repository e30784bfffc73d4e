source_filename = "tone-mapping.cu"

%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIfEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

define dso_local void @_Z26__device_stub__toneMappingPKfPffii(ptr noundef %in, ptr noundef %out, float noundef %scale, i32 noundef %width, i32 noundef %channels) !dbg !11 {
entry:
  %in.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %scale.addr = alloca float, align 4
  %width.addr = alloca i32, align 4
  %channels.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %in, ptr %in.addr, align 8
  store ptr %out, ptr %out.addr, align 8
  store float %scale, ptr %scale.addr, align 4
  store i32 %width, ptr %width.addr, align 4
  store i32 %channels, ptr %channels.addr, align 4
  %kernel_args = alloca ptr, i64 5, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %in.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %out.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %scale.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !14
  store ptr %width.addr, ptr %3, align 8, !dbg !14
  %4 = getelementptr ptr, ptr %kernel_args, i32 4, !dbg !14
  store ptr %channels.addr, ptr %4, align 8, !dbg !14
  %5 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %6 = load i64, ptr %shmem_size, align 8, !dbg !14
  %7 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %8 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %9 = load i64, ptr %8, align 8, !dbg !14
  %10 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %11 = load i32, ptr %10, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %12 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %13 = load i64, ptr %12, align 8, !dbg !14
  %14 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %15 = load i32, ptr %14, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z26__device_stub__toneMappingPKfPffii, i64 %9, i32 %11, i64 %13, i32 %15, ptr noundef %kernel_args, i64 noundef %6, ptr noundef %7), !dbg !14
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
  %width = alloca i32, align 4
  %height = alloca i32, align 4
  %in = alloca ptr, align 8
  %out = alloca ptr, align 8
  %bytes = alloca i64, align 8
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !17
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !17
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !17
  %call = call i32 @atoi(ptr noundef %1), !dbg !18
  store i32 %call, ptr %width, align 4, !dbg !19
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx1 = getelementptr inbounds ptr, ptr %2, i64 2, !dbg !20
  %3 = load ptr, ptr %arrayidx1, align 8, !dbg !20
  %call2 = call i32 @atoi(ptr noundef %3), !dbg !21
  store i32 %call2, ptr %height, align 4, !dbg !22
  %4 = load i32, ptr %width, align 4, !dbg !23
  %cmp = icmp sle i32 %4, 0, !dbg !24
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !25

lor.lhs.false:                                    ; preds = %entry
  %5 = load i32, ptr %height, align 4, !dbg !26
  %cmp3 = icmp sle i32 %5, 0, !dbg !27
  br i1 %cmp3, label %if.then, label %lor.lhs.false4, !dbg !28

lor.lhs.false4:                                   ; preds = %lor.lhs.false
  %6 = load i32, ptr %width, align 4, !dbg !29
  %rem = srem i32 %6, 16, !dbg !30
  %cmp5 = icmp ne i32 %rem, 0, !dbg !31
  br i1 %cmp5, label %if.then, label %lor.lhs.false6, !dbg !32

lor.lhs.false6:                                   ; preds = %lor.lhs.false4
  %7 = load i32, ptr %height, align 4, !dbg !33
  %rem7 = srem i32 %7, 16, !dbg !34
  %cmp8 = icmp ne i32 %rem7, 0, !dbg !35
  br i1 %cmp8, label %if.then, label %if.end, !dbg !23

if.then:                                          ; preds = %lor.lhs.false6, %lor.lhs.false4, %lor.lhs.false, %entry
  store i32 1, ptr %retval, align 4, !dbg !36
  br label %return, !dbg !36

if.end:                                           ; preds = %lor.lhs.false6
  %8 = load i32, ptr %width, align 4, !dbg !37
  %conv = sext i32 %8 to i64, !dbg !37
  %9 = load i32, ptr %height, align 4, !dbg !38
  %conv9 = sext i32 %9 to i64, !dbg !38
  %mul = mul i64 %conv, %conv9, !dbg !39
  %mul10 = mul i64 %mul, 4, !dbg !40
  %mul11 = mul i64 %mul10, 4, !dbg !41
  store i64 %mul11, ptr %bytes, align 8, !dbg !42
  %10 = load i64, ptr %bytes, align 8, !dbg !43
  %call12 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %in, i64 noundef %10), !dbg !44
  %11 = load i64, ptr %bytes, align 8, !dbg !45
  %call13 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %out, i64 noundef %11), !dbg !46
  %12 = load ptr, ptr %in, align 8, !dbg !47
  %13 = load ptr, ptr %out, align 8, !dbg !48
  %14 = load i32, ptr %width, align 4, !dbg !49
  %15 = load i32, ptr %height, align 4, !dbg !50
  call void @_ZL8compressPKfPfii(ptr noundef %12, ptr noundef %13, i32 noundef %14, i32 noundef %15), !dbg !51
  %call14 = call i32 @cudaDeviceSynchronize(), !dbg !52
  br label %return, !dbg !53

return:                                           ; preds = %if.end, %if.then
  %16 = load i32, ptr %retval, align 4, !dbg !53
  ret i32 %16, !dbg !53
}

declare i32 @atoi(ptr noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !54 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !56
  %1 = load i64, ptr %size.addr, align 8, !dbg !57
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !58
  ret i32 %call, !dbg !59
}

define internal void @_ZL8compressPKfPfii(ptr noundef %in, ptr noundef %out, i32 noundef %width, i32 noundef %height) !dbg !60 {
entry:
  %in.addr = alloca ptr, align 8
  %out.addr = alloca ptr, align 8
  %width.addr = alloca i32, align 4
  %height.addr = alloca i32, align 4
  %block = alloca %struct.dim3, align 4
  %grid = alloca %struct.dim3, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp2 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp2.coerce = alloca { i64, i32 }, align 4
  store ptr %in, ptr %in.addr, align 8
  store ptr %out, ptr %out.addr, align 8
  store i32 %width, ptr %width.addr, align 4
  store i32 %height, ptr %height.addr, align 4
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %block, i32 noundef 16, i32 noundef 16, i32 noundef 1), !dbg !61
  %0 = load i32, ptr %width.addr, align 4, !dbg !62
  %div = sdiv i32 %0, 16, !dbg !63
  %1 = load i32, ptr %height.addr, align 4, !dbg !64
  %div1 = sdiv i32 %1, 16, !dbg !65
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %grid, i32 noundef %div, i32 noundef %div1, i32 noundef 1), !dbg !66
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp, ptr align 4 %grid, i64 12, i1 false), !dbg !67
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp2, ptr align 4 %block, i64 12, i1 false), !dbg !68
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !69
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !69
  %3 = load i64, ptr %2, align 4, !dbg !69
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !69
  %5 = load i32, ptr %4, align 4, !dbg !69
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp2.coerce, ptr align 4 %agg.tmp2, i64 12, i1 false), !dbg !69
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 0, !dbg !69
  %7 = load i64, ptr %6, align 4, !dbg !69
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 1, !dbg !69
  %9 = load i32, ptr %8, align 4, !dbg !69
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !69
  %tobool = icmp ne i32 %call, 0, !dbg !69
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !70

kcall.configok:                                   ; preds = %entry
  %10 = load ptr, ptr %in.addr, align 8, !dbg !71
  %11 = load ptr, ptr %out.addr, align 8, !dbg !72
  %12 = load i32, ptr %width.addr, align 4, !dbg !73
  call void @_Z26__device_stub__toneMappingPKfPffii(ptr noundef %10, ptr noundef %11, float noundef 1.500000e+00, i32 noundef %12, i32 noundef 4), !dbg !70
  br label %kcall.end, !dbg !70

kcall.end:                                        ; preds = %kcall.configok, %entry
  ret void, !dbg !74
}

declare i32 @cudaDeviceSynchronize()

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !75 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !77
  %0 = load i32, ptr %x.addr, align 4, !dbg !78
  store i32 %0, ptr %x2, align 4, !dbg !77
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !79
  %1 = load i32, ptr %y.addr, align 4, !dbg !80
  store i32 %1, ptr %y3, align 4, !dbg !79
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !81
  %2 = load i32, ptr %z.addr, align 4, !dbg !82
  store i32 %2, ptr %z4, align 4, !dbg !81
  ret void, !dbg !83
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
!9 = !DIFile(filename: "tone-mapping.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "toneMapping", scope: !9, file: !9, line: 6, type: !12, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 6, column: 96, scope: !11)
!15 = !DILocation(line: 16, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 24, type: !12, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 25, column: 20, scope: !16)
!18 = !DILocation(line: 25, column: 15, scope: !16)
!19 = !DILocation(line: 25, column: 7, scope: !16)
!20 = !DILocation(line: 25, column: 44, scope: !16)
!21 = !DILocation(line: 25, column: 39, scope: !16)
!22 = !DILocation(line: 25, column: 30, scope: !16)
!23 = !DILocation(line: 26, column: 7, scope: !16)
!24 = !DILocation(line: 26, column: 13, scope: !16)
!25 = !DILocation(line: 26, column: 18, scope: !16)
!26 = !DILocation(line: 26, column: 21, scope: !16)
!27 = !DILocation(line: 26, column: 28, scope: !16)
!28 = !DILocation(line: 26, column: 33, scope: !16)
!29 = !DILocation(line: 26, column: 36, scope: !16)
!30 = !DILocation(line: 26, column: 42, scope: !16)
!31 = !DILocation(line: 26, column: 47, scope: !16)
!32 = !DILocation(line: 26, column: 52, scope: !16)
!33 = !DILocation(line: 26, column: 55, scope: !16)
!34 = !DILocation(line: 26, column: 62, scope: !16)
!35 = !DILocation(line: 26, column: 67, scope: !16)
!36 = !DILocation(line: 27, column: 5, scope: !16)
!37 = !DILocation(line: 29, column: 26, scope: !16)
!38 = !DILocation(line: 29, column: 34, scope: !16)
!39 = !DILocation(line: 29, column: 32, scope: !16)
!40 = !DILocation(line: 29, column: 41, scope: !16)
!41 = !DILocation(line: 29, column: 45, scope: !16)
!42 = !DILocation(line: 29, column: 10, scope: !16)
!43 = !DILocation(line: 30, column: 19, scope: !16)
!44 = !DILocation(line: 30, column: 3, scope: !16)
!45 = !DILocation(line: 31, column: 20, scope: !16)
!46 = !DILocation(line: 31, column: 3, scope: !16)
!47 = !DILocation(line: 32, column: 12, scope: !16)
!48 = !DILocation(line: 32, column: 16, scope: !16)
!49 = !DILocation(line: 32, column: 21, scope: !16)
!50 = !DILocation(line: 32, column: 28, scope: !16)
!51 = !DILocation(line: 32, column: 3, scope: !16)
!52 = !DILocation(line: 33, column: 3, scope: !16)
!53 = !DILocation(line: 34, column: 1, scope: !16)
!54 = distinct !DISubprogram(name: "cudaMalloc<float>", scope: !55, file: !55, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!55 = !DIFile(filename: "/tmp/ptxsan-hostcode-3616639199/cuda_runtime.h")
!56 = !DILocation(line: 160, column: 102, scope: !54)
!57 = !DILocation(line: 160, column: 105, scope: !54)
!58 = !DILocation(line: 160, column: 82, scope: !54)
!59 = !DILocation(line: 160, column: 75, scope: !54)
!60 = distinct !DISubprogram(name: "compress", scope: !9, file: !9, line: 18, type: !12, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!61 = !DILocation(line: 19, column: 8, scope: !60)
!62 = !DILocation(line: 20, column: 13, scope: !60)
!63 = !DILocation(line: 20, column: 19, scope: !60)
!64 = !DILocation(line: 20, column: 25, scope: !60)
!65 = !DILocation(line: 20, column: 32, scope: !60)
!66 = !DILocation(line: 20, column: 8, scope: !60)
!67 = !DILocation(line: 21, column: 17, scope: !60)
!68 = !DILocation(line: 21, column: 23, scope: !60)
!69 = !DILocation(line: 21, column: 14, scope: !60)
!70 = !DILocation(line: 21, column: 3, scope: !60)
!71 = !DILocation(line: 21, column: 32, scope: !60)
!72 = !DILocation(line: 21, column: 36, scope: !60)
!73 = !DILocation(line: 21, column: 47, scope: !60)
!74 = !DILocation(line: 22, column: 1, scope: !60)
!75 = distinct !DISubprogram(name: "dim3", scope: !76, file: !76, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!76 = !DIFile(filename: "/tmp/ptxsan-hostcode-3616639199/cuda_vectors.h")
!77 = !DILocation(line: 42, column: 70, scope: !75)
!78 = !DILocation(line: 42, column: 72, scope: !75)
!79 = !DILocation(line: 42, column: 76, scope: !75)
!80 = !DILocation(line: 42, column: 78, scope: !75)
!81 = !DILocation(line: 42, column: 82, scope: !75)
!82 = !DILocation(line: 42, column: 84, scope: !75)
!83 = !DILocation(line: 42, column: 88, scope: !75)

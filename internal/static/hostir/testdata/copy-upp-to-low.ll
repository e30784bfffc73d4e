source_filename = "copy-upp-to-low.cu"

%struct.MatrixDim = type { i32, i32, i32 }
%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIfEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

@.str = private unnamed_addr constant [13 x i8] c"rows == cols\00", align 1
@.str.1 = private unnamed_addr constant [19 x i8] c"copy-upp-to-low.cu\00", align 1
@__PRETTY_FUNCTION__._ZL12copyUppToLowPfiii = private unnamed_addr constant [42 x i8] c"void copyUppToLow(float *, int, int, int)\00", align 1
@.str.2 = private unnamed_addr constant [15 x i8] c"stride >= cols\00", align 1

define dso_local void @_Z25__device_stub__copyUppLowPf9MatrixDim(ptr noundef %a, i64 %d.coerce0, i32 %d.coerce1) !dbg !11 {
entry:
  %d = alloca %struct.MatrixDim, align 4
  %coerce = alloca { i64, i32 }, align 4
  %a.addr = alloca ptr, align 8
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  %0 = getelementptr inbounds { i64, i32 }, ptr %coerce, i32 0, i32 0
  store i64 %d.coerce0, ptr %0, align 4
  %1 = getelementptr inbounds { i64, i32 }, ptr %coerce, i32 0, i32 1
  store i32 %d.coerce1, ptr %1, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %d, ptr align 4 %coerce, i64 12, i1 false)
  store ptr %a, ptr %a.addr, align 8
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %a.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %d, ptr %3, align 8, !dbg !14
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z25__device_stub__copyUppLowPf9MatrixDim, i64 %8, i32 %10, i64 %12, i32 %14, ptr noundef %kernel_args, i64 noundef %5, ptr noundef %6), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !16 {
entry:
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %rows = alloca i32, align 4
  %cols = alloca i32, align 4
  %stride = alloca i32, align 4
  %data = alloca ptr, align 8
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !17
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !17
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !17
  %call = call i32 @atoi(ptr noundef %1), !dbg !18
  store i32 %call, ptr %rows, align 4, !dbg !19
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx1 = getelementptr inbounds ptr, ptr %2, i64 2, !dbg !20
  %3 = load ptr, ptr %arrayidx1, align 8, !dbg !20
  %call2 = call i32 @atoi(ptr noundef %3), !dbg !21
  store i32 %call2, ptr %cols, align 4, !dbg !22
  %4 = load ptr, ptr %argv.addr, align 8, !dbg !23
  %arrayidx3 = getelementptr inbounds ptr, ptr %4, i64 3, !dbg !23
  %5 = load ptr, ptr %arrayidx3, align 8, !dbg !23
  %call4 = call i32 @atoi(ptr noundef %5), !dbg !24
  store i32 %call4, ptr %stride, align 4, !dbg !25
  %6 = load i32, ptr %rows, align 4, !dbg !26
  %7 = load i32, ptr %stride, align 4, !dbg !27
  %mul = mul nsw i32 %6, %7, !dbg !28
  %conv = sext i32 %mul to i64, !dbg !26
  %mul5 = mul i64 %conv, 4, !dbg !29
  %call6 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %data, i64 noundef %mul5), !dbg !30
  %8 = load ptr, ptr %data, align 8, !dbg !31
  %9 = load i32, ptr %rows, align 4, !dbg !32
  %10 = load i32, ptr %cols, align 4, !dbg !33
  %11 = load i32, ptr %stride, align 4, !dbg !34
  call void @_ZL12copyUppToLowPfiii(ptr noundef %8, i32 noundef %9, i32 noundef %10, i32 noundef %11), !dbg !35
  %call7 = call i32 @cudaDeviceSynchronize(), !dbg !36
  ret i32 0, !dbg !37
}

declare i32 @atoi(ptr noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !38 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !40
  %1 = load i64, ptr %size.addr, align 8, !dbg !41
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !42
  ret i32 %call, !dbg !43
}

define internal void @_ZL12copyUppToLowPfiii(ptr noundef %data, i32 noundef %rows, i32 noundef %cols, i32 noundef %stride) !dbg !44 {
entry:
  %data.addr = alloca ptr, align 8
  %rows.addr = alloca i32, align 4
  %cols.addr = alloca i32, align 4
  %stride.addr = alloca i32, align 4
  %d = alloca %struct.MatrixDim, align 4
  %block = alloca %struct.dim3, align 4
  %grid = alloca %struct.dim3, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp11 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp11.coerce = alloca { i64, i32 }, align 4
  %agg.tmp12 = alloca %struct.MatrixDim, align 4
  %agg.tmp12.coerce = alloca { i64, i32 }, align 4
  store ptr %data, ptr %data.addr, align 8
  store i32 %rows, ptr %rows.addr, align 4
  store i32 %cols, ptr %cols.addr, align 4
  store i32 %stride, ptr %stride.addr, align 4
  %0 = load i32, ptr %rows.addr, align 4, !dbg !45
  %1 = load i32, ptr %cols.addr, align 4, !dbg !45
  %cmp = icmp eq i32 %0, %1, !dbg !45
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !45

cond.true:                                        ; preds = %entry
  br label %cond.end, !dbg !45

cond.false:                                       ; preds = %entry
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 17, ptr noundef @__PRETTY_FUNCTION__._ZL12copyUppToLowPfiii), !dbg !45
  unreachable, !dbg !45

2:                                                ; No predecessors!
  br label %cond.end, !dbg !45

cond.end:                                         ; preds = %2, %cond.true
  %3 = load i32, ptr %stride.addr, align 4, !dbg !46
  %4 = load i32, ptr %cols.addr, align 4, !dbg !46
  %cmp1 = icmp sge i32 %3, %4, !dbg !46
  br i1 %cmp1, label %cond.true2, label %cond.false3, !dbg !46

cond.true2:                                       ; preds = %cond.end
  br label %cond.end4, !dbg !46

cond.false3:                                      ; preds = %cond.end
  call void @__assert_fail(ptr noundef @.str.2, ptr noundef @.str.1, i32 noundef 18, ptr noundef @__PRETTY_FUNCTION__._ZL12copyUppToLowPfiii), !dbg !46
  unreachable, !dbg !46

5:                                                ; No predecessors!
  br label %cond.end4, !dbg !46

cond.end4:                                        ; preds = %5, %cond.true2
  %rows5 = getelementptr inbounds %struct.MatrixDim, ptr %d, i32 0, i32 0, !dbg !47
  %6 = load i32, ptr %rows.addr, align 4, !dbg !48
  store i32 %6, ptr %rows5, align 4, !dbg !47
  %cols6 = getelementptr inbounds %struct.MatrixDim, ptr %d, i32 0, i32 1, !dbg !47
  %7 = load i32, ptr %cols.addr, align 4, !dbg !49
  store i32 %7, ptr %cols6, align 4, !dbg !47
  %stride7 = getelementptr inbounds %struct.MatrixDim, ptr %d, i32 0, i32 2, !dbg !47
  %8 = load i32, ptr %stride.addr, align 4, !dbg !50
  store i32 %8, ptr %stride7, align 4, !dbg !47
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %block, i32 noundef 16, i32 noundef 16, i32 noundef 1), !dbg !51
  %9 = load i32, ptr %rows.addr, align 4, !dbg !52
  %add = add nsw i32 %9, 16, !dbg !52
  %sub = sub nsw i32 %add, 1, !dbg !52
  %div = sdiv i32 %sub, 16, !dbg !52
  %10 = load i32, ptr %rows.addr, align 4, !dbg !53
  %add8 = add nsw i32 %10, 16, !dbg !53
  %sub9 = sub nsw i32 %add8, 1, !dbg !53
  %div10 = sdiv i32 %sub9, 16, !dbg !53
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %grid, i32 noundef %div, i32 noundef %div10, i32 noundef 1), !dbg !54
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp, ptr align 4 %grid, i64 12, i1 false), !dbg !55
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp11, ptr align 4 %block, i64 12, i1 false), !dbg !56
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !57
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !57
  %12 = load i64, ptr %11, align 4, !dbg !57
  %13 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !57
  %14 = load i32, ptr %13, align 4, !dbg !57
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp11.coerce, ptr align 4 %agg.tmp11, i64 12, i1 false), !dbg !57
  %15 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 0, !dbg !57
  %16 = load i64, ptr %15, align 4, !dbg !57
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 1, !dbg !57
  %18 = load i32, ptr %17, align 4, !dbg !57
  %call = call i32 @__cudaPushCallConfiguration(i64 %12, i32 %14, i64 %16, i32 %18, i64 noundef 0, ptr noundef null), !dbg !57
  %tobool = icmp ne i32 %call, 0, !dbg !57
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !58

kcall.configok:                                   ; preds = %cond.end4
  %19 = load ptr, ptr %data.addr, align 8, !dbg !59
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp12, ptr align 4 %d, i64 12, i1 false), !dbg !60
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp12.coerce, ptr align 4 %agg.tmp12, i64 12, i1 false), !dbg !58
  %20 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp12.coerce, i32 0, i32 0, !dbg !58
  %21 = load i64, ptr %20, align 4, !dbg !58
  %22 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp12.coerce, i32 0, i32 1, !dbg !58
  %23 = load i32, ptr %22, align 4, !dbg !58
  call void @_Z25__device_stub__copyUppLowPf9MatrixDim(ptr noundef %19, i64 %21, i32 %23), !dbg !58
  br label %kcall.end, !dbg !58

kcall.end:                                        ; preds = %kcall.configok, %cond.end4
  ret void, !dbg !61
}

declare i32 @cudaDeviceSynchronize()

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !62 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !64
  %0 = load i32, ptr %x.addr, align 4, !dbg !65
  store i32 %0, ptr %x2, align 4, !dbg !64
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !66
  %1 = load i32, ptr %y.addr, align 4, !dbg !67
  store i32 %1, ptr %y3, align 4, !dbg !66
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !68
  %2 = load i32, ptr %z.addr, align 4, !dbg !69
  store i32 %2, ptr %z4, align 4, !dbg !68
  ret void, !dbg !70
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
!9 = !DIFile(filename: "copy-upp-to-low.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "copyUppLow", scope: !9, file: !9, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 9, column: 51, scope: !11)
!15 = !DILocation(line: 14, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 25, type: !12, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 26, column: 19, scope: !16)
!18 = !DILocation(line: 26, column: 14, scope: !16)
!19 = !DILocation(line: 26, column: 7, scope: !16)
!20 = !DILocation(line: 26, column: 41, scope: !16)
!21 = !DILocation(line: 26, column: 36, scope: !16)
!22 = !DILocation(line: 26, column: 29, scope: !16)
!23 = !DILocation(line: 26, column: 65, scope: !16)
!24 = !DILocation(line: 26, column: 60, scope: !16)
!25 = !DILocation(line: 26, column: 51, scope: !16)
!26 = !DILocation(line: 28, column: 21, scope: !16)
!27 = !DILocation(line: 28, column: 28, scope: !16)
!28 = !DILocation(line: 28, column: 26, scope: !16)
!29 = !DILocation(line: 28, column: 35, scope: !16)
!30 = !DILocation(line: 28, column: 3, scope: !16)
!31 = !DILocation(line: 29, column: 16, scope: !16)
!32 = !DILocation(line: 29, column: 22, scope: !16)
!33 = !DILocation(line: 29, column: 28, scope: !16)
!34 = !DILocation(line: 29, column: 34, scope: !16)
!35 = !DILocation(line: 29, column: 3, scope: !16)
!36 = !DILocation(line: 30, column: 3, scope: !16)
!37 = !DILocation(line: 31, column: 1, scope: !16)
!38 = distinct !DISubprogram(name: "cudaMalloc<float>", scope: !39, file: !39, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!39 = !DIFile(filename: "/tmp/ptxsan-hostcode-3334775418/cuda_runtime.h")
!40 = !DILocation(line: 160, column: 102, scope: !38)
!41 = !DILocation(line: 160, column: 105, scope: !38)
!42 = !DILocation(line: 160, column: 82, scope: !38)
!43 = !DILocation(line: 160, column: 75, scope: !38)
!44 = distinct !DISubprogram(name: "copyUppToLow", scope: !9, file: !9, line: 16, type: !12, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!45 = !DILocation(line: 17, column: 3, scope: !44)
!46 = !DILocation(line: 18, column: 3, scope: !44)
!47 = !DILocation(line: 19, column: 17, scope: !44)
!48 = !DILocation(line: 19, column: 18, scope: !44)
!49 = !DILocation(line: 19, column: 24, scope: !44)
!50 = !DILocation(line: 19, column: 30, scope: !44)
!51 = !DILocation(line: 20, column: 8, scope: !44)
!52 = !DILocation(line: 21, column: 13, scope: !44)
!53 = !DILocation(line: 21, column: 27, scope: !44)
!54 = !DILocation(line: 21, column: 8, scope: !44)
!55 = !DILocation(line: 22, column: 16, scope: !44)
!56 = !DILocation(line: 22, column: 22, scope: !44)
!57 = !DILocation(line: 22, column: 13, scope: !44)
!58 = !DILocation(line: 22, column: 3, scope: !44)
!59 = !DILocation(line: 22, column: 31, scope: !44)
!60 = !DILocation(line: 22, column: 37, scope: !44)
!61 = !DILocation(line: 23, column: 1, scope: !44)
!62 = distinct !DISubprogram(name: "dim3", scope: !63, file: !63, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!63 = !DIFile(filename: "/tmp/ptxsan-hostcode-3334775418/cuda_vectors.h")
!64 = !DILocation(line: 42, column: 70, scope: !62)
!65 = !DILocation(line: 42, column: 72, scope: !62)
!66 = !DILocation(line: 42, column: 76, scope: !62)
!67 = !DILocation(line: 42, column: 78, scope: !62)
!68 = !DILocation(line: 42, column: 82, scope: !62)
!69 = !DILocation(line: 42, column: 84, scope: !62)
!70 = !DILocation(line: 42, column: 88, scope: !62)

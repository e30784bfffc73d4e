source_filename = "needleman-wunsch.cu"

%struct.dim3 = type { i32, i32, i32 }

$_Z10cudaMallocIiEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

@stderr = external global ptr, align 8
@.str = private unnamed_addr constant [35 x i8] c"the size must be a multiple of %d\0A\00", align 1

define dso_local void @_Z19__device_stub__growPiPKiiii(ptr noundef %score, ptr noundef %match, i32 noundef %cols, i32 noundef %penalty, i32 noundef %diagonal) !dbg !11 {
entry:
  %score.addr = alloca ptr, align 8
  %match.addr = alloca ptr, align 8
  %cols.addr = alloca i32, align 4
  %penalty.addr = alloca i32, align 4
  %diagonal.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %score, ptr %score.addr, align 8
  store ptr %match, ptr %match.addr, align 8
  store i32 %cols, ptr %cols.addr, align 4
  store i32 %penalty, ptr %penalty.addr, align 4
  store i32 %diagonal, ptr %diagonal.addr, align 4
  %kernel_args = alloca ptr, i64 5, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %score.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %match.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %cols.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !14
  store ptr %penalty.addr, ptr %3, align 8, !dbg !14
  %4 = getelementptr ptr, ptr %kernel_args, i32 4, !dbg !14
  store ptr %diagonal.addr, ptr %4, align 8, !dbg !14
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z19__device_stub__growPiPKiiii, i64 %9, i32 %11, i64 %13, i32 %15, ptr noundef %kernel_args, i64 noundef %6, ptr noundef %7), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z21__device_stub__shrinkPiPKiiiii(ptr noundef %score, ptr noundef %match, i32 noundef %cols, i32 noundef %penalty, i32 noundef %diagonal, i32 noundef %width) !dbg !16 {
entry:
  %score.addr = alloca ptr, align 8
  %match.addr = alloca ptr, align 8
  %cols.addr = alloca i32, align 4
  %penalty.addr = alloca i32, align 4
  %diagonal.addr = alloca i32, align 4
  %width.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %score, ptr %score.addr, align 8
  store ptr %match, ptr %match.addr, align 8
  store i32 %cols, ptr %cols.addr, align 4
  store i32 %penalty, ptr %penalty.addr, align 4
  store i32 %diagonal, ptr %diagonal.addr, align 4
  store i32 %width, ptr %width.addr, align 4
  %kernel_args = alloca ptr, i64 6, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %score.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %match.addr, ptr %1, align 8, !dbg !17
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !17
  store ptr %cols.addr, ptr %2, align 8, !dbg !17
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !17
  store ptr %penalty.addr, ptr %3, align 8, !dbg !17
  %4 = getelementptr ptr, ptr %kernel_args, i32 4, !dbg !17
  store ptr %diagonal.addr, ptr %4, align 8, !dbg !17
  %5 = getelementptr ptr, ptr %kernel_args, i32 5, !dbg !17
  store ptr %width.addr, ptr %5, align 8, !dbg !17
  %6 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !17
  %7 = load i64, ptr %shmem_size, align 8, !dbg !17
  %8 = load ptr, ptr %stream, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !17
  %9 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !17
  %10 = load i64, ptr %9, align 8, !dbg !17
  %11 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !17
  %12 = load i32, ptr %11, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !17
  %13 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !17
  %14 = load i64, ptr %13, align 8, !dbg !17
  %15 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !17
  %16 = load i32, ptr %15, align 8, !dbg !17
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z21__device_stub__shrinkPiPKiiiii, i64 %10, i32 %12, i64 %14, i32 %16, ptr noundef %kernel_args, i64 noundef %7, ptr noundef %8), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !19 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %size = alloca i32, align 4
  %penalty = alloca i32, align 4
  %cols = alloca i32, align 4
  %score = alloca ptr, align 8
  %match = alloca ptr, align 8
  %width = alloca i32, align 4
  %d = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp12 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp12.coerce = alloca { i64, i32 }, align 4
  %d14 = alloca i32, align 4
  %agg.tmp18 = alloca %struct.dim3, align 4
  %agg.tmp19 = alloca %struct.dim3, align 4
  %agg.tmp18.coerce = alloca { i64, i32 }, align 4
  %agg.tmp19.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !20
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !20
  %call = call i32 @atoi(ptr noundef %1), !dbg !21
  store i32 %call, ptr %size, align 4, !dbg !22
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !23
  %arrayidx1 = getelementptr inbounds ptr, ptr %2, i64 2, !dbg !23
  %3 = load ptr, ptr %arrayidx1, align 8, !dbg !23
  %call2 = call i32 @atoi(ptr noundef %3), !dbg !24
  store i32 %call2, ptr %penalty, align 4, !dbg !25
  %4 = load i32, ptr %size, align 4, !dbg !26
  %cmp = icmp sle i32 %4, 0, !dbg !27
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !28

lor.lhs.false:                                    ; preds = %entry
  %5 = load i32, ptr %size, align 4, !dbg !29
  %rem = srem i32 %5, 16, !dbg !30
  %cmp3 = icmp ne i32 %rem, 0, !dbg !31
  br i1 %cmp3, label %if.then, label %if.end, !dbg !26

if.then:                                          ; preds = %lor.lhs.false, %entry
  %6 = load ptr, ptr @stderr, align 8, !dbg !32
  %call4 = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %6, ptr noundef @.str, i32 noundef 16), !dbg !33
  call void @exit(i32 noundef 1), !dbg !34
  unreachable, !dbg !34

if.end:                                           ; preds = %lor.lhs.false
  %7 = load i32, ptr %size, align 4, !dbg !35
  %add = add nsw i32 %7, 1, !dbg !36
  store i32 %add, ptr %cols, align 4, !dbg !37
  %8 = load i32, ptr %cols, align 4, !dbg !38
  %9 = load i32, ptr %cols, align 4, !dbg !39
  %mul = mul nsw i32 %8, %9, !dbg !40
  %conv = sext i32 %mul to i64, !dbg !38
  %mul5 = mul i64 %conv, 4, !dbg !41
  %call6 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %score, i64 noundef %mul5), !dbg !42
  %10 = load i32, ptr %cols, align 4, !dbg !43
  %11 = load i32, ptr %cols, align 4, !dbg !44
  %mul7 = mul nsw i32 %10, %11, !dbg !45
  %conv8 = sext i32 %mul7 to i64, !dbg !43
  %mul9 = mul i64 %conv8, 4, !dbg !46
  %call10 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %match, i64 noundef %mul9), !dbg !47
  %12 = load i32, ptr %size, align 4, !dbg !48
  %div = sdiv i32 %12, 16, !dbg !49
  store i32 %div, ptr %width, align 4, !dbg !50
  store i32 1, ptr %d, align 4, !dbg !51
  br label %for.cond, !dbg !52

for.cond:                                         ; preds = %for.inc, %if.end
  %13 = load i32, ptr %d, align 4, !dbg !53
  %14 = load i32, ptr %width, align 4, !dbg !54
  %cmp11 = icmp sle i32 %13, %14, !dbg !55
  br i1 %cmp11, label %for.body, label %for.end, !dbg !56

for.body:                                         ; preds = %for.cond
  %15 = load i32, ptr %d, align 4, !dbg !57
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %15, i32 noundef 1, i32 noundef 1), !dbg !57
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp12, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !58
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !59
  %16 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !59
  %17 = load i64, ptr %16, align 4, !dbg !59
  %18 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !59
  %19 = load i32, ptr %18, align 4, !dbg !59
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp12.coerce, ptr align 4 %agg.tmp12, i64 12, i1 false), !dbg !59
  %20 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp12.coerce, i32 0, i32 0, !dbg !59
  %21 = load i64, ptr %20, align 4, !dbg !59
  %22 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp12.coerce, i32 0, i32 1, !dbg !59
  %23 = load i32, ptr %22, align 4, !dbg !59
  %call13 = call i32 @__cudaPushCallConfiguration(i64 %17, i32 %19, i64 %21, i32 %23, i64 noundef 0, ptr noundef null), !dbg !59
  %tobool = icmp ne i32 %call13, 0, !dbg !59
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !60

kcall.configok:                                   ; preds = %for.body
  %24 = load ptr, ptr %score, align 8, !dbg !61
  %25 = load ptr, ptr %match, align 8, !dbg !62
  %26 = load i32, ptr %cols, align 4, !dbg !63
  %27 = load i32, ptr %penalty, align 4, !dbg !64
  %28 = load i32, ptr %d, align 4, !dbg !65
  call void @_Z19__device_stub__growPiPKiiii(ptr noundef %24, ptr noundef %25, i32 noundef %26, i32 noundef %27, i32 noundef %28), !dbg !60
  br label %kcall.end, !dbg !60

kcall.end:                                        ; preds = %kcall.configok, %for.body
  br label %for.inc, !dbg !60

for.inc:                                          ; preds = %kcall.end
  %29 = load i32, ptr %d, align 4, !dbg !66
  %inc = add nsw i32 %29, 1, !dbg !66
  store i32 %inc, ptr %d, align 4, !dbg !66
  br label %for.cond, !dbg !56, !llvm.loop !67

for.end:                                          ; preds = %for.cond
  %30 = load i32, ptr %width, align 4, !dbg !70
  %sub = sub nsw i32 %30, 1, !dbg !71
  store i32 %sub, ptr %d14, align 4, !dbg !72
  br label %for.cond15, !dbg !73

for.cond15:                                       ; preds = %for.inc24, %for.end
  %31 = load i32, ptr %d14, align 4, !dbg !74
  %cmp16 = icmp sge i32 %31, 1, !dbg !75
  br i1 %cmp16, label %for.body17, label %for.end25, !dbg !76

for.body17:                                       ; preds = %for.cond15
  %32 = load i32, ptr %d14, align 4, !dbg !77
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp18, i32 noundef %32, i32 noundef 1, i32 noundef 1), !dbg !77
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp19, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !78
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp18.coerce, ptr align 4 %agg.tmp18, i64 12, i1 false), !dbg !79
  %33 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 0, !dbg !79
  %34 = load i64, ptr %33, align 4, !dbg !79
  %35 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 1, !dbg !79
  %36 = load i32, ptr %35, align 4, !dbg !79
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp19.coerce, ptr align 4 %agg.tmp19, i64 12, i1 false), !dbg !79
  %37 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 0, !dbg !79
  %38 = load i64, ptr %37, align 4, !dbg !79
  %39 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 1, !dbg !79
  %40 = load i32, ptr %39, align 4, !dbg !79
  %call20 = call i32 @__cudaPushCallConfiguration(i64 %34, i32 %36, i64 %38, i32 %40, i64 noundef 0, ptr noundef null), !dbg !79
  %tobool21 = icmp ne i32 %call20, 0, !dbg !79
  br i1 %tobool21, label %kcall.end23, label %kcall.configok22, !dbg !80

kcall.configok22:                                 ; preds = %for.body17
  %41 = load ptr, ptr %score, align 8, !dbg !81
  %42 = load ptr, ptr %match, align 8, !dbg !82
  %43 = load i32, ptr %cols, align 4, !dbg !83
  %44 = load i32, ptr %penalty, align 4, !dbg !84
  %45 = load i32, ptr %d14, align 4, !dbg !85
  %46 = load i32, ptr %width, align 4, !dbg !86
  call void @_Z21__device_stub__shrinkPiPKiiiii(ptr noundef %41, ptr noundef %42, i32 noundef %43, i32 noundef %44, i32 noundef %45, i32 noundef %46), !dbg !80
  br label %kcall.end23, !dbg !80

kcall.end23:                                      ; preds = %kcall.configok22, %for.body17
  br label %for.inc24, !dbg !80

for.inc24:                                        ; preds = %kcall.end23
  %47 = load i32, ptr %d14, align 4, !dbg !87
  %dec = add nsw i32 %47, -1, !dbg !87
  store i32 %dec, ptr %d14, align 4, !dbg !87
  br label %for.cond15, !dbg !76, !llvm.loop !88

for.end25:                                        ; preds = %for.cond15
  %call26 = call i32 @cudaDeviceSynchronize(), !dbg !90
  %48 = load i32, ptr %retval, align 4, !dbg !91
  ret i32 %48, !dbg !91
}

declare i32 @atoi(ptr noundef)

declare i32 @fprintf(ptr noundef, ptr noundef, ...)

declare void @exit(i32 noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !92 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !94
  %1 = load i64, ptr %size.addr, align 8, !dbg !95
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !96
  ret i32 %call, !dbg !97
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !98 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !100
  %0 = load i32, ptr %x.addr, align 4, !dbg !101
  store i32 %0, ptr %x2, align 4, !dbg !100
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !102
  %1 = load i32, ptr %y.addr, align 4, !dbg !103
  store i32 %1, ptr %y3, align 4, !dbg !102
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !104
  %2 = load i32, ptr %z.addr, align 4, !dbg !105
  store i32 %2, ptr %z4, align 4, !dbg !104
  ret void, !dbg !106
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
!9 = !DIFile(filename: "needleman-wunsch.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "grow", scope: !9, file: !9, line: 31, type: !12, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 31, column: 89, scope: !11)
!15 = !DILocation(line: 34, column: 1, scope: !11)
!16 = distinct !DISubprogram(name: "shrink", scope: !9, file: !9, line: 36, type: !12, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 36, column: 102, scope: !16)
!18 = !DILocation(line: 39, column: 1, scope: !16)
!19 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 41, type: !12, scopeLine: 41, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 42, column: 19, scope: !19)
!21 = !DILocation(line: 42, column: 14, scope: !19)
!22 = !DILocation(line: 42, column: 7, scope: !19)
!23 = !DILocation(line: 42, column: 44, scope: !19)
!24 = !DILocation(line: 42, column: 39, scope: !19)
!25 = !DILocation(line: 42, column: 29, scope: !19)
!26 = !DILocation(line: 43, column: 7, scope: !19)
!27 = !DILocation(line: 43, column: 12, scope: !19)
!28 = !DILocation(line: 43, column: 17, scope: !19)
!29 = !DILocation(line: 43, column: 20, scope: !19)
!30 = !DILocation(line: 43, column: 25, scope: !19)
!31 = !DILocation(line: 43, column: 32, scope: !19)
!32 = !DILocation(line: 44, column: 13, scope: !19)
!33 = !DILocation(line: 44, column: 5, scope: !19)
!34 = !DILocation(line: 45, column: 5, scope: !19)
!35 = !DILocation(line: 47, column: 14, scope: !19)
!36 = !DILocation(line: 47, column: 19, scope: !19)
!37 = !DILocation(line: 47, column: 7, scope: !19)
!38 = !DILocation(line: 49, column: 22, scope: !19)
!39 = !DILocation(line: 49, column: 29, scope: !19)
!40 = !DILocation(line: 49, column: 27, scope: !19)
!41 = !DILocation(line: 49, column: 34, scope: !19)
!42 = !DILocation(line: 49, column: 3, scope: !19)
!43 = !DILocation(line: 50, column: 22, scope: !19)
!44 = !DILocation(line: 50, column: 29, scope: !19)
!45 = !DILocation(line: 50, column: 27, scope: !19)
!46 = !DILocation(line: 50, column: 34, scope: !19)
!47 = !DILocation(line: 50, column: 3, scope: !19)
!48 = !DILocation(line: 51, column: 15, scope: !19)
!49 = !DILocation(line: 51, column: 20, scope: !19)
!50 = !DILocation(line: 51, column: 7, scope: !19)
!51 = !DILocation(line: 52, column: 12, scope: !19)
!52 = !DILocation(line: 52, column: 8, scope: !19)
!53 = !DILocation(line: 52, column: 19, scope: !19)
!54 = !DILocation(line: 52, column: 24, scope: !19)
!55 = !DILocation(line: 52, column: 21, scope: !19)
!56 = !DILocation(line: 52, column: 3, scope: !19)
!57 = !DILocation(line: 53, column: 12, scope: !19)
!58 = !DILocation(line: 53, column: 15, scope: !19)
!59 = !DILocation(line: 53, column: 9, scope: !19)
!60 = !DILocation(line: 53, column: 5, scope: !19)
!61 = !DILocation(line: 53, column: 23, scope: !19)
!62 = !DILocation(line: 53, column: 30, scope: !19)
!63 = !DILocation(line: 53, column: 37, scope: !19)
!64 = !DILocation(line: 53, column: 43, scope: !19)
!65 = !DILocation(line: 53, column: 52, scope: !19)
!66 = !DILocation(line: 52, column: 32, scope: !19)
!67 = distinct !{!67, !56, !68, !69}
!68 = !DILocation(line: 53, column: 53, scope: !19)
!69 = !{!"llvm.loop.mustprogress"}
!70 = !DILocation(line: 54, column: 16, scope: !19)
!71 = !DILocation(line: 54, column: 22, scope: !19)
!72 = !DILocation(line: 54, column: 12, scope: !19)
!73 = !DILocation(line: 54, column: 8, scope: !19)
!74 = !DILocation(line: 54, column: 27, scope: !19)
!75 = !DILocation(line: 54, column: 29, scope: !19)
!76 = !DILocation(line: 54, column: 3, scope: !19)
!77 = !DILocation(line: 55, column: 14, scope: !19)
!78 = !DILocation(line: 55, column: 17, scope: !19)
!79 = !DILocation(line: 55, column: 11, scope: !19)
!80 = !DILocation(line: 55, column: 5, scope: !19)
!81 = !DILocation(line: 55, column: 25, scope: !19)
!82 = !DILocation(line: 55, column: 32, scope: !19)
!83 = !DILocation(line: 55, column: 39, scope: !19)
!84 = !DILocation(line: 55, column: 45, scope: !19)
!85 = !DILocation(line: 55, column: 54, scope: !19)
!86 = !DILocation(line: 55, column: 57, scope: !19)
!87 = !DILocation(line: 54, column: 36, scope: !19)
!88 = distinct !{!88, !76, !89, !69}
!89 = !DILocation(line: 55, column: 62, scope: !19)
!90 = !DILocation(line: 56, column: 3, scope: !19)
!91 = !DILocation(line: 57, column: 1, scope: !19)
!92 = distinct !DISubprogram(name: "cudaMalloc<int>", scope: !93, file: !93, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!93 = !DIFile(filename: "/tmp/ptxsan-hostcode-3356181830/cuda_runtime.h")
!94 = !DILocation(line: 160, column: 102, scope: !92)
!95 = !DILocation(line: 160, column: 105, scope: !92)
!96 = !DILocation(line: 160, column: 82, scope: !92)
!97 = !DILocation(line: 160, column: 75, scope: !92)
!98 = distinct !DISubprogram(name: "dim3", scope: !99, file: !99, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!99 = !DIFile(filename: "/tmp/ptxsan-hostcode-3356181830/cuda_vectors.h")
!100 = !DILocation(line: 42, column: 70, scope: !98)
!101 = !DILocation(line: 42, column: 72, scope: !98)
!102 = !DILocation(line: 42, column: 76, scope: !98)
!103 = !DILocation(line: 42, column: 78, scope: !98)
!104 = !DILocation(line: 42, column: 82, scope: !98)
!105 = !DILocation(line: 42, column: 84, scope: !98)
!106 = !DILocation(line: 42, column: 88, scope: !98)

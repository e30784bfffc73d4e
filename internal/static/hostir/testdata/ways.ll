source_filename = "ways.cu"

%struct.dim3 = type { i32, i32, i32 }
%struct.Size = type { i32, i32, i64, ptr }
%class.Runner = type { i32, ptr }

$_Z10cudaMallocIiEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

$_Z8instanceILi128EEvPii = comdat any

$_Z8instanceILi16EEvPii = comdat any

$_ZN6RunnerC2Ei = comdat any

$_ZN6Runner3runEv = comdat any

$_Z10cudaMallocIfEiPPT_m = comdat any

$_Z15cudaMallocPitchIfEiPPT_Pmmm = comdat any

$_Z20__device_stub__typedILi128EiEvPT0_i = comdat any

$_Z20__device_stub__typedILi16EiEvPT0_i = comdat any

@.str = private unnamed_addr constant [19 x i8] c"n < 1000 && n != 8\00", align 1
@.str.1 = private unnamed_addr constant [8 x i8] c"ways.cu\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [23 x i8] c"int main(int, char **)\00", align 1
@_ZL5limit = internal global i32 7, align 4

define dso_local void @_Z21__device_stub__simplePii(ptr noundef %p, i32 noundef %n) !dbg !11 {
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
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %p.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %n.addr, ptr %1, align 8, !dbg !14
  %2 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !14
  %3 = load i64, ptr %shmem_size, align 8, !dbg !14
  %4 = load ptr, ptr %stream, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !14
  %5 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !14
  %6 = load i64, ptr %5, align 8, !dbg !14
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !14
  %8 = load i32, ptr %7, align 8, !dbg !14
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !14
  %9 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !14
  %10 = load i64, ptr %9, align 8, !dbg !14
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !14
  %12 = load i32, ptr %11, align 8, !dbg !14
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z21__device_stub__simplePii, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z20__device_stub__sized4Size(ptr noundef byval(%struct.Size) align 8 %s) !dbg !16 {
entry:
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  %kernel_args = alloca ptr, i64 1, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %s, ptr %0, align 8, !dbg !17
  %1 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !17
  %2 = load i64, ptr %shmem_size, align 8, !dbg !17
  %3 = load ptr, ptr %stream, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !17
  %4 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !17
  %5 = load i64, ptr %4, align 8, !dbg !17
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !17
  %7 = load i32, ptr %6, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !17
  %8 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !17
  %9 = load i64, ptr %8, align 8, !dbg !17
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !17
  %11 = load i32, ptr %10, align 8, !dbg !17
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__sized4Size, i64 %5, i32 %7, i64 %9, i32 %11, ptr noundef %kernel_args, i64 noundef %2, ptr noundef %3), !dbg !17
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
  %p = alloca ptr, align 8
  %q = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp6 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp6.coerce = alloca { i64, i32 }, align 4
  %agg.tmp9 = alloca %struct.dim3, align 4
  %agg.tmp10 = alloca %struct.dim3, align 4
  %agg.tmp9.coerce = alloca { i64, i32 }, align 4
  %agg.tmp10.coerce = alloca { i64, i32 }, align 4
  %ref.tmp = alloca %class.Runner, align 8
  %i = alloca i32, align 4
  %j = alloca i32, align 4
  %agg.tmp22 = alloca %struct.dim3, align 4
  %agg.tmp23 = alloca %struct.dim3, align 4
  %agg.tmp22.coerce = alloca { i64, i32 }, align 4
  %agg.tmp23.coerce = alloca { i64, i32 }, align 4
  %s = alloca i32, align 4
  %agg.tmp34 = alloca %struct.dim3, align 4
  %agg.tmp35 = alloca %struct.dim3, align 4
  %agg.tmp34.coerce = alloca { i64, i32 }, align 4
  %agg.tmp35.coerce = alloca { i64, i32 }, align 4
  %rest = alloca i32, align 4
  %agg.tmp45 = alloca %struct.dim3, align 4
  %agg.tmp46 = alloca %struct.dim3, align 4
  %agg.tmp45.coerce = alloca { i64, i32 }, align 4
  %agg.tmp46.coerce = alloca { i64, i32 }, align 4
  %a = alloca i32, align 4
  %b = alloca i32, align 4
  %agg.tmp51 = alloca %struct.dim3, align 4
  %agg.tmp52 = alloca %struct.dim3, align 4
  %agg.tmp51.coerce = alloca { i64, i32 }, align 4
  %agg.tmp52.coerce = alloca { i64, i32 }, align 4
  %agg.tmp58 = alloca %struct.dim3, align 4
  %agg.tmp59 = alloca %struct.dim3, align 4
  %agg.tmp58.coerce = alloca { i64, i32 }, align 4
  %agg.tmp59.coerce = alloca { i64, i32 }, align 4
  %agg.tmp64 = alloca %struct.dim3, align 4
  %agg.tmp65 = alloca %struct.dim3, align 4
  %agg.tmp64.coerce = alloca { i64, i32 }, align 4
  %agg.tmp65.coerce = alloca { i64, i32 }, align 4
  %agg.tmp71 = alloca %struct.dim3, align 4
  %agg.tmp72 = alloca %struct.dim3, align 4
  %agg.tmp71.coerce = alloca { i64, i32 }, align 4
  %agg.tmp72.coerce = alloca { i64, i32 }, align 4
  %agg.tmp77 = alloca %struct.dim3, align 4
  %agg.tmp78 = alloca %struct.dim3, align 4
  %agg.tmp77.coerce = alloca { i64, i32 }, align 4
  %agg.tmp78.coerce = alloca { i64, i32 }, align 4
  %s83 = alloca %struct.Size, align 8
  %agg.tmp93 = alloca %struct.dim3, align 4
  %agg.tmp97 = alloca %struct.dim3, align 4
  %agg.tmp93.coerce = alloca { i64, i32 }, align 4
  %agg.tmp97.coerce = alloca { i64, i32 }, align 4
  %agg.tmp101 = alloca %struct.Size, align 8
  %u = alloca i32, align 4
  %agg.tmp105 = alloca %struct.dim3, align 4
  %agg.tmp108 = alloca %struct.dim3, align 4
  %agg.tmp105.coerce = alloca { i64, i32 }, align 4
  %agg.tmp108.coerce = alloca { i64, i32 }, align 4
  %pitched = alloca ptr, align 8
  %pitch = alloca i64, align 8
  %agg.tmp116 = alloca %struct.dim3, align 4
  %agg.tmp117 = alloca %struct.dim3, align 4
  %agg.tmp116.coerce = alloca { i64, i32 }, align 4
  %agg.tmp117.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 1, !dbg !20
  %1 = load ptr, ptr %arrayidx, align 8, !dbg !20
  %call = call i32 @atoi(ptr noundef %1), !dbg !21
  store i32 %call, ptr %n, align 4, !dbg !22
  %2 = load i32, ptr %n, align 4, !dbg !23
  %cmp = icmp sle i32 %2, 0, !dbg !24
  br i1 %cmp, label %if.then, label %lor.lhs.false, !dbg !25

lor.lhs.false:                                    ; preds = %entry
  %3 = load i32, ptr %n, align 4, !dbg !26
  %rem = srem i32 %3, 4, !dbg !27
  %tobool = icmp ne i32 %rem, 0, !dbg !26
  br i1 %tobool, label %if.then, label %if.end, !dbg !23

if.then:                                          ; preds = %lor.lhs.false, %entry
  call void @exit(i32 noundef 1), !dbg !28
  unreachable, !dbg !28

if.end:                                           ; preds = %lor.lhs.false
  %4 = load i32, ptr %n, align 4, !dbg !29
  %cmp1 = icmp slt i32 %4, 1000, !dbg !29
  br i1 %cmp1, label %land.rhs, label %land.end, !dbg !29

land.rhs:                                         ; preds = %if.end
  %5 = load i32, ptr %n, align 4, !dbg !29
  %cmp2 = icmp ne i32 %5, 8, !dbg !29
  br label %land.end

land.end:                                         ; preds = %land.rhs, %if.end
  %6 = phi i1 [ false, %if.end ], [ %cmp2, %land.rhs ], !dbg !30
  br i1 %6, label %cond.true, label %cond.false, !dbg !29

cond.true:                                        ; preds = %land.end
  br label %cond.end, !dbg !29

cond.false:                                       ; preds = %land.end
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 49, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !29
  unreachable, !dbg !29

7:                                                ; No predecessors!
  br label %cond.end, !dbg !29

cond.end:                                         ; preds = %7, %cond.true
  %8 = load i32, ptr %n, align 4, !dbg !31
  %conv = sext i32 %8 to i64, !dbg !31
  %mul = mul i64 %conv, 4, !dbg !32
  %call3 = call i32 @cudaMalloc(ptr noundef %p, i64 noundef %mul), !dbg !33
  %call4 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %q, i64 noundef 64), !dbg !34
  %9 = load ptr, ptr %q, align 8, !dbg !35
  %call5 = call i32 @cudaMemset(ptr noundef %9, i32 noundef 0, i64 noundef 64), !dbg !36
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !37
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp6, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !38
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !39
  %10 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !39
  %11 = load i64, ptr %10, align 4, !dbg !39
  %12 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !39
  %13 = load i32, ptr %12, align 4, !dbg !39
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp6.coerce, ptr align 4 %agg.tmp6, i64 12, i1 false), !dbg !39
  %14 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 0, !dbg !39
  %15 = load i64, ptr %14, align 4, !dbg !39
  %16 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp6.coerce, i32 0, i32 1, !dbg !39
  %17 = load i32, ptr %16, align 4, !dbg !39
  %call7 = call i32 @__cudaPushCallConfiguration(i64 %11, i32 %13, i64 %15, i32 %17, i64 noundef 0, ptr noundef null), !dbg !39
  %tobool8 = icmp ne i32 %call7, 0, !dbg !39
  br i1 %tobool8, label %kcall.end, label %kcall.configok, !dbg !40

kcall.configok:                                   ; preds = %cond.end
  %18 = load ptr, ptr %q, align 8, !dbg !41
  call void @_Z21__device_stub__simplePii(ptr noundef %18, i32 noundef 0), !dbg !40
  br label %kcall.end, !dbg !40

kcall.end:                                        ; preds = %kcall.configok, %cond.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp9, i32 noundef 2, i32 noundef 1, i32 noundef 1), !dbg !42
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp10, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !43
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp9.coerce, ptr align 4 %agg.tmp9, i64 12, i1 false), !dbg !44
  %19 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 0, !dbg !44
  %20 = load i64, ptr %19, align 4, !dbg !44
  %21 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 1, !dbg !44
  %22 = load i32, ptr %21, align 4, !dbg !44
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp10.coerce, ptr align 4 %agg.tmp10, i64 12, i1 false), !dbg !44
  %23 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp10.coerce, i32 0, i32 0, !dbg !44
  %24 = load i64, ptr %23, align 4, !dbg !44
  %25 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp10.coerce, i32 0, i32 1, !dbg !44
  %26 = load i32, ptr %25, align 4, !dbg !44
  %call11 = call i32 @__cudaPushCallConfiguration(i64 %20, i32 %22, i64 %24, i32 %26, i64 noundef 0, ptr noundef null), !dbg !44
  %tobool12 = icmp ne i32 %call11, 0, !dbg !44
  br i1 %tobool12, label %kcall.end16, label %kcall.configok13, !dbg !45

kcall.configok13:                                 ; preds = %kcall.end
  %27 = load ptr, ptr %q, align 8, !dbg !46
  %add.ptr = getelementptr inbounds i32, ptr %27, i64 2, !dbg !47
  %28 = load ptr, ptr %argv.addr, align 8, !dbg !48
  %arrayidx14 = getelementptr inbounds ptr, ptr %28, i64 1, !dbg !48
  %29 = load ptr, ptr %arrayidx14, align 8, !dbg !48
  %call15 = call i32 @atoi(ptr noundef %29), !dbg !49
  call void @_Z21__device_stub__simplePii(ptr noundef %add.ptr, i32 noundef %call15), !dbg !45
  br label %kcall.end16, !dbg !45

kcall.end16:                                      ; preds = %kcall.configok13, %kcall.end
  %30 = load ptr, ptr %p, align 8, !dbg !50
  %31 = load i32, ptr %n, align 4, !dbg !51
  call void @_ZL5twicePii(ptr noundef %30, i32 noundef %31), !dbg !52
  %32 = load ptr, ptr %q, align 8, !dbg !53
  %33 = load i32, ptr %n, align 4, !dbg !54
  %mul17 = mul nsw i32 2, %33, !dbg !55
  call void @_ZL5twicePii(ptr noundef %32, i32 noundef %mul17), !dbg !56
  %34 = load ptr, ptr %p, align 8, !dbg !57
  %35 = load i32, ptr %n, align 4, !dbg !58
  call void @_Z8instanceILi128EEvPii(ptr noundef %34, i32 noundef %35), !dbg !59
  %36 = load ptr, ptr %p, align 8, !dbg !60
  %37 = load i32, ptr %n, align 4, !dbg !61
  %add = add nsw i32 %37, 1, !dbg !62
  call void @_Z8instanceILi16EEvPii(ptr noundef %36, i32 noundef %add), !dbg !63
  %38 = load i32, ptr %n, align 4, !dbg !64
  call void @_ZN6RunnerC2Ei(ptr noundef nonnull align 8 dereferenceable(16) %ref.tmp, i32 noundef %38), !dbg !65
  call void @_ZN6Runner3runEv(ptr noundef nonnull align 8 dereferenceable(16) %ref.tmp), !dbg !66
  store i32 2, ptr %i, align 4, !dbg !67
  br label %for.cond, !dbg !68

for.cond:                                         ; preds = %for.inc28, %kcall.end16
  %39 = load i32, ptr %i, align 4, !dbg !69
  %40 = load i32, ptr %n, align 4, !dbg !70
  %cmp18 = icmp slt i32 %39, %40, !dbg !71
  br i1 %cmp18, label %for.body, label %for.end30, !dbg !72

for.body:                                         ; preds = %for.cond
  %41 = load i32, ptr %n, align 4, !dbg !73
  store i32 %41, ptr %j, align 4, !dbg !74
  br label %for.cond19, !dbg !75

for.cond19:                                       ; preds = %for.inc, %for.body
  %42 = load i32, ptr %j, align 4, !dbg !76
  %43 = load i32, ptr %i, align 4, !dbg !77
  %cmp20 = icmp sgt i32 %42, %43, !dbg !78
  br i1 %cmp20, label %for.body21, label %for.end, !dbg !79

for.body21:                                       ; preds = %for.cond19
  %44 = load i32, ptr %i, align 4, !dbg !80
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp22, i32 noundef %44, i32 noundef 1, i32 noundef 1), !dbg !80
  %45 = load i32, ptr %j, align 4, !dbg !81
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp23, i32 noundef %45, i32 noundef 1, i32 noundef 1), !dbg !81
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp22.coerce, ptr align 4 %agg.tmp22, i64 12, i1 false), !dbg !82
  %46 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 0, !dbg !82
  %47 = load i64, ptr %46, align 4, !dbg !82
  %48 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp22.coerce, i32 0, i32 1, !dbg !82
  %49 = load i32, ptr %48, align 4, !dbg !82
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp23.coerce, ptr align 4 %agg.tmp23, i64 12, i1 false), !dbg !82
  %50 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp23.coerce, i32 0, i32 0, !dbg !82
  %51 = load i64, ptr %50, align 4, !dbg !82
  %52 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp23.coerce, i32 0, i32 1, !dbg !82
  %53 = load i32, ptr %52, align 4, !dbg !82
  %call24 = call i32 @__cudaPushCallConfiguration(i64 %47, i32 %49, i64 %51, i32 %53, i64 noundef 0, ptr noundef null), !dbg !82
  %tobool25 = icmp ne i32 %call24, 0, !dbg !82
  br i1 %tobool25, label %kcall.end27, label %kcall.configok26, !dbg !83

kcall.configok26:                                 ; preds = %for.body21
  %54 = load ptr, ptr %p, align 8, !dbg !84
  %55 = load i32, ptr %j, align 4, !dbg !85
  %56 = load i32, ptr %i, align 4, !dbg !86
  %sub = sub nsw i32 %55, %56, !dbg !87
  call void @_Z21__device_stub__simplePii(ptr noundef %54, i32 noundef %sub), !dbg !83
  br label %kcall.end27, !dbg !83

kcall.end27:                                      ; preds = %kcall.configok26, %for.body21
  br label %for.inc, !dbg !83

for.inc:                                          ; preds = %kcall.end27
  %57 = load i32, ptr %j, align 4, !dbg !88
  %dec = add nsw i32 %57, -1, !dbg !88
  store i32 %dec, ptr %j, align 4, !dbg !88
  br label %for.cond19, !dbg !79, !llvm.loop !89

for.end:                                          ; preds = %for.cond19
  br label %for.inc28, !dbg !90

for.inc28:                                        ; preds = %for.end
  %58 = load i32, ptr %i, align 4, !dbg !92
  %add29 = add nsw i32 %58, 4, !dbg !92
  store i32 %add29, ptr %i, align 4, !dbg !92
  br label %for.cond, !dbg !72, !llvm.loop !93

for.end30:                                        ; preds = %for.cond
  store i32 512, ptr %s, align 4, !dbg !94
  br label %for.cond31, !dbg !95

for.cond31:                                       ; preds = %for.inc40, %for.end30
  %59 = load i32, ptr %s, align 4, !dbg !96
  %cmp32 = icmp sgt i32 %59, 0, !dbg !97
  br i1 %cmp32, label %for.body33, label %for.end41, !dbg !98

for.body33:                                       ; preds = %for.cond31
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp34, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !99
  %60 = load i32, ptr %s, align 4, !dbg !100
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp35, i32 noundef %60, i32 noundef 1, i32 noundef 1), !dbg !100
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp34.coerce, ptr align 4 %agg.tmp34, i64 12, i1 false), !dbg !101
  %61 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp34.coerce, i32 0, i32 0, !dbg !101
  %62 = load i64, ptr %61, align 4, !dbg !101
  %63 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp34.coerce, i32 0, i32 1, !dbg !101
  %64 = load i32, ptr %63, align 4, !dbg !101
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp35.coerce, ptr align 4 %agg.tmp35, i64 12, i1 false), !dbg !101
  %65 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp35.coerce, i32 0, i32 0, !dbg !101
  %66 = load i64, ptr %65, align 4, !dbg !101
  %67 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp35.coerce, i32 0, i32 1, !dbg !101
  %68 = load i32, ptr %67, align 4, !dbg !101
  %call36 = call i32 @__cudaPushCallConfiguration(i64 %62, i32 %64, i64 %66, i32 %68, i64 noundef 0, ptr noundef null), !dbg !101
  %tobool37 = icmp ne i32 %call36, 0, !dbg !101
  br i1 %tobool37, label %kcall.end39, label %kcall.configok38, !dbg !102

kcall.configok38:                                 ; preds = %for.body33
  %69 = load ptr, ptr %p, align 8, !dbg !103
  %70 = load i32, ptr %s, align 4, !dbg !104
  call void @_Z21__device_stub__simplePii(ptr noundef %69, i32 noundef %70), !dbg !102
  br label %kcall.end39, !dbg !102

kcall.end39:                                      ; preds = %kcall.configok38, %for.body33
  br label %for.inc40, !dbg !102

for.inc40:                                        ; preds = %kcall.end39
  %71 = load i32, ptr %s, align 4, !dbg !105
  %shr = ashr i32 %71, 1, !dbg !105
  store i32 %shr, ptr %s, align 4, !dbg !105
  br label %for.cond31, !dbg !98, !llvm.loop !106

for.end41:                                        ; preds = %for.cond31
  %72 = load i32, ptr %n, align 4, !dbg !108
  store i32 %72, ptr %rest, align 4, !dbg !109
  br label %while.cond, !dbg !110

while.cond:                                       ; preds = %kcall.end50, %for.end41
  %73 = load i32, ptr %rest, align 4, !dbg !111
  %cmp42 = icmp sgt i32 %73, 1, !dbg !112
  br i1 %cmp42, label %while.body, label %while.end, !dbg !110

while.body:                                       ; preds = %while.cond
  %call43 = call i32 @rand(), !dbg !113
  %74 = load i32, ptr %rest, align 4, !dbg !114
  %rem44 = srem i32 %call43, %74, !dbg !115
  store i32 %rem44, ptr %rest, align 4, !dbg !116
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp45, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !117
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp46, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !118
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp45.coerce, ptr align 4 %agg.tmp45, i64 12, i1 false), !dbg !119
  %75 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp45.coerce, i32 0, i32 0, !dbg !119
  %76 = load i64, ptr %75, align 4, !dbg !119
  %77 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp45.coerce, i32 0, i32 1, !dbg !119
  %78 = load i32, ptr %77, align 4, !dbg !119
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp46.coerce, ptr align 4 %agg.tmp46, i64 12, i1 false), !dbg !119
  %79 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp46.coerce, i32 0, i32 0, !dbg !119
  %80 = load i64, ptr %79, align 4, !dbg !119
  %81 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp46.coerce, i32 0, i32 1, !dbg !119
  %82 = load i32, ptr %81, align 4, !dbg !119
  %call47 = call i32 @__cudaPushCallConfiguration(i64 %76, i32 %78, i64 %80, i32 %82, i64 noundef 0, ptr noundef null), !dbg !119
  %tobool48 = icmp ne i32 %call47, 0, !dbg !119
  br i1 %tobool48, label %kcall.end50, label %kcall.configok49, !dbg !120

kcall.configok49:                                 ; preds = %while.body
  %83 = load ptr, ptr %p, align 8, !dbg !121
  %84 = load i32, ptr %rest, align 4, !dbg !122
  call void @_Z21__device_stub__simplePii(ptr noundef %83, i32 noundef %84), !dbg !120
  br label %kcall.end50, !dbg !120

kcall.end50:                                      ; preds = %kcall.configok49, %while.body
  br label %while.cond, !dbg !110, !llvm.loop !123

while.end:                                        ; preds = %while.cond
  call void @_ZL3getRiPi(ptr noundef nonnull align 4 dereferenceable(4) %a, ptr noundef %b), !dbg !125
  %85 = load i32, ptr %a, align 4, !dbg !126
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp51, i32 noundef %85, i32 noundef 1, i32 noundef 1), !dbg !126
  %86 = load i32, ptr %b, align 4, !dbg !127
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp52, i32 noundef %86, i32 noundef 1, i32 noundef 1), !dbg !127
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp51.coerce, ptr align 4 %agg.tmp51, i64 12, i1 false), !dbg !128
  %87 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp51.coerce, i32 0, i32 0, !dbg !128
  %88 = load i64, ptr %87, align 4, !dbg !128
  %89 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp51.coerce, i32 0, i32 1, !dbg !128
  %90 = load i32, ptr %89, align 4, !dbg !128
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp52.coerce, ptr align 4 %agg.tmp52, i64 12, i1 false), !dbg !128
  %91 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp52.coerce, i32 0, i32 0, !dbg !128
  %92 = load i64, ptr %91, align 4, !dbg !128
  %93 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp52.coerce, i32 0, i32 1, !dbg !128
  %94 = load i32, ptr %93, align 4, !dbg !128
  %call53 = call i32 @__cudaPushCallConfiguration(i64 %88, i32 %90, i64 %92, i32 %94, i64 noundef 0, ptr noundef null), !dbg !128
  %tobool54 = icmp ne i32 %call53, 0, !dbg !128
  br i1 %tobool54, label %kcall.end57, label %kcall.configok55, !dbg !129

kcall.configok55:                                 ; preds = %while.end
  %95 = load ptr, ptr %p, align 8, !dbg !130
  %96 = load i32, ptr %n, align 4, !dbg !131
  %cmp56 = icmp sgt i32 %96, 5, !dbg !132
  %97 = zext i1 %cmp56 to i64, !dbg !131
  %cond = select i1 %cmp56, i32 1, i32 2, !dbg !131
  call void @_Z21__device_stub__simplePii(ptr noundef %95, i32 noundef %cond), !dbg !129
  br label %kcall.end57, !dbg !129

kcall.end57:                                      ; preds = %kcall.configok55, %while.end
  call void @_Z7unknownRi(ptr noundef nonnull align 4 dereferenceable(4) %a), !dbg !133
  %98 = load i32, ptr %a, align 4, !dbg !134
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp58, i32 noundef %98, i32 noundef 1, i32 noundef 1), !dbg !134
  %99 = load i32, ptr %b, align 4, !dbg !135
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp59, i32 noundef %99, i32 noundef 1, i32 noundef 1), !dbg !135
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp58.coerce, ptr align 4 %agg.tmp58, i64 12, i1 false), !dbg !136
  %100 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp58.coerce, i32 0, i32 0, !dbg !136
  %101 = load i64, ptr %100, align 4, !dbg !136
  %102 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp58.coerce, i32 0, i32 1, !dbg !136
  %103 = load i32, ptr %102, align 4, !dbg !136
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp59.coerce, ptr align 4 %agg.tmp59, i64 12, i1 false), !dbg !136
  %104 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp59.coerce, i32 0, i32 0, !dbg !136
  %105 = load i64, ptr %104, align 4, !dbg !136
  %106 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp59.coerce, i32 0, i32 1, !dbg !136
  %107 = load i32, ptr %106, align 4, !dbg !136
  %call60 = call i32 @__cudaPushCallConfiguration(i64 %101, i32 %103, i64 %105, i32 %107, i64 noundef 0, ptr noundef null), !dbg !136
  %tobool61 = icmp ne i32 %call60, 0, !dbg !136
  br i1 %tobool61, label %kcall.end63, label %kcall.configok62, !dbg !137

kcall.configok62:                                 ; preds = %kcall.end57
  %108 = load ptr, ptr %p, align 8, !dbg !138
  %109 = load i32, ptr @_ZL5limit, align 4, !dbg !139
  call void @_Z21__device_stub__simplePii(ptr noundef %108, i32 noundef %109), !dbg !137
  br label %kcall.end63, !dbg !137

kcall.end63:                                      ; preds = %kcall.configok62, %kcall.end57
  %110 = load i32, ptr %n, align 4, !dbg !140
  switch i32 %110, label %sw.default [
    i32 32, label %sw.bb
    i32 64, label %sw.bb70
  ], !dbg !141

sw.bb:                                            ; preds = %kcall.end63
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp64, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !142
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp65, i32 noundef 33, i32 noundef 1, i32 noundef 1), !dbg !143
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp64.coerce, ptr align 4 %agg.tmp64, i64 12, i1 false), !dbg !144
  %111 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp64.coerce, i32 0, i32 0, !dbg !144
  %112 = load i64, ptr %111, align 4, !dbg !144
  %113 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp64.coerce, i32 0, i32 1, !dbg !144
  %114 = load i32, ptr %113, align 4, !dbg !144
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp65.coerce, ptr align 4 %agg.tmp65, i64 12, i1 false), !dbg !144
  %115 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp65.coerce, i32 0, i32 0, !dbg !144
  %116 = load i64, ptr %115, align 4, !dbg !144
  %117 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp65.coerce, i32 0, i32 1, !dbg !144
  %118 = load i32, ptr %117, align 4, !dbg !144
  %call66 = call i32 @__cudaPushCallConfiguration(i64 %112, i32 %114, i64 %116, i32 %118, i64 noundef 0, ptr noundef null), !dbg !144
  %tobool67 = icmp ne i32 %call66, 0, !dbg !144
  br i1 %tobool67, label %kcall.end69, label %kcall.configok68, !dbg !145

kcall.configok68:                                 ; preds = %sw.bb
  %119 = load ptr, ptr %p, align 8, !dbg !146
  %120 = load i32, ptr %n, align 4, !dbg !147
  call void @_Z21__device_stub__simplePii(ptr noundef %119, i32 noundef %120), !dbg !145
  br label %kcall.end69, !dbg !145

kcall.end69:                                      ; preds = %kcall.configok68, %sw.bb
  br label %sw.epilog, !dbg !148

sw.bb70:                                          ; preds = %kcall.end63
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp71, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !149
  %121 = load i32, ptr %n, align 4, !dbg !150
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp72, i32 noundef %121, i32 noundef 1, i32 noundef 1), !dbg !150
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp71.coerce, ptr align 4 %agg.tmp71, i64 12, i1 false), !dbg !151
  %122 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp71.coerce, i32 0, i32 0, !dbg !151
  %123 = load i64, ptr %122, align 4, !dbg !151
  %124 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp71.coerce, i32 0, i32 1, !dbg !151
  %125 = load i32, ptr %124, align 4, !dbg !151
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp72.coerce, ptr align 4 %agg.tmp72, i64 12, i1 false), !dbg !151
  %126 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp72.coerce, i32 0, i32 0, !dbg !151
  %127 = load i64, ptr %126, align 4, !dbg !151
  %128 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp72.coerce, i32 0, i32 1, !dbg !151
  %129 = load i32, ptr %128, align 4, !dbg !151
  %call73 = call i32 @__cudaPushCallConfiguration(i64 %123, i32 %125, i64 %127, i32 %129, i64 noundef 0, ptr noundef null), !dbg !151
  %tobool74 = icmp ne i32 %call73, 0, !dbg !151
  br i1 %tobool74, label %kcall.end76, label %kcall.configok75, !dbg !152

kcall.configok75:                                 ; preds = %sw.bb70
  %130 = load ptr, ptr %p, align 8, !dbg !153
  call void @_Z21__device_stub__simplePii(ptr noundef %130, i32 noundef 1), !dbg !152
  br label %kcall.end76, !dbg !152

kcall.end76:                                      ; preds = %kcall.configok75, %sw.bb70
  br label %sw.epilog, !dbg !154

sw.default:                                       ; preds = %kcall.end63
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp77, i32 noundef 2, i32 noundef 1, i32 noundef 1), !dbg !155
  %131 = load i32, ptr %n, align 4, !dbg !156
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp78, i32 noundef %131, i32 noundef 1, i32 noundef 1), !dbg !156
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp77.coerce, ptr align 4 %agg.tmp77, i64 12, i1 false), !dbg !157
  %132 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp77.coerce, i32 0, i32 0, !dbg !157
  %133 = load i64, ptr %132, align 4, !dbg !157
  %134 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp77.coerce, i32 0, i32 1, !dbg !157
  %135 = load i32, ptr %134, align 4, !dbg !157
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp78.coerce, ptr align 4 %agg.tmp78, i64 12, i1 false), !dbg !157
  %136 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp78.coerce, i32 0, i32 0, !dbg !157
  %137 = load i64, ptr %136, align 4, !dbg !157
  %138 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp78.coerce, i32 0, i32 1, !dbg !157
  %139 = load i32, ptr %138, align 4, !dbg !157
  %call79 = call i32 @__cudaPushCallConfiguration(i64 %133, i32 %135, i64 %137, i32 %139, i64 noundef 0, ptr noundef null), !dbg !157
  %tobool80 = icmp ne i32 %call79, 0, !dbg !157
  br i1 %tobool80, label %kcall.end82, label %kcall.configok81, !dbg !158

kcall.configok81:                                 ; preds = %sw.default
  %140 = load ptr, ptr %p, align 8, !dbg !159
  call void @_Z21__device_stub__simplePii(ptr noundef %140, i32 noundef 2), !dbg !158
  br label %kcall.end82, !dbg !158

kcall.end82:                                      ; preds = %kcall.configok81, %sw.default
  br label %sw.epilog, !dbg !160

sw.epilog:                                        ; preds = %kcall.end82, %kcall.end76, %kcall.end69
  %rows = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 0, !dbg !161
  %141 = load i32, ptr %n, align 4, !dbg !162
  store i32 %141, ptr %rows, align 8, !dbg !161
  %cols = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 1, !dbg !161
  %142 = load i32, ptr %n, align 4, !dbg !163
  %mul84 = mul nsw i32 2, %142, !dbg !164
  store i32 %mul84, ptr %cols, align 4, !dbg !161
  %stride = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 2, !dbg !161
  %143 = load i32, ptr %n, align 4, !dbg !165
  %conv85 = sext i32 %143 to i64, !dbg !165
  store i64 %conv85, ptr %stride, align 8, !dbg !161
  %data = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 3, !dbg !161
  store ptr null, ptr %data, align 8, !dbg !161
  %data86 = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 3, !dbg !166
  %rows87 = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 0, !dbg !167
  %144 = load i32, ptr %rows87, align 8, !dbg !167
  %conv88 = sext i32 %144 to i64, !dbg !168
  %stride89 = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 2, !dbg !169
  %145 = load i64, ptr %stride89, align 8, !dbg !169
  %mul90 = mul nsw i64 %conv88, %145, !dbg !170
  %mul91 = mul i64 %mul90, 4, !dbg !171
  %call92 = call noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %data86, i64 noundef %mul91), !dbg !172
  %rows94 = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 0, !dbg !173
  %146 = load i32, ptr %rows94, align 8, !dbg !173
  %div = sdiv i32 %146, 16, !dbg !174
  %cols95 = getelementptr inbounds %struct.Size, ptr %s83, i32 0, i32 1, !dbg !175
  %147 = load i32, ptr %cols95, align 4, !dbg !175
  %div96 = sdiv i32 %147, 8, !dbg !176
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp93, i32 noundef %div, i32 noundef %div96, i32 noundef 1), !dbg !177
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp97, i32 noundef 16, i32 noundef 8, i32 noundef 1), !dbg !178
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp93.coerce, ptr align 4 %agg.tmp93, i64 12, i1 false), !dbg !179
  %148 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp93.coerce, i32 0, i32 0, !dbg !179
  %149 = load i64, ptr %148, align 4, !dbg !179
  %150 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp93.coerce, i32 0, i32 1, !dbg !179
  %151 = load i32, ptr %150, align 4, !dbg !179
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp97.coerce, ptr align 4 %agg.tmp97, i64 12, i1 false), !dbg !179
  %152 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp97.coerce, i32 0, i32 0, !dbg !179
  %153 = load i64, ptr %152, align 4, !dbg !179
  %154 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp97.coerce, i32 0, i32 1, !dbg !179
  %155 = load i32, ptr %154, align 4, !dbg !179
  %call98 = call i32 @__cudaPushCallConfiguration(i64 %149, i32 %151, i64 %153, i32 %155, i64 noundef 0, ptr noundef null), !dbg !179
  %tobool99 = icmp ne i32 %call98, 0, !dbg !179
  br i1 %tobool99, label %kcall.end102, label %kcall.configok100, !dbg !180

kcall.configok100:                                ; preds = %sw.epilog
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %agg.tmp101, ptr align 8 %s83, i64 24, i1 false), !dbg !181
  call void @_Z20__device_stub__sized4Size(ptr noundef byval(%struct.Size) align 8 %agg.tmp101), !dbg !180
  br label %kcall.end102, !dbg !180

kcall.end102:                                     ; preds = %kcall.configok100, %sw.epilog
  %156 = load ptr, ptr %argv.addr, align 8, !dbg !182
  %arrayidx103 = getelementptr inbounds ptr, ptr %156, i64 2, !dbg !182
  %157 = load ptr, ptr %arrayidx103, align 8, !dbg !182
  %call104 = call i32 @atoi(ptr noundef %157), !dbg !183
  store i32 %call104, ptr %u, align 4, !dbg !184
  %158 = load i32, ptr %u, align 4, !dbg !185
  %add106 = add i32 %158, 255, !dbg !186
  %div107 = udiv i32 %add106, 256, !dbg !187
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp105, i32 noundef %div107, i32 noundef 1, i32 noundef 1), !dbg !188
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp108, i32 noundef 256, i32 noundef 1, i32 noundef 1), !dbg !189
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp105.coerce, ptr align 4 %agg.tmp105, i64 12, i1 false), !dbg !190
  %159 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp105.coerce, i32 0, i32 0, !dbg !190
  %160 = load i64, ptr %159, align 4, !dbg !190
  %161 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp105.coerce, i32 0, i32 1, !dbg !190
  %162 = load i32, ptr %161, align 4, !dbg !190
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp108.coerce, ptr align 4 %agg.tmp108, i64 12, i1 false), !dbg !190
  %163 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp108.coerce, i32 0, i32 0, !dbg !190
  %164 = load i64, ptr %163, align 4, !dbg !190
  %165 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp108.coerce, i32 0, i32 1, !dbg !190
  %166 = load i32, ptr %165, align 4, !dbg !190
  %call109 = call i32 @__cudaPushCallConfiguration(i64 %160, i32 %162, i64 %164, i32 %166, i64 noundef 0, ptr noundef null), !dbg !190
  %tobool110 = icmp ne i32 %call109, 0, !dbg !190
  br i1 %tobool110, label %kcall.end112, label %kcall.configok111, !dbg !191

kcall.configok111:                                ; preds = %kcall.end102
  %167 = load ptr, ptr %p, align 8, !dbg !192
  %168 = load i32, ptr %u, align 4, !dbg !193
  call void @_Z21__device_stub__simplePii(ptr noundef %167, i32 noundef %168), !dbg !191
  br label %kcall.end112, !dbg !191

kcall.end112:                                     ; preds = %kcall.configok111, %kcall.end102
  %169 = load i32, ptr %n, align 4, !dbg !194
  %conv113 = sext i32 %169 to i64, !dbg !194
  %mul114 = mul i64 %conv113, 4, !dbg !195
  %call115 = call noundef i32 @_Z15cudaMallocPitchIfEiPPT_Pmmm(ptr noundef %pitched, ptr noundef %pitch, i64 noundef %mul114, i64 noundef 9), !dbg !196
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp116, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !197
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp117, i32 noundef 2, i32 noundef 1, i32 noundef 1), !dbg !198
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp116.coerce, ptr align 4 %agg.tmp116, i64 12, i1 false), !dbg !199
  %170 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp116.coerce, i32 0, i32 0, !dbg !199
  %171 = load i64, ptr %170, align 4, !dbg !199
  %172 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp116.coerce, i32 0, i32 1, !dbg !199
  %173 = load i32, ptr %172, align 4, !dbg !199
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp117.coerce, ptr align 4 %agg.tmp117, i64 12, i1 false), !dbg !199
  %174 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp117.coerce, i32 0, i32 0, !dbg !199
  %175 = load i64, ptr %174, align 4, !dbg !199
  %176 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp117.coerce, i32 0, i32 1, !dbg !199
  %177 = load i32, ptr %176, align 4, !dbg !199
  %call118 = call i32 @__cudaPushCallConfiguration(i64 %171, i32 %173, i64 %175, i32 %177, i64 noundef 0, ptr noundef null), !dbg !199
  %tobool119 = icmp ne i32 %call118, 0, !dbg !199
  br i1 %tobool119, label %kcall.end123, label %kcall.configok120, !dbg !200

kcall.configok120:                                ; preds = %kcall.end112
  %178 = load ptr, ptr %pitched, align 8, !dbg !201
  %179 = load i64, ptr %pitch, align 8, !dbg !202
  %div121 = udiv i64 %179, 4, !dbg !203
  %conv122 = trunc i64 %div121 to i32, !dbg !202
  call void @_Z21__device_stub__simplePii(ptr noundef %178, i32 noundef %conv122), !dbg !200
  br label %kcall.end123, !dbg !200

kcall.end123:                                     ; preds = %kcall.configok120, %kcall.end112
  %180 = load i32, ptr %retval, align 4, !dbg !204
  ret i32 %180, !dbg !204
}

declare i32 @atoi(ptr noundef)

declare void @exit(i32 noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare i32 @cudaMalloc(ptr noundef, i64 noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !205 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !207
  %1 = load i64, ptr %size.addr, align 8, !dbg !208
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !209
  ret i32 %call, !dbg !210
}

declare i32 @cudaMemset(ptr noundef, i32 noundef, i64 noundef)

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !211 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !213
  %0 = load i32, ptr %x.addr, align 4, !dbg !214
  store i32 %0, ptr %x2, align 4, !dbg !213
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !215
  %1 = load i32, ptr %y.addr, align 4, !dbg !216
  store i32 %1, ptr %y3, align 4, !dbg !215
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !217
  %2 = load i32, ptr %z.addr, align 4, !dbg !218
  store i32 %2, ptr %z4, align 4, !dbg !217
  ret void, !dbg !219
}

define internal void @_ZL5twicePii(ptr noundef %p, i32 noundef %n) !dbg !220 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4, !dbg !221
  %cmp = icmp slt i32 %0, 3, !dbg !222
  br i1 %cmp, label %if.then, label %if.end, !dbg !221

if.then:                                          ; preds = %entry
  br label %kcall.end, !dbg !223

if.end:                                           ; preds = %entry
  %1 = load i32, ptr %n.addr, align 4, !dbg !224
  %add = add nsw i32 %1, 32, !dbg !225
  %sub = sub nsw i32 %add, 1, !dbg !226
  %div = sdiv i32 %sub, 32, !dbg !227
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %div, i32 noundef 1, i32 noundef 1), !dbg !228
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !229
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !230
  %2 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !230
  %3 = load i64, ptr %2, align 4, !dbg !230
  %4 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !230
  %5 = load i32, ptr %4, align 4, !dbg !230
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !230
  %6 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !230
  %7 = load i64, ptr %6, align 4, !dbg !230
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !230
  %9 = load i32, ptr %8, align 4, !dbg !230
  %call = call i32 @__cudaPushCallConfiguration(i64 %3, i32 %5, i64 %7, i32 %9, i64 noundef 0, ptr noundef null), !dbg !230
  %tobool = icmp ne i32 %call, 0, !dbg !230
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !231

kcall.configok:                                   ; preds = %if.end
  %10 = load ptr, ptr %p.addr, align 8, !dbg !232
  %11 = load i32, ptr %n.addr, align 4, !dbg !233
  call void @_Z21__device_stub__simplePii(ptr noundef %10, i32 noundef %11), !dbg !231
  br label %kcall.end, !dbg !231

kcall.end:                                        ; preds = %if.then, %kcall.configok, %if.end
  ret void, !dbg !234
}

define linkonce_odr dso_local void @_Z8instanceILi128EEvPii(ptr noundef %p, i32 noundef %n) comdat !dbg !235 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4, !dbg !236
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %0, i32 noundef 1, i32 noundef 1), !dbg !236
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 128, i32 noundef 1, i32 noundef 1), !dbg !237
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !238
  %1 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !238
  %2 = load i64, ptr %1, align 4, !dbg !238
  %3 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !238
  %4 = load i32, ptr %3, align 4, !dbg !238
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !238
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !238
  %6 = load i64, ptr %5, align 4, !dbg !238
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !238
  %8 = load i32, ptr %7, align 4, !dbg !238
  %call = call i32 @__cudaPushCallConfiguration(i64 %2, i32 %4, i64 %6, i32 %8, i64 noundef 512, ptr noundef null), !dbg !238
  %tobool = icmp ne i32 %call, 0, !dbg !238
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !239

kcall.configok:                                   ; preds = %entry
  %9 = load ptr, ptr %p.addr, align 8, !dbg !240
  %10 = load i32, ptr %n.addr, align 4, !dbg !241
  call void @_Z20__device_stub__typedILi128EiEvPT0_i(ptr noundef %9, i32 noundef %10), !dbg !239
  br label %kcall.end, !dbg !239

kcall.end:                                        ; preds = %kcall.configok, %entry
  ret void, !dbg !242
}

define linkonce_odr dso_local void @_Z8instanceILi16EEvPii(ptr noundef %p, i32 noundef %n) comdat !dbg !243 {
entry:
  %p.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store ptr %p, ptr %p.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %0 = load i32, ptr %n.addr, align 4, !dbg !244
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %0, i32 noundef 1, i32 noundef 1), !dbg !244
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 16, i32 noundef 1, i32 noundef 1), !dbg !245
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !246
  %1 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !246
  %2 = load i64, ptr %1, align 4, !dbg !246
  %3 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !246
  %4 = load i32, ptr %3, align 4, !dbg !246
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !246
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !246
  %6 = load i64, ptr %5, align 4, !dbg !246
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !246
  %8 = load i32, ptr %7, align 4, !dbg !246
  %call = call i32 @__cudaPushCallConfiguration(i64 %2, i32 %4, i64 %6, i32 %8, i64 noundef 64, ptr noundef null), !dbg !246
  %tobool = icmp ne i32 %call, 0, !dbg !246
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !247

kcall.configok:                                   ; preds = %entry
  %9 = load ptr, ptr %p.addr, align 8, !dbg !248
  %10 = load i32, ptr %n.addr, align 4, !dbg !249
  call void @_Z20__device_stub__typedILi16EiEvPT0_i(ptr noundef %9, i32 noundef %10), !dbg !247
  br label %kcall.end, !dbg !247

kcall.end:                                        ; preds = %kcall.configok, %entry
  ret void, !dbg !250
}

define linkonce_odr dso_local void @_ZN6RunnerC2Ei(ptr noundef nonnull align 8 dereferenceable(16) %this, i32 noundef %n) unnamed_addr comdat align 2 !dbg !251 {
entry:
  %this.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  store ptr %this, ptr %this.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  %this1 = load ptr, ptr %this.addr, align 8
  %count = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 0, !dbg !252
  %0 = load i32, ptr %n.addr, align 4, !dbg !253
  store i32 %0, ptr %count, align 8, !dbg !252
  %memory = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 1, !dbg !254
  %count2 = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 0, !dbg !255
  %1 = load i32, ptr %count2, align 8, !dbg !255
  %conv = sext i32 %1 to i64, !dbg !255
  %mul = mul i64 %conv, 4, !dbg !256
  %call = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %memory, i64 noundef %mul), !dbg !257
  ret void, !dbg !258
}

define linkonce_odr dso_local void @_ZN6Runner3runEv(ptr noundef nonnull align 8 dereferenceable(16) %this) comdat align 2 !dbg !259 {
entry:
  %this.addr = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp2 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp2.coerce = alloca { i64, i32 }, align 4
  store ptr %this, ptr %this.addr, align 8
  %this1 = load ptr, ptr %this.addr, align 8
  %count = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 0, !dbg !260
  %0 = load i32, ptr %count, align 8, !dbg !260
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %0, i32 noundef 1, i32 noundef 1), !dbg !260
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp2, i32 noundef 64, i32 noundef 1, i32 noundef 1), !dbg !261
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !262
  %1 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !262
  %2 = load i64, ptr %1, align 4, !dbg !262
  %3 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !262
  %4 = load i32, ptr %3, align 4, !dbg !262
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp2.coerce, ptr align 4 %agg.tmp2, i64 12, i1 false), !dbg !262
  %5 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 0, !dbg !262
  %6 = load i64, ptr %5, align 4, !dbg !262
  %7 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp2.coerce, i32 0, i32 1, !dbg !262
  %8 = load i32, ptr %7, align 4, !dbg !262
  %call = call i32 @__cudaPushCallConfiguration(i64 %2, i32 %4, i64 %6, i32 %8, i64 noundef 0, ptr noundef null), !dbg !262
  %tobool = icmp ne i32 %call, 0, !dbg !262
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !263

kcall.configok:                                   ; preds = %entry
  %memory = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 1, !dbg !264
  %9 = load ptr, ptr %memory, align 8, !dbg !264
  %count3 = getelementptr inbounds %class.Runner, ptr %this1, i32 0, i32 0, !dbg !265
  %10 = load i32, ptr %count3, align 8, !dbg !265
  call void @_Z21__device_stub__simplePii(ptr noundef %9, i32 noundef %10), !dbg !263
  br label %kcall.end, !dbg !263

kcall.end:                                        ; preds = %kcall.configok, %entry
  ret void, !dbg !266
}

declare i32 @rand()

define internal void @_ZL3getRiPi(ptr noundef nonnull align 4 dereferenceable(4) %a, ptr noundef %b) !dbg !267 {
entry:
  %a.addr = alloca ptr, align 8
  %b.addr = alloca ptr, align 8
  store ptr %a, ptr %a.addr, align 8
  store ptr %b, ptr %b.addr, align 8
  %0 = load ptr, ptr %a.addr, align 8, !dbg !268
  store i32 5, ptr %0, align 4, !dbg !269
  %1 = load ptr, ptr %b.addr, align 8, !dbg !270
  store i32 6, ptr %1, align 4, !dbg !271
  ret void, !dbg !272
}

declare void @_Z7unknownRi(ptr noundef nonnull align 4 dereferenceable(4))

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIfEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !273 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !274
  %1 = load i64, ptr %size.addr, align 8, !dbg !275
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !276
  ret i32 %call, !dbg !277
}

define linkonce_odr dso_local noundef i32 @_Z15cudaMallocPitchIfEiPPT_Pmmm(ptr noundef %p, ptr noundef %pitch, i64 noundef %width, i64 noundef %height) comdat !dbg !278 {
entry:
  %p.addr = alloca ptr, align 8
  %pitch.addr = alloca ptr, align 8
  %width.addr = alloca i64, align 8
  %height.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store ptr %pitch, ptr %pitch.addr, align 8
  store i64 %width, ptr %width.addr, align 8
  store i64 %height, ptr %height.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !279
  %1 = load ptr, ptr %pitch.addr, align 8, !dbg !280
  %2 = load i64, ptr %width.addr, align 8, !dbg !281
  %3 = load i64, ptr %height.addr, align 8, !dbg !282
  %call = call i32 @cudaMallocPitch(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3), !dbg !283
  ret i32 %call, !dbg !284
}

define linkonce_odr dso_local void @_Z20__device_stub__typedILi128EiEvPT0_i(ptr noundef %p, i32 noundef %n) comdat !dbg !285 {
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
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !286
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !286
  store ptr %p.addr, ptr %0, align 8, !dbg !286
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !286
  store ptr %n.addr, ptr %1, align 8, !dbg !286
  %2 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !286
  %3 = load i64, ptr %shmem_size, align 8, !dbg !286
  %4 = load ptr, ptr %stream, align 8, !dbg !286
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !286
  %5 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !286
  %6 = load i64, ptr %5, align 8, !dbg !286
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !286
  %8 = load i32, ptr %7, align 8, !dbg !286
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !286
  %9 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !286
  %10 = load i64, ptr %9, align 8, !dbg !286
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !286
  %12 = load i32, ptr %11, align 8, !dbg !286
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__typedILi128EiEvPT0_i, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !286
  br label %setup.end, !dbg !286

setup.end:                                        ; preds = %entry
  ret void, !dbg !287
}

define linkonce_odr dso_local void @_Z20__device_stub__typedILi16EiEvPT0_i(ptr noundef %p, i32 noundef %n) comdat !dbg !288 {
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
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !289
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !289
  store ptr %p.addr, ptr %0, align 8, !dbg !289
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !289
  store ptr %n.addr, ptr %1, align 8, !dbg !289
  %2 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !289
  %3 = load i64, ptr %shmem_size, align 8, !dbg !289
  %4 = load ptr, ptr %stream, align 8, !dbg !289
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !289
  %5 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !289
  %6 = load i64, ptr %5, align 8, !dbg !289
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !289
  %8 = load i32, ptr %7, align 8, !dbg !289
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !289
  %9 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !289
  %10 = load i64, ptr %9, align 8, !dbg !289
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !289
  %12 = load i32, ptr %11, align 8, !dbg !289
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__typedILi16EiEvPT0_i, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !289
  br label %setup.end, !dbg !289

setup.end:                                        ; preds = %entry
  ret void, !dbg !290
}

declare i32 @cudaMallocPitch(ptr noundef, ptr noundef, i64 noundef, i64 noundef)



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "ways.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "simple", scope: !9, file: !9, line: 13, type: !12, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 13, column: 39, scope: !11)
!15 = !DILocation(line: 13, column: 61, scope: !11)
!16 = distinct !DISubprogram(name: "sized", scope: !9, file: !9, line: 14, type: !12, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 14, column: 31, scope: !16)
!18 = !DILocation(line: 14, column: 63, scope: !16)
!19 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 45, type: !12, scopeLine: 45, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 46, column: 16, scope: !19)
!21 = !DILocation(line: 46, column: 11, scope: !19)
!22 = !DILocation(line: 46, column: 7, scope: !19)
!23 = !DILocation(line: 47, column: 7, scope: !19)
!24 = !DILocation(line: 47, column: 9, scope: !19)
!25 = !DILocation(line: 47, column: 14, scope: !19)
!26 = !DILocation(line: 47, column: 17, scope: !19)
!27 = !DILocation(line: 47, column: 19, scope: !19)
!28 = !DILocation(line: 48, column: 5, scope: !19)
!29 = !DILocation(line: 49, column: 3, scope: !19)
!30 = !DILocation(line: 0, scope: !19)
!31 = !DILocation(line: 51, column: 27, scope: !19)
!32 = !DILocation(line: 51, column: 29, scope: !19)
!33 = !DILocation(line: 51, column: 3, scope: !19)
!34 = !DILocation(line: 52, column: 3, scope: !19)
!35 = !DILocation(line: 53, column: 14, scope: !19)
!36 = !DILocation(line: 53, column: 3, scope: !19)
!37 = !DILocation(line: 54, column: 12, scope: !19)
!38 = !DILocation(line: 54, column: 15, scope: !19)
!39 = !DILocation(line: 54, column: 9, scope: !19)
!40 = !DILocation(line: 54, column: 3, scope: !19)
!41 = !DILocation(line: 54, column: 20, scope: !19)
!42 = !DILocation(line: 55, column: 12, scope: !19)
!43 = !DILocation(line: 55, column: 15, scope: !19)
!44 = !DILocation(line: 55, column: 9, scope: !19)
!45 = !DILocation(line: 55, column: 3, scope: !19)
!46 = !DILocation(line: 55, column: 20, scope: !19)
!47 = !DILocation(line: 55, column: 22, scope: !19)
!48 = !DILocation(line: 55, column: 32, scope: !19)
!49 = !DILocation(line: 55, column: 27, scope: !19)
!50 = !DILocation(line: 56, column: 9, scope: !19)
!51 = !DILocation(line: 56, column: 12, scope: !19)
!52 = !DILocation(line: 56, column: 3, scope: !19)
!53 = !DILocation(line: 57, column: 9, scope: !19)
!54 = !DILocation(line: 57, column: 16, scope: !19)
!55 = !DILocation(line: 57, column: 14, scope: !19)
!56 = !DILocation(line: 57, column: 3, scope: !19)
!57 = !DILocation(line: 58, column: 17, scope: !19)
!58 = !DILocation(line: 58, column: 20, scope: !19)
!59 = !DILocation(line: 58, column: 3, scope: !19)
!60 = !DILocation(line: 59, column: 16, scope: !19)
!61 = !DILocation(line: 59, column: 19, scope: !19)
!62 = !DILocation(line: 59, column: 21, scope: !19)
!63 = !DILocation(line: 59, column: 3, scope: !19)
!64 = !DILocation(line: 60, column: 10, scope: !19)
!65 = !DILocation(line: 60, column: 3, scope: !19)
!66 = !DILocation(line: 60, column: 13, scope: !19)
!67 = !DILocation(line: 61, column: 12, scope: !19)
!68 = !DILocation(line: 61, column: 8, scope: !19)
!69 = !DILocation(line: 61, column: 19, scope: !19)
!70 = !DILocation(line: 61, column: 23, scope: !19)
!71 = !DILocation(line: 61, column: 21, scope: !19)
!72 = !DILocation(line: 61, column: 3, scope: !19)
!73 = !DILocation(line: 62, column: 18, scope: !19)
!74 = !DILocation(line: 62, column: 14, scope: !19)
!75 = !DILocation(line: 62, column: 10, scope: !19)
!76 = !DILocation(line: 62, column: 21, scope: !19)
!77 = !DILocation(line: 62, column: 25, scope: !19)
!78 = !DILocation(line: 62, column: 23, scope: !19)
!79 = !DILocation(line: 62, column: 5, scope: !19)
!80 = !DILocation(line: 63, column: 16, scope: !19)
!81 = !DILocation(line: 63, column: 19, scope: !19)
!82 = !DILocation(line: 63, column: 13, scope: !19)
!83 = !DILocation(line: 63, column: 7, scope: !19)
!84 = !DILocation(line: 63, column: 24, scope: !19)
!85 = !DILocation(line: 63, column: 27, scope: !19)
!86 = !DILocation(line: 63, column: 31, scope: !19)
!87 = !DILocation(line: 63, column: 29, scope: !19)
!88 = !DILocation(line: 62, column: 29, scope: !19)
!89 = distinct !{!89, !79, !90, !91}
!90 = !DILocation(line: 63, column: 32, scope: !19)
!91 = !{!"llvm.loop.mustprogress"}
!92 = !DILocation(line: 61, column: 28, scope: !19)
!93 = distinct !{!93, !72, !90, !91}
!94 = !DILocation(line: 64, column: 12, scope: !19)
!95 = !DILocation(line: 64, column: 8, scope: !19)
!96 = !DILocation(line: 64, column: 21, scope: !19)
!97 = !DILocation(line: 64, column: 23, scope: !19)
!98 = !DILocation(line: 64, column: 3, scope: !19)
!99 = !DILocation(line: 65, column: 14, scope: !19)
!100 = !DILocation(line: 65, column: 17, scope: !19)
!101 = !DILocation(line: 65, column: 11, scope: !19)
!102 = !DILocation(line: 65, column: 5, scope: !19)
!103 = !DILocation(line: 65, column: 22, scope: !19)
!104 = !DILocation(line: 65, column: 25, scope: !19)
!105 = !DILocation(line: 64, column: 30, scope: !19)
!106 = distinct !{!106, !98, !107, !91}
!107 = !DILocation(line: 65, column: 26, scope: !19)
!108 = !DILocation(line: 66, column: 14, scope: !19)
!109 = !DILocation(line: 66, column: 7, scope: !19)
!110 = !DILocation(line: 67, column: 3, scope: !19)
!111 = !DILocation(line: 67, column: 10, scope: !19)
!112 = !DILocation(line: 67, column: 15, scope: !19)
!113 = !DILocation(line: 68, column: 12, scope: !19)
!114 = !DILocation(line: 68, column: 21, scope: !19)
!115 = !DILocation(line: 68, column: 19, scope: !19)
!116 = !DILocation(line: 68, column: 10, scope: !19)
!117 = !DILocation(line: 69, column: 14, scope: !19)
!118 = !DILocation(line: 69, column: 17, scope: !19)
!119 = !DILocation(line: 69, column: 11, scope: !19)
!120 = !DILocation(line: 69, column: 5, scope: !19)
!121 = !DILocation(line: 69, column: 23, scope: !19)
!122 = !DILocation(line: 69, column: 26, scope: !19)
!123 = distinct !{!123, !110, !124, !91}
!124 = !DILocation(line: 70, column: 3, scope: !19)
!125 = !DILocation(line: 72, column: 3, scope: !19)
!126 = !DILocation(line: 73, column: 12, scope: !19)
!127 = !DILocation(line: 73, column: 15, scope: !19)
!128 = !DILocation(line: 73, column: 9, scope: !19)
!129 = !DILocation(line: 73, column: 3, scope: !19)
!130 = !DILocation(line: 73, column: 20, scope: !19)
!131 = !DILocation(line: 73, column: 23, scope: !19)
!132 = !DILocation(line: 73, column: 25, scope: !19)
!133 = !DILocation(line: 74, column: 3, scope: !19)
!134 = !DILocation(line: 75, column: 12, scope: !19)
!135 = !DILocation(line: 75, column: 15, scope: !19)
!136 = !DILocation(line: 75, column: 9, scope: !19)
!137 = !DILocation(line: 75, column: 3, scope: !19)
!138 = !DILocation(line: 75, column: 20, scope: !19)
!139 = !DILocation(line: 75, column: 23, scope: !19)
!140 = !DILocation(line: 76, column: 11, scope: !19)
!141 = !DILocation(line: 76, column: 3, scope: !19)
!142 = !DILocation(line: 78, column: 14, scope: !19)
!143 = !DILocation(line: 78, column: 17, scope: !19)
!144 = !DILocation(line: 78, column: 11, scope: !19)
!145 = !DILocation(line: 78, column: 5, scope: !19)
!146 = !DILocation(line: 78, column: 23, scope: !19)
!147 = !DILocation(line: 78, column: 26, scope: !19)
!148 = !DILocation(line: 79, column: 5, scope: !19)
!149 = !DILocation(line: 81, column: 14, scope: !19)
!150 = !DILocation(line: 81, column: 17, scope: !19)
!151 = !DILocation(line: 81, column: 11, scope: !19)
!152 = !DILocation(line: 81, column: 5, scope: !19)
!153 = !DILocation(line: 81, column: 22, scope: !19)
!154 = !DILocation(line: 82, column: 5, scope: !19)
!155 = !DILocation(line: 84, column: 14, scope: !19)
!156 = !DILocation(line: 84, column: 17, scope: !19)
!157 = !DILocation(line: 84, column: 11, scope: !19)
!158 = !DILocation(line: 84, column: 5, scope: !19)
!159 = !DILocation(line: 84, column: 22, scope: !19)
!160 = !DILocation(line: 85, column: 3, scope: !19)
!161 = !DILocation(line: 86, column: 12, scope: !19)
!162 = !DILocation(line: 86, column: 13, scope: !19)
!163 = !DILocation(line: 86, column: 20, scope: !19)
!164 = !DILocation(line: 86, column: 18, scope: !19)
!165 = !DILocation(line: 86, column: 23, scope: !19)
!166 = !DILocation(line: 87, column: 17, scope: !19)
!167 = !DILocation(line: 87, column: 25, scope: !19)
!168 = !DILocation(line: 87, column: 23, scope: !19)
!169 = !DILocation(line: 87, column: 34, scope: !19)
!170 = !DILocation(line: 87, column: 30, scope: !19)
!171 = !DILocation(line: 87, column: 41, scope: !19)
!172 = !DILocation(line: 87, column: 3, scope: !19)
!173 = !DILocation(line: 88, column: 18, scope: !19)
!174 = !DILocation(line: 88, column: 23, scope: !19)
!175 = !DILocation(line: 88, column: 31, scope: !19)
!176 = !DILocation(line: 88, column: 36, scope: !19)
!177 = !DILocation(line: 88, column: 11, scope: !19)
!178 = !DILocation(line: 88, column: 42, scope: !19)
!179 = !DILocation(line: 88, column: 8, scope: !19)
!180 = !DILocation(line: 88, column: 3, scope: !19)
!181 = !DILocation(line: 88, column: 57, scope: !19)
!182 = !DILocation(line: 89, column: 21, scope: !19)
!183 = !DILocation(line: 89, column: 16, scope: !19)
!184 = !DILocation(line: 89, column: 12, scope: !19)
!185 = !DILocation(line: 90, column: 13, scope: !19)
!186 = !DILocation(line: 90, column: 15, scope: !19)
!187 = !DILocation(line: 90, column: 23, scope: !19)
!188 = !DILocation(line: 90, column: 12, scope: !19)
!189 = !DILocation(line: 90, column: 31, scope: !19)
!190 = !DILocation(line: 90, column: 9, scope: !19)
!191 = !DILocation(line: 90, column: 3, scope: !19)
!192 = !DILocation(line: 90, column: 38, scope: !19)
!193 = !DILocation(line: 90, column: 41, scope: !19)
!194 = !DILocation(line: 93, column: 37, scope: !19)
!195 = !DILocation(line: 93, column: 39, scope: !19)
!196 = !DILocation(line: 93, column: 3, scope: !19)
!197 = !DILocation(line: 94, column: 12, scope: !19)
!198 = !DILocation(line: 94, column: 15, scope: !19)
!199 = !DILocation(line: 94, column: 9, scope: !19)
!200 = !DILocation(line: 94, column: 3, scope: !19)
!201 = !DILocation(line: 94, column: 27, scope: !19)
!202 = !DILocation(line: 94, column: 36, scope: !19)
!203 = !DILocation(line: 94, column: 42, scope: !19)
!204 = !DILocation(line: 95, column: 1, scope: !19)
!205 = distinct !DISubprogram(name: "cudaMalloc<int>", scope: !206, file: !206, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!206 = !DIFile(filename: "/tmp/ptxsan-hostcode-2945097206/cuda_runtime.h")
!207 = !DILocation(line: 160, column: 102, scope: !205)
!208 = !DILocation(line: 160, column: 105, scope: !205)
!209 = !DILocation(line: 160, column: 82, scope: !205)
!210 = !DILocation(line: 160, column: 75, scope: !205)
!211 = distinct !DISubprogram(name: "dim3", scope: !212, file: !212, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!212 = !DIFile(filename: "/tmp/ptxsan-hostcode-2945097206/cuda_vectors.h")
!213 = !DILocation(line: 42, column: 70, scope: !211)
!214 = !DILocation(line: 42, column: 72, scope: !211)
!215 = !DILocation(line: 42, column: 76, scope: !211)
!216 = !DILocation(line: 42, column: 78, scope: !211)
!217 = !DILocation(line: 42, column: 82, scope: !211)
!218 = !DILocation(line: 42, column: 84, scope: !211)
!219 = !DILocation(line: 42, column: 88, scope: !211)
!220 = distinct !DISubprogram(name: "twice", scope: !9, file: !9, line: 22, type: !12, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!221 = !DILocation(line: 23, column: 7, scope: !220)
!222 = !DILocation(line: 23, column: 9, scope: !220)
!223 = !DILocation(line: 24, column: 5, scope: !220)
!224 = !DILocation(line: 25, column: 13, scope: !220)
!225 = !DILocation(line: 25, column: 15, scope: !220)
!226 = !DILocation(line: 25, column: 22, scope: !220)
!227 = !DILocation(line: 25, column: 27, scope: !220)
!228 = !DILocation(line: 25, column: 12, scope: !220)
!229 = !DILocation(line: 25, column: 35, scope: !220)
!230 = !DILocation(line: 25, column: 9, scope: !220)
!231 = !DILocation(line: 25, column: 3, scope: !220)
!232 = !DILocation(line: 25, column: 43, scope: !220)
!233 = !DILocation(line: 25, column: 46, scope: !220)
!234 = !DILocation(line: 26, column: 1, scope: !220)
!235 = distinct !DISubprogram(name: "instance<128>", scope: !9, file: !9, line: 28, type: !12, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!236 = !DILocation(line: 28, column: 60, scope: !235)
!237 = !DILocation(line: 28, column: 63, scope: !235)
!238 = !DILocation(line: 28, column: 57, scope: !235)
!239 = !DILocation(line: 28, column: 49, scope: !235)
!240 = !DILocation(line: 28, column: 85, scope: !235)
!241 = !DILocation(line: 28, column: 88, scope: !235)
!242 = !DILocation(line: 28, column: 92, scope: !235)
!243 = distinct !DISubprogram(name: "instance<16>", scope: !9, file: !9, line: 28, type: !12, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!244 = !DILocation(line: 28, column: 60, scope: !243)
!245 = !DILocation(line: 28, column: 63, scope: !243)
!246 = !DILocation(line: 28, column: 57, scope: !243)
!247 = !DILocation(line: 28, column: 49, scope: !243)
!248 = !DILocation(line: 28, column: 85, scope: !243)
!249 = !DILocation(line: 28, column: 88, scope: !243)
!250 = !DILocation(line: 28, column: 92, scope: !243)
!251 = distinct !DISubprogram(name: "Runner", scope: !9, file: !9, line: 32, type: !12, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!252 = !DILocation(line: 32, column: 28, scope: !251)
!253 = !DILocation(line: 32, column: 34, scope: !251)
!254 = !DILocation(line: 32, column: 51, scope: !251)
!255 = !DILocation(line: 32, column: 59, scope: !251)
!256 = !DILocation(line: 32, column: 65, scope: !251)
!257 = !DILocation(line: 32, column: 39, scope: !251)
!258 = !DILocation(line: 32, column: 81, scope: !251)
!259 = distinct !DISubprogram(name: "run", scope: !9, file: !9, line: 33, type: !12, scopeLine: 33, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!260 = !DILocation(line: 33, column: 25, scope: !259)
!261 = !DILocation(line: 33, column: 32, scope: !259)
!262 = !DILocation(line: 33, column: 22, scope: !259)
!263 = !DILocation(line: 33, column: 16, scope: !259)
!264 = !DILocation(line: 33, column: 38, scope: !259)
!265 = !DILocation(line: 33, column: 46, scope: !259)
!266 = !DILocation(line: 33, column: 54, scope: !259)
!267 = distinct !DISubprogram(name: "get", scope: !9, file: !9, line: 40, type: !12, scopeLine: 40, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!268 = !DILocation(line: 41, column: 3, scope: !267)
!269 = !DILocation(line: 41, column: 5, scope: !267)
!270 = !DILocation(line: 42, column: 4, scope: !267)
!271 = !DILocation(line: 42, column: 6, scope: !267)
!272 = !DILocation(line: 43, column: 1, scope: !267)
!273 = distinct !DISubprogram(name: "cudaMalloc<float>", scope: !206, file: !206, line: 160, type: !12, scopeLine: 160, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!274 = !DILocation(line: 160, column: 102, scope: !273)
!275 = !DILocation(line: 160, column: 105, scope: !273)
!276 = !DILocation(line: 160, column: 82, scope: !273)
!277 = !DILocation(line: 160, column: 75, scope: !273)
!278 = distinct !DISubprogram(name: "cudaMallocPitch<float>", scope: !206, file: !206, line: 166, type: !12, scopeLine: 166, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!279 = !DILocation(line: 166, column: 143, scope: !278)
!280 = !DILocation(line: 166, column: 146, scope: !278)
!281 = !DILocation(line: 166, column: 153, scope: !278)
!282 = !DILocation(line: 166, column: 160, scope: !278)
!283 = !DILocation(line: 166, column: 118, scope: !278)
!284 = !DILocation(line: 166, column: 111, scope: !278)
!285 = distinct !DISubprogram(name: "typed<128, int>", scope: !9, file: !9, line: 15, type: !12, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!286 = !DILocation(line: 15, column: 62, scope: !285)
!287 = !DILocation(line: 15, column: 88, scope: !285)
!288 = distinct !DISubprogram(name: "typed<16, int>", scope: !9, file: !9, line: 15, type: !12, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!289 = !DILocation(line: 15, column: 62, scope: !288)
!290 = !DILocation(line: 15, column: 88, scope: !288)

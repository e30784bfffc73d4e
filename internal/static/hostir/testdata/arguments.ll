source_filename = "arguments.cu"

%struct.option = type { ptr, i32, ptr, i32 }
%struct.dim3 = type { i32, i32, i32 }

$_ZN4dim3C2Ejjj = comdat any

@.str = private unnamed_addr constant [8 x i8] c"--twice\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"s:d:v\00", align 1
@_ZL5table = internal global [3 x %struct.option] [%struct.option { ptr @.str.2, i32 1, ptr null, i32 115 }, %struct.option { ptr @.str.3, i32 0, ptr null, i32 118 }, %struct.option zeroinitializer], align 16
@optarg = external global ptr, align 8
@_ZL7verbose = internal global i32 0, align 4
@optind = external global i32, align 4
@.str.2 = private unnamed_addr constant [5 x i8] c"size\00", align 1
@.str.3 = private unnamed_addr constant [8 x i8] c"verbose\00", align 1
@.str.4 = private unnamed_addr constant [42 x i8] c"usage: %s [-s N] [-d N] [-v] [N [N [X]]]\0A\00", align 1

define dso_local void @_Z22__device_stub__optionsiiii(i32 noundef %size, i32 noundef %dim, i32 noundef %verbose, i32 noundef %rest) !dbg !11 {
entry:
  %size.addr = alloca i32, align 4
  %dim.addr = alloca i32, align 4
  %verbose.addr = alloca i32, align 4
  %rest.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store i32 %size, ptr %size.addr, align 4
  store i32 %dim, ptr %dim.addr, align 4
  store i32 %verbose, ptr %verbose.addr, align 4
  store i32 %rest, ptr %rest.addr, align 4
  %kernel_args = alloca ptr, i64 4, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %size.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %dim.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %verbose.addr, ptr %2, align 8, !dbg !14
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !14
  store ptr %rest.addr, ptr %3, align 8, !dbg !14
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z22__device_stub__optionsiiii, i64 %8, i32 %10, i64 %12, i32 %14, ptr noundef %kernel_args, i64 noundef %5, ptr noundef %6), !dbg !14
  br label %setup.end, !dbg !14

setup.end:                                        ; preds = %entry
  ret void, !dbg !15
}

declare i32 @__cudaPopCallConfiguration(ptr, ptr, ptr, ptr)

declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

define dso_local void @_Z20__device_stub__wordsiiii(i32 noundef %n, i32 noundef %twice, i32 noundef %real, i32 noundef %end) !dbg !16 {
entry:
  %n.addr = alloca i32, align 4
  %twice.addr = alloca i32, align 4
  %real.addr = alloca i32, align 4
  %end.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 %twice, ptr %twice.addr, align 4
  store i32 %real, ptr %real.addr, align 4
  store i32 %end, ptr %end.addr, align 4
  %kernel_args = alloca ptr, i64 4, align 16, !dbg !17
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !17
  store ptr %n.addr, ptr %0, align 8, !dbg !17
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !17
  store ptr %twice.addr, ptr %1, align 8, !dbg !17
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !17
  store ptr %real.addr, ptr %2, align 8, !dbg !17
  %3 = getelementptr ptr, ptr %kernel_args, i32 3, !dbg !17
  store ptr %end.addr, ptr %3, align 8, !dbg !17
  %4 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !17
  %5 = load i64, ptr %shmem_size, align 8, !dbg !17
  %6 = load ptr, ptr %stream, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !17
  %7 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !17
  %8 = load i64, ptr %7, align 8, !dbg !17
  %9 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !17
  %10 = load i32, ptr %9, align 8, !dbg !17
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !17
  %11 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !17
  %12 = load i64, ptr %11, align 8, !dbg !17
  %13 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !17
  %14 = load i32, ptr %13, align 8, !dbg !17
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z20__device_stub__wordsiiii, i64 %8, i32 %10, i64 %12, i32 %14, ptr noundef %kernel_args, i64 noundef %5, ptr noundef %6), !dbg !17
  br label %setup.end, !dbg !17

setup.end:                                        ; preds = %entry
  ret void, !dbg !18
}

define dso_local void @_Z22__device_stub__lettersii(i32 noundef %count, i32 noundef %sum) !dbg !19 {
entry:
  %count.addr = alloca i32, align 4
  %sum.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store i32 %count, ptr %count.addr, align 4
  store i32 %sum, ptr %sum.addr, align 4
  %kernel_args = alloca ptr, i64 2, align 16, !dbg !20
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !20
  store ptr %count.addr, ptr %0, align 8, !dbg !20
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !20
  store ptr %sum.addr, ptr %1, align 8, !dbg !20
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z22__device_stub__lettersii, i64 %6, i32 %8, i64 %10, i32 %12, ptr noundef %kernel_args, i64 noundef %3, ptr noundef %4), !dbg !20
  br label %setup.end, !dbg !20

setup.end:                                        ; preds = %entry
  ret void, !dbg !21
}

define dso_local void @_Z19__device_stub__losti(i32 noundef %n) !dbg !22 {
entry:
  %n.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store i32 %n, ptr %n.addr, align 4
  %kernel_args = alloca ptr, i64 1, align 16, !dbg !23
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !23
  store ptr %n.addr, ptr %0, align 8, !dbg !23
  %1 = call i32 @__cudaPopCallConfiguration(ptr %grid_dim, ptr %block_dim, ptr %shmem_size, ptr %stream), !dbg !23
  %2 = load i64, ptr %shmem_size, align 8, !dbg !23
  %3 = load ptr, ptr %stream, align 8, !dbg !23
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %grid_dim.coerce, ptr align 8 %grid_dim, i64 12, i1 false), !dbg !23
  %4 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 0, !dbg !23
  %5 = load i64, ptr %4, align 8, !dbg !23
  %6 = getelementptr inbounds { i64, i32 }, ptr %grid_dim.coerce, i32 0, i32 1, !dbg !23
  %7 = load i32, ptr %6, align 8, !dbg !23
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %block_dim.coerce, ptr align 8 %block_dim, i64 12, i1 false), !dbg !23
  %8 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 0, !dbg !23
  %9 = load i64, ptr %8, align 8, !dbg !23
  %10 = getelementptr inbounds { i64, i32 }, ptr %block_dim.coerce, i32 0, i32 1, !dbg !23
  %11 = load i32, ptr %10, align 8, !dbg !23
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z19__device_stub__losti, i64 %5, i32 %7, i64 %9, i32 %11, ptr noundef %kernel_args, i64 noundef %2, ptr noundef %3), !dbg !23
  br label %setup.end, !dbg !23

setup.end:                                        ; preds = %entry
  ret void, !dbg !24
}

define dso_local noundef i32 @main(i32 noundef %argc, ptr noundef %argv) !dbg !25 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp1 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp1.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load i32, ptr %argc.addr, align 4, !dbg !26
  %1 = load ptr, ptr %argv.addr, align 8, !dbg !27
  call void @_ZL9withWordsiPPc(i32 noundef %0, ptr noundef %1), !dbg !28
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !29
  call void @_ZL11withLettersPPc(ptr noundef %2), !dbg !30
  %3 = load i32, ptr %argc.addr, align 4, !dbg !31
  %4 = load ptr, ptr %argv.addr, align 8, !dbg !32
  call void @_ZL11withOptionsiPPc(i32 noundef %3, ptr noundef %4), !dbg !33
  %5 = load i32, ptr %argc.addr, align 4, !dbg !34
  %cmp = icmp sgt i32 %5, 1, !dbg !35
  br i1 %cmp, label %if.then, label %if.end, !dbg !34

if.then:                                          ; preds = %entry
  %6 = load ptr, ptr %argv.addr, align 8, !dbg !36
  %arrayidx = getelementptr inbounds ptr, ptr %6, i64 1, !dbg !36
  %7 = load ptr, ptr %arrayidx, align 8, !dbg !36
  call void @strange(ptr noundef %7), !dbg !37
  br label %if.end, !dbg !37

if.end:                                           ; preds = %if.then, %entry
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !38
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp1, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !39
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !40
  %8 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !40
  %9 = load i64, ptr %8, align 4, !dbg !40
  %10 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !40
  %11 = load i32, ptr %10, align 4, !dbg !40
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp1.coerce, ptr align 4 %agg.tmp1, i64 12, i1 false), !dbg !40
  %12 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 0, !dbg !40
  %13 = load i64, ptr %12, align 4, !dbg !40
  %14 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp1.coerce, i32 0, i32 1, !dbg !40
  %15 = load i32, ptr %14, align 4, !dbg !40
  %call = call i32 @__cudaPushCallConfiguration(i64 %9, i32 %11, i64 %13, i32 %15, i64 noundef 0, ptr noundef null), !dbg !40
  %tobool = icmp ne i32 %call, 0, !dbg !40
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !41

kcall.configok:                                   ; preds = %if.end
  %16 = load i32, ptr %argc.addr, align 4, !dbg !42
  %cmp2 = icmp sgt i32 %16, 1, !dbg !43
  br i1 %cmp2, label %cond.true, label %cond.false, !dbg !42

cond.true:                                        ; preds = %kcall.configok
  %17 = load ptr, ptr %argv.addr, align 8, !dbg !44
  %arrayidx3 = getelementptr inbounds ptr, ptr %17, i64 1, !dbg !44
  %18 = load ptr, ptr %arrayidx3, align 8, !dbg !44
  %call4 = call i32 @atoi(ptr noundef %18), !dbg !45
  br label %cond.end, !dbg !42

cond.false:                                       ; preds = %kcall.configok
  br label %cond.end, !dbg !42

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %call4, %cond.true ], [ 5, %cond.false ], !dbg !42
  call void @_Z19__device_stub__losti(i32 noundef %cond), !dbg !41
  br label %kcall.end, !dbg !41

kcall.end:                                        ; preds = %cond.end, %if.end
  ret i32 0, !dbg !46
}

define internal void @_ZL9withWordsiPPc(i32 noundef %argc, ptr noundef %argv) !dbg !47 {
entry:
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %n = alloca i32, align 4
  %twice = alloca i32, align 4
  %real = alloca i32, align 4
  %end = alloca i32, align 4
  %i = alloca i32, align 4
  %stop = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp31 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp31.coerce = alloca { i64, i32 }, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load i32, ptr %argc.addr, align 4, !dbg !48
  %cmp = icmp sgt i32 %0, 1, !dbg !49
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !48

cond.true:                                        ; preds = %entry
  %1 = load ptr, ptr %argv.addr, align 8, !dbg !50
  %arrayidx = getelementptr inbounds ptr, ptr %1, i64 1, !dbg !50
  %2 = load ptr, ptr %arrayidx, align 8, !dbg !50
  %call = call i32 @atoi(ptr noundef %2), !dbg !51
  br label %cond.end, !dbg !48

cond.false:                                       ; preds = %entry
  br label %cond.end, !dbg !48

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %call, %cond.true ], [ 1024, %cond.false ], !dbg !48
  store i32 %cond, ptr %n, align 4, !dbg !52
  store i32 0, ptr %twice, align 4, !dbg !53
  store i32 0, ptr %real, align 4, !dbg !54
  store i32 -1, ptr %end, align 4, !dbg !55
  store i32 1, ptr %i, align 4, !dbg !56
  br label %for.cond, !dbg !57

for.cond:                                         ; preds = %for.inc, %cond.end
  %3 = load i32, ptr %i, align 4, !dbg !58
  %4 = load i32, ptr %argc.addr, align 4, !dbg !59
  %cmp1 = icmp slt i32 %3, %4, !dbg !60
  br i1 %cmp1, label %for.body, label %for.end, !dbg !61

for.body:                                         ; preds = %for.cond
  %5 = load ptr, ptr %argv.addr, align 8, !dbg !62
  %6 = load i32, ptr %i, align 4, !dbg !63
  %idxprom = sext i32 %6 to i64, !dbg !62
  %arrayidx2 = getelementptr inbounds ptr, ptr %5, i64 %idxprom, !dbg !62
  %7 = load ptr, ptr %arrayidx2, align 8, !dbg !62
  %arrayidx3 = getelementptr inbounds i8, ptr %7, i64 0, !dbg !62
  %8 = load i8, ptr %arrayidx3, align 1, !dbg !62
  %conv = sext i8 %8 to i32, !dbg !62
  %cmp4 = icmp ne i32 %conv, 45, !dbg !64
  br i1 %cmp4, label %if.then, label %if.end, !dbg !62

if.then:                                          ; preds = %for.body
  br label %for.inc, !dbg !65

if.end:                                           ; preds = %for.body
  %9 = load ptr, ptr %argv.addr, align 8, !dbg !66
  %10 = load i32, ptr %i, align 4, !dbg !67
  %idxprom5 = sext i32 %10 to i64, !dbg !66
  %arrayidx6 = getelementptr inbounds ptr, ptr %9, i64 %idxprom5, !dbg !66
  %11 = load ptr, ptr %arrayidx6, align 8, !dbg !66
  %call7 = call i32 @strcmp(ptr noundef %11, ptr noundef @.str), !dbg !68
  %tobool = icmp ne i32 %call7, 0, !dbg !68
  br i1 %tobool, label %if.else, label %if.then8, !dbg !69

if.then8:                                         ; preds = %if.end
  store i32 2, ptr %twice, align 4, !dbg !70
  br label %if.end20, !dbg !71

if.else:                                          ; preds = %if.end
  %12 = load ptr, ptr %argv.addr, align 8, !dbg !72
  %13 = load i32, ptr %i, align 4, !dbg !73
  %idxprom9 = sext i32 %13 to i64, !dbg !72
  %arrayidx10 = getelementptr inbounds ptr, ptr %12, i64 %idxprom9, !dbg !72
  %14 = load ptr, ptr %arrayidx10, align 8, !dbg !72
  %call11 = call i64 @strlen(ptr noundef %14), !dbg !74
  %cmp12 = icmp eq i64 %call11, 2, !dbg !75
  br i1 %cmp12, label %land.lhs.true, label %if.end19, !dbg !76

land.lhs.true:                                    ; preds = %if.else
  %15 = load ptr, ptr %argv.addr, align 8, !dbg !77
  %16 = load i32, ptr %i, align 4, !dbg !78
  %idxprom13 = sext i32 %16 to i64, !dbg !77
  %arrayidx14 = getelementptr inbounds ptr, ptr %15, i64 %idxprom13, !dbg !77
  %17 = load ptr, ptr %arrayidx14, align 8, !dbg !77
  %arrayidx15 = getelementptr inbounds i8, ptr %17, i64 1, !dbg !77
  %18 = load i8, ptr %arrayidx15, align 1, !dbg !77
  %conv16 = sext i8 %18 to i32, !dbg !77
  %cmp17 = icmp eq i32 %conv16, 120, !dbg !79
  br i1 %cmp17, label %if.then18, label %if.end19, !dbg !74

if.then18:                                        ; preds = %land.lhs.true
  br label %for.end, !dbg !80

if.end19:                                         ; preds = %land.lhs.true, %if.else
  br label %if.end20

if.end20:                                         ; preds = %if.end19, %if.then8
  %19 = load i32, ptr %twice, align 4, !dbg !81
  %inc = add nsw i32 %19, 1, !dbg !81
  store i32 %inc, ptr %twice, align 4, !dbg !81
  br label %for.inc, !dbg !82

for.inc:                                          ; preds = %if.end20, %if.then
  %20 = load i32, ptr %i, align 4, !dbg !83
  %inc21 = add nsw i32 %20, 1, !dbg !83
  store i32 %inc21, ptr %i, align 4, !dbg !83
  br label %for.cond, !dbg !61, !llvm.loop !84

for.end:                                          ; preds = %if.then18, %for.cond
  %21 = load i32, ptr %argc.addr, align 4, !dbg !86
  %cmp22 = icmp sgt i32 %21, 3, !dbg !87
  br i1 %cmp22, label %if.then23, label %if.end30, !dbg !86

if.then23:                                        ; preds = %for.end
  %22 = load ptr, ptr %argv.addr, align 8, !dbg !88
  %arrayidx24 = getelementptr inbounds ptr, ptr %22, i64 3, !dbg !88
  %23 = load ptr, ptr %arrayidx24, align 8, !dbg !88
  %call25 = call double @atof(ptr noundef %23), !dbg !89
  %conv26 = fptosi double %call25 to i32, !dbg !89
  store i32 %conv26, ptr %real, align 4, !dbg !90
  %24 = load ptr, ptr %argv.addr, align 8, !dbg !91
  %arrayidx27 = getelementptr inbounds ptr, ptr %24, i64 3, !dbg !91
  %25 = load ptr, ptr %arrayidx27, align 8, !dbg !91
  %call28 = call i64 @strtol(ptr noundef %25, ptr noundef %stop, i32 noundef 10), !dbg !92
  %26 = load ptr, ptr %stop, align 8, !dbg !93
  %27 = load i8, ptr %26, align 1, !dbg !94
  %conv29 = sext i8 %27 to i32, !dbg !94
  store i32 %conv29, ptr %end, align 4, !dbg !95
  br label %if.end30, !dbg !96

if.end30:                                         ; preds = %if.then23, %for.end
  %28 = load i32, ptr %n, align 4, !dbg !97
  %div = sdiv i32 %28, 256, !dbg !98
  %add = add nsw i32 %div, 1, !dbg !99
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef %add, i32 noundef 1, i32 noundef 1), !dbg !97
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp31, i32 noundef 256, i32 noundef 1, i32 noundef 1), !dbg !100
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !101
  %29 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !101
  %30 = load i64, ptr %29, align 4, !dbg !101
  %31 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !101
  %32 = load i32, ptr %31, align 4, !dbg !101
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp31.coerce, ptr align 4 %agg.tmp31, i64 12, i1 false), !dbg !101
  %33 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp31.coerce, i32 0, i32 0, !dbg !101
  %34 = load i64, ptr %33, align 4, !dbg !101
  %35 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp31.coerce, i32 0, i32 1, !dbg !101
  %36 = load i32, ptr %35, align 4, !dbg !101
  %call32 = call i32 @__cudaPushCallConfiguration(i64 %30, i32 %32, i64 %34, i32 %36, i64 noundef 0, ptr noundef null), !dbg !101
  %tobool33 = icmp ne i32 %call32, 0, !dbg !101
  br i1 %tobool33, label %kcall.end, label %kcall.configok, !dbg !102

kcall.configok:                                   ; preds = %if.end30
  %37 = load i32, ptr %n, align 4, !dbg !103
  %38 = load i32, ptr %twice, align 4, !dbg !104
  %39 = load i32, ptr %real, align 4, !dbg !105
  %40 = load i32, ptr %end, align 4, !dbg !106
  call void @_Z20__device_stub__wordsiiii(i32 noundef %37, i32 noundef %38, i32 noundef %39, i32 noundef %40), !dbg !102
  br label %kcall.end, !dbg !102

kcall.end:                                        ; preds = %kcall.configok, %if.end30
  ret void, !dbg !107
}

define internal void @_ZL11withLettersPPc(ptr noundef %argv) !dbg !108 {
entry:
  %argv.addr = alloca ptr, align 8
  %count = alloca i32, align 4
  %sum = alloca i32, align 4
  %p = alloca ptr, align 8
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp3 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp3.coerce = alloca { i64, i32 }, align 4
  store ptr %argv, ptr %argv.addr, align 8
  store i32 0, ptr %count, align 4, !dbg !109
  store i32 0, ptr %sum, align 4, !dbg !110
  br label %while.cond, !dbg !111

while.cond:                                       ; preds = %for.end, %entry
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !112
  %incdec.ptr = getelementptr inbounds ptr, ptr %0, i32 1, !dbg !112
  store ptr %incdec.ptr, ptr %argv.addr, align 8, !dbg !112
  %1 = load ptr, ptr %incdec.ptr, align 8, !dbg !113
  %tobool = icmp ne ptr %1, null, !dbg !113
  br i1 %tobool, label %while.body, label %while.end, !dbg !111

while.body:                                       ; preds = %while.cond
  %2 = load ptr, ptr %argv.addr, align 8, !dbg !114
  %3 = load ptr, ptr %2, align 8, !dbg !115
  store ptr %3, ptr %p, align 8, !dbg !116
  br label %for.cond, !dbg !117

for.cond:                                         ; preds = %for.inc, %while.body
  %4 = load ptr, ptr %p, align 8, !dbg !118
  %5 = load i8, ptr %4, align 1, !dbg !119
  %tobool1 = icmp ne i8 %5, 0, !dbg !119
  br i1 %tobool1, label %for.body, label %for.end, !dbg !120

for.body:                                         ; preds = %for.cond
  %6 = load ptr, ptr %p, align 8, !dbg !121
  %7 = load i8, ptr %6, align 1, !dbg !122
  %conv = sext i8 %7 to i32, !dbg !122
  %sub = sub nsw i32 %conv, 48, !dbg !123
  %8 = load i32, ptr %sum, align 4, !dbg !124
  %add = add nsw i32 %8, %sub, !dbg !124
  store i32 %add, ptr %sum, align 4, !dbg !124
  br label %for.inc, !dbg !125

for.inc:                                          ; preds = %for.body
  %9 = load ptr, ptr %p, align 8, !dbg !126
  %incdec.ptr2 = getelementptr inbounds i8, ptr %9, i32 1, !dbg !126
  store ptr %incdec.ptr2, ptr %p, align 8, !dbg !126
  br label %for.cond, !dbg !120, !llvm.loop !127

for.end:                                          ; preds = %for.cond
  %10 = load i32, ptr %count, align 4, !dbg !129
  %inc = add nsw i32 %10, 1, !dbg !129
  store i32 %inc, ptr %count, align 4, !dbg !129
  br label %while.cond, !dbg !111, !llvm.loop !130

while.end:                                        ; preds = %while.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !132
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp3, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !133
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !134
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !134
  %12 = load i64, ptr %11, align 4, !dbg !134
  %13 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !134
  %14 = load i32, ptr %13, align 4, !dbg !134
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp3.coerce, ptr align 4 %agg.tmp3, i64 12, i1 false), !dbg !134
  %15 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp3.coerce, i32 0, i32 0, !dbg !134
  %16 = load i64, ptr %15, align 4, !dbg !134
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp3.coerce, i32 0, i32 1, !dbg !134
  %18 = load i32, ptr %17, align 4, !dbg !134
  %call = call i32 @__cudaPushCallConfiguration(i64 %12, i32 %14, i64 %16, i32 %18, i64 noundef 0, ptr noundef null), !dbg !134
  %tobool4 = icmp ne i32 %call, 0, !dbg !134
  br i1 %tobool4, label %kcall.end, label %kcall.configok, !dbg !135

kcall.configok:                                   ; preds = %while.end
  %19 = load i32, ptr %count, align 4, !dbg !136
  %20 = load i32, ptr %sum, align 4, !dbg !137
  call void @_Z22__device_stub__lettersii(i32 noundef %19, i32 noundef %20), !dbg !135
  br label %kcall.end, !dbg !135

kcall.end:                                        ; preds = %kcall.configok, %while.end
  ret void, !dbg !138
}

define internal void @_ZL11withOptionsiPPc(i32 noundef %argc, ptr noundef %argv) !dbg !139 {
entry:
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %opt = alloca i32, align 4
  %index = alloca i32, align 4
  %size = alloca i32, align 4
  %dim = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp9 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp9.coerce = alloca { i64, i32 }, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  store i32 0, ptr %index, align 4, !dbg !140
  store i32 32, ptr %size, align 4, !dbg !141
  store i32 4, ptr %dim, align 4, !dbg !142
  br label %while.cond, !dbg !143

while.cond:                                       ; preds = %sw.epilog, %entry
  %0 = load i32, ptr %argc.addr, align 4, !dbg !144
  %1 = load ptr, ptr %argv.addr, align 8, !dbg !145
  %call = call i32 @getopt_long(i32 noundef %0, ptr noundef %1, ptr noundef @.str.1, ptr noundef @_ZL5table, ptr noundef %index), !dbg !146
  store i32 %call, ptr %opt, align 4, !dbg !147
  %cmp = icmp ne i32 %call, -1, !dbg !148
  br i1 %cmp, label %while.body, label %while.end, !dbg !143

while.body:                                       ; preds = %while.cond
  %2 = load i32, ptr %opt, align 4, !dbg !149
  switch i32 %2, label %sw.default [
    i32 115, label %sw.bb
    i32 100, label %sw.bb2
    i32 118, label %sw.bb4
  ], !dbg !150

sw.bb:                                            ; preds = %while.body
  %3 = load ptr, ptr @optarg, align 8, !dbg !151
  %call1 = call i32 @atoi(ptr noundef %3), !dbg !152
  store i32 %call1, ptr %size, align 4, !dbg !153
  br label %sw.epilog, !dbg !154

sw.bb2:                                           ; preds = %while.body
  %4 = load ptr, ptr @optarg, align 8, !dbg !155
  %call3 = call i64 @strtol(ptr noundef %4, ptr noundef null, i32 noundef 0), !dbg !156
  %conv = trunc i64 %call3 to i32, !dbg !156
  store i32 %conv, ptr %dim, align 4, !dbg !157
  br label %sw.epilog, !dbg !158

sw.bb4:                                           ; preds = %while.body
  store i32 1, ptr @_ZL7verbose, align 4, !dbg !159
  br label %sw.epilog, !dbg !160

sw.default:                                       ; preds = %while.body
  %5 = load ptr, ptr %argv.addr, align 8, !dbg !161
  %arrayidx = getelementptr inbounds ptr, ptr %5, i64 0, !dbg !161
  %6 = load ptr, ptr %arrayidx, align 8, !dbg !161
  call void @_ZL5usagePKc(ptr noundef %6), !dbg !162
  br label %sw.epilog, !dbg !163

sw.epilog:                                        ; preds = %sw.default, %sw.bb4, %sw.bb2, %sw.bb
  br label %while.cond, !dbg !143, !llvm.loop !164

while.end:                                        ; preds = %while.cond
  %7 = load i32, ptr %size, align 4, !dbg !166
  %cmp5 = icmp slt i32 %7, 1, !dbg !167
  br i1 %cmp5, label %if.then, label %if.end, !dbg !166

if.then:                                          ; preds = %while.end
  %8 = load ptr, ptr %argv.addr, align 8, !dbg !168
  %arrayidx6 = getelementptr inbounds ptr, ptr %8, i64 0, !dbg !168
  %9 = load ptr, ptr %arrayidx6, align 8, !dbg !168
  call void @_ZL5usagePKc(ptr noundef %9), !dbg !169
  br label %if.end, !dbg !169

if.end:                                           ; preds = %if.then, %while.end
  %10 = load i32, ptr %dim, align 4, !dbg !170
  %cmp7 = icmp sgt i32 %10, 0, !dbg !171
  br i1 %cmp7, label %if.then8, label %if.end11, !dbg !170

if.then8:                                         ; preds = %if.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !172
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp9, i32 noundef 64, i32 noundef 1, i32 noundef 1), !dbg !173
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !174
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !174
  %12 = load i64, ptr %11, align 4, !dbg !174
  %13 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !174
  %14 = load i32, ptr %13, align 4, !dbg !174
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp9.coerce, ptr align 4 %agg.tmp9, i64 12, i1 false), !dbg !174
  %15 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 0, !dbg !174
  %16 = load i64, ptr %15, align 4, !dbg !174
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp9.coerce, i32 0, i32 1, !dbg !174
  %18 = load i32, ptr %17, align 4, !dbg !174
  %call10 = call i32 @__cudaPushCallConfiguration(i64 %12, i32 %14, i64 %16, i32 %18, i64 noundef 0, ptr noundef null), !dbg !174
  %tobool = icmp ne i32 %call10, 0, !dbg !174
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !175

kcall.configok:                                   ; preds = %if.then8
  %19 = load i32, ptr %size, align 4, !dbg !176
  %20 = load i32, ptr %dim, align 4, !dbg !177
  %21 = load i32, ptr @_ZL7verbose, align 4, !dbg !178
  %22 = load i32, ptr %argc.addr, align 4, !dbg !179
  %23 = load i32, ptr @optind, align 4, !dbg !180
  %sub = sub nsw i32 %22, %23, !dbg !181
  call void @_Z22__device_stub__optionsiiii(i32 noundef %19, i32 noundef %20, i32 noundef %21, i32 noundef %sub), !dbg !175
  br label %kcall.end, !dbg !175

kcall.end:                                        ; preds = %kcall.configok, %if.then8
  br label %if.end11, !dbg !175

if.end11:                                         ; preds = %kcall.end, %if.end
  ret void, !dbg !182
}

declare void @strange(ptr noundef)

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !183 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !185
  %0 = load i32, ptr %x.addr, align 4, !dbg !186
  store i32 %0, ptr %x2, align 4, !dbg !185
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !187
  %1 = load i32, ptr %y.addr, align 4, !dbg !188
  store i32 %1, ptr %y3, align 4, !dbg !187
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !189
  %2 = load i32, ptr %z.addr, align 4, !dbg !190
  store i32 %2, ptr %z4, align 4, !dbg !189
  ret void, !dbg !191
}

declare i32 @atoi(ptr noundef)

declare i32 @strcmp(ptr noundef, ptr noundef)

declare i64 @strlen(ptr noundef)

declare double @atof(ptr noundef)

declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef)

declare i32 @getopt_long(i32 noundef, ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal void @_ZL5usagePKc(ptr noundef %name) !dbg !192 {
entry:
  %name.addr = alloca ptr, align 8
  store ptr %name, ptr %name.addr, align 8
  %0 = load ptr, ptr %name.addr, align 8, !dbg !193
  %call = call i32 (ptr, ...) @printf(ptr noundef @.str.4, ptr noundef %0), !dbg !194
  call void @exit(i32 noundef 1), !dbg !195
  unreachable, !dbg !195
}

declare i32 @printf(ptr noundef, ...)

declare void @exit(i32 noundef)



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "arguments.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "options", scope: !9, file: !9, line: 26, type: !12, scopeLine: 26, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 26, column: 67, scope: !11)
!15 = !DILocation(line: 26, column: 68, scope: !11)
!16 = distinct !DISubprogram(name: "words", scope: !9, file: !9, line: 27, type: !12, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 27, column: 60, scope: !16)
!18 = !DILocation(line: 27, column: 61, scope: !16)
!19 = distinct !DISubprogram(name: "letters", scope: !9, file: !9, line: 28, type: !12, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!20 = !DILocation(line: 28, column: 45, scope: !19)
!21 = !DILocation(line: 28, column: 46, scope: !19)
!22 = distinct !DISubprogram(name: "lost", scope: !9, file: !9, line: 29, type: !12, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!23 = !DILocation(line: 29, column: 29, scope: !22)
!24 = !DILocation(line: 29, column: 30, scope: !22)
!25 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 96, type: !12, scopeLine: 97, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!26 = !DILocation(line: 98, column: 12, scope: !25)
!27 = !DILocation(line: 98, column: 18, scope: !25)
!28 = !DILocation(line: 98, column: 2, scope: !25)
!29 = !DILocation(line: 99, column: 14, scope: !25)
!30 = !DILocation(line: 99, column: 2, scope: !25)
!31 = !DILocation(line: 100, column: 14, scope: !25)
!32 = !DILocation(line: 100, column: 20, scope: !25)
!33 = !DILocation(line: 100, column: 2, scope: !25)
!34 = !DILocation(line: 101, column: 6, scope: !25)
!35 = !DILocation(line: 101, column: 11, scope: !25)
!36 = !DILocation(line: 102, column: 11, scope: !25)
!37 = !DILocation(line: 102, column: 3, scope: !25)
!38 = !DILocation(line: 103, column: 9, scope: !25)
!39 = !DILocation(line: 103, column: 12, scope: !25)
!40 = !DILocation(line: 103, column: 6, scope: !25)
!41 = !DILocation(line: 103, column: 2, scope: !25)
!42 = !DILocation(line: 103, column: 17, scope: !25)
!43 = !DILocation(line: 103, column: 22, scope: !25)
!44 = !DILocation(line: 103, column: 33, scope: !25)
!45 = !DILocation(line: 103, column: 28, scope: !25)
!46 = !DILocation(line: 104, column: 2, scope: !25)
!47 = distinct !DISubprogram(name: "withWords", scope: !9, file: !9, line: 64, type: !12, scopeLine: 65, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!48 = !DILocation(line: 66, column: 10, scope: !47)
!49 = !DILocation(line: 66, column: 15, scope: !47)
!50 = !DILocation(line: 66, column: 26, scope: !47)
!51 = !DILocation(line: 66, column: 21, scope: !47)
!52 = !DILocation(line: 66, column: 6, scope: !47)
!53 = !DILocation(line: 66, column: 43, scope: !47)
!54 = !DILocation(line: 66, column: 54, scope: !47)
!55 = !DILocation(line: 66, column: 64, scope: !47)
!56 = !DILocation(line: 67, column: 11, scope: !47)
!57 = !DILocation(line: 67, column: 7, scope: !47)
!58 = !DILocation(line: 67, column: 18, scope: !47)
!59 = !DILocation(line: 67, column: 22, scope: !47)
!60 = !DILocation(line: 67, column: 20, scope: !47)
!61 = !DILocation(line: 67, column: 2, scope: !47)
!62 = !DILocation(line: 68, column: 7, scope: !47)
!63 = !DILocation(line: 68, column: 12, scope: !47)
!64 = !DILocation(line: 68, column: 18, scope: !47)
!65 = !DILocation(line: 69, column: 4, scope: !47)
!66 = !DILocation(line: 70, column: 15, scope: !47)
!67 = !DILocation(line: 70, column: 20, scope: !47)
!68 = !DILocation(line: 70, column: 8, scope: !47)
!69 = !DILocation(line: 70, column: 7, scope: !47)
!70 = !DILocation(line: 71, column: 10, scope: !47)
!71 = !DILocation(line: 71, column: 4, scope: !47)
!72 = !DILocation(line: 72, column: 19, scope: !47)
!73 = !DILocation(line: 72, column: 24, scope: !47)
!74 = !DILocation(line: 72, column: 12, scope: !47)
!75 = !DILocation(line: 72, column: 28, scope: !47)
!76 = !DILocation(line: 72, column: 33, scope: !47)
!77 = !DILocation(line: 72, column: 36, scope: !47)
!78 = !DILocation(line: 72, column: 41, scope: !47)
!79 = !DILocation(line: 72, column: 47, scope: !47)
!80 = !DILocation(line: 73, column: 4, scope: !47)
!81 = !DILocation(line: 74, column: 8, scope: !47)
!82 = !DILocation(line: 75, column: 2, scope: !47)
!83 = !DILocation(line: 67, column: 29, scope: !47)
!84 = distinct !{!84, !61, !82, !85}
!85 = !{!"llvm.loop.mustprogress"}
!86 = !DILocation(line: 76, column: 6, scope: !47)
!87 = !DILocation(line: 76, column: 11, scope: !47)
!88 = !DILocation(line: 78, column: 20, scope: !47)
!89 = !DILocation(line: 78, column: 15, scope: !47)
!90 = !DILocation(line: 78, column: 8, scope: !47)
!91 = !DILocation(line: 79, column: 10, scope: !47)
!92 = !DILocation(line: 79, column: 3, scope: !47)
!93 = !DILocation(line: 80, column: 10, scope: !47)
!94 = !DILocation(line: 80, column: 9, scope: !47)
!95 = !DILocation(line: 80, column: 7, scope: !47)
!96 = !DILocation(line: 81, column: 2, scope: !47)
!97 = !DILocation(line: 82, column: 10, scope: !47)
!98 = !DILocation(line: 82, column: 12, scope: !47)
!99 = !DILocation(line: 82, column: 18, scope: !47)
!100 = !DILocation(line: 82, column: 23, scope: !47)
!101 = !DILocation(line: 82, column: 7, scope: !47)
!102 = !DILocation(line: 82, column: 2, scope: !47)
!103 = !DILocation(line: 82, column: 30, scope: !47)
!104 = !DILocation(line: 82, column: 33, scope: !47)
!105 = !DILocation(line: 82, column: 40, scope: !47)
!106 = !DILocation(line: 82, column: 46, scope: !47)
!107 = !DILocation(line: 83, column: 1, scope: !47)
!108 = distinct !DISubprogram(name: "withLetters", scope: !9, file: !9, line: 85, type: !12, scopeLine: 86, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!109 = !DILocation(line: 87, column: 6, scope: !108)
!110 = !DILocation(line: 87, column: 17, scope: !108)
!111 = !DILocation(line: 88, column: 2, scope: !108)
!112 = !DILocation(line: 88, column: 10, scope: !108)
!113 = !DILocation(line: 88, column: 9, scope: !108)
!114 = !DILocation(line: 89, column: 19, scope: !108)
!115 = !DILocation(line: 89, column: 18, scope: !108)
!116 = !DILocation(line: 89, column: 14, scope: !108)
!117 = !DILocation(line: 89, column: 8, scope: !108)
!118 = !DILocation(line: 89, column: 26, scope: !108)
!119 = !DILocation(line: 89, column: 25, scope: !108)
!120 = !DILocation(line: 89, column: 3, scope: !108)
!121 = !DILocation(line: 90, column: 12, scope: !108)
!122 = !DILocation(line: 90, column: 11, scope: !108)
!123 = !DILocation(line: 90, column: 14, scope: !108)
!124 = !DILocation(line: 90, column: 8, scope: !108)
!125 = !DILocation(line: 90, column: 4, scope: !108)
!126 = !DILocation(line: 89, column: 30, scope: !108)
!127 = distinct !{!127, !120, !128, !85}
!128 = !DILocation(line: 90, column: 16, scope: !108)
!129 = !DILocation(line: 91, column: 8, scope: !108)
!130 = distinct !{!130, !111, !131, !85}
!131 = !DILocation(line: 92, column: 2, scope: !108)
!132 = !DILocation(line: 93, column: 12, scope: !108)
!133 = !DILocation(line: 93, column: 15, scope: !108)
!134 = !DILocation(line: 93, column: 9, scope: !108)
!135 = !DILocation(line: 93, column: 2, scope: !108)
!136 = !DILocation(line: 93, column: 21, scope: !108)
!137 = !DILocation(line: 93, column: 28, scope: !108)
!138 = !DILocation(line: 94, column: 1, scope: !108)
!139 = distinct !DISubprogram(name: "withOptions", scope: !9, file: !9, line: 40, type: !12, scopeLine: 41, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!140 = !DILocation(line: 42, column: 11, scope: !139)
!141 = !DILocation(line: 42, column: 22, scope: !139)
!142 = !DILocation(line: 42, column: 33, scope: !139)
!143 = !DILocation(line: 43, column: 2, scope: !139)
!144 = !DILocation(line: 43, column: 28, scope: !139)
!145 = !DILocation(line: 43, column: 34, scope: !139)
!146 = !DILocation(line: 43, column: 16, scope: !139)
!147 = !DILocation(line: 43, column: 14, scope: !139)
!148 = !DILocation(line: 43, column: 65, scope: !139)
!149 = !DILocation(line: 44, column: 11, scope: !139)
!150 = !DILocation(line: 44, column: 3, scope: !139)
!151 = !DILocation(line: 46, column: 16, scope: !139)
!152 = !DILocation(line: 46, column: 11, scope: !139)
!153 = !DILocation(line: 46, column: 9, scope: !139)
!154 = !DILocation(line: 47, column: 4, scope: !139)
!155 = !DILocation(line: 49, column: 17, scope: !139)
!156 = !DILocation(line: 49, column: 10, scope: !139)
!157 = !DILocation(line: 49, column: 8, scope: !139)
!158 = !DILocation(line: 50, column: 4, scope: !139)
!159 = !DILocation(line: 52, column: 12, scope: !139)
!160 = !DILocation(line: 53, column: 4, scope: !139)
!161 = !DILocation(line: 55, column: 10, scope: !139)
!162 = !DILocation(line: 55, column: 4, scope: !139)
!163 = !DILocation(line: 56, column: 3, scope: !139)
!164 = distinct !{!164, !143, !165, !85}
!165 = !DILocation(line: 57, column: 2, scope: !139)
!166 = !DILocation(line: 58, column: 6, scope: !139)
!167 = !DILocation(line: 58, column: 11, scope: !139)
!168 = !DILocation(line: 59, column: 9, scope: !139)
!169 = !DILocation(line: 59, column: 3, scope: !139)
!170 = !DILocation(line: 60, column: 6, scope: !139)
!171 = !DILocation(line: 60, column: 10, scope: !139)
!172 = !DILocation(line: 61, column: 13, scope: !139)
!173 = !DILocation(line: 61, column: 16, scope: !139)
!174 = !DILocation(line: 61, column: 10, scope: !139)
!175 = !DILocation(line: 61, column: 3, scope: !139)
!176 = !DILocation(line: 61, column: 22, scope: !139)
!177 = !DILocation(line: 61, column: 28, scope: !139)
!178 = !DILocation(line: 61, column: 33, scope: !139)
!179 = !DILocation(line: 61, column: 42, scope: !139)
!180 = !DILocation(line: 61, column: 49, scope: !139)
!181 = !DILocation(line: 61, column: 47, scope: !139)
!182 = !DILocation(line: 62, column: 1, scope: !139)
!183 = distinct !DISubprogram(name: "dim3", scope: !184, file: !184, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!184 = !DIFile(filename: "/tmp/ptxsan-hostcode-1100372815/cuda_vectors.h")
!185 = !DILocation(line: 42, column: 70, scope: !183)
!186 = !DILocation(line: 42, column: 72, scope: !183)
!187 = !DILocation(line: 42, column: 76, scope: !183)
!188 = !DILocation(line: 42, column: 78, scope: !183)
!189 = !DILocation(line: 42, column: 82, scope: !183)
!190 = !DILocation(line: 42, column: 84, scope: !183)
!191 = !DILocation(line: 42, column: 88, scope: !183)
!192 = distinct !DISubprogram(name: "usage", scope: !9, file: !9, line: 34, type: !12, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !8)
!193 = !DILocation(line: 36, column: 55, scope: !192)
!194 = !DILocation(line: 36, column: 2, scope: !192)
!195 = !DILocation(line: 37, column: 2, scope: !192)

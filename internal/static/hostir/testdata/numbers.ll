source_filename = "numbers.cu"

%struct.dim3 = type { i32, i32, i32 }
%struct.cudaDeviceProp = type { [256 x i8], [16 x i8], [8 x i8], i32, i64, i64, i32, i32, i64, i32, [3 x i32], [3 x i32], i32, i64, i32, i32, i64, i64, i32, i32, i32, i32, i32, i32, [640 x i8] }

$_Z10cudaMallocIiEiPPT_m = comdat any

$_ZN4dim3C2Ejjj = comdat any

$_ZSt3minIiEUa9enable_ifILb1EERKT_S2_S2_ = comdat any

$_ZSt3maxIiEUa9enable_ifILb1EERKT_S2_S2_ = comdat any

$_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorIFvPiiiEEiS0_PT_im = comdat any

@_ZL5sizes = internal constant [4 x i32] [i32 32, i32 64, i32 96, i32 256], align 16

define dso_local void @_Z16__device_stub__kPiii(ptr noundef %p, i32 noundef %v, i32 noundef %w) !dbg !11 {
entry:
  %p.addr = alloca ptr, align 8
  %v.addr = alloca i32, align 4
  %w.addr = alloca i32, align 4
  %grid_dim = alloca %struct.dim3, align 8
  %block_dim = alloca %struct.dim3, align 8
  %shmem_size = alloca i64, align 8
  %stream = alloca ptr, align 8
  %grid_dim.coerce = alloca { i64, i32 }, align 8
  %block_dim.coerce = alloca { i64, i32 }, align 8
  store ptr %p, ptr %p.addr, align 8
  store i32 %v, ptr %v.addr, align 4
  store i32 %w, ptr %w.addr, align 4
  %kernel_args = alloca ptr, i64 3, align 16, !dbg !14
  %0 = getelementptr ptr, ptr %kernel_args, i32 0, !dbg !14
  store ptr %p.addr, ptr %0, align 8, !dbg !14
  %1 = getelementptr ptr, ptr %kernel_args, i32 1, !dbg !14
  store ptr %v.addr, ptr %1, align 8, !dbg !14
  %2 = getelementptr ptr, ptr %kernel_args, i32 2, !dbg !14
  store ptr %w.addr, ptr %2, align 8, !dbg !14
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
  %call = call noundef i32 @cudaLaunchKernel(ptr noundef @_Z16__device_stub__kPiii, i64 %7, i32 %9, i64 %11, i32 %13, ptr noundef %kernel_args, i64 noundef %4, ptr noundef %5), !dbg !14
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
  %n = alloca i32, align 4
  %t = alloca i32, align 4
  %p = alloca ptr, align 8
  %m = alloca i32, align 4
  %agg.tmp = alloca %struct.dim3, align 4
  %agg.tmp11 = alloca %struct.dim3, align 4
  %agg.tmp.coerce = alloca { i64, i32 }, align 4
  %agg.tmp11.coerce = alloca { i64, i32 }, align 4
  %u = alloca i32, align 4
  %agg.tmp18 = alloca %struct.dim3, align 4
  %agg.tmp19 = alloca %struct.dim3, align 4
  %agg.tmp18.coerce = alloca { i64, i32 }, align 4
  %agg.tmp19.coerce = alloca { i64, i32 }, align 4
  %l = alloca i32, align 4
  %x = alloca i32, align 4
  %agg.tmp28 = alloca %struct.dim3, align 4
  %agg.tmp29 = alloca %struct.dim3, align 4
  %agg.tmp28.coerce = alloca { i64, i32 }, align 4
  %agg.tmp29.coerce = alloca { i64, i32 }, align 4
  %s = alloca i32, align 4
  %agg.tmp35 = alloca %struct.dim3, align 4
  %agg.tmp36 = alloca %struct.dim3, align 4
  %agg.tmp35.coerce = alloca { i64, i32 }, align 4
  %agg.tmp36.coerce = alloca { i64, i32 }, align 4
  %agg.tmp42 = alloca %struct.dim3, align 4
  %agg.tmp43 = alloca %struct.dim3, align 4
  %agg.tmp42.coerce = alloca { i64, i32 }, align 4
  %agg.tmp43.coerce = alloca { i64, i32 }, align 4
  %len = alloca i32, align 4
  %i = alloca i32, align 4
  %agg.tmp51 = alloca %struct.dim3, align 4
  %agg.tmp52 = alloca %struct.dim3, align 4
  %agg.tmp51.coerce = alloca { i64, i32 }, align 4
  %agg.tmp52.coerce = alloca { i64, i32 }, align 4
  %i60 = alloca i32, align 4
  %agg.tmp64 = alloca %struct.dim3, align 4
  %agg.tmp65 = alloca %struct.dim3, align 4
  %agg.tmp64.coerce = alloca { i64, i32 }, align 4
  %agg.tmp65.coerce = alloca { i64, i32 }, align 4
  %agg.tmp73 = alloca %struct.dim3, align 4
  %agg.tmp74 = alloca %struct.dim3, align 4
  %agg.tmp73.coerce = alloca { i64, i32 }, align 4
  %agg.tmp74.coerce = alloca { i64, i32 }, align 4
  %j = alloca i32, align 4
  %agg.tmp83 = alloca %struct.dim3, align 4
  %agg.tmp84 = alloca %struct.dim3, align 4
  %agg.tmp83.coerce = alloca { i64, i32 }, align 4
  %agg.tmp84.coerce = alloca { i64, i32 }, align 4
  %agg.tmp89 = alloca %struct.dim3, align 4
  %agg.tmp90 = alloca %struct.dim3, align 4
  %agg.tmp89.coerce = alloca { i64, i32 }, align 4
  %agg.tmp90.coerce = alloca { i64, i32 }, align 4
  %a = alloca i32, align 4
  %agg.tmp104 = alloca %struct.dim3, align 4
  %agg.tmp105 = alloca %struct.dim3, align 4
  %agg.tmp104.coerce = alloca { i64, i32 }, align 4
  %agg.tmp105.coerce = alloca { i64, i32 }, align 4
  %agg.tmp110 = alloca %struct.dim3, align 4
  %agg.tmp111 = alloca %struct.dim3, align 4
  %agg.tmp110.coerce = alloca { i64, i32 }, align 4
  %agg.tmp111.coerce = alloca { i64, i32 }, align 4
  %r = alloca i32, align 4
  %from = alloca i32, align 4
  %agg.tmp120 = alloca %struct.dim3, align 4
  %agg.tmp121 = alloca %struct.dim3, align 4
  %agg.tmp120.coerce = alloca { i64, i32 }, align 4
  %agg.tmp121.coerce = alloca { i64, i32 }, align 4
  %agg.tmp129 = alloca %struct.dim3, align 4
  %agg.tmp130 = alloca %struct.dim3, align 4
  %agg.tmp129.coerce = alloca { i64, i32 }, align 4
  %agg.tmp130.coerce = alloca { i64, i32 }, align 4
  %ref.tmp = alloca i32, align 4
  %ref.tmp135 = alloca i32, align 4
  %agg.tmp139 = alloca %struct.dim3, align 4
  %agg.tmp140 = alloca %struct.dim3, align 4
  %agg.tmp139.coerce = alloca { i64, i32 }, align 4
  %agg.tmp140.coerce = alloca { i64, i32 }, align 4
  %device = alloca %struct.cudaDeviceProp, align 8
  %most = alloca i32, align 4
  %many = alloca i32, align 4
  %fit = alloca i32, align 4
  %agg.tmp152 = alloca %struct.dim3, align 4
  %agg.tmp153 = alloca %struct.dim3, align 4
  %agg.tmp152.coerce = alloca { i64, i32 }, align 4
  %agg.tmp153.coerce = alloca { i64, i32 }, align 4
  %agg.tmp159 = alloca %struct.dim3, align 4
  %agg.tmp160 = alloca %struct.dim3, align 4
  %agg.tmp159.coerce = alloca { i64, i32 }, align 4
  %agg.tmp160.coerce = alloca { i64, i32 }, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
  store ptr %argv, ptr %argv.addr, align 8
  %0 = load i32, ptr %argc.addr, align 4, !dbg !17
  %cmp = icmp ne i32 %0, 3, !dbg !18
  br i1 %cmp, label %if.then, label %if.end, !dbg !17

if.then:                                          ; preds = %entry
  store i32 1, ptr %retval, align 4, !dbg !19
  br label %return, !dbg !19

if.end:                                           ; preds = %entry
  %1 = load ptr, ptr %argv.addr, align 8, !dbg !20
  %arrayidx = getelementptr inbounds ptr, ptr %1, i64 1, !dbg !20
  %2 = load ptr, ptr %arrayidx, align 8, !dbg !20
  %call = call i32 @atoi(ptr noundef %2), !dbg !21
  store i32 %call, ptr %n, align 4, !dbg !22
  %3 = load ptr, ptr %argv.addr, align 8, !dbg !23
  %arrayidx1 = getelementptr inbounds ptr, ptr %3, i64 2, !dbg !23
  %4 = load ptr, ptr %arrayidx1, align 8, !dbg !23
  %call2 = call i32 @atoi(ptr noundef %4), !dbg !24
  store i32 %call2, ptr %t, align 4, !dbg !25
  %5 = load i32, ptr %n, align 4, !dbg !26
  %cmp3 = icmp slt i32 %5, 1, !dbg !27
  br i1 %cmp3, label %if.then7, label %lor.lhs.false, !dbg !28

lor.lhs.false:                                    ; preds = %if.end
  %6 = load i32, ptr %n, align 4, !dbg !29
  %cmp4 = icmp sgt i32 %6, 1000, !dbg !30
  br i1 %cmp4, label %if.then7, label %lor.lhs.false5, !dbg !31

lor.lhs.false5:                                   ; preds = %lor.lhs.false
  %7 = load i32, ptr %t, align 4, !dbg !32
  %cmp6 = icmp slt i32 %7, 1, !dbg !33
  br i1 %cmp6, label %if.then7, label %if.end8, !dbg !26

if.then7:                                         ; preds = %lor.lhs.false5, %lor.lhs.false, %if.end
  store i32 1, ptr %retval, align 4, !dbg !34
  br label %return, !dbg !34

if.end8:                                          ; preds = %lor.lhs.false5
  %call9 = call noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef 4), !dbg !35
  store i32 1, ptr %m, align 4, !dbg !36
  br label %while.cond, !dbg !37

while.cond:                                       ; preds = %while.body, %if.end8
  %8 = load i32, ptr %m, align 4, !dbg !38
  %9 = load i32, ptr %n, align 4, !dbg !39
  %cmp10 = icmp slt i32 %8, %9, !dbg !40
  br i1 %cmp10, label %while.body, label %while.end, !dbg !37

while.body:                                       ; preds = %while.cond
  %10 = load i32, ptr %m, align 4, !dbg !41
  %mul = mul nsw i32 %10, 2, !dbg !41
  store i32 %mul, ptr %m, align 4, !dbg !41
  br label %while.cond, !dbg !37, !llvm.loop !42

while.end:                                        ; preds = %while.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !45
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp11, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !46
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp.coerce, ptr align 4 %agg.tmp, i64 12, i1 false), !dbg !47
  %11 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 0, !dbg !47
  %12 = load i64, ptr %11, align 4, !dbg !47
  %13 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp.coerce, i32 0, i32 1, !dbg !47
  %14 = load i32, ptr %13, align 4, !dbg !47
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp11.coerce, ptr align 4 %agg.tmp11, i64 12, i1 false), !dbg !47
  %15 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 0, !dbg !47
  %16 = load i64, ptr %15, align 4, !dbg !47
  %17 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp11.coerce, i32 0, i32 1, !dbg !47
  %18 = load i32, ptr %17, align 4, !dbg !47
  %call12 = call i32 @__cudaPushCallConfiguration(i64 %12, i32 %14, i64 %16, i32 %18, i64 noundef 0, ptr noundef null), !dbg !47
  %tobool = icmp ne i32 %call12, 0, !dbg !47
  br i1 %tobool, label %kcall.end, label %kcall.configok, !dbg !48

kcall.configok:                                   ; preds = %while.end
  %19 = load ptr, ptr %p, align 8, !dbg !49
  %20 = load i32, ptr %m, align 4, !dbg !50
  call void @_Z16__device_stub__kPiii(ptr noundef %19, i32 noundef %20, i32 noundef 0), !dbg !48
  br label %kcall.end, !dbg !48

kcall.end:                                        ; preds = %kcall.configok, %while.end
  store i32 32, ptr %u, align 4, !dbg !51
  br label %while.cond13, !dbg !52

while.cond13:                                     ; preds = %while.body16, %kcall.end
  %21 = load i32, ptr %u, align 4, !dbg !53
  %22 = load i32, ptr %n, align 4, !dbg !54
  %cmp14 = icmp ult i32 %21, %22, !dbg !55
  br i1 %cmp14, label %land.rhs, label %land.end, !dbg !56

land.rhs:                                         ; preds = %while.cond13
  %23 = load i32, ptr %u, align 4, !dbg !57
  %cmp15 = icmp ult i32 %23, 256, !dbg !58
  br label %land.end

land.end:                                         ; preds = %land.rhs, %while.cond13
  %24 = phi i1 [ false, %while.cond13 ], [ %cmp15, %land.rhs ], !dbg !59
  br i1 %24, label %while.body16, label %while.end17, !dbg !52

while.body16:                                     ; preds = %land.end
  %25 = load i32, ptr %u, align 4, !dbg !60
  %shl = shl i32 %25, 2, !dbg !60
  store i32 %shl, ptr %u, align 4, !dbg !60
  br label %while.cond13, !dbg !52, !llvm.loop !61

while.end17:                                      ; preds = %land.end
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp18, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !63
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp19, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !64
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp18.coerce, ptr align 4 %agg.tmp18, i64 12, i1 false), !dbg !65
  %26 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 0, !dbg !65
  %27 = load i64, ptr %26, align 4, !dbg !65
  %28 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp18.coerce, i32 0, i32 1, !dbg !65
  %29 = load i32, ptr %28, align 4, !dbg !65
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp19.coerce, ptr align 4 %agg.tmp19, i64 12, i1 false), !dbg !65
  %30 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 0, !dbg !65
  %31 = load i64, ptr %30, align 4, !dbg !65
  %32 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp19.coerce, i32 0, i32 1, !dbg !65
  %33 = load i32, ptr %32, align 4, !dbg !65
  %call20 = call i32 @__cudaPushCallConfiguration(i64 %27, i32 %29, i64 %31, i32 %33, i64 noundef 0, ptr noundef null), !dbg !65
  %tobool21 = icmp ne i32 %call20, 0, !dbg !65
  br i1 %tobool21, label %kcall.end23, label %kcall.configok22, !dbg !66

kcall.configok22:                                 ; preds = %while.end17
  %34 = load ptr, ptr %p, align 8, !dbg !67
  %35 = load i32, ptr %u, align 4, !dbg !68
  call void @_Z16__device_stub__kPiii(ptr noundef %34, i32 noundef %35, i32 noundef 1), !dbg !66
  br label %kcall.end23, !dbg !66

kcall.end23:                                      ; preds = %kcall.configok22, %while.end17
  store i32 0, ptr %l, align 4, !dbg !69
  %36 = load i32, ptr %n, align 4, !dbg !70
  store i32 %36, ptr %x, align 4, !dbg !71
  br label %while.cond24, !dbg !72

while.cond24:                                     ; preds = %while.body26, %kcall.end23
  %37 = load i32, ptr %x, align 4, !dbg !73
  %shr = ashr i32 %37, 1, !dbg !73
  store i32 %shr, ptr %x, align 4, !dbg !73
  %tobool25 = icmp ne i32 %shr, 0, !dbg !74
  br i1 %tobool25, label %while.body26, label %while.end27, !dbg !72

while.body26:                                     ; preds = %while.cond24
  %38 = load i32, ptr %l, align 4, !dbg !75
  %inc = add nsw i32 %38, 1, !dbg !75
  store i32 %inc, ptr %l, align 4, !dbg !75
  br label %while.cond24, !dbg !72, !llvm.loop !76

while.end27:                                      ; preds = %while.cond24
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp28, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !77
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp29, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !78
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp28.coerce, ptr align 4 %agg.tmp28, i64 12, i1 false), !dbg !79
  %39 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp28.coerce, i32 0, i32 0, !dbg !79
  %40 = load i64, ptr %39, align 4, !dbg !79
  %41 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp28.coerce, i32 0, i32 1, !dbg !79
  %42 = load i32, ptr %41, align 4, !dbg !79
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp29.coerce, ptr align 4 %agg.tmp29, i64 12, i1 false), !dbg !79
  %43 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp29.coerce, i32 0, i32 0, !dbg !79
  %44 = load i64, ptr %43, align 4, !dbg !79
  %45 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp29.coerce, i32 0, i32 1, !dbg !79
  %46 = load i32, ptr %45, align 4, !dbg !79
  %call30 = call i32 @__cudaPushCallConfiguration(i64 %40, i32 %42, i64 %44, i32 %46, i64 noundef 0, ptr noundef null), !dbg !79
  %tobool31 = icmp ne i32 %call30, 0, !dbg !79
  br i1 %tobool31, label %kcall.end33, label %kcall.configok32, !dbg !80

kcall.configok32:                                 ; preds = %while.end27
  %47 = load ptr, ptr %p, align 8, !dbg !81
  %48 = load i32, ptr %l, align 4, !dbg !82
  call void @_Z16__device_stub__kPiii(ptr noundef %47, i32 noundef %48, i32 noundef 2), !dbg !80
  br label %kcall.end33, !dbg !80

kcall.end33:                                      ; preds = %kcall.configok32, %while.end27
  %49 = load i32, ptr %n, align 4, !dbg !83
  %div = sdiv i32 %49, 2, !dbg !84
  store i32 %div, ptr %s, align 4, !dbg !85
  br label %for.cond, !dbg !86

for.cond:                                         ; preds = %for.inc, %kcall.end33
  %50 = load i32, ptr %s, align 4, !dbg !87
  %cmp34 = icmp sgt i32 %50, 3, !dbg !88
  br i1 %cmp34, label %for.body, label %for.end, !dbg !86

for.body:                                         ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp35, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !89
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp36, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !90
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp35.coerce, ptr align 4 %agg.tmp35, i64 12, i1 false), !dbg !91
  %51 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp35.coerce, i32 0, i32 0, !dbg !91
  %52 = load i64, ptr %51, align 4, !dbg !91
  %53 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp35.coerce, i32 0, i32 1, !dbg !91
  %54 = load i32, ptr %53, align 4, !dbg !91
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp36.coerce, ptr align 4 %agg.tmp36, i64 12, i1 false), !dbg !91
  %55 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp36.coerce, i32 0, i32 0, !dbg !91
  %56 = load i64, ptr %55, align 4, !dbg !91
  %57 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp36.coerce, i32 0, i32 1, !dbg !91
  %58 = load i32, ptr %57, align 4, !dbg !91
  %call37 = call i32 @__cudaPushCallConfiguration(i64 %52, i32 %54, i64 %56, i32 %58, i64 noundef 0, ptr noundef null), !dbg !91
  %tobool38 = icmp ne i32 %call37, 0, !dbg !91
  br i1 %tobool38, label %kcall.end40, label %kcall.configok39, !dbg !92

kcall.configok39:                                 ; preds = %for.body
  %59 = load ptr, ptr %p, align 8, !dbg !93
  %60 = load i32, ptr %s, align 4, !dbg !94
  call void @_Z16__device_stub__kPiii(ptr noundef %59, i32 noundef %60, i32 noundef 3), !dbg !92
  br label %kcall.end40, !dbg !92

kcall.end40:                                      ; preds = %kcall.configok39, %for.body
  br label %for.inc, !dbg !92

for.inc:                                          ; preds = %kcall.end40
  %61 = load i32, ptr %s, align 4, !dbg !95
  %div41 = sdiv i32 %61, 2, !dbg !95
  store i32 %div41, ptr %s, align 4, !dbg !95
  br label %for.cond, !dbg !86, !llvm.loop !96

for.end:                                          ; preds = %for.cond
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp42, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !98
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp43, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !99
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp42.coerce, ptr align 4 %agg.tmp42, i64 12, i1 false), !dbg !100
  %62 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp42.coerce, i32 0, i32 0, !dbg !100
  %63 = load i64, ptr %62, align 4, !dbg !100
  %64 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp42.coerce, i32 0, i32 1, !dbg !100
  %65 = load i32, ptr %64, align 4, !dbg !100
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp43.coerce, ptr align 4 %agg.tmp43, i64 12, i1 false), !dbg !100
  %66 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp43.coerce, i32 0, i32 0, !dbg !100
  %67 = load i64, ptr %66, align 4, !dbg !100
  %68 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp43.coerce, i32 0, i32 1, !dbg !100
  %69 = load i32, ptr %68, align 4, !dbg !100
  %call44 = call i32 @__cudaPushCallConfiguration(i64 %63, i32 %65, i64 %67, i32 %69, i64 noundef 0, ptr noundef null), !dbg !100
  %tobool45 = icmp ne i32 %call44, 0, !dbg !100
  br i1 %tobool45, label %kcall.end47, label %kcall.configok46, !dbg !101

kcall.configok46:                                 ; preds = %for.end
  %70 = load ptr, ptr %p, align 8, !dbg !102
  %71 = load i32, ptr %s, align 4, !dbg !103
  call void @_Z16__device_stub__kPiii(ptr noundef %70, i32 noundef %71, i32 noundef 4), !dbg !101
  br label %kcall.end47, !dbg !101

kcall.end47:                                      ; preds = %kcall.configok46, %for.end
  store i32 2, ptr %len, align 4, !dbg !104
  store i32 0, ptr %i, align 4, !dbg !105
  br label %for.cond48, !dbg !106

for.cond48:                                       ; preds = %for.inc57, %kcall.end47
  %72 = load i32, ptr %len, align 4, !dbg !107
  %73 = load i32, ptr %n, align 4, !dbg !108
  %cmp49 = icmp sle i32 %72, %73, !dbg !109
  br i1 %cmp49, label %for.body50, label %for.end59, !dbg !110

for.body50:                                       ; preds = %for.cond48
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp51, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !111
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp52, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !112
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp51.coerce, ptr align 4 %agg.tmp51, i64 12, i1 false), !dbg !113
  %74 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp51.coerce, i32 0, i32 0, !dbg !113
  %75 = load i64, ptr %74, align 4, !dbg !113
  %76 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp51.coerce, i32 0, i32 1, !dbg !113
  %77 = load i32, ptr %76, align 4, !dbg !113
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp52.coerce, ptr align 4 %agg.tmp52, i64 12, i1 false), !dbg !113
  %78 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp52.coerce, i32 0, i32 0, !dbg !113
  %79 = load i64, ptr %78, align 4, !dbg !113
  %80 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp52.coerce, i32 0, i32 1, !dbg !113
  %81 = load i32, ptr %80, align 4, !dbg !113
  %call53 = call i32 @__cudaPushCallConfiguration(i64 %75, i32 %77, i64 %79, i32 %81, i64 noundef 0, ptr noundef null), !dbg !113
  %tobool54 = icmp ne i32 %call53, 0, !dbg !113
  br i1 %tobool54, label %kcall.end56, label %kcall.configok55, !dbg !114

kcall.configok55:                                 ; preds = %for.body50
  %82 = load ptr, ptr %p, align 8, !dbg !115
  %83 = load i32, ptr %len, align 4, !dbg !116
  %84 = load i32, ptr %i, align 4, !dbg !117
  call void @_Z16__device_stub__kPiii(ptr noundef %82, i32 noundef %83, i32 noundef %84), !dbg !114
  br label %kcall.end56, !dbg !114

kcall.end56:                                      ; preds = %kcall.configok55, %for.body50
  br label %for.inc57, !dbg !114

for.inc57:                                        ; preds = %kcall.end56
  %85 = load i32, ptr %len, align 4, !dbg !118
  %mul58 = mul nsw i32 %85, 2, !dbg !118
  store i32 %mul58, ptr %len, align 4, !dbg !118
  %86 = load i32, ptr %i, align 4, !dbg !119
  %add = add nsw i32 %86, 3, !dbg !119
  store i32 %add, ptr %i, align 4, !dbg !119
  br label %for.cond48, !dbg !110, !llvm.loop !120

for.end59:                                        ; preds = %for.cond48
  store i32 0, ptr %i60, align 4, !dbg !122
  br label %for.cond61, !dbg !123

for.cond61:                                       ; preds = %for.inc70, %for.end59
  %87 = load i32, ptr %i60, align 4, !dbg !124
  %88 = load i32, ptr %n, align 4, !dbg !125
  %cmp62 = icmp slt i32 %87, %88, !dbg !126
  br i1 %cmp62, label %for.body63, label %for.end72, !dbg !123

for.body63:                                       ; preds = %for.cond61
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp64, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !127
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp65, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !128
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp64.coerce, ptr align 4 %agg.tmp64, i64 12, i1 false), !dbg !129
  %89 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp64.coerce, i32 0, i32 0, !dbg !129
  %90 = load i64, ptr %89, align 4, !dbg !129
  %91 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp64.coerce, i32 0, i32 1, !dbg !129
  %92 = load i32, ptr %91, align 4, !dbg !129
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp65.coerce, ptr align 4 %agg.tmp65, i64 12, i1 false), !dbg !129
  %93 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp65.coerce, i32 0, i32 0, !dbg !129
  %94 = load i64, ptr %93, align 4, !dbg !129
  %95 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp65.coerce, i32 0, i32 1, !dbg !129
  %96 = load i32, ptr %95, align 4, !dbg !129
  %call66 = call i32 @__cudaPushCallConfiguration(i64 %90, i32 %92, i64 %94, i32 %96, i64 noundef 0, ptr noundef null), !dbg !129
  %tobool67 = icmp ne i32 %call66, 0, !dbg !129
  br i1 %tobool67, label %kcall.end69, label %kcall.configok68, !dbg !130

kcall.configok68:                                 ; preds = %for.body63
  %97 = load ptr, ptr %p, align 8, !dbg !131
  %98 = load i32, ptr %i60, align 4, !dbg !132
  %99 = load i32, ptr %t, align 4, !dbg !133
  call void @_Z16__device_stub__kPiii(ptr noundef %97, i32 noundef %98, i32 noundef %99), !dbg !130
  br label %kcall.end69, !dbg !130

kcall.end69:                                      ; preds = %kcall.configok68, %for.body63
  br label %for.inc70, !dbg !130

for.inc70:                                        ; preds = %kcall.end69
  %100 = load i32, ptr %t, align 4, !dbg !134
  %101 = load i32, ptr %i60, align 4, !dbg !135
  %add71 = add nsw i32 %101, %100, !dbg !135
  store i32 %add71, ptr %i60, align 4, !dbg !135
  br label %for.cond61, !dbg !123, !llvm.loop !136

for.end72:                                        ; preds = %for.cond61
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp73, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !138
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp74, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !139
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp73.coerce, ptr align 4 %agg.tmp73, i64 12, i1 false), !dbg !140
  %102 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp73.coerce, i32 0, i32 0, !dbg !140
  %103 = load i64, ptr %102, align 4, !dbg !140
  %104 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp73.coerce, i32 0, i32 1, !dbg !140
  %105 = load i32, ptr %104, align 4, !dbg !140
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp74.coerce, ptr align 4 %agg.tmp74, i64 12, i1 false), !dbg !140
  %106 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp74.coerce, i32 0, i32 0, !dbg !140
  %107 = load i64, ptr %106, align 4, !dbg !140
  %108 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp74.coerce, i32 0, i32 1, !dbg !140
  %109 = load i32, ptr %108, align 4, !dbg !140
  %call75 = call i32 @__cudaPushCallConfiguration(i64 %103, i32 %105, i64 %107, i32 %109, i64 noundef 0, ptr noundef null), !dbg !140
  %tobool76 = icmp ne i32 %call75, 0, !dbg !140
  br i1 %tobool76, label %kcall.end78, label %kcall.configok77, !dbg !141

kcall.configok77:                                 ; preds = %for.end72
  %110 = load ptr, ptr %p, align 8, !dbg !142
  %111 = load i32, ptr %i60, align 4, !dbg !143
  call void @_Z16__device_stub__kPiii(ptr noundef %110, i32 noundef %111, i32 noundef 5), !dbg !141
  br label %kcall.end78, !dbg !141

kcall.end78:                                      ; preds = %kcall.configok77, %for.end72
  %112 = load i32, ptr %n, align 4, !dbg !144
  store i32 %112, ptr %j, align 4, !dbg !145
  br label %while.cond79, !dbg !146

while.cond79:                                     ; preds = %while.body81, %kcall.end78
  %113 = load i32, ptr %j, align 4, !dbg !147
  %cmp80 = icmp ne i32 %113, 7, !dbg !148
  br i1 %cmp80, label %while.body81, label %while.end82, !dbg !146

while.body81:                                     ; preds = %while.cond79
  %114 = load i32, ptr %j, align 4, !dbg !149
  %dec = add nsw i32 %114, -1, !dbg !149
  store i32 %dec, ptr %j, align 4, !dbg !149
  br label %while.cond79, !dbg !146, !llvm.loop !150

while.end82:                                      ; preds = %while.cond79
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp83, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !151
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp84, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !152
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp83.coerce, ptr align 4 %agg.tmp83, i64 12, i1 false), !dbg !153
  %115 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp83.coerce, i32 0, i32 0, !dbg !153
  %116 = load i64, ptr %115, align 4, !dbg !153
  %117 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp83.coerce, i32 0, i32 1, !dbg !153
  %118 = load i32, ptr %117, align 4, !dbg !153
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp84.coerce, ptr align 4 %agg.tmp84, i64 12, i1 false), !dbg !153
  %119 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp84.coerce, i32 0, i32 0, !dbg !153
  %120 = load i64, ptr %119, align 4, !dbg !153
  %121 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp84.coerce, i32 0, i32 1, !dbg !153
  %122 = load i32, ptr %121, align 4, !dbg !153
  %call85 = call i32 @__cudaPushCallConfiguration(i64 %116, i32 %118, i64 %120, i32 %122, i64 noundef 0, ptr noundef null), !dbg !153
  %tobool86 = icmp ne i32 %call85, 0, !dbg !153
  br i1 %tobool86, label %kcall.end88, label %kcall.configok87, !dbg !154

kcall.configok87:                                 ; preds = %while.end82
  %123 = load ptr, ptr %p, align 8, !dbg !155
  %124 = load i32, ptr %j, align 4, !dbg !156
  call void @_Z16__device_stub__kPiii(ptr noundef %123, i32 noundef %124, i32 noundef 6), !dbg !154
  br label %kcall.end88, !dbg !154

kcall.end88:                                      ; preds = %kcall.configok87, %while.end82
  br label %do.body, !dbg !157

do.body:                                          ; preds = %do.cond, %kcall.end88
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp89, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !158
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp90, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !159
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp89.coerce, ptr align 4 %agg.tmp89, i64 12, i1 false), !dbg !160
  %125 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp89.coerce, i32 0, i32 0, !dbg !160
  %126 = load i64, ptr %125, align 4, !dbg !160
  %127 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp89.coerce, i32 0, i32 1, !dbg !160
  %128 = load i32, ptr %127, align 4, !dbg !160
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp90.coerce, ptr align 4 %agg.tmp90, i64 12, i1 false), !dbg !160
  %129 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp90.coerce, i32 0, i32 0, !dbg !160
  %130 = load i64, ptr %129, align 4, !dbg !160
  %131 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp90.coerce, i32 0, i32 1, !dbg !160
  %132 = load i32, ptr %131, align 4, !dbg !160
  %call91 = call i32 @__cudaPushCallConfiguration(i64 %126, i32 %128, i64 %130, i32 %132, i64 noundef 0, ptr noundef null), !dbg !160
  %tobool92 = icmp ne i32 %call91, 0, !dbg !160
  br i1 %tobool92, label %kcall.end94, label %kcall.configok93, !dbg !161

kcall.configok93:                                 ; preds = %do.body
  %133 = load ptr, ptr %p, align 8, !dbg !162
  %134 = load i32, ptr %t, align 4, !dbg !163
  call void @_Z16__device_stub__kPiii(ptr noundef %133, i32 noundef %134, i32 noundef 7), !dbg !161
  br label %kcall.end94, !dbg !161

kcall.end94:                                      ; preds = %kcall.configok93, %do.body
  %135 = load i32, ptr %t, align 4, !dbg !164
  %sub = sub nsw i32 %135, 2, !dbg !164
  store i32 %sub, ptr %t, align 4, !dbg !164
  br label %do.cond, !dbg !165

do.cond:                                          ; preds = %kcall.end94
  %136 = load i32, ptr %t, align 4, !dbg !166
  %cmp95 = icmp sgt i32 %136, 9, !dbg !167
  br i1 %cmp95, label %do.body, label %do.end, !dbg !165, !llvm.loop !168

do.end:                                           ; preds = %do.cond
  store i32 1, ptr %a, align 4, !dbg !170
  br label %while.cond96, !dbg !171

while.cond96:                                     ; preds = %if.end101, %do.end
  %137 = load i32, ptr %a, align 4, !dbg !172
  %138 = load i32, ptr %n, align 4, !dbg !173
  %cmp97 = icmp slt i32 %137, %138, !dbg !174
  br i1 %cmp97, label %while.body98, label %while.end103, !dbg !171

while.body98:                                     ; preds = %while.cond96
  %139 = load i32, ptr %a, align 4, !dbg !175
  %cmp99 = icmp eq i32 %139, 5, !dbg !176
  br i1 %cmp99, label %if.then100, label %if.end101, !dbg !175

if.then100:                                       ; preds = %while.body98
  br label %while.end103, !dbg !177

if.end101:                                        ; preds = %while.body98
  %140 = load i32, ptr %a, align 4, !dbg !178
  %add102 = add nsw i32 %140, 2, !dbg !178
  store i32 %add102, ptr %a, align 4, !dbg !178
  br label %while.cond96, !dbg !171, !llvm.loop !179

while.end103:                                     ; preds = %if.then100, %while.cond96
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp104, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !181
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp105, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !182
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp104.coerce, ptr align 4 %agg.tmp104, i64 12, i1 false), !dbg !183
  %141 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp104.coerce, i32 0, i32 0, !dbg !183
  %142 = load i64, ptr %141, align 4, !dbg !183
  %143 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp104.coerce, i32 0, i32 1, !dbg !183
  %144 = load i32, ptr %143, align 4, !dbg !183
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp105.coerce, ptr align 4 %agg.tmp105, i64 12, i1 false), !dbg !183
  %145 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp105.coerce, i32 0, i32 0, !dbg !183
  %146 = load i64, ptr %145, align 4, !dbg !183
  %147 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp105.coerce, i32 0, i32 1, !dbg !183
  %148 = load i32, ptr %147, align 4, !dbg !183
  %call106 = call i32 @__cudaPushCallConfiguration(i64 %142, i32 %144, i64 %146, i32 %148, i64 noundef 0, ptr noundef null), !dbg !183
  %tobool107 = icmp ne i32 %call106, 0, !dbg !183
  br i1 %tobool107, label %kcall.end109, label %kcall.configok108, !dbg !184

kcall.configok108:                                ; preds = %while.end103
  %149 = load ptr, ptr %p, align 8, !dbg !185
  %150 = load i32, ptr %a, align 4, !dbg !186
  call void @_Z16__device_stub__kPiii(ptr noundef %149, i32 noundef %150, i32 noundef 8), !dbg !184
  br label %kcall.end109, !dbg !184

kcall.end109:                                     ; preds = %kcall.configok108, %while.end103
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp110, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !187
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp111, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !188
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp110.coerce, ptr align 4 %agg.tmp110, i64 12, i1 false), !dbg !189
  %151 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp110.coerce, i32 0, i32 0, !dbg !189
  %152 = load i64, ptr %151, align 4, !dbg !189
  %153 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp110.coerce, i32 0, i32 1, !dbg !189
  %154 = load i32, ptr %153, align 4, !dbg !189
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp111.coerce, ptr align 4 %agg.tmp111, i64 12, i1 false), !dbg !189
  %155 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp111.coerce, i32 0, i32 0, !dbg !189
  %156 = load i64, ptr %155, align 4, !dbg !189
  %157 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp111.coerce, i32 0, i32 1, !dbg !189
  %158 = load i32, ptr %157, align 4, !dbg !189
  %call112 = call i32 @__cudaPushCallConfiguration(i64 %152, i32 %154, i64 %156, i32 %158, i64 noundef 0, ptr noundef null), !dbg !189
  %tobool113 = icmp ne i32 %call112, 0, !dbg !189
  br i1 %tobool113, label %kcall.end115, label %kcall.configok114, !dbg !190

kcall.configok114:                                ; preds = %kcall.end109
  %159 = load ptr, ptr %p, align 8, !dbg !191
  call void @_Z16__device_stub__kPiii(ptr noundef %159, i32 noundef 0, i32 noundef 8), !dbg !190
  br label %kcall.end115, !dbg !190

kcall.end115:                                     ; preds = %kcall.configok114, %kcall.end109
  %call116 = call i32 @rand(), !dbg !192
  store i32 %call116, ptr %r, align 4, !dbg !193
  %160 = load i32, ptr %r, align 4, !dbg !194
  store i32 %160, ptr %from, align 4, !dbg !195
  br label %for.cond117, !dbg !196

for.cond117:                                      ; preds = %for.inc126, %kcall.end115
  %161 = load i32, ptr %from, align 4, !dbg !197
  %162 = load i32, ptr %n, align 4, !dbg !198
  %cmp118 = icmp slt i32 %161, %162, !dbg !199
  br i1 %cmp118, label %for.body119, label %for.end128, !dbg !200

for.body119:                                      ; preds = %for.cond117
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp120, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !201
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp121, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !202
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp120.coerce, ptr align 4 %agg.tmp120, i64 12, i1 false), !dbg !203
  %163 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp120.coerce, i32 0, i32 0, !dbg !203
  %164 = load i64, ptr %163, align 4, !dbg !203
  %165 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp120.coerce, i32 0, i32 1, !dbg !203
  %166 = load i32, ptr %165, align 4, !dbg !203
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp121.coerce, ptr align 4 %agg.tmp121, i64 12, i1 false), !dbg !203
  %167 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp121.coerce, i32 0, i32 0, !dbg !203
  %168 = load i64, ptr %167, align 4, !dbg !203
  %169 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp121.coerce, i32 0, i32 1, !dbg !203
  %170 = load i32, ptr %169, align 4, !dbg !203
  %call122 = call i32 @__cudaPushCallConfiguration(i64 %164, i32 %166, i64 %168, i32 %170, i64 noundef 0, ptr noundef null), !dbg !203
  %tobool123 = icmp ne i32 %call122, 0, !dbg !203
  br i1 %tobool123, label %kcall.end125, label %kcall.configok124, !dbg !204

kcall.configok124:                                ; preds = %for.body119
  %171 = load ptr, ptr %p, align 8, !dbg !205
  %172 = load i32, ptr %from, align 4, !dbg !206
  %173 = load i32, ptr %r, align 4, !dbg !207
  call void @_Z16__device_stub__kPiii(ptr noundef %171, i32 noundef %172, i32 noundef %173), !dbg !204
  br label %kcall.end125, !dbg !204

kcall.end125:                                     ; preds = %kcall.configok124, %for.body119
  br label %for.inc126, !dbg !204

for.inc126:                                       ; preds = %kcall.end125
  %174 = load i32, ptr %from, align 4, !dbg !208
  %inc127 = add nsw i32 %174, 1, !dbg !208
  store i32 %inc127, ptr %from, align 4, !dbg !208
  br label %for.cond117, !dbg !200, !llvm.loop !209

for.end128:                                       ; preds = %for.cond117
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp129, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !211
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp130, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !212
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp129.coerce, ptr align 4 %agg.tmp129, i64 12, i1 false), !dbg !213
  %175 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp129.coerce, i32 0, i32 0, !dbg !213
  %176 = load i64, ptr %175, align 4, !dbg !213
  %177 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp129.coerce, i32 0, i32 1, !dbg !213
  %178 = load i32, ptr %177, align 4, !dbg !213
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp130.coerce, ptr align 4 %agg.tmp130, i64 12, i1 false), !dbg !213
  %179 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp130.coerce, i32 0, i32 0, !dbg !213
  %180 = load i64, ptr %179, align 4, !dbg !213
  %181 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp130.coerce, i32 0, i32 1, !dbg !213
  %182 = load i32, ptr %181, align 4, !dbg !213
  %call131 = call i32 @__cudaPushCallConfiguration(i64 %176, i32 %178, i64 %180, i32 %182, i64 noundef 0, ptr noundef null), !dbg !213
  %tobool132 = icmp ne i32 %call131, 0, !dbg !213
  br i1 %tobool132, label %kcall.end138, label %kcall.configok133, !dbg !214

kcall.configok133:                                ; preds = %for.end128
  %183 = load ptr, ptr %p, align 8, !dbg !215
  store i32 99, ptr %ref.tmp, align 4, !dbg !216
  %call134 = call noundef nonnull align 4 dereferenceable(4) ptr @_ZSt3minIiEUa9enable_ifILb1EERKT_S2_S2_(ptr noundef nonnull align 4 dereferenceable(4) %n, ptr noundef nonnull align 4 dereferenceable(4) %ref.tmp), !dbg !217
  %184 = load i32, ptr %call134, align 4, !dbg !217
  %185 = load i32, ptr %n, align 4, !dbg !218
  %add136 = add nsw i32 1, %185, !dbg !219
  store i32 %add136, ptr %ref.tmp135, align 4, !dbg !220
  %call137 = call noundef nonnull align 4 dereferenceable(4) ptr @_ZSt3maxIiEUa9enable_ifILb1EERKT_S2_S2_(ptr noundef nonnull align 4 dereferenceable(4) %ref.tmp135, ptr noundef nonnull align 4 dereferenceable(4) %t), !dbg !221
  %186 = load i32, ptr %call137, align 4, !dbg !221
  call void @_Z16__device_stub__kPiii(ptr noundef %183, i32 noundef %184, i32 noundef %186), !dbg !214
  br label %kcall.end138, !dbg !214

kcall.end138:                                     ; preds = %kcall.configok133, %for.end128
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp139, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !222
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp140, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !223
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp139.coerce, ptr align 4 %agg.tmp139, i64 12, i1 false), !dbg !224
  %187 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp139.coerce, i32 0, i32 0, !dbg !224
  %188 = load i64, ptr %187, align 4, !dbg !224
  %189 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp139.coerce, i32 0, i32 1, !dbg !224
  %190 = load i32, ptr %189, align 4, !dbg !224
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp140.coerce, ptr align 4 %agg.tmp140, i64 12, i1 false), !dbg !224
  %191 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp140.coerce, i32 0, i32 0, !dbg !224
  %192 = load i64, ptr %191, align 4, !dbg !224
  %193 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp140.coerce, i32 0, i32 1, !dbg !224
  %194 = load i32, ptr %193, align 4, !dbg !224
  %call141 = call i32 @__cudaPushCallConfiguration(i64 %188, i32 %190, i64 %192, i32 %194, i64 noundef 0, ptr noundef null), !dbg !224
  %tobool142 = icmp ne i32 %call141, 0, !dbg !224
  br i1 %tobool142, label %kcall.end147, label %kcall.configok143, !dbg !225

kcall.configok143:                                ; preds = %kcall.end138
  %195 = load ptr, ptr %p, align 8, !dbg !226
  %196 = load i32, ptr %n, align 4, !dbg !227
  %rem = srem i32 %196, 4, !dbg !228
  %idxprom = sext i32 %rem to i64, !dbg !229
  %arrayidx144 = getelementptr inbounds [4 x i32], ptr @_ZL5sizes, i64 0, i64 %idxprom, !dbg !229
  %197 = load i32, ptr %arrayidx144, align 4, !dbg !229
  %198 = load i32, ptr %argc.addr, align 4, !dbg !230
  %idxprom145 = sext i32 %198 to i64, !dbg !231
  %arrayidx146 = getelementptr inbounds [4 x i32], ptr @_ZL5sizes, i64 0, i64 %idxprom145, !dbg !231
  %199 = load i32, ptr %arrayidx146, align 4, !dbg !231
  call void @_Z16__device_stub__kPiii(ptr noundef %195, i32 noundef %197, i32 noundef %199), !dbg !225
  br label %kcall.end147, !dbg !225

kcall.end147:                                     ; preds = %kcall.configok143, %kcall.end138
  %call148 = call i32 @cudaGetDeviceProperties_v2(ptr noundef %device, i32 noundef 0), !dbg !232
  %call149 = call i32 @cudaDeviceGetAttribute(ptr noundef %most, i32 noundef 1, i32 noundef 0), !dbg !233
  %call150 = call i32 @cudaDeviceGetAttribute(ptr noundef %many, i32 noundef 16, i32 noundef 0), !dbg !234
  %call151 = call noundef i32 @_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorIFvPiiiEEiS0_PT_im(ptr noundef %fit, ptr noundef @_Z16__device_stub__kPiii, i32 noundef 256, i64 noundef 0), !dbg !235
  %warpSize = getelementptr inbounds %struct.cudaDeviceProp, ptr %device, i32 0, i32 7, !dbg !236
  %200 = load i32, ptr %warpSize, align 4, !dbg !236
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp152, i32 noundef %200, i32 noundef 1, i32 noundef 1), !dbg !237
  %201 = load i32, ptr %most, align 4, !dbg !238
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp153, i32 noundef %201, i32 noundef 1, i32 noundef 1), !dbg !238
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp152.coerce, ptr align 4 %agg.tmp152, i64 12, i1 false), !dbg !239
  %202 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp152.coerce, i32 0, i32 0, !dbg !239
  %203 = load i64, ptr %202, align 4, !dbg !239
  %204 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp152.coerce, i32 0, i32 1, !dbg !239
  %205 = load i32, ptr %204, align 4, !dbg !239
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp153.coerce, ptr align 4 %agg.tmp153, i64 12, i1 false), !dbg !239
  %206 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp153.coerce, i32 0, i32 0, !dbg !239
  %207 = load i64, ptr %206, align 4, !dbg !239
  %208 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp153.coerce, i32 0, i32 1, !dbg !239
  %209 = load i32, ptr %208, align 4, !dbg !239
  %call154 = call i32 @__cudaPushCallConfiguration(i64 %203, i32 %205, i64 %207, i32 %209, i64 noundef 0, ptr noundef null), !dbg !239
  %tobool155 = icmp ne i32 %call154, 0, !dbg !239
  br i1 %tobool155, label %kcall.end158, label %kcall.configok156, !dbg !240

kcall.configok156:                                ; preds = %kcall.end147
  %210 = load ptr, ptr %p, align 8, !dbg !241
  %multiProcessorCount = getelementptr inbounds %struct.cudaDeviceProp, ptr %device, i32 0, i32 19, !dbg !242
  %211 = load i32, ptr %multiProcessorCount, align 4, !dbg !242
  %212 = load i32, ptr %many, align 4, !dbg !243
  %213 = load i32, ptr %fit, align 4, !dbg !244
  %mul157 = mul nsw i32 %212, %213, !dbg !245
  call void @_Z16__device_stub__kPiii(ptr noundef %210, i32 noundef %211, i32 noundef %mul157), !dbg !240
  br label %kcall.end158, !dbg !240

kcall.end158:                                     ; preds = %kcall.configok156, %kcall.end147
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp159, i32 noundef 1, i32 noundef 1, i32 noundef 1), !dbg !246
  call void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %agg.tmp160, i32 noundef 32, i32 noundef 1, i32 noundef 1), !dbg !247
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp159.coerce, ptr align 4 %agg.tmp159, i64 12, i1 false), !dbg !248
  %214 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp159.coerce, i32 0, i32 0, !dbg !248
  %215 = load i64, ptr %214, align 4, !dbg !248
  %216 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp159.coerce, i32 0, i32 1, !dbg !248
  %217 = load i32, ptr %216, align 4, !dbg !248
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %agg.tmp160.coerce, ptr align 4 %agg.tmp160, i64 12, i1 false), !dbg !248
  %218 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp160.coerce, i32 0, i32 0, !dbg !248
  %219 = load i64, ptr %218, align 4, !dbg !248
  %220 = getelementptr inbounds { i64, i32 }, ptr %agg.tmp160.coerce, i32 0, i32 1, !dbg !248
  %221 = load i32, ptr %220, align 4, !dbg !248
  %call161 = call i32 @__cudaPushCallConfiguration(i64 %215, i32 %217, i64 %219, i32 %221, i64 noundef 0, ptr noundef null), !dbg !248
  %tobool162 = icmp ne i32 %call161, 0, !dbg !248
  br i1 %tobool162, label %kcall.end164, label %kcall.configok163, !dbg !249

kcall.configok163:                                ; preds = %kcall.end158
  %222 = load ptr, ptr %p, align 8, !dbg !250
  %clockRate = getelementptr inbounds %struct.cudaDeviceProp, ptr %device, i32 0, i32 12, !dbg !251
  %223 = load i32, ptr %clockRate, align 4, !dbg !251
  call void @_Z16__device_stub__kPiii(ptr noundef %222, i32 noundef %223, i32 noundef 0), !dbg !249
  br label %kcall.end164, !dbg !249

kcall.end164:                                     ; preds = %kcall.configok163, %kcall.end158
  store i32 0, ptr %retval, align 4, !dbg !252
  br label %return, !dbg !252

return:                                           ; preds = %kcall.end164, %if.then7, %if.then
  %224 = load i32, ptr %retval, align 4, !dbg !253
  ret i32 %224, !dbg !253
}

declare i32 @atoi(ptr noundef)

define linkonce_odr dso_local noundef i32 @_Z10cudaMallocIiEiPPT_m(ptr noundef %p, i64 noundef %size) comdat !dbg !254 {
entry:
  %p.addr = alloca ptr, align 8
  %size.addr = alloca i64, align 8
  store ptr %p, ptr %p.addr, align 8
  store i64 %size, ptr %size.addr, align 8
  %0 = load ptr, ptr %p.addr, align 8, !dbg !256
  %1 = load i64, ptr %size.addr, align 8, !dbg !257
  %call = call i32 @cudaMalloc(ptr noundef %0, i64 noundef %1), !dbg !258
  ret i32 %call, !dbg !259
}

declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef)

define linkonce_odr dso_local void @_ZN4dim3C2Ejjj(ptr noundef nonnull align 4 dereferenceable(12) %this, i32 noundef %x, i32 noundef %y, i32 noundef %z) unnamed_addr comdat align 2 !dbg !260 {
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
  %x2 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 0, !dbg !262
  %0 = load i32, ptr %x.addr, align 4, !dbg !263
  store i32 %0, ptr %x2, align 4, !dbg !262
  %y3 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 1, !dbg !264
  %1 = load i32, ptr %y.addr, align 4, !dbg !265
  store i32 %1, ptr %y3, align 4, !dbg !264
  %z4 = getelementptr inbounds %struct.dim3, ptr %this1, i32 0, i32 2, !dbg !266
  %2 = load i32, ptr %z.addr, align 4, !dbg !267
  store i32 %2, ptr %z4, align 4, !dbg !266
  ret void, !dbg !268
}

declare i32 @rand()

define linkonce_odr dso_local noundef nonnull align 4 dereferenceable(4) ptr @_ZSt3minIiEUa9enable_ifILb1EERKT_S2_S2_(ptr noundef nonnull align 4 dereferenceable(4) %__a, ptr noundef nonnull align 4 dereferenceable(4) %__b) comdat !dbg !269 {
entry:
  %__a.addr = alloca ptr, align 8
  %__b.addr = alloca ptr, align 8
  store ptr %__a, ptr %__a.addr, align 8
  store ptr %__b, ptr %__b.addr, align 8
  %0 = load ptr, ptr %__b.addr, align 8, !dbg !271
  %1 = load i32, ptr %0, align 4, !dbg !271
  %2 = load ptr, ptr %__a.addr, align 8, !dbg !272
  %3 = load i32, ptr %2, align 4, !dbg !272
  %cmp = icmp slt i32 %1, %3, !dbg !273
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !271

cond.true:                                        ; preds = %entry
  %4 = load ptr, ptr %__b.addr, align 8, !dbg !274
  br label %cond.end, !dbg !271

cond.false:                                       ; preds = %entry
  %5 = load ptr, ptr %__a.addr, align 8, !dbg !275
  br label %cond.end, !dbg !271

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %4, %cond.true ], [ %5, %cond.false ], !dbg !271
  ret ptr %cond, !dbg !276
}

define linkonce_odr dso_local noundef nonnull align 4 dereferenceable(4) ptr @_ZSt3maxIiEUa9enable_ifILb1EERKT_S2_S2_(ptr noundef nonnull align 4 dereferenceable(4) %__a, ptr noundef nonnull align 4 dereferenceable(4) %__b) comdat !dbg !277 {
entry:
  %__a.addr = alloca ptr, align 8
  %__b.addr = alloca ptr, align 8
  store ptr %__a, ptr %__a.addr, align 8
  store ptr %__b, ptr %__b.addr, align 8
  %0 = load ptr, ptr %__a.addr, align 8, !dbg !278
  %1 = load i32, ptr %0, align 4, !dbg !278
  %2 = load ptr, ptr %__b.addr, align 8, !dbg !279
  %3 = load i32, ptr %2, align 4, !dbg !279
  %cmp = icmp slt i32 %1, %3, !dbg !280
  br i1 %cmp, label %cond.true, label %cond.false, !dbg !278

cond.true:                                        ; preds = %entry
  %4 = load ptr, ptr %__b.addr, align 8, !dbg !281
  br label %cond.end, !dbg !278

cond.false:                                       ; preds = %entry
  %5 = load ptr, ptr %__a.addr, align 8, !dbg !282
  br label %cond.end, !dbg !278

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi ptr [ %4, %cond.true ], [ %5, %cond.false ], !dbg !278
  ret ptr %cond, !dbg !283
}

declare i32 @cudaGetDeviceProperties_v2(ptr noundef, i32 noundef)

declare i32 @cudaDeviceGetAttribute(ptr noundef, i32 noundef, i32 noundef)

define linkonce_odr dso_local noundef i32 @_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorIFvPiiiEEiS0_PT_im(ptr noundef %blocks, ptr noundef %kernel, i32 noundef %threads, i64 noundef %shared) comdat !dbg !284 {
entry:
  %blocks.addr = alloca ptr, align 8
  %kernel.addr = alloca ptr, align 8
  %threads.addr = alloca i32, align 4
  %shared.addr = alloca i64, align 8
  store ptr %blocks, ptr %blocks.addr, align 8
  store ptr %kernel, ptr %kernel.addr, align 8
  store i32 %threads, ptr %threads.addr, align 4
  store i64 %shared, ptr %shared.addr, align 8
  %0 = load ptr, ptr %blocks.addr, align 8, !dbg !285
  %1 = load ptr, ptr %kernel.addr, align 8, !dbg !286
  %2 = load i32, ptr %threads.addr, align 4, !dbg !287
  %3 = load i64, ptr %shared.addr, align 8, !dbg !288
  %call = call i32 @cudaOccupancyMaxActiveBlocksPerMultiprocessor(ptr noundef %0, ptr noundef %1, i32 noundef %2, i64 noundef %3), !dbg !289
  ret i32 %call, !dbg !290
}

declare i32 @cudaMalloc(ptr noundef, i64 noundef)

declare i32 @cudaOccupancyMaxActiveBlocksPerMultiprocessor(ptr noundef, ptr noundef, i32 noundef, i64 noundef)



!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 0]}
!1 = !{i32 7, !"Dwarf Version", i32 5}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 8, !"PIC Level", i32 2}
!5 = !{i32 7, !"PIE Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !9, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly, splitDebugInlining: false, nameTableKind: None)
!9 = !DIFile(filename: "numbers.cu")
!10 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!11 = distinct !DISubprogram(name: "k", scope: !9, file: !9, line: 7, type: !12, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!12 = !DISubroutineType(types: !13)
!13 = !{}
!14 = !DILocation(line: 7, column: 41, scope: !11)
!15 = !DILocation(line: 7, column: 42, scope: !11)
!16 = distinct !DISubprogram(name: "main", scope: !9, file: !9, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!17 = !DILocation(line: 10, column: 7, scope: !16)
!18 = !DILocation(line: 10, column: 12, scope: !16)
!19 = !DILocation(line: 11, column: 5, scope: !16)
!20 = !DILocation(line: 12, column: 16, scope: !16)
!21 = !DILocation(line: 12, column: 11, scope: !16)
!22 = !DILocation(line: 12, column: 7, scope: !16)
!23 = !DILocation(line: 12, column: 35, scope: !16)
!24 = !DILocation(line: 12, column: 30, scope: !16)
!25 = !DILocation(line: 12, column: 26, scope: !16)
!26 = !DILocation(line: 13, column: 7, scope: !16)
!27 = !DILocation(line: 13, column: 9, scope: !16)
!28 = !DILocation(line: 13, column: 13, scope: !16)
!29 = !DILocation(line: 13, column: 16, scope: !16)
!30 = !DILocation(line: 13, column: 18, scope: !16)
!31 = !DILocation(line: 13, column: 25, scope: !16)
!32 = !DILocation(line: 13, column: 28, scope: !16)
!33 = !DILocation(line: 13, column: 30, scope: !16)
!34 = !DILocation(line: 14, column: 5, scope: !16)
!35 = !DILocation(line: 15, column: 3, scope: !16)
!36 = !DILocation(line: 16, column: 7, scope: !16)
!37 = !DILocation(line: 17, column: 3, scope: !16)
!38 = !DILocation(line: 17, column: 10, scope: !16)
!39 = !DILocation(line: 17, column: 14, scope: !16)
!40 = !DILocation(line: 17, column: 12, scope: !16)
!41 = !DILocation(line: 18, column: 7, scope: !16)
!42 = distinct !{!42, !37, !43, !44}
!43 = !DILocation(line: 18, column: 10, scope: !16)
!44 = !{!"llvm.loop.mustprogress"}
!45 = !DILocation(line: 19, column: 7, scope: !16)
!46 = !DILocation(line: 19, column: 10, scope: !16)
!47 = !DILocation(line: 19, column: 4, scope: !16)
!48 = !DILocation(line: 19, column: 3, scope: !16)
!49 = !DILocation(line: 19, column: 16, scope: !16)
!50 = !DILocation(line: 19, column: 19, scope: !16)
!51 = !DILocation(line: 20, column: 12, scope: !16)
!52 = !DILocation(line: 21, column: 3, scope: !16)
!53 = !DILocation(line: 21, column: 10, scope: !16)
!54 = !DILocation(line: 21, column: 24, scope: !16)
!55 = !DILocation(line: 21, column: 12, scope: !16)
!56 = !DILocation(line: 21, column: 26, scope: !16)
!57 = !DILocation(line: 21, column: 29, scope: !16)
!58 = !DILocation(line: 21, column: 31, scope: !16)
!59 = !DILocation(line: 0, scope: !16)
!60 = !DILocation(line: 22, column: 7, scope: !16)
!61 = distinct !{!61, !52, !62, !44}
!62 = !DILocation(line: 22, column: 11, scope: !16)
!63 = !DILocation(line: 23, column: 7, scope: !16)
!64 = !DILocation(line: 23, column: 10, scope: !16)
!65 = !DILocation(line: 23, column: 4, scope: !16)
!66 = !DILocation(line: 23, column: 3, scope: !16)
!67 = !DILocation(line: 23, column: 16, scope: !16)
!68 = !DILocation(line: 23, column: 19, scope: !16)
!69 = !DILocation(line: 24, column: 7, scope: !16)
!70 = !DILocation(line: 24, column: 18, scope: !16)
!71 = !DILocation(line: 24, column: 14, scope: !16)
!72 = !DILocation(line: 25, column: 3, scope: !16)
!73 = !DILocation(line: 25, column: 12, scope: !16)
!74 = !DILocation(line: 25, column: 10, scope: !16)
!75 = !DILocation(line: 26, column: 6, scope: !16)
!76 = distinct !{!76, !72, !75, !44}
!77 = !DILocation(line: 27, column: 7, scope: !16)
!78 = !DILocation(line: 27, column: 10, scope: !16)
!79 = !DILocation(line: 27, column: 4, scope: !16)
!80 = !DILocation(line: 27, column: 3, scope: !16)
!81 = !DILocation(line: 27, column: 16, scope: !16)
!82 = !DILocation(line: 27, column: 19, scope: !16)
!83 = !DILocation(line: 28, column: 11, scope: !16)
!84 = !DILocation(line: 28, column: 13, scope: !16)
!85 = !DILocation(line: 28, column: 7, scope: !16)
!86 = !DILocation(line: 29, column: 3, scope: !16)
!87 = !DILocation(line: 29, column: 10, scope: !16)
!88 = !DILocation(line: 29, column: 12, scope: !16)
!89 = !DILocation(line: 30, column: 9, scope: !16)
!90 = !DILocation(line: 30, column: 12, scope: !16)
!91 = !DILocation(line: 30, column: 6, scope: !16)
!92 = !DILocation(line: 30, column: 5, scope: !16)
!93 = !DILocation(line: 30, column: 18, scope: !16)
!94 = !DILocation(line: 30, column: 21, scope: !16)
!95 = !DILocation(line: 29, column: 19, scope: !16)
!96 = distinct !{!96, !86, !97, !44}
!97 = !DILocation(line: 30, column: 25, scope: !16)
!98 = !DILocation(line: 31, column: 7, scope: !16)
!99 = !DILocation(line: 31, column: 10, scope: !16)
!100 = !DILocation(line: 31, column: 4, scope: !16)
!101 = !DILocation(line: 31, column: 3, scope: !16)
!102 = !DILocation(line: 31, column: 16, scope: !16)
!103 = !DILocation(line: 31, column: 19, scope: !16)
!104 = !DILocation(line: 32, column: 12, scope: !16)
!105 = !DILocation(line: 32, column: 21, scope: !16)
!106 = !DILocation(line: 32, column: 8, scope: !16)
!107 = !DILocation(line: 32, column: 28, scope: !16)
!108 = !DILocation(line: 32, column: 35, scope: !16)
!109 = !DILocation(line: 32, column: 32, scope: !16)
!110 = !DILocation(line: 32, column: 3, scope: !16)
!111 = !DILocation(line: 33, column: 9, scope: !16)
!112 = !DILocation(line: 33, column: 12, scope: !16)
!113 = !DILocation(line: 33, column: 6, scope: !16)
!114 = !DILocation(line: 33, column: 5, scope: !16)
!115 = !DILocation(line: 33, column: 18, scope: !16)
!116 = !DILocation(line: 33, column: 21, scope: !16)
!117 = !DILocation(line: 33, column: 26, scope: !16)
!118 = !DILocation(line: 32, column: 42, scope: !16)
!119 = !DILocation(line: 32, column: 50, scope: !16)
!120 = distinct !{!120, !110, !121, !44}
!121 = !DILocation(line: 33, column: 27, scope: !16)
!122 = !DILocation(line: 34, column: 7, scope: !16)
!123 = !DILocation(line: 35, column: 3, scope: !16)
!124 = !DILocation(line: 35, column: 10, scope: !16)
!125 = !DILocation(line: 35, column: 14, scope: !16)
!126 = !DILocation(line: 35, column: 12, scope: !16)
!127 = !DILocation(line: 36, column: 9, scope: !16)
!128 = !DILocation(line: 36, column: 12, scope: !16)
!129 = !DILocation(line: 36, column: 6, scope: !16)
!130 = !DILocation(line: 36, column: 5, scope: !16)
!131 = !DILocation(line: 36, column: 18, scope: !16)
!132 = !DILocation(line: 36, column: 21, scope: !16)
!133 = !DILocation(line: 36, column: 24, scope: !16)
!134 = !DILocation(line: 35, column: 22, scope: !16)
!135 = !DILocation(line: 35, column: 19, scope: !16)
!136 = distinct !{!136, !123, !137, !44}
!137 = !DILocation(line: 36, column: 25, scope: !16)
!138 = !DILocation(line: 37, column: 7, scope: !16)
!139 = !DILocation(line: 37, column: 10, scope: !16)
!140 = !DILocation(line: 37, column: 4, scope: !16)
!141 = !DILocation(line: 37, column: 3, scope: !16)
!142 = !DILocation(line: 37, column: 16, scope: !16)
!143 = !DILocation(line: 37, column: 19, scope: !16)
!144 = !DILocation(line: 38, column: 11, scope: !16)
!145 = !DILocation(line: 38, column: 7, scope: !16)
!146 = !DILocation(line: 39, column: 3, scope: !16)
!147 = !DILocation(line: 39, column: 10, scope: !16)
!148 = !DILocation(line: 39, column: 12, scope: !16)
!149 = !DILocation(line: 40, column: 6, scope: !16)
!150 = distinct !{!150, !146, !149, !44}
!151 = !DILocation(line: 41, column: 7, scope: !16)
!152 = !DILocation(line: 41, column: 10, scope: !16)
!153 = !DILocation(line: 41, column: 4, scope: !16)
!154 = !DILocation(line: 41, column: 3, scope: !16)
!155 = !DILocation(line: 41, column: 16, scope: !16)
!156 = !DILocation(line: 41, column: 19, scope: !16)
!157 = !DILocation(line: 42, column: 3, scope: !16)
!158 = !DILocation(line: 43, column: 9, scope: !16)
!159 = !DILocation(line: 43, column: 12, scope: !16)
!160 = !DILocation(line: 43, column: 6, scope: !16)
!161 = !DILocation(line: 43, column: 5, scope: !16)
!162 = !DILocation(line: 43, column: 18, scope: !16)
!163 = !DILocation(line: 43, column: 21, scope: !16)
!164 = !DILocation(line: 44, column: 7, scope: !16)
!165 = !DILocation(line: 45, column: 3, scope: !16)
!166 = !DILocation(line: 45, column: 12, scope: !16)
!167 = !DILocation(line: 45, column: 14, scope: !16)
!168 = distinct !{!168, !157, !169, !44}
!169 = !DILocation(line: 45, column: 17, scope: !16)
!170 = !DILocation(line: 46, column: 7, scope: !16)
!171 = !DILocation(line: 47, column: 3, scope: !16)
!172 = !DILocation(line: 47, column: 10, scope: !16)
!173 = !DILocation(line: 47, column: 14, scope: !16)
!174 = !DILocation(line: 47, column: 12, scope: !16)
!175 = !DILocation(line: 48, column: 9, scope: !16)
!176 = !DILocation(line: 48, column: 11, scope: !16)
!177 = !DILocation(line: 49, column: 7, scope: !16)
!178 = !DILocation(line: 50, column: 7, scope: !16)
!179 = distinct !{!179, !171, !180, !44}
!180 = !DILocation(line: 51, column: 3, scope: !16)
!181 = !DILocation(line: 52, column: 7, scope: !16)
!182 = !DILocation(line: 52, column: 10, scope: !16)
!183 = !DILocation(line: 52, column: 4, scope: !16)
!184 = !DILocation(line: 52, column: 3, scope: !16)
!185 = !DILocation(line: 52, column: 16, scope: !16)
!186 = !DILocation(line: 52, column: 19, scope: !16)
!187 = !DILocation(line: 53, column: 7, scope: !16)
!188 = !DILocation(line: 53, column: 10, scope: !16)
!189 = !DILocation(line: 53, column: 4, scope: !16)
!190 = !DILocation(line: 53, column: 3, scope: !16)
!191 = !DILocation(line: 53, column: 16, scope: !16)
!192 = !DILocation(line: 54, column: 11, scope: !16)
!193 = !DILocation(line: 54, column: 7, scope: !16)
!194 = !DILocation(line: 55, column: 19, scope: !16)
!195 = !DILocation(line: 55, column: 12, scope: !16)
!196 = !DILocation(line: 55, column: 8, scope: !16)
!197 = !DILocation(line: 55, column: 22, scope: !16)
!198 = !DILocation(line: 55, column: 29, scope: !16)
!199 = !DILocation(line: 55, column: 27, scope: !16)
!200 = !DILocation(line: 55, column: 3, scope: !16)
!201 = !DILocation(line: 56, column: 9, scope: !16)
!202 = !DILocation(line: 56, column: 12, scope: !16)
!203 = !DILocation(line: 56, column: 6, scope: !16)
!204 = !DILocation(line: 56, column: 5, scope: !16)
!205 = !DILocation(line: 56, column: 18, scope: !16)
!206 = !DILocation(line: 56, column: 21, scope: !16)
!207 = !DILocation(line: 56, column: 27, scope: !16)
!208 = !DILocation(line: 55, column: 36, scope: !16)
!209 = distinct !{!209, !200, !210, !44}
!210 = !DILocation(line: 56, column: 28, scope: !16)
!211 = !DILocation(line: 57, column: 7, scope: !16)
!212 = !DILocation(line: 57, column: 10, scope: !16)
!213 = !DILocation(line: 57, column: 4, scope: !16)
!214 = !DILocation(line: 57, column: 3, scope: !16)
!215 = !DILocation(line: 57, column: 16, scope: !16)
!216 = !DILocation(line: 57, column: 31, scope: !16)
!217 = !DILocation(line: 57, column: 19, scope: !16)
!218 = !DILocation(line: 57, column: 49, scope: !16)
!219 = !DILocation(line: 57, column: 47, scope: !16)
!220 = !DILocation(line: 57, column: 45, scope: !16)
!221 = !DILocation(line: 57, column: 36, scope: !16)
!222 = !DILocation(line: 58, column: 7, scope: !16)
!223 = !DILocation(line: 58, column: 10, scope: !16)
!224 = !DILocation(line: 58, column: 4, scope: !16)
!225 = !DILocation(line: 58, column: 3, scope: !16)
!226 = !DILocation(line: 58, column: 16, scope: !16)
!227 = !DILocation(line: 58, column: 25, scope: !16)
!228 = !DILocation(line: 58, column: 27, scope: !16)
!229 = !DILocation(line: 58, column: 19, scope: !16)
!230 = !DILocation(line: 58, column: 39, scope: !16)
!231 = !DILocation(line: 58, column: 33, scope: !16)
!232 = !DILocation(line: 60, column: 3, scope: !16)
!233 = !DILocation(line: 62, column: 3, scope: !16)
!234 = !DILocation(line: 63, column: 3, scope: !16)
!235 = !DILocation(line: 64, column: 3, scope: !16)
!236 = !DILocation(line: 65, column: 14, scope: !16)
!237 = !DILocation(line: 65, column: 7, scope: !16)
!238 = !DILocation(line: 65, column: 24, scope: !16)
!239 = !DILocation(line: 65, column: 4, scope: !16)
!240 = !DILocation(line: 65, column: 3, scope: !16)
!241 = !DILocation(line: 65, column: 32, scope: !16)
!242 = !DILocation(line: 65, column: 42, scope: !16)
!243 = !DILocation(line: 65, column: 63, scope: !16)
!244 = !DILocation(line: 65, column: 70, scope: !16)
!245 = !DILocation(line: 65, column: 68, scope: !16)
!246 = !DILocation(line: 66, column: 7, scope: !16)
!247 = !DILocation(line: 66, column: 10, scope: !16)
!248 = !DILocation(line: 66, column: 4, scope: !16)
!249 = !DILocation(line: 66, column: 3, scope: !16)
!250 = !DILocation(line: 66, column: 16, scope: !16)
!251 = !DILocation(line: 66, column: 26, scope: !16)
!252 = !DILocation(line: 67, column: 3, scope: !16)
!253 = !DILocation(line: 68, column: 1, scope: !16)
!254 = distinct !DISubprogram(name: "cudaMalloc<int>", scope: !255, file: !255, line: 200, type: !12, scopeLine: 200, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!255 = !DIFile(filename: "/tmp/ptxsan-hostcode-3930356542/cuda_runtime.h")
!256 = !DILocation(line: 200, column: 102, scope: !254)
!257 = !DILocation(line: 200, column: 105, scope: !254)
!258 = !DILocation(line: 200, column: 82, scope: !254)
!259 = !DILocation(line: 200, column: 75, scope: !254)
!260 = distinct !DISubprogram(name: "dim3", scope: !261, file: !261, line: 42, type: !12, scopeLine: 42, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!261 = !DIFile(filename: "/tmp/ptxsan-hostcode-3930356542/cuda_vectors.h")
!262 = !DILocation(line: 42, column: 70, scope: !260)
!263 = !DILocation(line: 42, column: 72, scope: !260)
!264 = !DILocation(line: 42, column: 76, scope: !260)
!265 = !DILocation(line: 42, column: 78, scope: !260)
!266 = !DILocation(line: 42, column: 82, scope: !260)
!267 = !DILocation(line: 42, column: 84, scope: !260)
!268 = !DILocation(line: 42, column: 88, scope: !260)
!269 = distinct !DISubprogram(name: "min<int>", scope: !270, file: !270, line: 101, type: !12, scopeLine: 101, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!270 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/cuda_wrappers/algorithm")
!271 = !DILocation(line: 102, column: 10, scope: !269)
!272 = !DILocation(line: 102, column: 16, scope: !269)
!273 = !DILocation(line: 102, column: 14, scope: !269)
!274 = !DILocation(line: 102, column: 22, scope: !269)
!275 = !DILocation(line: 102, column: 28, scope: !269)
!276 = !DILocation(line: 102, column: 3, scope: !269)
!277 = distinct !DISubprogram(name: "max<int>", scope: !270, file: !270, line: 87, type: !12, scopeLine: 87, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!278 = !DILocation(line: 88, column: 10, scope: !277)
!279 = !DILocation(line: 88, column: 16, scope: !277)
!280 = !DILocation(line: 88, column: 14, scope: !277)
!281 = !DILocation(line: 88, column: 22, scope: !277)
!282 = !DILocation(line: 88, column: 28, scope: !277)
!283 = !DILocation(line: 88, column: 3, scope: !277)
!284 = distinct !DISubprogram(name: "cudaOccupancyMaxActiveBlocksPerMultiprocessor<void (int *, int, int)>", scope: !255, file: !255, line: 218, type: !12, scopeLine: 218, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !8)
!285 = !DILocation(line: 219, column: 56, scope: !284)
!286 = !DILocation(line: 219, column: 78, scope: !284)
!287 = !DILocation(line: 219, column: 86, scope: !284)
!288 = !DILocation(line: 219, column: 95, scope: !284)
!289 = !DILocation(line: 219, column: 10, scope: !284)
!290 = !DILocation(line: 219, column: 3, scope: !284)

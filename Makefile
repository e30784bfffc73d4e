# ptxsan: `make test` runs everything; `make help` lists the rest.

GO ?= go
PTXAS ?= ptxas
PYTHON ?= python3
PGO = -pgo=cmd/ptxsan/release.pgo
SEEDS ?= 20
N ?= 1000
THREADS ?= 18
GROWTH ?= 16
SEED ?= 1
OUT ?=
DETECTOR ?= iguard
PACKAGE ?= ./cmd/internal/app
MDBOOK ?= mdbook
NAME ?=
CHECKOUT ?=
ONLY ?=
BUDGET ?= 2m
TARGET ?= FuzzCommandPTX
TIME ?= 1m
CASES ?=
CORPUS ?=
CUDA ?=
ASAN_TESTS ?= Random|Memory|Vector|Fuzz|Local|Shared
ACTIONLINT ?= $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
GOVULNCHECK ?= $(GO) run golang.org/x/vuln/cmd/govulncheck@latest
GOLANGCI ?= $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help house race vulnerabilities fuzz-targets build profile test short lint bench bench-emu scale growth goals generate layers examples ptxas ptxas-forms current matrix sync-mutants templates seeds fix repairs releases explore slowdown slowdown-modern overhead weak-cost regions history differential tiers proofs verdicts needs static-suites attack litmus traces cross fuzz mutants asan

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

build: ## build ./ptxsan, and ./ptxsan-full, which it becomes for GPUs, campaigns and servers
	CGO_ENABLED=0 $(GO) build $(PGO) -o ptxsan ./cmd/ptxsan
	CGO_ENABLED=0 $(GO) build $(PGO) -o ptxsan-full ./cmd/ptxsan-full

profile: ## measure where the emulator and the detectors spend their time; writes cmd/ptxsan/release.pgo, with which the compiler optimises releases
	rm -rf build/profile && mkdir -p build/profile
	for l in precise barracuda scord; do $(GO) run ./cmd/bench -sizes 3 -listener $$l -detector=false -random=false -cores=false -memory=false -cc '' -budget 40ms -cpuprofile build/profile/$$l; done
	$(GO) run ./cmd/bench -sizes 2 -listener '' -cores=false -memory=false -cc '' -budget 40ms -cpuprofile build/profile/iguard
	$(GO) test ./cmd/internal/app -run 'TestSlowdown$$' -slowdown.measure -cpuprofile build/profile/applications -o build/profile/ptxsan.test
	$(GO) run ./cmd/bench merge cmd/ptxsan/release.pgo build/profile/precise build/profile/barracuda build/profile/scord build/profile/iguard build/profile/applications

# Packages whose tests wait, for servers and compilers, leave a processor idle: one package more than processors runs at a time.
AT_ONCE = $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

CONCURRENT = ./emu/explore ./emu/observe/... ./emu/internal/crew ./internal/panics ./internal/campaign/... ./internal/cuda/... ./internal/serve ./runtime/session

# Most tests make small heaps, which Go's collector would go through every few milliseconds.
test short: export GOGC ?= 400

test: ## run all tests (go vet is a part of lint)
	$(MAKE) -j2 test-packages test-purego

.PHONY: test-packages test-purego
test-packages:
	$(GO) test -vet=off -p $(AT_ONCE) -timeout 20m ./...
test-purego: # as on processors without the vector instructions
	$(GO) test -vet=off -short -tags purego ./emu ./internal/vclock

short: ## the tests that take seconds
	$(GO) test -vet=off -short ./...

lint: ## golangci-lint with the project's rules, and actionlint for the workflows
	$(GOLANGCI) run ./...
	$(ACTIONLINT)

house: ## the figures of the whole: ways for each question, importable packages, imports up, lines
	$(GO) test ./cmd/internal/app -run 'TestHouse$$' -v -count=1

race: ## the short tests of the packages that use several goroutines, under Go's race detector (needs cgo)
	CGO_ENABLED=1 $(GO) test -race -short -timeout 50m $(CONCURRENT)

vulnerabilities: ## known vulnerabilities in the standard library and the modules that are called
	$(GOVULNCHECK) ./...

bench: bench-emu ## all benchmarks: parsing, editing, emulation
	$(GO) test -run '^$$' -bench . -benchmem ./...

bench-emu: ## the emulator on known kernels; writes docs/performance.md (compares with clang-19's code if that is there)
	$(GO) run $(PGO) ./cmd/bench -random=false -large -o docs/performance.md

scale: build/growth/bench ## how the cost of each detector grows over patterns of accesses, to 2^THREADS=18 threads; writes docs/performance.md, fails on what grows faster than the work, by time and in basic blocks
	$(GO) run $(PGO) ./cmd/bench -scale -counter build/growth/bench -threads $(THREADS) -o docs/performance.md

growth: build/growth/bench ## the same in basic blocks of Go that are executed, which no other work on the machine changes, to 2^GROWTH=16 threads; writes docs/performance.md
	GOCOVERDIR=build/growth build/growth/bench -scale -count -threads $(GROWTH) -o docs/performance.md

.PHONY: build/growth/bench
build/growth/bench: # counts the basic blocks that it executes
	rm -rf build/growth && mkdir -p build/growth
	$(GO) build -tags purego -cover -covermode=atomic -coverpkg=./... -o $@ ./cmd/bench

goals: ## measure whole commands of ptxsan against the limits that were set for them; writes docs/performance.md
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' $(PGO) -o build/goals/ptxsan ./cmd/ptxsan
	$(GO) run ./cmd/bench -goals build/goals -o docs/performance.md

ptxas: ## assemble what every pass writes with NVIDIA's ptxas, where there is one
	PTXAS="$(PTXAS)" ./passes/all/ptxas.sh

ptxas-forms: ## compare the checker with NVIDIA's ptxas (PTXAS) on every form of the instruction table
	$(GO) test ./internal/support -run 'TestNewest$$|TestAssembler$$' -v -count=1 -timeout 60m -ptxas "$$(command -v $(PTXAS))"

current: ## compare with a CUDA release: headers, forms, what nvcc writes for the examples and PROGRAMS=FOLDER; CUDA=FOLDER names it, or pip fetches the newest
	CUDA="$(CUDA)" PROGRAMS="$(PROGRAMS)" GO="$(GO)" ./internal/support/current.sh

.PHONY: wheel
wheel: build ## build the Python package of this machine's architecture into build/wheel (needs a C compiler, python3 with venv and pip)
	rm -rf build/wheel && mkdir -p build/wheel/files/bin
	cp ptxsan ptxsan-full build/wheel/files/bin
	./ptxsan exec --libraries -o build/wheel/files/lib/ptxsan
	PTXSAN_BUILT=build/wheel/files ./python/wheel.sh build/wheel

.PHONY: site
site: ## build the pages as a site with search into build/site (needs mdBook: cargo install mdbook --locked)
	MDBOOK="$(MDBOOK)" ./docs/site/build.sh

.PHONY: clients
clients: ## install clients that write kernels in Python (CLIENTS=numba triton ...) below build/clients and run examples/python under exec
	CGO_ENABLED=0 $(GO) build $(PGO) -o build/clients/ptxsan ./cmd/ptxsan
	./examples/python/clients.sh build/clients/ptxsan $(CLIENTS)

.PHONY: observatory
observatory: build ## check the programs of examples/observatory/lists/NAME.yaml in CHECKOUT=FOLDER (ONLY=REGEXP, BUDGET=2m each) and write docs/generated/observatory.md
	$(GO) run ./cmd/observatory -ptxsan "$$PWD/ptxsan" -checkout '$(CHECKOUT)' -only '$(ONLY)' -budget '$(BUDGET)' $(NAME)

generate: ## rebuild parser, lexer tables, device library and generated docs (needs java, npm, clang-19)
	./ptxgrammar/generate.sh
	./passes/device/generate.sh
	$(GO) generate ./emu/internal/vector
	$(GO) test ./cmd/internal/app -run 'TestDocs|TestLayering' -update

layers: ## draw the layers of layers.txt in ARCHITECTURE.md
	$(GO) test ./cmd/internal/app -run TestLayering -update

examples: ## recompile the PTX of examples, benchmarks and shapes (needs clang-19)
	./examples/build.sh
	./cmd/bench/kernels/build.sh
	$(GO) test ./emu/internal/differential -run 'TestSample$$' -count=1 -update
	./emu/testdata/shapes/build.sh

matrix: ## run every detector on the race suite and write docs/generated/matrix.md
	$(GO) test ./internal/racesuite -run TestMatrix -matrix -count=1 -timeout 60m
	$(GO) test ./internal/racesuite -run TestCollideSuite -collide.runs 100 -collide.write -count=1 -timeout 60m

sync-mutants: ## leave out or weaken each synchronisation of the programs without races, and write docs/generated/mutants.md; with CASES=FOLDER print what becomes of those of programs below it, too
	$(GO) test ./internal/syncs -run 'TestMutants$$' -v -count=1 -timeout 60m -args -mutants -mutants.cases '$(if $(CASES),$(abspath $(CASES)))'

templates: ## check every case of the race suite with the launch of a template; findings in race-free ones are those that the test explains
	$(GO) test ./runtime/session -run 'TestTemplatesOfSuite$$' -v -count=1 -args -templates

seeds: ## run a detector (DETECTOR=iguard) on the race suite under SEEDS=20 random schedules each; every answer must be right
	$(GO) test ./internal/racesuite -run 'TestSeeds$$' -v -count=1 -timeout 60m -seeds $(SEEDS) -seeds-detector '$(DETECTOR)'

proofs: ## compare what N random kernels from SEED on are proved to do with what they do, access by access
	$(GO) test ./internal/address -run 'TestProofs$$' -v -count=1 -timeout 0 -args -proofs $(N) -first-proof $(SEED)

verdicts: ## compare what analyze says of N random kernels from SEED on, some with locks and flags, with what precise sees
	$(GO) test ./internal/static -run 'TestRandom$$' -v -count=1 -timeout 0 -args -verdicts $(N) -first-verdict $(SEED)

needs: ## execute launches that satisfy what the proofs of N random kernels from SEED on need, and only that, and of the race suite
	SUITE=2000 $(GO) test ./internal/static -run 'TestNeedsOf' -v -count=1 -timeout 0 -args -needs $(N) -first-need $(SEED)

static-suites: ## analyse the labelled suites that are cloned below SUITES=FOLDER (docs/detectors/hgrd.md names them) and count the verdicts, and the programs that each rule decides; OUT=FILE for a line of each program
	@test -n "$(SUITES)" || { echo 'make static-suites SUITES=FOLDER [OUT=FILE]' >&2; exit 2; }
	$(GO) test ./internal/analysis -run 'TestStaticSuites$$|TestRules$$' -v -count=1 -timeout 0 -args -rules -suites '$(abspath $(SUITES))' -suites-part all -suites-out '$(if $(OUT),$(abspath $(OUT)))'

attack: ## compare precise with the oracle, and its shortcuts with each other, on N=1000 random programs from SEED on
	$(GO) test ./internal/detect/precise -run 'TestAttack$$' -v -count=1 -timeout 0 -args -attack $(N) -first-attack $(SEED)

traces: ## compare precise with the oracle on N=1000 random traces of each kind
	$(GO) test ./internal/detect/precise -v -count=1 -timeout 0 -args -traces $(N)

litmus: ## compare N=1000 random litmus tests from SEED on with the interleavings and axioms of the memory model: outcomes and races
	$(GO) test ./internal/litmus/axioms -run 'TestRandom' -v -count=1 -timeout 0 -args -litmus.n $(N) -litmus.seed $(SEED)

regions: ## compare ldetector with precise on N random kernels from SEED on whose warps share memory
	$(GO) test ./runtime/session -run 'TestRegions$$' -v -count=1 -timeout 0 -args -regions $(N) -first-region $(SEED)

history: ## compare the races of kernels that are launched in N random orders from SEED on with those of each launched alone
	$(GO) test ./runtime/session -run 'TestHistory$$' -v -count=1 -timeout 0 -args -histories $(N) -first-history $(SEED)

differential: ## compare N=1000 random CUDA programs from SEED=1 on with the host (needs clang-19 or nvcc); OUT=folder for reduced ones that differ
	$(GO) test ./emu/internal/differential -run TestCampaign -v -count=1 -timeout 0 -args -n $(N) -seed $(SEED) -o '$(OUT)'

fix: ## mend the race suite, and print the repairs by kind (half an hour of one core)
	$(GO) test ./internal/fix -run 'TestSuite$$|TestAdviseSuite$$' -v -count=1 -timeout 60m -args -suite

repairs: ## mend N=1000 random racy kernels from SEED on; what is accepted must be right
	$(GO) test ./internal/fix -run 'TestRandom$$' -v -count=1 -timeout 0 -args -kernels $(N) -first-kernel $(SEED)

explore: ## search the race suite and its applications for races: mixed within 200 schedules, directed within 10
	$(GO) test ./internal/racesuite -run 'TestExploreSuite$$' -v -count=1 -timeout 60m -explore-apps

slowdown: ## measure every detector on the applications of the race suite; writes docs/performance.md
	$(GO) test $(PGO) ./cmd/internal/app -run TestSlowdown -slowdown -count=1

slowdown-modern: ## measure precise on kernels for recent architectures, those in Triton if PYTHON has it; writes docs/performance.md
	if $(PYTHON) -c 'import numpy, triton'; then $(PYTHON) -B cmd/internal/app/testdata/modern/triton/kernels.py build/modern; \
	else echo 'PYTHON=$(PYTHON) has no Triton: figures of kernels that build/modern lacks stay as they are' >&2; fi
	CGO_ENABLED=0 $(GO) build $(PGO) -o build/modern/ptxsan ./cmd/ptxsan
	$(GO) test $(PGO) ./cmd/internal/app -run TestSlowdownModern -slowdown.modern -count=1

overhead: ## measure ldetector on EM and co-clustering; writes docs/detectors/ldetector.md
	$(GO) test ./cmd/internal/app -run 'TestOverhead$$' -overhead -count=1

weak-cost: ## measure --memory ptx against --memory sc on the applications of the race suite and its kernels
	$(GO) test ./cmd/internal/app -run 'TestWeakCost$$' -v -count=1 -timeout 60m -args -weak-cost

tiers: ## compare N=1000 random programs in assembly, in Go, and in a build without assembly
	@sums=$$(mktemp -d) && trap 'rm -r "$$sums"' EXIT && \
	$(GO) test ./emu -run 'TestTiers$$' -v -count=1 -timeout 24h -tiers $(N) -tiers.sums "$$sums/assembly" && \
	$(GO) test -tags purego ./emu -run 'TestTiers$$' -v -count=1 -timeout 24h -tiers $(N) -tiers.sums "$$sums/purego" && \
	cmp "$$sums/assembly" "$$sums/purego"

releases: ## build all that a release has: every system, packages, a container, go install; and test longer random ranges than make test
	$(MAKE) attack proofs verdicts needs traces regions tiers N=2000
	$(GO) test ./cmd/internal/app -run 'TestCross|TestRelease|TestDebianPackage|TestContainer|TestGoInstall|TestKubernetes|TestWheel' -v -count=1 -timeout 60m -args -releases

cross: ## build the commands for the systems that releases are for
	@for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		for command in ptxsan ptxsan-full; do \
			echo $$target $$command; CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) build -o /dev/null ./cmd/$$command || exit 1; \
		done; \
	done

fuzz: ## fuzz one target (TARGET=FuzzCommandPTX) of a package (PACKAGE=./cmd/internal/app) for TIME=1m
	$(GO) test $(PACKAGE) -run '^$$' -fuzz '^$(TARGET)$$' -fuzztime $(TIME) -fuzzminimizetime 1x

fuzz-targets: # print each fuzz target with its package, for the workflow fuzz
	@grep -r '^func Fuzz' --include='*_test.go' . | sed 's|/[^/]*_test.go:func | |; s|(.*||' | sort

mutants: ## run N=1000 mutants, from number SEED on, of the corpus of every fuzz target, or of one (TARGET=PTX), without coverage feedback: many times faster; CORPUS=folder of more inputs
	$(GO) test ./cmd/internal/app -run 'TestMutants$$' -v -count=1 -timeout 0 -args -mutants $(N) -mutants.seed $(SEED) -mutants.target '$(filter-out Fuzz%,$(TARGET))' -mutants.corpus '$(CORPUS)'

asan: ## random programs of the emulator without assembly, under the address sanitizer (needs cgo and CC=clang or gcc with it)
	@if echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address -x c - -o /dev/null 2>/dev/null; then \
		CGO_ENABLED=1 CC="$(CC)" ASAN_OPTIONS=detect_leaks=0 $(GO) test -short -asan -tags purego ./emu -run '$(ASAN_TESTS)'; \
	else echo "asan: $(CC) has no address sanitizer; skipped"; fi

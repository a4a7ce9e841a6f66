# Understudy: `make run` and `make test` do all the set-up on a fresh machine. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help deps test-deps run build dist image dist-test test lint format seeds pages console console-types snippets effects fuzz sanitize bench browser-test contract-test report-test hostile example console-test conduct-walks credential-walks break-rules clean

RELEASE := scripts/build-release --product understudy
BINARY := .build/release/understudy
# How many tests run at once.
WIDTH ?= 6
SWIFT_FILES := Package.swift Sources Tests Fuzz Benchmarks Examples/Package.swift Examples/Sources Examples/Tests

help: ## lists these targets with their meaning
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/'

deps: ## installs missing system libraries (apt or brew), or names them
	@scripts/install-dependencies

test-deps: ## installs the libraries, and the tools that the tests use
	@scripts/install-dependencies tests

build: deps ## builds the release binary: .build/release/understudy
	$(RELEASE)

dist: build ## packs the release binary, its completions and manual page into dist/
	scripts/dist --binary $(BINARY)

image: build ## packs the release binary into an OCI image in dist/, without a daemon
	scripts/image --binary $(BINARY)

dist-test: test-deps build ## tests what dist and image pack, the action, the workflows and the formula; needs root
	UNDERSTUDY_BINARY=$(abspath $(BINARY)) python3 -B -m unittest discover -s Tests/Distribution -v

run: build ## builds and serves all APIs; ARGS="--port 0" passes flags on
	@$(BINARY) serve $(ARGS)

# Thousands of tests that begin at once starve each other: each takes minutes then, and waits run out.
test: test-deps ## runs all tests
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) scripts/swift test

conduct-walks: test-deps ## judges 10,000 random walks of a client that behaves well; SEED=N to repeat a run
	UNDERSTUDY_TESTS=ConductTests UNDERSTUDY_LONG_WALKS=1 $(if $(SEED),UNDERSTUDY_WALK_SEED=$(SEED)) scripts/swift test --filter WalkTests

credential-walks: test-deps ## sends 1,500 requests without a credential of ours through a proxy; CI sends 300
	UNDERSTUDY_TESTS=UnderstudyTests UNDERSTUDY_LONG_WALKS=1 scripts/swift test --filter OwnCredentialTests

break-rules: test-deps ## breaks each rule of TrendyOnboarding in a copy, and runs the tests that must find it; RULES="L4 L7" for some
	scripts/break-rules --write $(RULES)

lint: ## checks the formatting of the sources, and the documentation pages
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	scripts/lint-pages

format: ## formats the sources in place
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

seeds: test-deps ## embeds seeds/ in the binary's sources
	scripts/embed-seeds
	rm -f Sources/*/Seed/*SeedRows.generated.swift
	UNDERSTUDY_TESTS=OmniChatTests UNDERSTUDY_WRITE=seeds scripts/swift test --filter Section12SeedTests

pages: ## embeds the documentation pages in the binary's sources
	scripts/embed-pages

snippets: ## copies the examples of the libraries' documentation into the example package, which compiles them
	scripts/embed-snippets

console: ## embeds the web console's files in the binary's sources
	scripts/embed-console

console-types: test-deps ## generates the type declarations of the console's modules from the control API's OpenAPI document
	UNDERSTUDY_TESTS=ControlTests UNDERSTUDY_WRITE=types scripts/swift test --filter ControlTypesTests

effects: test-deps ## generates the table of docs/faults.md and the testing library's builders from the fault effects
	UNDERSTUDY_TESTS=EmulationTests UNDERSTUDY_WRITE=effects scripts/swift test --filter EffectListTests

fuzz: deps ## fuzzes the parsers; SECONDS=3600 for longer
	Fuzz/run $(or $(SECONDS),60)

# The short form tests what owns threads and what hands exchanges to them, and compiles only that.
sanitize: test-deps ## runs the tests of threads and unsafe code under the thread sanitizer; SHORT=1 is CI's form
ifdef SHORT
	UNDERSTUDY_TESTS=LockingTests,ServingTests,TransportTests scripts/swift build --sanitize=thread --scratch-path .build/tsan \
	  --product understudyPackageTests
	UNDERSTUDY_TESTS=LockingTests,ServingTests,TransportTests scripts/swift test --sanitize=thread --scratch-path .build/tsan \
	  --skip-build
else
	UNDERSTUDY_TESTS=ControlTests,EmulationTests,LockingTests,ServingTests,TransportTests,UnderstudyTests scripts/swift test \
	  --sanitize=thread --scratch-path .build/tsan --filter 'ControlTests|EmulationTests|LockingTests|ServingTests|TransportTests|ParallelWorldTests'
endif

bench: build ## measures against nginx (installed for this only) and writes docs/performance.md
	Benchmarks/run

browser-test: build ## uses the documentation pages in a headless Chromium
	scripts/browser-test $(BINARY)

console-test: build ## drives the web console in a headless Chromium; SHORT=1 is CI's form
	scripts/console-test $(BINARY) $(if $(SHORT),--short)

contract-test: build ## tests all APIs against their OpenAPI documents with schemathesis; SHORT=1 for fewer requests
	scripts/contract-test $(BINARY) $(if $(SHORT),--short)

report-test: build ## holds conduct reports to the published schemas of SARIF and JUnit, with hostile text in them
	scripts/report-schemas $(BINARY)

hostile: build ## attacks the release binary from outside for 20 minutes; SHORT=1 for two, SEED=N to repeat a run
	python3 -B Tests/Hostile/run.py $(BINARY) $(if $(SHORT),--short) $(if $(SEED),--seed $(SEED))

# In the build folder of the tests: what both are made of is compiled once.
example: test-deps ## runs the tests of the example package, as a user would
	scripts/swift test --package-path Examples --scratch-path .build

clean: ## removes all build products
	rm -rf .build Examples/.build dist

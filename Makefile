# Understudy: `make run` and `make test` do all the set-up on a fresh machine. `make help` lists the rest.
.DEFAULT_GOAL := help
.PHONY: help deps tools test-deps run build build-times dist image wheel dist-test test lint format seeds pages console console-types snippets effects fuzz sanitize bench instructions contract-test real-clients report-test hostile example console-test conduct-walks credential-walks break-rules clean

RELEASE := scripts/build-release --product understudy
# Shows how far a build is; without python3 the compiler's own output has to do.
BUILD := $(if $(shell command -v python3),scripts/progress build)
BINARY := .build/release/understudy
# How many tests run at once.
WIDTH ?= 6
comma := ,
SWIFT_FILES := Package.swift Sources Tests Fuzz Benchmarks \
  $(foreach package,Examples clients/swift/TrendyOnboarding,$(addprefix $(package)/,Package.swift Sources Tests))

help: ## lists these targets with their meaning
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/'
	@printf '%s\n' '' 'On two cores the first build takes about 5 minutes and `make test` about 17; after a change, what' \
	  'depends on it is compiled again.' '' \
	  'make test ONLY=OmniChat                       the tests of one module: about half a minute after a change' \
	  'make test ONLY=OmniChat/SettingsStreamTests   one suite of it' \
	  'make test ONLY=Transport,Serving,BlackBox     several; BlackBox drives the release binary, Unit is all modules'

deps: ## installs missing system libraries (apt or brew), or names them
	@scripts/install-dependencies

# Libraries, and python3, which our scripts are written in.
tools:
	@scripts/install-dependencies scripts

test-deps: ## installs all that any test or check uses, a browser and Go included
	@scripts/install-dependencies all

build: ## builds the release binary: .build/release/understudy
	@scripts/binary-is-current $(BINARY) || { scripts/install-dependencies && $(BUILD) $(RELEASE); }

build-times: tools ## prints the CPU seconds that modules, files and functions take the compiler; ONLY=release or ONLY=tests for one build
	@scripts/build-times $(ONLY)

dist: build ## packs the release binary, its completions and manual page into dist/
	scripts/dist --binary $(BINARY)

image: build ## packs the release binary into an OCI image in dist/, without a daemon
	scripts/image --binary $(BINARY)

wheel: build ## packs the release binary into a Python wheel in dist/, with the helper and the pytest plugin
	scripts/wheel --binary $(BINARY)

dist-test: build ## tests what dist, image and wheel pack, the action, the workflows and the formula; needs root
	@scripts/install-dependencies checks
	UNDERSTUDY_BINARY=$(abspath $(BINARY)) python3 -B -m unittest discover -s Tests/Distribution -v

run: build ## serves all APIs, and builds first where there is no binary of this commit; ARGS="--port 0" passes flags on
	@$(BINARY) serve $(ARGS)

# Thousands of tests that begin at once starve each other: each takes minutes then, and waits run out.
test: ## runs all tests: of the modules, of what drives the binary, of the onboarding library; ONLY=OmniChat for one module
	@command -v python3 >/dev/null || scripts/install-dependencies scripts
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) scripts/test $(ONLY)

conduct-walks: tools ## judges 10,000 random walks of a client that behaves well; SEED=N to repeat a run
	@UNDERSTUDY_LONG_WALKS=1 $(if $(SEED),UNDERSTUDY_WALK_SEED=$(SEED)) scripts/test Conduct/WalkTests

credential-walks: build ## sends 1,500 requests without a credential of ours through a proxy; CI sends 300
	@UNDERSTUDY_LONG_WALKS=1 scripts/test BlackBox/IssuedCredentialTests

break-rules: tools ## breaks each rule of TrendyOnboarding in a copy, and runs the tests that must find it; RULES="L4 L7" for some
	scripts/break-rules --write $(RULES)

lint: ## checks the formatting of the sources, the documentation pages, and that their shell blocks suit every shell
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)
	scripts/lint-pages
	scripts/run-blocks --lint

format: ## formats the sources in place
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

seeds: ## embeds seeds/ in the binary's sources
	scripts/embed-seeds

pages: ## embeds the documentation pages in the binary's sources
	scripts/embed-pages

snippets: ## copies the examples of the libraries' documentation into the example package, which compiles them
	scripts/embed-snippets

console: ## embeds the web console's files in the binary's sources
	scripts/embed-console

console-types: tools ## generates the type declarations of the console's modules from the control API's OpenAPI document
	@UNDERSTUDY_WRITE=types scripts/test Control/ControlTypesTests

effects: tools ## generates the documentation, the testing library's builders and the console's fields from the fault effects
	@UNDERSTUDY_WRITE=effects scripts/test Engine/EffectListTests
	@scripts/embed-console

fuzz: deps ## fuzzes the parsers; SECONDS=3600 for longer
	Fuzz/run $(or $(SECONDS),60)

# The short form tests what owns threads and what hands exchanges to them, and compiles only that.
SANITIZER := --sanitize=thread --scratch-path .build/tsan
SANITIZED := BasicsTests,ServingTests,TransportTests$(if $(SHORT),,$(comma)ControlTests,EngineTests)
sanitize: tools ## runs the tests of threads and unsafe code under the thread sanitizer; SHORT=1 is CI's form
	@scripts/install-dependencies TransportTests
	UNDERSTUDY_TESTS=$(SANITIZED) $(BUILD) scripts/swift build $(SANITIZER) --product understudyPackageTests
	UNDERSTUDY_TESTS=$(SANITIZED) scripts/progress test scripts/swift test $(SANITIZER) --skip-build
ifndef SHORT
	UNDERSTUDY_TESTS=$(SANITIZED) $(BUILD) scripts/swift build $(SANITIZER) --product understudy
	UNDERSTUDY_BINARY=$(CURDIR)/.build/tsan/debug/understudy scripts/progress test scripts/swift test \
	  --package-path Tests/BlackBox --scratch-path .build/black-box --filter ParallelWorldTests
endif

bench: build ## measures against nginx (installed for this only) and writes docs/performance.md
	Benchmarks/run

instructions: build ## counts the instructions of requests under valgrind, and holds them to their bars
	@scripts/install-dependencies checks
	Benchmarks/instructions $(BINARY)

console-test: build ## drives the web console and the documentation pages in a headless Chromium; SHORT=1 is CI's form
	scripts/console-test $(BINARY) $(if $(SHORT),--short)

contract-test: build ## tests all APIs against their OpenAPI documents with schemathesis; SHORT=1 for fewer requests
	scripts/contract-test $(BINARY) $(if $(SHORT),--short)

real-clients: build ## drives curl, Python's clients, Node's fetch, a JDK's clients and Supabase's SDK on bad networks, in half a minute
	scripts/real-clients $(BINARY)

report-test: build ## holds conduct reports to the published schemas of SARIF and JUnit, with hostile text in them
	scripts/report-schemas $(BINARY)

hostile: build ## attacks the release binary from outside for 20 minutes; SHORT=1 for two, SEED=N to repeat a run
	python3 -B Tests/Hostile/run.py $(BINARY) $(if $(SHORT),--short) $(if $(SEED),--seed $(SEED))

# In the build folder of the tests: what all are made of is compiled once.
example: tools ## runs the tests of the example package, as a user would
	@$(BUILD) scripts/swift build --build-tests --package-path Examples --scratch-path .build
	@scripts/progress test scripts/swift test --skip-build --package-path Examples --scratch-path .build

clean: ## removes all build products
	rm -rf .build Examples/.build Tests/BlackBox/.build clients/swift/TrendyOnboarding/.build dist

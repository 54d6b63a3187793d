# Every target works from a bare clone. What they share is prepared by `setup`, which is quick when all is there.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench docs clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup: ## install build tools, build the llama artifact, fetch the demo model
	@Scripts/setup

demo: setup ## stream an answer from the demo model
	@Scripts/demo

test: setup ## run all tests
	@Scripts/test

check: setup ## run every check: format, sizes, layers, build, docs, snippets, scripts, consumer
	@Scripts/check

bench: setup ## compare with llama.cpp's own tools
	@Scripts/bench

docs: setup ## build the documentation into .build/documentation
	@Scripts/build-for-tests
	@Scripts/check-docs

clean: ## remove build products; the cache outside the clone stays
	@rm -rf .build

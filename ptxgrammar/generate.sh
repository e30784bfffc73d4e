#!/bin/sh
# Regenerates internal/antlrgen and internal/lex/table.go from PTXLexer.g4 and
# PTXParser.g4. Needs java and, unless ANTLR_JAR names the tool, npm. Two runs give the
# same bytes.
#
# The tool is ANTLR 4.13.1 as packed in the npm package antlr4ng-cli 2.0.0.
set -eu
cd "$(dirname "$0")"

package=antlr4ng-cli@2.0.0
archive=antlr4ng-cli-2.0.0.tgz
archive_sha256=9270179618bfe28c318634540c94a939fd319f73f835c94ba96fddfb5abb6e9c
jar_sha256=156a885bdaf847601d4b0350185dfaa5c4aee36c9a9c4c1632c31b0381360d39

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
jar=${ANTLR_JAR:-}
if [ -z "$jar" ]; then
	(cd "$tmp" && npm pack --silent "$package" >/dev/null &&
		echo "$archive_sha256  $archive" | sha256sum --check --quiet && tar xzf "$archive")
	jar=$tmp/package/antlr4-4.13.2-SNAPSHOT-complete.jar
fi
echo "$jar_sha256  $jar" | sha256sum --check --quiet

out=${1:-.}
mkdir -p "$out/internal/antlrgen"
java -jar "$jar" -Dlanguage=Go -package antlrgen -Xexact-output-dir -o "$tmp/gen" \
	-no-listener -no-visitor PTXLexer.g4 PTXParser.g4
# The one decision that is not LL(1) has a rule of its own (base.go, takesPragma). Nothing asks
# a rule's context for its parts: in place of a type for each rule, two fifths of the file,
# enterRule makes one, and none in fast mode. ANTLR uses the label
# errorExit behind a return, which go vet reports as unreachable code, and reports again for
# every package that imports this one. The jump goes in front of the label.
sed -i -e 's/p\.GetInterpreter()\.AdaptivePredict(.*)$/p.takesPragma()/' \
	-e '/^\/\/ I[A-Za-z]*Context is an interface/,/^func (p \*PTXParser)/{/^func (p \*PTXParser)/!d;}' \
	-e 's/^\(func (p \*PTXParser) [A-Za-z]*() (localctx \)I[A-Za-z]*Context)/\1antlr.ParserRuleContext)/' \
	-e '/^\tlocalctx = New[A-Za-z]*Context(p, /d' -e 's/^\tp\.EnterRule(localctx, /\tlocalctx = p.enterRule(/' \
	-e '/^\tgoto errorExit \/\/ Trick/d' -e 's/^errorExit:/\tgoto errorExit\n\n&/' \
	"$tmp/gen/ptx_parser.go"
gofmt -w "$tmp/gen"
cp "$tmp/gen/ptx_lexer.go" "$tmp/gen/ptx_parser.go" "$out/internal/antlrgen/"
if [ "$out" = . ]; then
	go run ./internal/lexgen -o internal/lex/table.go
fi

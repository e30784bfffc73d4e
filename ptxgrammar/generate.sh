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
# What the tool writes out for each token, set of tokens, decision and end of a rule, half of the file, are calls of base.go.
sed -i -z -E \
	-e 's/p\.SetState\(([0-9]+)\)\n\t*p\.Match\((\w+)\)\n\t*if p\.HasError\(\) \{\n\t*\/\/ Recognition error - abort rule\n/if p.lacks(\1, \2) {\n/g' \
	-e 's/p\.SetState\(([0-9]+)\)\n\t*p\.GetErrorHandler\(\)\.Sync\(p\)\n\t*if p\.HasError\(\) \{\n/if p.strays(\1) {\n/g' \
	-e 's/if !\(([^{]*)\) \{\n\t*p\.GetErrorHandler\(\)\.RecoverInline\(p\)\n\t*\} else \{\n\t*p\.GetErrorHandler\(\)\.ReportMatch\(p\)\n\t*p\.Consume\(\)\n\t*\}/p.take(\1)/g' \
	-e 's/\nerrorExit:\n\tif p\.HasError\(\) \{\n[^}]*\}\n\tp\.ExitRule\(\)\n\treturn localctx/\nerrorExit:\n\treturn p.leave(localctx)/g' \
	-e 's/\n\t+\{((\n+\t+(p|_la)[^\n]*|\n\t+if p\.lacks[^\n]*\n\t+goto errorExit\n\t+\})+)\n\t+\}/\1/g' \
	-e 's/\n\n+\t/\n\t/g' -e 's/ \{\n\t+goto errorExit\n\t+\}\n\t+if (p\.(lacks|strays))/ || \1/g' "$tmp/gen/ptx_parser.go"
# The automata of the grammars are files that base.go embeds: the last line of what the tool writes for debuggers.
for grammar in Lexer Parser; do
	{ tail -n 1 "$tmp/gen/PTX$grammar.interp"; echo; } >"$tmp/gen/PTX$grammar.json"
done
sed -i -e '/serializedATN = \[\]int32{/,/^\t}/c\\tstaticData.serializedATN = numbers(lexerATN)' "$tmp/gen/ptx_lexer.go"
sed -i -e '/serializedATN = \[\]int32{/,/^\t}/c\\tstaticData.serializedATN = numbers(parserATN)' "$tmp/gen/ptx_parser.go"
gofmt -w "$tmp/gen"
cp "$tmp/gen/ptx_lexer.go" "$tmp/gen/ptx_parser.go" "$tmp/gen/PTXLexer.json" "$tmp/gen/PTXParser.json" "$out/internal/antlrgen/"
if [ "$out" = . ]; then
	go run ./internal/lexgen -o internal/lex/table.go
fi

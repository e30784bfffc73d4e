#!/usr/bin/env bash
# Builds the pages as a site with search into build/site, with mdBook (MDBOOK names the program, by default mdbook in PATH). The
# order of the pages is that of docs/README.md; links to files that are no pages lead to the repository.
set -euo pipefail
cd "$(dirname "$0")/../.."
mdbook=${MDBOOK:-mdbook}
if ! command -v "$mdbook" >/dev/null; then
  echo "site: no mdBook; skipped (cargo install mdbook --locked, or a release of it)"
  exit 0
fi
book=build/book out=$PWD/build/site
rm -rf "$book" "$out"
mkdir -p "$book/src"
git ls-files -z --cached --others --exclude-standard '*.md' '*.png' | grep -zv /testdata/ | xargs -0 cp --parents -t "$book/src"
mkdir -p "$book/src/docs/generated"
"${GO:-go}" test ./cmd/internal/app -run 'TestReference$' -count=1 -args -reference "$PWD/$book/src/docs/generated/cli.md" >/dev/null
awk '
  BEGIN { print "# Summary\n\n[ptxsan](README.md)\n[All pages](docs/README.md)" }
  /^## / { print "\n# " substr($0, 4) "\n" }
  /^\|/ {
    rest = $0
    while (match(rest, /\[[^]]*\]\([^)]*\.md\)/)) {
      link = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
      split(link, part, /\]\(/); file = "docs/" substr(part[2], 1, length(part[2]) - 1)
      while (sub(/[^\/]+\/\.\.\//, "", file)) {}
      if (!seen[file]++ && file != "README.md") print "- [" title(file) "](" file ")"
      if (file == "docs/causes/README.md") causes()
    }
  }
  function title(file,   line) { getline line < file; sub(/^# /, "", line); gsub(/[][]/, "", line); return line }
  function causes(   line, cause) {
    while ((getline line < "docs/causes/README.md") > 0)
      if (match(line, /^\| \[[a-z-]+\]/)) { cause = substr(line, RSTART + 3, RLENGTH - 4); print "  - [" cause "](docs/causes/" cause ".md)" }
  }
' docs/README.md >"$book/src/SUMMARY.md"
echo '- [The command line](docs/generated/cli.md)' >>"$book/src/SUMMARY.md"
cat >"$book/book.toml" <<TOML
[book]
title = "ptxsan"
language = "en"
[build]
build-dir = "$out"
create-missing = false
use-default-preprocessors = false # which would rename README.html
[output.html]
git-repository-url = "https://github.com/ptxsan/ptxsan"
default-theme = "light"
preferred-dark-theme = "navy"
[output.html.search]
limit-results = 20
TOML
base=https://github.com/ptxsan/ptxsan/blob/main
find "$book/src" -name '*.md' -print0 | while IFS= read -r -d '' page; do
  dir=$(dirname "${page#"$book"/src/}")
  { grep -o ']([^)#: ]*[#)]' "$page" || true; } | sed 's/^](//; s/[#)]$//' | sort -u | while read -r target; do
    path=$(realpath -m --relative-to=. "$dir/$target")
    [ -z "$target" ] || [ -f "$book/src/$path" ] || sed -i "s|]($target)|]($base/$path)|" "$page"
  done
done
"$mdbook" build "$book"
echo "site: build/site/index.html"

# Reads Swift files and Markdown documents and prints what scripts/check-prose looks for: file:line: rule: text.

function report(rule, text) {
    name = FILENAME
    if (index(name, root) == 1) name = substr(name, length(root) + 1)
    printf "%s:%d: %s: %s\n", name, FNR, rule, text
}

# Removes code spans, URLs and quoted words, which are not prose.
function prose(text) {
    gsub(/``[^`]*``/, "X", text)
    gsub(/`[^`]*`/, "X", text)
    gsub(/https?:[^ )]*/, "X", text)
    gsub(/"[^"]*"/, "X", text)
    return text
}

# Checks one line of prose, a comment or a document, for words.
function check_words(text, lower) {
    # Names of parameters are not prose.
    sub(/^ *- [A-Za-z]+:/, "", text)
    lower = " " tolower(prose(text)) " "
    gsub(/[^a-z' -]/, " | ", lower)
    gsub(/ +/, " ", lower)
    if (lower ~ / (whoever|whomever|whosoever) / || lower ~ / (wakes|tells|asks|lets|stops|for|by|to|from|of|until) who / || lower ~ / \| who [a-z]+ / || lower ~ /^ who [a-z]+s /)
        report("relative", text)
    if (lower ~ / (nobody|believes?|believed|believing|farewell|gives? way|tells? of|out of its mind|lies to|is told|are told|be told|knows nothing of|know nothing of) /)
        report("person", text)
    if (lower ~ / (rooms?|house|houses|household|floors? above|walls?) / && lower !~ / (room for|room left|room to|room than|room that there|room there|room of|of room|makes? room|making room|more room|less room|no room|little room|some room|have room|has room|is room|be room|free room|room before|room again|for room|is requested|room beforehand|room when|room its|and room|noise floor|floor of|wall clock|reverb|head room|room size|room acoustics|small room|medium room|large room|largeroom) /)
        report("module", text)
}

# Counts the words of the sentences of a documentation comment as its lines come; `end_block` ends the last one.
function count_words(text, n, words, i) {
    if (text ~ /^ *[-*+|>#]/ || text ~ /^ *[0-9]+\. / || text ~ /^ *$/) { sentence = 0 }
    n = split(prose(text), words, /[ \t]+/)
    for (i = 1; i <= n; i++) {
        if (words[i] !~ /[A-Za-z0-9]/) continue
        sentence++
        if (words[i] ~ /[.!?:;)]$/ && words[i] !~ /^(e\.g\.|i\.e\.|cf\.|vs\.|etc\.|p\.|pp\.|no\.|al\.)$/) {
            if (words[i] ~ /[.!?:;]\)?$/) { measure(); sentence = 0 }
        }
    }
}
function measure() {
    if (sentence > 30 && !long) { report("length", sentence " words"); long = 1 }
}
function end_block() { if (block) measure(); block = 0; sentence = 0; long = 0; code = 0 }

FNR == 1 { end_block(); fence = 0; markdown = FILENAME ~ /\.md$/ }

markdown {
    if ($0 ~ /^ *```/) { fence = !fence; next }
    if (fence || $0 ~ /^    /) next
    check_words($0)
    next
}

# Swift: documentation comments.
/^[ \t]*\/\/\// {
    text = $0
    sub(/^[ \t]*\/\/\/ ?/, "", text)
    if (text ~ /^ *```/) { code = !code; block = 1; next }
    if (code) next
    if (!block) {
        sentence = 0
        if (text ~ /^(What|Where|How|Who|Whose|Whom|Why|Of|Whatever|Whoever|Wherever|Whichever)[^a-z]/ ) report("summary", text)
    }
    block = 1
    check_words(text)
    count_words(text)
    next
}
{ end_block() }

# Swift: other comments.
/(^|[ \t])\/\/ / {
    text = $0
    sub(/^.*\/\/ /, "", text)
    check_words(text)
}

END { end_block() }

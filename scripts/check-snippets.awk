# The rules of scripts/check-snippets. Its input is the examples, and then the documents.
# In an example, `// snippet: NAME` and `// end` enclose a part; in a document, `<!-- snippet: NAME -->` stands before the
# fenced block that quotes it, and `<!-- example -->` before one that scripts/check-examples compiles. With `update` the documents are written anew, each into the file <document>.new.

function finish_part(    lines, count, i, indent, text) {
    # Without the indentation of its first line.
    count = split(part, lines, "\n")
    match(lines[1], /^ */)
    indent = RLENGTH
    text = ""
    for (i = 1; i < count; i++) {
        if (substr(lines[i], 1, indent) ~ /^ *$/) text = text substr(lines[i], indent + 1) "\n"
        else text = text lines[i] "\n"
    }
    if (name in snippets) { print FILENAME ":" FNR ": a second snippet " name; failed = 1 }
    snippets[name] = text
    name = ""
}

function report_missing_block() {
    if (wanted == "an example") {
        print document ": no block of Swift follows the comment of an example"
        failed = 1
        wanted = ""
        return
    }
    print document ": no block of Swift follows the comment of snippet " wanted
    failed = 1
    wanted = ""
}

# At the end of each file, so that nothing open in it is taken for part of the next.
function finish_document() {
    if (name != "") { print example ": snippet " name " has no end"; failed = 1; name = "" }
    if (inside || foreign) { print document ": a block has no end"; failed = 1 }
    else if (wanted != "") report_missing_block()
    wanted = ""
    inside = 0
    foreign = 0
}

function out(line) { if (update) print line > (FILENAME ".new") }

FILENAME ~ /\.swift$/ {
    if (FNR == 1) { finish_document(); example = FILENAME }
    if ($0 ~ /^ *\/\/ snippet: /) {
        if (name != "") { print FILENAME ":" FNR ": snippet " name " has no end"; failed = 1 }
        name = $0
        sub(/^ *\/\/ snippet: /, "", name)
        part = ""
    } else if ($0 ~ /^ *\/\/ end$/ && name != "") finish_part()
    else if (name != "") part = part $0 "\n"
    next
}

FNR == 1 { finish_document(); document = FILENAME }
# Nothing but empty lines may stand between the comment and its block.
!inside && wanted != "" && !/^ *$/ && !/^```swift$/ { report_missing_block() }
!inside && /^<!-- snippet: .* -->$/ {
    wanted = $0
    sub(/^<!-- snippet: /, "", wanted)
    sub(/ -->$/, "", wanted)
    if (!(wanted in snippets)) { print FILENAME ":" FNR ": there is no snippet " wanted; failed = 1; wanted = "" }
    out($0)
    next
}
# scripts/check-examples compiles the block.
!inside && !foreign && /^<!-- example -->$/ {
    wanted = "an example"
    out($0)
    next
}
# A block of another kind, such as console or text. One that names no language may hold code of any.
!inside && !foreign && /^ *(```|~~~)/ && !/^```swift$/ {
    kind = tolower($0)
    gsub(/[ `~]/, "", kind)
    if (FILENAME ~ /\.docc\// && (kind == "" || kind ~ /^swift/)) {
        print FILENAME ":" FNR ": a block of Swift, or of no language, that is not compiled"
        failed = 1
    }
    foreign = 1
    out($0)
    next
}
foreign {
    if ($0 ~ /^ *(```|~~~) *$/) foreign = 0
    out($0)
    next
}
!inside && /^```swift$/ {
    out($0)
    if (wanted == "an example") { wanted = ""; foreign = 1; next }
    if (wanted == "") {
        if (FILENAME ~ /\.docc\//) { print FILENAME ":" FNR ": a block of Swift that is not compiled"; failed = 1 }
        foreign = 1
        next
    }
    inside = 1
    quoted = ""
    start = FNR
    next
}
inside && /^```$/ {
    if (update) printf "%s", snippets[wanted] > (FILENAME ".new")
    else if (quoted != snippets[wanted]) { print FILENAME ":" start ": differs from snippet " wanted; failed = 1 }
    out($0)
    inside = 0
    wanted = ""
    count++
    next
}
inside { quoted = quoted $0 "\n"; next }
{ out($0) }
END {
    finish_document()
    exit failed
}

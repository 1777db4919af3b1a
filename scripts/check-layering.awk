# The rules of scripts/check-layering. Its input has three parts: the folders of Sources/ ("room", "system", "c" and a
# name), the line "table" and the text of ARCHITECTURE.md, the line "imports" and grep's "file:line:text".

function report(message) {
    print message
    violations++
}

# Adds the names in backquotes in `cell` to what `room` may import; `required` says that it has to import them, too.
function allow(room, cell, required,    name) {
    while (match(cell, /`[A-Za-z0-9_-]+`/)) {
        name = substr(cell, RSTART + 1, RLENGTH - 2)
        cell = substr(cell, RSTART + RLENGTH)
        allowed[room, name] = 1
        if (!required) continue
        named[++nameCount] = room SUBSEP name
        if (name in kind && kind[name] == "room" && !(name in row))
            report("ARCHITECTURE.md: " room ": its row names " name ", which is not above it")
    }
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

part == "" && $1 == "table" { part = "table"; next }
part == "" { kind[$2] = $1; order[++folderCount] = $2; next }

part == "table" && $0 == "imports" { part = "imports"; next }
part == "table" {
    if ($0 !~ /^\|/) { inTable = 0; next }
    split($0, cells, "|")
    first = trimmed(cells[2])
    if (first == "room") { inTable = 1; tables++; next }
    if (!inTable || first ~ /^:?-+:?$/) next
    gsub(/`/, "", first)
    allow(first, cells[4], 1)
    allow(first, cells[5], 0)
    if (first != "every room") {
        row[first] = 1
        rows[++rowCount] = first
    }
    next
}

part == "imports" {
    split($0, fields, ":")
    place = fields[1] ":" fields[2]
    split(fields[1], folders, "/")
    room = folders[2]
    text = substr($0, length(place) + 2)
    isPublic = text ~ /(^|[ \t])(public|open|@_exported)[ \t]/
    sub(/^.*import[ \t]+/, "", text)
    sub(/^(class|enum|func|let|protocol|struct|typealias|var)[ \t]+/, "", text)
    match(text, /^[A-Za-z_0-9]+/)
    name = substr(text, 1, RLENGTH)
    imported[room, name] = 1
    if (!((room, name) in allowed) && !(("every room", name) in allowed)) {
        report(place ": " room " may not import " name)
        next
    }
    if (isPublic && kind[name] == "system") report(place ": " name " may only be imported internally")
    if (kind[name] == "system" || kind[name] == "c") {
        if (!(name in importer)) importer[name] = room
        else if (importer[name] != room && !((name, room) in second)) {
            second[name, room] = 1
            report(name ": imported by " importer[name] " and " room)
        }
    }
}

END {
    if (tables != 1) report("ARCHITECTURE.md: " (tables ? "more than one table" : "no table") " of rooms")
    for (i = 1; i <= folderCount; i++) {
        name = order[i]
        if (kind[name] == "room" && !(name in row)) report("Sources/" name ": has no row in ARCHITECTURE.md")
        if (kind[name] != "room" && !(name in importer)) report(name ": imported by no room")
    }
    for (i = 1; i <= rowCount; i++)
        if (kind[rows[i]] != "room") report("ARCHITECTURE.md: " rows[i] ": has a row, but no folder of Swift in Sources")
    for (i = 1; i <= nameCount; i++) {
        split(named[i], pair, SUBSEP)
        if (!((pair[1], pair[2]) in imported))
            report("ARCHITECTURE.md: " pair[1] ": its row names " pair[2] ", which it does not import")
    }
    exit violations > 0
}

# The rules of scripts/check-layering. Its input has three parts: the folders of Sources/ ("module", "system", "c" and a
# name), the line "table" and the text of ARCHITECTURE.md, the line "imports" and grep's "file:line:text".

function report(message) {
    print message
    violations++
}

# Adds the names in backquotes in `cell` to what `module` may import; `required` says that it has to import them, too.
function allow(module, cell, required,    name) {
    while (match(cell, /`[A-Za-z0-9_-]+`/)) {
        name = substr(cell, RSTART + 1, RLENGTH - 2)
        cell = substr(cell, RSTART + RLENGTH)
        allowed[module, name] = 1
        if (!required) continue
        named[++nameCount] = module SUBSEP name
        if (name in kind && kind[name] == "module" && !(name in row))
            report("ARCHITECTURE.md: " module ": its row names " name ", which is not above it")
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
    if (first == "module") { inTable = 1; tables++; next }
    if (!inTable || first ~ /^:?-+:?$/) next
    gsub(/`/, "", first)
    allow(first, cells[4], 1)
    allow(first, cells[5], 0)
    if (first != "every module") {
        row[first] = 1
        rows[++rowCount] = first
    }
    next
}

part == "imports" {
    split($0, fields, ":")
    place = fields[1] ":" fields[2]
    split(fields[1], folders, "/")
    module = folders[2]
    text = substr($0, length(place) + 2)
    isPublic = text ~ /(^|[ \t])(public|open|@_exported)[ \t]/
    sub(/^.*import[ \t]+/, "", text)
    sub(/^(class|enum|func|let|protocol|struct|typealias|var)[ \t]+/, "", text)
    match(text, /^[A-Za-z_0-9]+/)
    name = substr(text, 1, RLENGTH)
    imported[module, name] = 1
    if (!((module, name) in allowed) && !(("every module", name) in allowed)) {
        report(place ": " module " may not import " name)
        next
    }
    if (isPublic && kind[name] == "system") report(place ": " name " may only be imported internally")
    if (kind[name] == "system" || kind[name] == "c") {
        if (!(name in importer)) importer[name] = module
        else if (importer[name] != module && !((name, module) in second)) {
            second[name, module] = 1
            report(name ": imported by " importer[name] " and " module)
        }
    }
}

END {
    if (tables != 1) report("ARCHITECTURE.md: " (tables ? "more than one table" : "no table") " of modules")
    for (i = 1; i <= folderCount; i++) {
        name = order[i]
        if (kind[name] == "module" && !(name in row)) report("Sources/" name ": has no row in ARCHITECTURE.md")
        if (kind[name] != "module" && !(name in importer)) report(name ": imported by no module")
    }
    for (i = 1; i <= rowCount; i++)
        if (kind[rows[i]] != "module") report("ARCHITECTURE.md: " rows[i] ": has a row, but no folder of Swift in Sources")
    for (i = 1; i <= nameCount; i++) {
        split(named[i], pair, SUBSEP)
        if (!((pair[1], pair[2]) in imported))
            report("ARCHITECTURE.md: " pair[1] ": its row names " pair[2] ", which it does not import")
    }
    exit violations > 0
}

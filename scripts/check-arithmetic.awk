# The rules of scripts/check-arithmetic. Its input is Swift files.

# The code of a line: without its comment, and with every text empty.
function code(line) {
    gsub(/\\"/, "", line)
    gsub(/\\\([^()]*(\([^()]*(\([^()]*\)[^()]*)*\)[^()]*)*\)/, "", line)
    gsub(/"[^"]*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    return line
}

# Whether the code reads a foreign number: it joins bytes, reads digits, or takes a field of FFmpeg's structures.
function reads(text) {
    if (text ~ /reduce\(.*<<|<< 8 \|/) return 1
    if (text ~ /(^|[^A-Za-z_])([a-z]+N|n)umber\(/) return 1
    if (text ~ /radix:/) return 1
    if (text ~ /(if|guard|,|case) let [a-zA-Z]+ = U?(Int(8|16|32|64)?|Double)\([a-z$]/) return 1
    if (text ~ /([fF]latM|compactM)ap( \{ *|\()U?(Int(8|16|32|64)?|Double)(\(|\.init)/) return 1
    return text ~ /\.(pts|dts|duration|start_time|nb_frames|nb_samples|sample_rate|bit_rate|timestamp|pos)([^A-Za-z_(]|$)/
}

# Whether the code names a foreign number.
function names(text,    rest, word, before, after) {
    rest = text
    before = ""
    while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(rest, RSTART, RLENGTH)
        if (RSTART > 1) before = substr(rest, RSTART - 1, 1)
        after = substr(rest, RSTART + RLENGTH)
        rest = after
        if (!(word in foreign || word in always)) continue
        # A call of a method, an argument's label, and the length of something in memory are no use of the number.
        if (before == "." && (after ~ /^\(/ || word == "count")) continue
        if (after ~ /^: / || after ~ /^(\.[A-Za-z0-9]+)*\.count/) continue
        return 1
    }
    return 0
}

function isForeign(text) {
    # A comparison, a list, a text and a number in floating point are none, whatever they are made of.
    if (text ~ / (==|!=|<|>|<=|>=|~=|&&|\|\|) |= *\[|= *(Array|String|Data)\(|Double\(|\.count$|\{ *$/) return 0
    return reads(text) || names(text)
}

function add(name) {
    if (name in foreign) return
    foreign[name] = 1
    grew = 1
}

# Notes the names that a line binds to a foreign number.
function note(text,    rest, name, value) {
    rest = text
    while (match(rest, /(let|var) [A-Za-z_][A-Za-z_0-9]*(: [A-Za-z0-9?]+)? = /)) {
        name = substr(rest, RSTART + 4, RLENGTH - 4)
        rest = substr(rest, RSTART + RLENGTH)
        value = rest
        sub(/, (let|var) .*/, "", value)
        sub(/[: ].*/, "", name)
        if (isForeign((text ~ /(if|guard|,|while) let/ ? "guard let x = " : "let x = ") value)) add(name)
    }
    if (match(text, /^ *(self\.)?[A-Za-z_][A-Za-z_0-9]* = /)) {
        name = substr(text, 1, RLENGTH)
        rest = substr(text, RLENGTH + 1)
        sub(/^ *(self\.)?/, "", name)
        sub(/ .*/, "", name)
        if (isForeign("let x = " rest)) add(name)
    }
}

# Notes the names that only grow by sums, and those that are set to a foreign number.
function noteGrowth(text,    rest) {
    if (!match(text, /^ *(var )?[A-Za-z_]+ \+?= /)) return
    rest = substr(text, RLENGTH + 1)
    text = substr(text, 1, RLENGTH)
    sub(/^ *(var )?/, "", text)
    if (text ~ /\+=/) grown[substr(text, 1, index(text, " ") - 1)] = 1
    else if (rest ~ /Clamped|Checked/ || reads(rest)) jumps[substr(text, 1, index(text, " ") - 1)] = 1
}

# The expression without small steps from a place that only grows by sums: each of those sums is looked at by itself.
function withoutSteps(part,    head, rest, name) {
    head = ""
    rest = part
    while (match(rest, /[A-Za-z_]+ \+ [0-9][0-9]?[0-9]?([^0-9_A-Za-z.]|$)/)) {
        name = substr(rest, RSTART, RLENGTH)
        sub(/ .*/, "", name)
        if (name in jumps || !(name in grown)) head = head substr(rest, 1, RSTART + RLENGTH - 1)
        else head = head substr(rest, 1, RSTART - 1) name " "
        rest = substr(rest, RSTART + RLENGTH)
    }
    return head rest
}

# Whether an expression of the line adds, subtracts, multiplies or narrows a foreign number.
function risks(text,    parts, count, i, part) {
    # Texts and lists are joined; a number in floating point has no end.
    if (text ~ /"" \+|\+ ""|\] \+|\+ \[|\+= \[|\.rounded\(/) return 0
    gsub(/&[-+*]=? /, "", text)
    gsub(/\((truncatingIfNeeded|clamping|exactly|bitPattern|clamped|littleEndian|bigEndian): /, "(_(", text)
    # A byte of a list is widened, and at hand: whoever looked at fewer has been stopped.
    gsub(/U?Int(8|16|32|64)?\([a-z]+\[/, "(bytes[", text)
    gsub(/[nN]umber\([^()]*(\([^()]*\)[^()]*)*\)/, "number()", text)
    gsub(/\.reduce\([^{]*\{[^}]*\}/, "", text)
    gsub(/\[[a-zA-Z]+ \+ [0-9]+\]/, "[]", text)
    gsub(/, | && | \|\| | == | != | < | > | <= | >= | ~= | = | \? | : |: |\?\?|[{};]|\.\.<|\.\.\.| in |return /, "\n", text)
    count = split(text, parts, "\n")
    for (i = 1; i <= count; i++) {
        part = parts[i]
        if (part ~ /Double\(|Float\(|[0-9]\.[0-9]/ || !(names(part) || reads(part))) continue
        part = withoutSteps(part)
        if (part ~ / [-+*](=? |=$)/ || part ~ /(^|[^A-Za-z_.])(U?Int(8|16|32)|UInt64)\([a-z]/) return 1
    }
    return 0
}

# Returns whether the line converts a floating-point number that may not fit.
function converts(text) {
    return text ~ /(^|[^A-Za-z_.])U?Int(8|16|32|64)?\([^:]*\.rounded\(/ \
        || text ~ /(^|[^A-Za-z_.])U?Int(8|16|32|64)?\([^:()]*([sS]econds|[dD]uration|Rate|rate)[^A-Za-z:()]* [*\/] /
}

# Checks the file that has been read.
function finish(    i, exempt, faults, parses) {
    if (lineCount == 0) return
    parses = path ~ parsing && path !~ left_out
    split("", foreign)
    split("", grown)
    split("", jumps)
    split("", faults)
    for (i = 1; i <= lineCount; i++) noteGrowth(codes[i])
    do {
        grew = 0
        for (i = 1; i <= lineCount; i++) note(codes[i])
    } while (grew)
    for (i = 1; i <= lineCount; i++) faults[i] = converts(codes[i]) || parses && risks(codes[i])
    faults[lineCount + 1] = 0
    exempt = 0
    for (i = 1; i <= lineCount; i++) {
        if (!faults[i]) {
            if (lines[i] ~ /\/\/ Bounded: ./) {
                if (lines[i] !~ /^ *\/\//) report(i, "nothing here needs the exemption")
                else if (!faults[i + 1]) report(i, "nothing below needs the exemption")
            }
            continue
        }
        if (lines[i] ~ /\/\/ Bounded: ./ || i > 1 && lines[i - 1] ~ /\/\/ Bounded: ./ || exempt && exempt == i - 1) exempt = i
        else report(i, "unchecked arithmetic")
    }
    codes[lineCount + 1] = ""
    lineCount = 0
}

function report(line, what,    text) {
    text = lines[line]
    sub(/^ +/, "", text)
    print path ":" line ": " what ": " text
    found = 1
}

BEGIN {
    # Properties and parameters that hold foreign numbers wherever they are named so.
    count = split("duration timescale stated bytesPerFrame framesPerPacket bytesPerPacket frameCount sampleRate " \
        "samplesPerPixel contentLength frames", list, " ")
    for (i = 1; i <= count; i++) always[list[i]] = 1
}
FNR == 1 { finish(); path = FILENAME }
{ lines[FNR] = $0; codes[FNR] = code($0); codes[FNR + 1] = ""; lineCount = FNR }
END { finish(); exit found }

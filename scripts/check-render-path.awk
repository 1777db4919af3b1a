# Walks the calls of a disassembly: see check-render-path.
#
# In: what `objdump -d` prints, of x86 or ARM. `roots` is an expression that the names match from which to walk,
# `waits` one of those that are left out.

function forbidden(name) {
    sub(/@.*/, "", name)
    # Reads a register.
    if (name == "pthread_self") return 0
    if (name ~ /^swift_(retain|release|bridgeObject|unknownObject|unownedRetain|weak|nonatomic)/) return 1
    if (name ~ /^swift_(alloc|dealloc|slow|initStack|initStatic|projectBox|isUniquely)/) return 1
    if (name ~ /^swift_(beginAccess|endAccess|once|get[A-Za-z]*Metadata|instantiate|getWitnessTable|conformsTo|dynamicCast)/) return 1
    if (name ~ /^swift_(task|job|defaultActor|errorRetain|throw)/) return 1
    if (name ~ /^_Zn[wa]|^_Zd[la]/) return 1
    if (name ~ /^(malloc|calloc|realloc|free|posix_memalign|aligned_alloc|memalign|strdup)$/) return 1
    if (name ~ /^(pthread_|sem_|dispatch_|nanosleep|usleep|sleep|poll|select|read|write|open|close|printf|fprintf|puts|syscall)/)
        return 1
    return 0
}

# Places are known by their address, with neither zeros nor 0x before it.
function address(text) {
    sub(/^0x/, "", text)
    sub(/^0+/, "", text)
    return text
}

function begin(place, label) {
    here = place
    name[here] = label
    if (label ~ roots) start[here] = 1
}

/^[0-9a-f]+ <.*>:$/ {
    label = $0
    sub(/^[0-9a-f]+ </, "", label)
    sub(/>:$/, "", label)
    begin(address($1), label)
    ended = 0
    next
}

/^ *[0-9a-f]+:/ {
    place = $1
    sub(/:$/, "", place)
    # Functions of the compiler's own (value witnesses, outlined copies) may have no name: what begins after an end does so.
    if (ended && ($2 == "push" || $2 == "pushq" || $2 == "stp")) begin(address(place), "unnamed_" place)
    if ($2 !~ /nop|data16|^cs$|^int3$|^xchg$/) ended = $2 ~ /^(ret|retq|jmp|jmpq|ud2|b|br|brk|udf)$/
    # Calls, and jumps that leave the function: `call addr <name>`, `b.ne addr <name>`.
    if ($2 !~ /^(call|j|b|cbn?z|tbn?z)/ || $NF !~ /^<.*>$/) next
    target = address($(NF - 1))
    label = substr($NF, 2, length($NF) - 2)
    if (label !~ /\+0x/) name[target] = label
    calls[here] = calls[here] " " target
}

END {
    count = 0
    for (root in start) {
        queue[count++] = root
        seen[root] = 1
    }
    if (count == 0) {
        print "no function of the render path was found"
        exit 1
    }
    failures = 0
    for (turn = 0; turn < count; turn++) {
        caller = queue[turn]
        total = split(calls[caller], targets, " ")
        for (i = 1; i <= total; i++) {
            target = targets[i]
            # Places without a name are within the function.
            if (!(target in name) || name[target] ~ waits) continue
            if (forbidden(name[target])) {
                if (!((caller, target) in told)) {
                    print name[caller] " calls " name[target]
                    failures++
                }
                told[caller, target] = 1
            } else if (!(target in seen)) {
                seen[target] = 1
                queue[count++] = target
            }
        }
    }
    if (failures > 0) exit 1
    print "check-render-path: " count " functions reached, none of which allocates, locks or counts references"
}

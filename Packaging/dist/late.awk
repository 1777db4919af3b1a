# Writes the functions of late.c in the assembly of x86-64. Lines of input: the file name of a library, and a function.
#
# A function jumps to the address in its slot. At the first call the slot is empty: all registers that may hold arguments are
# kept, the address is looked for and stored. So functions of any arguments, and variadic ones, pass through.
{
    if (!($1 in libraries)) {
        libraries[$1] = ++count
        printf ".section .rodata\nlibrary%d: .string \"%s\"\n.text\nfind%d:\n", count, $1, count
        registers = split("rdi rsi rdx rcx r8 r9 rax r10", register, " ")
        for (i = 1; i <= registers; i++) printf "\tpushq %%%s\n", register[i]
        print "\tsubq $136, %rsp"
        for (i = 0; i < 8; i++) printf "\tmovups %%xmm%d, %d(%%rsp)\n", i, 16 * i
        printf "\tleaq library%d(%%rip), %%rdi\n\tmovq %%r11, %%rsi\n\tcall syrinx_late_find\n\tmovq %%rax, %%r11\n", count
        for (i = 0; i < 8; i++) printf "\tmovups %d(%%rsp), %%xmm%d\n", 16 * i, i
        print "\taddq $136, %rsp"
        for (i = registers; i > 0; i--) {
            printf "\tpopq %%%s\n", register[i]
            if (register[i] == "r10") print "\tmovq %r11, (%r10)"
        }
        print "\tjmp *%r11"
    }
    printf ".section .rodata\nname%d: .string \"%s\"\n.lcomm slot%d, 8\n.text\n.globl %s\n.hidden %s\n", NR, $2, NR, $2, $2
    printf ".type %s, @function\n%s:\n\tmovq slot%d(%%rip), %%r11\n\ttestq %%r11, %%r11\n\tje 1f\n\tjmp *%%r11\n", $2, $2, NR
    printf "1:\tleaq slot%d(%%rip), %%r10\n\tleaq name%d(%%rip), %%r11\n\tjmp find%d\n", NR, NR, libraries[$1]
}
END { print ".section .note.GNU-stack,\"\",@progbits" }

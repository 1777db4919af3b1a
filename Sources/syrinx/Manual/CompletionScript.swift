/// Extends the parser's completion scripts for this command.
enum CompletionScript {
    /// Returns the parser's `script` for `shell`, extended; other text is returned unchanged.
    static func completed(_ script: String, for shell: String) -> String {
        switch shell {
        case "bash" where script.hasSuffix(bashRegistration):
            script.dropLast(bashRegistration.count) + bashAddition
        // The first word may be a file to play.
        case "zsh":
            script.replacing(
                "        _describe -V subcommand subcommands && ret=0\n",
                with: "        _describe -V subcommand subcommands && ret=0\n        _files && ret=0\n",
                maxReplacements: 1
            )
        case "fish":
            script
                + "\ncomplete -c 'syrinx' -n '__syrinx_should_offer_completions_for_positional \"syrinx\" -eq 1' -F\n"
        default: script
        }
    }

    private static let bashRegistration = "complete -o filenames -F _syrinx syrinx"

    /// In bash, `reverb:preset=plate` is five words, and `compgen -W` would execute commands in a podcast's title.
    private static let bashAddition = """
        # Candidates are taken as they are: compgen -W would expand what is in them.
        __syrinx_add_completions() {
            local completion plain="${cur//\\\\/}"
            if [[ "${1}" = -W ]]; then
                while IFS='' read -r completion; do
                    [[ -n "${completion}" && "${completion}" = "${plain}"* ]] && COMPREPLY+=("${completion}")
                done <<<"${2}"
            else
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\\n' compgen "${@}" -- "${cur}")
            fi
        }

        # Joins words that bash divides at colons and equals signs, and divides --option=value.
        __syrinx_joined() {
            local -a words=()
            local -i index current=0
            local rest="${COMP_LINE}" word gap
            for index in "${!COMP_WORDS[@]}"; do
                word="${COMP_WORDS[index]}"
                gap="${rest%%"${word}"*}"
                [[ -n "${word}" ]] || gap=' '
                rest="${rest:${#gap}+${#word}}"
                if [[ "${#words[@]}" -gt 1 && -z "${gap}" && ( "${word}" = [:=]* || "${words[-1]}" = *[:=] ) ]]; then
                    words[-1]+="${word}"
                else
                    words+=("${word}")
                fi
                [[ "${index}" -eq "${COMP_CWORD}" ]] && current=$((${#words[@]} - 1)) && break
            done
            local last="${COMP_WORDS[COMP_CWORD]}"
            local typed="${words[current]}"
            if [[ "${typed}" = --*=* ]]; then
                words[current]="${typed%%=*}"
                words+=("${typed#*=}")
                current+=1
                typed="${typed#*=}"
            fi
            # Bash replaces its own last word alone.
            local kept=''
            if [[ "${last}" = [:=]* ]]; then kept="${typed}"; else kept="${typed%"${last}"}"; fi
            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD="${current}"
            _syrinx "${1}" "${typed#[\\"\\']}" "${words[current - 1]}"
            # The parser's function leaves its own for whoever returns next.
            trap - RETURN
            local -i place
            for place in "${!COMPREPLY[@]}"; do
                [[ "${COMPREPLY[place]}" = *[:=/] ]] && compopt -o nospace
                COMPREPLY[place]="${COMPREPLY[place]#"${kept}"}"
            done
        }

        complete -o filenames -o bashdefault -o default -F __syrinx_joined syrinx
        """
}

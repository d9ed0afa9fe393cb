# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion of iosched-tune. The program itself knows what fits: this hands over the
# words that are typed and shows the answer.

function __iosched_tune_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    for line in ($typed[1] complete -- $typed[2..-1] "$current" 2>/dev/null)
        if string match -q -r '^\t' -- $line
            # of "--option=file" only the file
            set -l parts (string match -r '^(--[a-z-]+=)?(.*)$' -- $current)
            set -l kept $parts[2]
            test (count $parts) -lt 3; and set kept ''
            for path in (__fish_complete_path (string replace -- "$kept" '' "$current"))
                echo $kept$path
            end
        else
            echo $line
        end
    end
end

complete -c iosched-tune -f -a '(__iosched_tune_complete)'

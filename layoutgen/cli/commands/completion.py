"""``layoutgen completion``: let the shell complete commands, options and names."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from layoutgen.cli.output import emit
from layoutgen.cli.parser import Parser, add_output

DESCRIPTION = """\
Print a script that lets your shell complete commands, options, architectures,
instructions, types and files."""
EXAMPLES = """\
  layoutgen completion bash
  layoutgen completion zsh -o _layoutgen
  layoutgen completion fish -o layoutgen.fish"""

BASH = """\
# bash completion of layoutgen: eval "$(layoutgen completion bash)"
_layoutgen() {
    local IFS=$'\\n'
    COMPREPLY=($(layoutgen complete-words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _layoutgen layoutgen
"""

ZSH = """\
#compdef layoutgen
# zsh completion of layoutgen: put this file, named _layoutgen, into a folder of $fpath.
_layoutgen() {
    local -a found
    found=(${(f)"$(layoutgen complete-words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" == _layoutgen ]]; then _layoutgen "$@"; else compdef _layoutgen layoutgen; fi
"""

FISH = """\
# fish completion of layoutgen: put this file into ~/.config/fish/completions.
function __layoutgen_words
    layoutgen complete-words (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c layoutgen -f -a '(__layoutgen_words)'
complete -c layoutgen -n 'test -z (__layoutgen_words | string join "")' -F
"""

ARCHITECTURES = ("arch", "archs", "old", "new")
"""Arguments that are architectures."""
TYPE = "TYPE"
"""What options stand for that take the name of a format."""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def configure(parser: Parser) -> None:
    """Add the arguments of ``completion``."""
    parser.add_argument("shell", metavar="SHELL", choices=SCRIPTS, help=", ".join(SCRIPTS))
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    emit(options, SCRIPTS[options.shell])
    return 0


def candidates(words: Sequence[str]) -> list[str]:
    """Return what the last of `words`, those after ``layoutgen``, may become."""
    from layoutgen.cli.app import COMMANDS, parser_of

    *before, partial = words or [""]
    if not before:
        found: Sequence[str] = [*COMMANDS, "--help", "--version"]
    elif before[0] not in COMMANDS:
        found = []
    else:
        found = _for_command(parser_of(before[0]), before[1:], partial)
    return [word for word in found if word.startswith(partial)]


def _for_command(parser: Parser, before: Sequence[str], partial: str) -> Sequence[str]:
    options = {name: a for a in parser._actions for name in a.option_strings}
    positionals = [a for a in parser._actions if not a.option_strings]
    given: list[str] = []
    awaiting: argparse.Action | None = None
    for word in before:
        if awaiting:
            awaiting = None
        elif word in options:
            awaiting = options[word] if options[word].nargs != 0 else None
        elif not word.startswith("-"):
            given.append(word)
    if awaiting:
        return list(awaiting.choices or ()) or _values(awaiting, given)
    if partial.startswith("-"):
        return [name for name in options if name.startswith("--")]
    many = bool(positionals) and positionals[-1].nargs in ("*", "+")
    if len(given) >= len(positionals) and not many:
        return []
    action = positionals[min(len(given), len(positionals) - 1)]
    return list(action.choices) if action.choices else _names(action.dest, given)


def _values(option: argparse.Action, given: Sequence[str]) -> list[str]:
    """Return what the value of an option may be: a type of the architectures given, or of all."""
    if option.metavar != TYPE:
        return []
    import layoutgen

    known = layoutgen.archs()
    asked = [a for a in known.values() if {a.name, *a.aliases} & set(given)]
    return list(dict.fromkeys(name for arch in asked or known.values() for name in arch.formats))


def _names(what: str, given: Sequence[str]) -> list[str]:
    import layoutgen
    from layoutgen.model import UnknownName

    try:
        if what in ARCHITECTURES:
            return [n for arch in layoutgen.archs().values() for n in (arch.name, *arch.aliases)]
        arch = layoutgen.arch(given[0])
        if what == "name":
            return list(arch.formats)
        if what == "instruction":
            return arch.all_names()
        return list(arch[given[1]].operands) if what == "operand" else []
    except UnknownName:
        return []

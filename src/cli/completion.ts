// Shell completion: the scripts, and the candidates that they ask for.
import { Argument, type Command } from 'commander';
import type { CliContext } from './flags.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** An empty word: Windows PowerShell passes no empty argument to a program. */
const EMPTY = '__empty';
/**
 * A word that is passed as it was typed. Any other is passed as `__other`: candidates do not depend on it, and cmd.exe, which runs
 * uiahost.cmd, would take signs in it, such as & in 'a&b', as its own.
 */
const PLAIN_WORD = String.raw`^[\w./:=@,+-]+$`;
const OTHER = '__other';

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = {
  bash: `# uiahost completion bash >> ~/.bashrc
_uiahost() {
  local IFS=$'\\n'
  COMPREPLY=($(uiahost __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _uiahost uiahost`,
  zsh: `# uiahost completion zsh >> ~/.zshrc
_uiahost() {
  local -a found
  found=("\${(@f)$(uiahost __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  [[ -n $found ]] && compadd -a found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _uiahost uiahost`,
  fish: `# uiahost completion fish > ~/.config/fish/completions/uiahost.fish
complete -c uiahost -f -a '(uiahost __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
  powershell: `# uiahost completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName 'uiahost', 'uiahost.cmd' -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Where-Object { $_.Extent.StartOffset -lt $position } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $words = @($words | ForEach-Object { if ($_ -match '${PLAIN_WORD}') { $_ } else { '${OTHER}' } })
  if ($word -eq '') { $words += '${EMPTY}' }
  uiahost __complete @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};

/** The hidden command that the scripts call: `uiahost __complete WORD…`. */
export const COMPLETE = '__complete';

/** What arguments can be that the command tree does not list. */
export interface Values {
  /** Names that `call` takes. */
  readonly actions: readonly string[];
  /** Ids of cards that wait. Empty where no host answers. */
  approvals(): Promise<readonly string[]>;
}

/** Candidates for the last word. */
export async function candidates(program: Command, words: readonly string[], values: Values): Promise<string[]> {
  let command = program;
  const before = words.slice(0, -1);
  for (const word of before) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next !== undefined) command = next;
  }
  const last = words.at(-1) === EMPTY ? '' : (words.at(-1) ?? '');
  const options = [...command.options, ...(command === program ? [] : program.options)].filter(
    (option) => !option.hidden,
  );
  const asked = options.find((option) => option.long === before.at(-1) || option.short === before.at(-1));
  const fits = (text: string): boolean => text.startsWith(last);
  if (asked?.argChoices !== undefined) return asked.argChoices.filter(fits);
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  const [argument] = command.registeredArguments;
  const isFirstArgument = before.at(-1) === command.name() || command.aliases().includes(before.at(-1) ?? '');
  const found =
    last.startsWith('-') || !isFirstArgument || command === program
      ? []
      : argument?.name() === 'approvalId'
        ? await values.approvals()
        : command.name() === 'call'
          ? values.actions
          : [];
  // Flags would hide the few values that fit here; a dash asks for them.
  if (found.some(fits)) return found.filter(fits);
  const choices = command.registeredArguments.flatMap((each) => each.argChoices ?? []);
  const flags = options.map((option) => option.long ?? '').filter((flag) => flag !== '');
  return [
    ...(last.startsWith('-') ? [] : [...names, ...choices]),
    ...(last.startsWith('-') || command !== program ? [...flags, '--help'] : []),
  ].filter(fits);
}

export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print a shell’s completion script')
    .helpGroup('Host:')
    .addArgument(new Argument('<shell>', 'which shell').choices([...SHELLS]))
    .action((shell: (typeof SHELLS)[number]) => context.output.out(SCRIPTS[shell]));
}

/** Actions on terminals: open one with an agent or a command, read its text, and answer its prompt. */
import { z } from 'zod';
import { StyledText } from '../contract/terminal/terminal-style.ts';
import { LOOKING, type ActionTraits, type TerminalLaunch } from '../contract/gate/traits.ts';
import { plain } from '../contract/gate/input-content.ts';
import { boundWindow, defineAction, defineMethod, saw, inputTo } from './definition.ts';

/** The folder, and the program of a command line. */
function pathsOf({ agent, command, workingDirectory }: TerminalLaunch): string[] {
  const program = agent === 'custom' ? /^\s*(?:"([^"]*)"?|(\S+))/.exec(command ?? '') : null;
  return [workingDirectory, program?.[1] ?? program?.[2]].filter((path) => path !== undefined);
}

const launchOf = ({ agent, command, terminal, workingDirectory }: TerminalLaunch): TerminalLaunch => ({
  agent,
  command,
  terminal,
  workingDirectory,
});

export const openTerminal = defineMethod('openTerminal', {
  topic: 'terminal',
  meaning: 'Open a terminal (shell, console) to run a command, or an agent CLI (claude, codex, gemini).',
  cap: 'terminal',
  effect: 'launch',
  needs: 'level control; commands and an agent’s further arguments always need approval by default',
  input: () => ({
    agent: z.enum(['claude', 'codex', 'gemini', 'custom']).describe('Which CLI to start.'),
    command: plain(
      z.string().min(1).max(8000).describe('With custom, the command line; else extra arguments.'),
    ).optional(),
    terminal: z.enum(['wt', 'powershell', 'cmd']).optional().describe('Default wt where installed, else cmd.'),
    workingDirectory: plain(z.string().min(1).max(1024).describe('An existing folder.')).optional(),
  }),
  sample: { agent: 'claude' },
  rules: [
    {
      holds: (input) => input.agent !== 'custom' || input.command !== undefined,
      message: 'Agent custom needs a command.',
    },
  ],
  output: () => z.strictObject({ hwnd: z.string(), title: z.string(), launched: z.boolean() }),
  traits: (input): ActionTraits => ({
    ...LOOKING,
    effect: 'launch',
    tier: 'full',
    starts: launchOf(input),
    tags: input.command === undefined ? [] : ['customCommand'],
    content: input.command ?? null,
    paths: pathsOf(input),
    changesSomething: true,
  }),
  async run(context, input) {
    const {
      value: { pid, ...value },
      outcome,
    } = await context.desktop.terminal.open(launchOf(input), context.call);
    context.host.openedWindow(value.hwnd, pid);
    return { value, outcome };
  },
});

export const respondToPrompt = defineMethod('respondToPrompt', {
  topic: 'terminal',
  meaning: 'Answer a prompt in the bound terminal: yes, no, enter, escape, select by arrows, or type text and Enter.',
  cap: 'terminal',
  effect: 'input',
  needs: 'level control, tier full, flag prompts; always needs approval by default',
  input: () => ({
    responseType: z.enum(['yes', 'no', 'enter', 'escape', 'select', 'type']).describe('How to answer.'),
    arrowDirection: z.enum(['up', 'down']).optional().describe('For select; default down.'),
    arrowCount: z.int().min(0).max(50).optional().describe('For select: number of arrow keys, 0 to 50; default 1.'),
    text: z.string().min(1).max(10_000).optional().describe('For type: the text; Enter follows.'),
  }),
  sample: { responseType: 'yes' },
  rules: [
    {
      holds: (input) => (input.responseType === 'type') === (input.text !== undefined),
      message: 'Type needs text; no other response takes it.',
    },
    {
      holds: (input) =>
        input.responseType === 'select' || (input.arrowDirection === undefined && input.arrowCount === undefined),
      message: 'Only select takes arrowDirection and arrowCount.',
    },
  ],
  output: () => z.boolean(),
  traits: (input): ActionTraits => ({
    ...inputTo({ kind: 'window' }, 'full'),
    variant: input.responseType,
    flags: ['prompts'],
    tags: ['prompts'],
    content: input.text ?? null,
  }),
  run: async (context, input) =>
    context.desktop.terminal.respond(
      boundWindow(context),
      {
        responseType: input.responseType,
        arrowDirection: input.arrowDirection ?? 'down',
        arrowCount: input.arrowCount ?? 1,
        text: input.text ?? '',
      },
      context.call,
    ),
});

export const readTerminal = defineAction('readTerminal', {
  topic: 'terminal',
  meaning:
    'Read the output of a command: the visible screen of the bound terminal, its scrollback if any, and the exit status of a command that the host started.',
  cap: 'terminal',
  effect: 'observe',
  needs: 'level observe, tier read',
  input: () => ({
    styles: z
      .boolean()
      .optional()
      .describe('Also list what is drawn in another colour or style: some lists show by it what is ticked.'),
  }),
  output: () =>
    z.strictObject({
      screen: z.string(),
      scrollback: z.string().nullable(),
      cursor: z.strictObject({ x: z.int(), y: z.int() }).nullable(),
      exitStatus: z.int().nullable(),
      styles: z.array(StyledText).nullable().optional(),
      untrusted: z.literal(true),
    }),
  traits: (): ActionTraits => ({ ...LOOKING, binding: 'required', target: { kind: 'window' } }),
  async run(context, input) {
    const { styles, ...screen } = await context.desktop.terminal.read(
      boundWindow(context),
      { styles: input.styles === true },
      context.call,
    );
    return saw({
      ...screen,
      ...(styles === undefined ? {} : { styles: styles && [...styles] }),
      untrusted: true as const,
    });
  },
});

/** Beyond the executor's methods, in the order in which lists show them. */
export const beyond = [readTerminal] as const;

/** The digest that an approval is bound to, keyed by this process. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext, ElementInfo } from '../../contract/element/element.ts';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { lineOf, shownPrompt } from '../../contract/terminal/console-prompt.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import type { DragStart } from './judge.ts';
import { DIALOG_CLASS } from '../risk/words/app-kind.ts';

/**
 * Never leaves the process, so a recorded approval cannot be used to guess short texts or passwords. A KeyObject, since making one
 * from bytes for each digest takes 10 µs.
 */
const KEY = createSecretKey(randomBytes(32));

/** Digest in lower-case hex: equal content has an equal digest, which only this process can compute. */
export function keyedDigest(text: string): string {
  return createHmac('sha256', KEY).update(text, 'utf8').digest('hex');
}

const argumentsDigest = (input: unknown): string => keyedDigest(canonicalJson(input ?? null));

/** The parts of a binding that identify the window. The title is left out: programs change it at will. */
function bindingParts(binding: BindingRecord): Record<string, unknown> {
  return {
    hwnd: binding.hwnd,
    pid: binding.pid,
    processCreated: binding.processCreated,
    threadId: binding.threadId,
    className: binding.className,
    bundleId: binding.app.bundleId,
    integrity: binding.integrity,
  };
}

const appParts = (app: AppIdentity | null): Record<string, unknown> | null =>
  app === null ? null : { bundleId: app.bundleId, executable: app.executable };

/** What identifies an element to a person and to Windows. */
function elementParts(element: ElementInfo): Record<string, unknown> {
  return {
    identity: element.identity,
    controlType: element.controlType,
    name: element.name,
    automationId: element.automationId,
    password: element.states.includes('password'),
  };
}

/** The item inside the element: a different one voids the approval. */
const chosenParts = ({ chosen }: ElementContext): Record<string, unknown> => (chosen === undefined ? {} : { chosen });

/**
 * The target as an approval binds it. What its dialog asks counts; of another window, whose fields and clocks change at will,
 * only what made the verdict, which the second look compares.
 */
function targetParts(context: ElementContext, binding: BindingRecord | null): Record<string, unknown> {
  const { element } = context;
  const isOwnTitle = context.dialogTitle === binding?.title;
  const isDialog = !isOwnTitle || binding?.className === DIALOG_CLASS;
  return {
    element: element === null ? null : { ...elementParts(element), enabled: !element.states.includes('disabled') },
    ...chosenParts(context),
    ...(context.otherApp === undefined ? {} : { otherApp: context.otherApp.bundleId }),
    dialogTitle: isOwnTitle ? null : context.dialogTitle,
    dialogTexts: isDialog ? context.dialogTexts : null,
    defaultButtonName: isDialog || context.keysTo !== undefined ? context.defaultButtonName : null,
    // For a console only what was judged, since the rest changes by itself.
    console:
      context.console === undefined
        ? undefined
        : { line: lineOf(context.console), prompt: shownPrompt(context.console)?.text ?? null },
    address: context.address,
    document: context.document,
  };
}

export interface DigestParts {
  readonly action: string;
  readonly input: unknown;
  /** The window that receives the input: the bound one, or without a binding the judged window. */
  readonly binding: BindingRecord | null;
  readonly app: AppIdentity | null;
  readonly context: ElementContext | null;
  /** The cells that are written, as they are. */
  readonly cells?: CellsBefore | null;
  /** What a drag picks up. */
  readonly start?: (Pick<DragStart, 'app' | 'context'> & Partial<Pick<DragStart, 'window'>>) | null;
}

/** What an approval stands for: action, canonical arguments, window, application, and the target's identity. */
export function actionDigest(parts: DigestParts): string {
  const { start = null } = parts;
  return keyedDigest(
    canonicalJson({
      action: parts.action,
      arguments: argumentsDigest(parts.input),
      binding: parts.binding === null ? null : bindingParts(parts.binding),
      app: appParts(parts.app),
      target: parts.context === null ? null : targetParts(parts.context, parts.binding),
      cells: parts.cells?.digest,
      start:
        start === null
          ? undefined
          : {
              app: appParts(start.app),
              window: start.window ? bindingParts(start.window) : undefined,
              target: start.context === null ? null : targetParts(start.context, start.window ?? parts.binding),
            },
    }),
  );
}

/**
 * What a plan's step stays bound to after other steps have run: the application, and the element if the step names one
 * or presses at a point. What those steps may change is left out: the window's texts, enabled states, the focus, the pointer,
 * and what lies under a pointer that only moves, as in a drag.
 */
export function stepTarget(
  { target, isPointerMoveOnly }: ActionTraits,
  app: AppIdentity | null,
  context: ElementContext | null,
  start: DigestParts['start'] = null,
): string {
  const isAimed = (target.kind === 'element' || target.kind === 'point') && !isPointerMoveOnly;
  const element = isAimed ? (context?.element ?? null) : null;
  const picked = start?.context?.element ?? null;
  return keyedDigest(
    canonicalJson({
      app: appParts(app),
      element: element === null ? null : elementParts(element),
      ...(element === null || context === null ? {} : chosenParts(context)),
      start:
        start === null
          ? undefined
          : { app: appParts(start.app), element: picked === null ? null : elementParts(picked) },
    }),
  );
}

/** A plan's step before its target exists: action and canonical arguments. */
export function stepDigest(action: string, input: unknown): string {
  return keyedDigest(canonicalJson({ action, arguments: argumentsDigest(input) }));
}

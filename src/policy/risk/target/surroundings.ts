/** What a press in a window means, by the pressed element's name, its dialog and what is near it; the tags that are found. */
import { attempt } from '../../../contract/attempt.ts';
import { type ControlType, ITEMS, LISTS } from '../../../contract/element/control-types.ts';
import type {
  ChosenItem,
  ElementContext,
  ElementInfo,
  KeyReach,
  WantedItem,
} from '../../../contract/element/element.ts';
import kinds from './control-kinds.json' with { type: 'json' };
import { pathParts } from '../../../contract/element/element-words.ts';
import type { RiskTag } from '../../../contract/gate/permissions.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import { isOfPage, type AppKind } from '../words/app-kind.ts';
import { namesProgram, startVerb } from '../content/programs.ts';
import {
  asksToSave,
  findTagWords,
  identifierWords,
  isAffirmative,
  isRefusal,
  isUnreadable,
  type TagHit,
} from '../words/match.ts';

/** The parts of an element that matter when a press on it is judged. */
export type Pressed = Pick<ElementInfo, 'controlType' | 'name' | 'automationId'> & {
  readonly isDefaultButton?: boolean;
};

/** Why a tag was set, in words for a person. */
export interface RiskEvidence {
  readonly tag: RiskTag;
  readonly text: string;
}

export class Findings {
  readonly evidence: RiskEvidence[] = [];
  readonly flags = new Set<string>();
  readonly #tags = new Set<RiskTag>();

  add(tag: RiskTag, text: string): void {
    if (this.#tags.has(tag)) return;
    this.#tags.add(tag);
    this.evidence.push({ tag, text });
  }

  has(tag: RiskTag): boolean {
    return this.#tags.has(tag);
  }

  get tags(): RiskTag[] {
    return [...this.#tags];
  }
}

/** Where files are shown: in a folder's window, in a dialog that chooses one, or among a browser's downloads. */
export type FilesShown = 'view' | 'dialog' | 'downloads' | null;

/** A link that is named by what it opens. */
const FILE_LINK = /^(?:file:|[a-z]:[\\/]|[\\/]{2})/i;

/** What does as its words say. */
const VERBS: ReadonlySet<ControlType> = new Set<ControlType>(['MenuItem', 'Button', 'SplitButton', 'Hyperlink']);

/** Controls that a click opens, focuses or scrolls, and whose name does not describe an effect. */
const PASSIVE: ReadonlySet<string> = new Set(kinds.passive);
/** Containers. If a point hits nothing inside one, what is there is custom-drawn or could not be read. */
const HOLDERS: ReadonlySet<string> = new Set(kinds.holders);
/** They do what their name says; without a name the effect is unknown. */
const NAMED: ReadonlySet<string> = new Set(kinds.named);

/** True if what is under this context's point is unknown. */
function isUnnamed(context: ElementContext, element: ElementInfo): boolean {
  if (HOLDERS.has(element.controlType)) return context.takesCaret !== true;
  return NAMED.has(element.controlType) && `${element.name}${identifierWords(element.automationId)}`.trim() === '';
}

const looksLikeFile = (name: string): boolean => /\.[A-Za-z0-9]{1,5}$/.test(name.trim());

/** Maximum number of a dialog's texts that are read; the rest of a window is not its question. */
export const MOST_TEXTS = 64;

/** Judges what pressing things in this window means. */
export class Surroundings {
  readonly context: ElementContext | null;
  readonly kind: AppKind;
  readonly #found: Findings;
  readonly #files: FilesShown;
  #startsEntered: boolean;

  /** `startsEntered`: a plain yes may start a program. */
  constructor(
    context: ElementContext | null,
    kind: AppKind,
    found: Findings,
    files: FilesShown,
    startsEntered: boolean,
  ) {
    this.#files = files;
    this.#startsEntered = startsEntered;
    this.context = context;
    this.kind = kind;
    this.#found = found;
  }

  /** The dialog in its own words. */
  get #texts(): string[] {
    return this.context === null
      ? []
      : [this.context.dialogTitle, ...this.context.dialogTexts].filter((text) => text !== '').slice(0, MOST_TEXTS);
  }

  /** Judges a press on an element; null = something without a known name. */
  press(element: Pressed | null, says?: string): void {
    if (element === null) {
      this.pressNamed('', null, says);
      return;
    }
    if (PASSIVE.has(element.controlType)) return;
    if (ITEMS.has(element.controlType) && looksLikeFile(element.name)) return;
    this.pressNamed(
      element.name === '' ? identifierWords(element.automationId) : element.name,
      element.controlType,
      says,
    );
    const isDefault = element.isDefaultButton === true;
    if (isDefault) this.#found.flags.add('default_button');
    if (isDefault || (element.controlType === 'Button' && element.automationId === '1')) this.#startEntered();
  }

  /** Judges a press at a point: on the element there, or on something unknown inside it. */
  pressPoint(): void {
    const element = this.context?.element ?? null;
    if (this.context !== null && element !== null && isUnnamed(this.context, element)) this.pressUnknown();
    this.press(element);
  }

  /** Judges the choice of an item in an element, or of a menu entry and those on its path: by their actual names, not the caller's. */
  choose({ name }: WantedItem, chosen: readonly ChosenItem[] | null): void {
    const holder = this.context?.element?.controlType;
    if (chosen === null) {
      const starts = this.#startsEntered;
      // An item of a list or a tree is chosen there: that enters nothing.
      this.#startsEntered = starts && !LISTS.has(holder ?? 'Window');
      // It could not be looked up. A choice by name selects only exactly that name.
      this.pressUnknown();
      if (name !== undefined)
        for (const part of new Set([name, ...pathParts(name).map((each) => each.name)]))
          this.pressNamed(part, 'MenuItem');
      this.#startsEntered = starts;
      return;
    }
    for (const item of chosen) {
      if (item.name === '') this.pressUnknown();
      // A drop-down list contains choices, not files.
      else if (!ITEMS.has(item.controlType) || holder === 'ComboBox' || !looksLikeFile(item.name))
        this.pressNamed(item.name, item.controlType);
    }
  }

  /** Judges a press on something without a known name. */
  pressUnknown(): void {
    this.#found.flags.add('unknown_target');
    this.press(null);
  }

  /** Judges a press on each element in the window that could be meant. */
  pressEach(isMeant: (element: KeyReach) => boolean): void {
    for (const element of this.context?.reachable ?? []) if (isMeant(element)) this.press(element, 'it can reach');
  }

  /** `says`: how the evidence of its name begins. */
  pressNamed(name: string, controlType: ControlType | null, says = 'its name says'): void {
    for (const hit of findTagWords(name, 'name'))
      if (!this.#onlyConfirms(name, hit)) this.#tag(hit.tag, `${says} ${quoted(name)}`);
    if (controlType !== null && VERBS.has(controlType)) this.#lookAtVerb(name, controlType, says);
    if ((controlType === null || !ITEMS.has(controlType)) && namesProgram(name) && !isOfPage(this.kind, this.context))
      this.#found.add('customCommand', `${says} ${quoted(name)}, which names a program`);
    if (isRefusal(name)) {
      const question = this.#texts.find(asksToSave);
      if (question !== undefined) this.#tag('destructive', `${quoted(name)} discards work: ${quoted(question)}`);
    }
    const isForeign = (controlType === null || !ITEMS.has(controlType)) && isUnreadable(name);
    if (isForeign) this.#found.flags.add('unknown_target');
    // A plain yes, or a button whose name is missing or unreadable, means what the dialog asks.
    const saysYes = name.trim() === '' || isForeign || isAffirmative(name);
    if (saysYes && (controlType === null || !ITEMS.has(controlType))) this.answerDialog();
  }

  /** A plain yes such as `Apply` sends something in pages and messages; in another program's dialog it takes over settings. */
  #onlyConfirms(name: string, { tag, language }: TagHit): boolean {
    const isPlainYes = tag === 'external_submit' && language === 'any' && isAffirmative(name);
    return isPlainYes && this.kind !== 'browser' && this.kind !== 'messaging';
  }

  /**
   * Whether an entry of a menu or a button starts a program. `Open` does among files alone: elsewhere it shows a dialog, and the
   * button of a dialog gives the file to its program. A button that installs is an installer's own, which runs already.
   */
  #lookAtVerb(name: string, controlType: ControlType, says: string): void {
    const isEntry = controlType === 'MenuItem';
    if (controlType !== 'Button' && controlType !== 'SplitButton') this.#startEntered();
    if (controlType === 'Hyperlink' && FILE_LINK.test(name.trim()))
      this.#found.add('customCommand', `${says} ${quoted(name)}, a file that the link opens`);
    const isDownload = this.#files === 'downloads';
    const verb = startVerb(name, isEntry && this.#files !== null && !isDownload);
    if (verb === null || (verb === 'keep' && !isDownload) || (verb === 'open' && this.#files === null)) return;
    if (!isEntry && (verb === 'install' || (verb === 'open' && this.#files === 'dialog'))) return;
    this.#found.add('customCommand', `${says} ${quoted(name)}, which starts a program`);
    if (verb === 'administrator') this.#found.flags.add('run_as_administrator');
  }

  /** Judges answering the dialog with yes, or with something unknown. */
  answerDialog(): void {
    this.#startEntered();
    if (this.context === null) return;
    for (const text of this.#texts)
      for (const hit of findTagWords(text, 'sentence')) this.#tag(hit.tag, `the dialog says ${quoted(text)}`);
    for (const text of this.context.nearbyTexts.slice(0, MOST_TEXTS))
      for (const hit of findTagWords(text, 'name')) this.#tag(hit.tag, `the text next to it says ${quoted(text)}`);
    const words = addressWords(this.context.address);
    if (words !== '')
      for (const hit of findTagWords(words, 'name'))
        this.#tag(hit.tag, `the page is ${quoted(this.context.address ?? '')}`);
  }

  #startEntered(): void {
    if (this.#startsEntered) this.#found.add('customCommand', 'this may start what is entered here');
  }

  #tag(tag: RiskTag, text: string): void {
    this.#found.add(tag, text);
    if (tag !== 'financial') return;
    // Money moves to someone else, in the name of the signed-in user.
    this.#found.add('external_submit', text);
    this.#found.add('authenticated', text);
  }
}

/** Words in a page's address that show its purpose: host labels and path, without the query. */
function addressWords(address: string | null): string {
  const words = attempt(() => {
    const { hostname, pathname } = new URL(address ?? '');
    return decodeURIComponent(`${hostname} ${pathname}`);
  }, '');
  return identifierWords(words.replaceAll('/', ' | '));
}

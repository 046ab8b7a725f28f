/** The live elements of UI Automation of a reading, so that an action on one of them needs no search through its window. */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import type { TreeNode } from '../tree/tree.ts';

/** The elements of one reading; disposing of them releases every element that no view took over. */
export class LiveElements implements Disposable {
  readonly #readings: Set<LiveElements>;
  #elements = new Map<TreeNode, IUIAutomationElement>();
  /** By RuntimeId, once one is looked for. */
  #byId: Map<string, IUIAutomationElement> | null = null;
  /** Nodes behind which another provider begins: a search ends there. */
  gaps: TreeNode[] = [];

  /** @param readings gets the kept readings, where elements are searched for */
  constructor(readings: Set<LiveElements>) {
    this.#readings = readings;
  }

  add(node: TreeNode, element: IUIAutomationElement): void {
    this.#elements.set(node, element.clone());
  }

  /** The element of a node; it still belongs to these. */
  get(node: TreeNode): IUIAutomationElement | undefined {
    return this.#elements.get(node);
  }

  /** The element with this RuntimeId; it still belongs to these. */
  find(id: string): IUIAutomationElement | undefined {
    if (this.#byId === null) {
      this.#byId = new Map();
      for (const [{ locator }, element] of this.#elements)
        if (locator.kind === 'uia' && locator.isShared !== true) this.#byId.set(locator.runtimeId.join('.'), element);
    }
    return this.#byId.get(id);
  }

  get isEmpty(): boolean {
    return this.#elements.size === 0;
  }

  /** Hands all over to a new owner. */
  move(): LiveElements {
    const moved = new LiveElements(this.#readings);
    [moved.#elements, this.#elements] = [this.#elements, moved.#elements];
    [moved.gaps, this.gaps] = [this.gaps, moved.gaps];
    this.#readings.add(moved);
    return moved;
  }

  [Symbol.dispose](): void {
    this.#readings.delete(this);
    for (const element of this.#elements.values()) element[Symbol.dispose]();
    this.#elements.clear();
    this.#byId = null;
  }
}

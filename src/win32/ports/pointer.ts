/**
 * The pointer topic on Windows: messages to the child under a point of the bound window, or real input if requested.
 */
import { UiaHostError } from '../../contract/errors.ts';
import type { PointerPort } from '../../desktop/index.ts';
import { changeButton, dragPointer } from '../acting/pointer-drag.ts';
import { clickPoint } from '../acting/pointer-click.ts';
import { hoverPointer, movePointer, turnWheel } from '../acting/pointer-move.ts';
import { isReal, VirtualPointer, type PointerTools } from '../acting/pointer-target.ts';
import { cursorPosition } from '../windows/witness.ts';
import type { InputOptions } from './keyboard.ts';
import type { Win32Services } from './services.ts';

export function createPointerPort(services: Win32Services, options: InputOptions): PointerPort {
  const virtual = services.ownerState(() => new VirtualPointer());
  const tools: PointerTools = { ...options, pointerOf: (owner) => virtual.get(owner) };
  return {
    async cursor() {
      const at = cursorPosition();
      if (at === null)
        throw new UiaHostError(
          'desktop_unavailable',
          'Another desktop has the input (secure desktop or lock screen), so the cursor position cannot be read.',
        );
      return at;
    },

    position: async (record, delivery, call) =>
      isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at,
    move: (record, to, how, call) => movePointer(tools, record, to, how, call),
    hover: (record, at, delivery, call) => hoverPointer(tools, record, at, delivery, call),
    click: (record, at, how, call) => clickPoint(tools, record, at, how, call),
    button: (record, change, at, how, call) => changeButton(tools, record, { change, at }, how, call),
    drag: (record, from, to, how, call) => dragPointer(tools, record, { from, to }, how, call),
    wheel: (record, at, notches, how, call) => turnWheel(tools, record, { at, notches }, how, call),
  };
}

/** A window onto which the static tree of `uia-com.dll` is grafted for each test of a file. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { comRefsAlive } from '../../../../native-bindings/com/com-ref.ts';
import { Elements } from './elements.ts';
import { Fixture } from './programs.ts';
import { UiaCom } from './uia-com.ts';

export const com = new UiaCom();
export let window: Fixture;
export let elements: Elements;

/** With other settings, in place of what was bound before. */
export async function graft(settings: Record<string, string | number> = {}): Promise<void> {
  elements?.port[Symbol.dispose]();
  com.reset();
  com.configure({ graft: window.hwnd, ...settings });
  elements = await Elements.bind(window.hwnd, { automation: com.factory });
}

/** The witnesses of every test: nothing is held, no slot was wrong, no password was read. */
export function graftEach(): void {
  beforeAll(async () => {
    window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
  });
  afterAll(() => window[Symbol.asyncDispose]());
  beforeEach(async () => {
    com.reset();
    const before = [com.live, comRefsAlive()];
    await graft();
    return () => {
      elements.port[Symbol.dispose]();
      expect(com.liveByInterface()).toMatchObject({ IUIAutomationElement: [0, expect.any(Number) as number] });
      expect([com.live, comRefsAlive()]).toEqual(before);
      expect(com.stubHits()).toBe('');
      expect(com.log().filter((line) => line.startsWith('password-read'))).toEqual([]);
    };
  });
}

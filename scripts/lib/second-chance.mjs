// Runs the test files that failed once more, by themselves, where UIAHOST_TEST_RETRY asks for it.
import { say } from './progress.mjs';
import { countsOnce } from './suites.mjs';

/** More than this many failing files is a fault of the code or of the machine, which a second run does not mend. */
const mostFiles = 5;

/**
 * A test that fails twice in one process may have met what its first try left behind, and a test process that dies
 * takes its file's results with it. So each such file gets one run in a fresh process and, where it needs one, on a
 * fresh desktop. What fails there too has failed. Files with tests that count at their first try alone (`retry: 0`) run
 * again only when their process died before it could report them.
 * @param {(patterns: readonly string[]) => Promise<import('./vitest.mjs').Counts>} run
 * @param {readonly string[]} patterns of the first run
 * @param {readonly string[]} files that the first run covers
 * @param {{ wanted?: boolean, onlyOnce?: (file: string) => boolean, report?: (text: string) => void }} [options]
 * @returns {Promise<import('./vitest.mjs').Counts>}
 */
export async function withSecondChance(run, patterns, files, options = {}) {
  const { wanted = Number(process.env['UIAHOST_TEST_RETRY'] ?? 0) > 0, onlyOnce = countsOnce, report = say } = options;
  const first = await run(patterns);
  if (!wanted || (first.failed === 0 && first.notRun.length === 0)) return first;
  // vitest lists the tests of a process that died as not run, or leaves their file out
  const unreported = files.filter((file) => (first.files[file]?.notRun.length ?? 1) > 0);
  const broken = files.filter((file) => (first.files[file]?.failed ?? 0) > 0 && !onlyOnce(file));
  const again = [...new Set([...unreported, ...broken])];
  if (again.length === 0 || again.length > mostFiles) return first;

  report(`once more, in a process of their own: ${again.join(', ')} …`);
  const second = await run(again);
  const kept = Object.entries(first.files).filter(([file]) => !again.includes(file));
  const failedBefore = kept.reduce((sum, [, counts]) => sum + counts.failed, 0);
  return {
    passed: kept.reduce((sum, [, counts]) => sum + counts.passed, 0) + second.passed,
    // an error that belongs to no file stays one, unless it is what took the unreported files along
    failed: failedBefore + second.failed + (unreported.length === 0 ? first.outside : 0),
    notRun: second.notRun,
    outside: second.outside,
    files: { ...Object.fromEntries(kept), ...second.files },
  };
}

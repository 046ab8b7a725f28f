// A reporter for vitest: a line now and then while a long file runs, and one for each test that needed another try. The default
// one is silent until the file ends, and a run that is silent for too long counts as hanging (vitest.mjs).

const everyMs = 30_000;

export default class LongFileReporter {
  /** @type {import('vitest/node').Vitest | undefined} */
  #vitest;
  #since = performance.now();
  #ended = 0;

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestModuleStart() {
    this.#since = performance.now();
    this.#ended = 0;
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    this.#ended += 1;
    if ((test.diagnostic()?.retryCount ?? 0) > 0)
      this.#vitest?.logger.log(`second try: ${test.module.relativeModuleId}: ${test.fullName}`);
    if (performance.now() - this.#since < everyMs) return;
    this.#since = performance.now();
    this.#vitest?.logger.log(` … ${test.module.relativeModuleId}: ${this.#ended} tests have ended`);
  }
}

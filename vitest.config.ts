import { join } from 'node:path'
import { splitTexts } from './apps/web/split-texts.ts'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Compiles modules once that run many times, such as servers.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node')

// Long, because tests must pass on two busy cores; no test asserts a duration.
// Polling may take almost as long as the test; the default of one second would assert a duration.
const polls = { poll: { timeout: 60_000 } }
const patience = { testTimeout: 120_000, hookTimeout: 240_000, expect: polls }
const database = ['./apps/server/test/global-setup.ts']
const servers = [...database, './apps/server/test/warm-compile-cache.ts']
// Vitest alone leaves a core free, which of two is one of two. Each worker has up to 30 connections of the one PostgreSQL.
const workers = { maxWorkers: 2 }
// Server tests wait for timers and the database half of the time; vitest runs them beside those without a server.
const moreWorkers = { maxWorkers: 3 }
// Reading the modules again for each file costs half of the time of a run. A file restores what it changes.
const shared = { isolate: false }
const separate = ['**/node_modules/**', '**/dist/**', '**/*.fault.test.ts']
const browserTests = {
  globalSetup: [...servers, './e2e/setup/seed-template.ts', './e2e/setup/build.ts'],
  testTimeout: 360_000,
  hookTimeout: 360_000,
  expect: polls,
}

/**
 * A run without an earlier one to learn from begins with the largest files. Of the faults these take longest and come
 * first, two at a time: `overload` before all, because it keeps both cores busy longest. `server-kill`, which starts
 * servers all the time, is over when the three after it are, or nearly, so that `two-nodes`, which kills and starts servers
 * too, does not run beside it. Short ones fill the end. `generated` runs a whole set of tests of its own on both cores, so
 * it begins rather than leaves a core idle at the end. The files of the story are small, but their tests are long.
 */
const faults = ['overload', 'server-kill', 'postgres-kill', 'database-link', 'worker-kill', 'step-kill', 'two-nodes']
const browser = ['generated', 'axe', 'story', 'story-english']
const longest = [...faults.map((name) => `/${name}.fault.test.ts`), ...browser.map((name) => `/${name}.e2e.ts`)]
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [splitTexts()],
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}'],
          exclude: separate,
          ...moreWorkers,
          ...patience,
          ...shared,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: separate,
          globalSetup: database,
          ...moreWorkers,
          ...patience,
          ...shared,
        },
      },
      {
        test: {
          name: 'fault',
          include: ['**/*.fault.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: servers,
          ...workers,
          sequence: { groupOrder: 1 },
          testTimeout: 900_000,
          hookTimeout: 300_000,
          expect: polls,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/**/*.e2e.ts'],
          ...browserTests,
          ...workers,
          // Each file has its own server and database, and uses the browser of the one before.
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'smoke',
          include: ['e2e/**/*.smoke.ts'],
          ...browserTests,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})

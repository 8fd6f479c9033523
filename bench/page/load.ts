import { makeUser } from '../../apps/server/seed/fixtures.ts'
import { setPreferences } from '../../e2e/appearance.ts'
import { openBrowser } from '../../e2e/setup/browser.ts'
import { type BenchFigure, median } from '../figures.ts'
import type { BenchServer } from '../bench-server.ts'
import { servePlainReact } from './plain-react.ts'
import { clickToRows, freshPage, type Load, load, type Profile, profiles, type PageTarget } from './visit.ts'

const ROUNDS = 5
const DASHBOARD = { entry: '首页', rows: '.home' }
const SCHOOLS = { entry: '学校', rows: '.layout-main .ant-table-row' }

type Runs = Record<string, Load[]>

/**
 * Visits the pages in turn, so that other load of the machine affects them equally; the first round warms up the
 * server.
 */
const visitAll = async (targets: Record<string, PageTarget>, profile: Profile): Promise<Runs> => {
  const runs: Runs = Object.fromEntries(Object.keys(targets).map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    const browser = await openBrowser()
    for (const [name, target] of Object.entries(targets)) {
      const result = await load(browser, target, profile)
      if (round > 0) runs[name]?.push(result)
    }
    await browser.close()
  }
  return runs
}

const figuresOf = (runs: Runs, profile: Profile): BenchFigure[] => {
  const bare = median((runs['bare'] ?? []).map(({ paint }) => paint))
  return Object.entries(runs).flatMap(([page, loads]) => {
    const of = (name: keyof Load) => loads.map((load) => load[name])
    const named = (label: string) => `${profile}, ${page}: ${label}`
    return [
      { name: named('largest paint'), unit: 'ms', runs: of('paint'), ratios: { 'bare React page': bare } },
      { name: named('can be used'), unit: 'ms', runs: of('ready') },
      { name: named('blocked'), unit: 'ms', runs: of('blocked') },
      ...(profile === 'plain'
        ? [
            { name: named('compressed script'), unit: 'KB', runs: of('script') },
            { name: named('all that travelled'), unit: 'KB', runs: of('bytes') },
          ]
        : []),
    ]
  })
}

const benchClicks = async (target: PageTarget): Promise<BenchFigure[]> => {
  const [first, again]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const browser = await openBrowser()
    const [page] = await freshPage(browser, target)
    await page.goto(target.url)
    await page.locator(target.ready).first().waitFor()
    // The pause of a user who looks around before continuing.
    await page.waitForTimeout(5000)
    const cold = await clickToRows(page, SCHOOLS.entry, SCHOOLS.rows)
    await page.waitForTimeout(1000)
    await clickToRows(page, DASHBOARD.entry, DASHBOARD.rows)
    await page.waitForTimeout(1000)
    const warm = await clickToRows(page, SCHOOLS.entry, SCHOOLS.rows)
    await browser.close()
    if (round === 0) continue
    first.push(cold)
    again.push(warm)
  }
  return [
    { name: 'menu click to rows, first time', unit: 'ms', runs: first },
    { name: 'menu click to rows, again', unit: 'ms', runs: again },
  ]
}

/** The same for a user with the tags bar, whose pages stay mounted in the background. */
const benchKept = async (target: PageTarget): Promise<BenchFigure[]> => {
  const browser = await openBrowser()
  const [page] = await freshPage(browser, target)
  await page.goto(target.url)
  await setPreferences(page, { tagsView: true })
  await browser.close()
  const figures = await benchClicks(target)
  return figures.map((figure) => ({ ...figure, name: `with the tags bar, ${figure.name}` }))
}

/** Measures how soon the console is usable in Chromium with an empty cache, beside a bare React page. */
export const benchLoad = async (stage: BenchServer, show: (figure: BenchFigure) => void): Promise<void> => {
  await stage.devices(3)
  const { id } = await makeUser(stage.access.db, { roles: ['super_admin'] })
  const bare = await servePlainReact()
  const home: PageTarget = {
    url: `${stage.node.http}/dashboard`,
    ready: '.home-figure',
    token: await stage.tokenOf(id),
  }
  const targets: Record<string, PageTarget> = {
    bare: { url: bare.url, ready: 'input[type=password]' },
    'sign-in page': { url: `${stage.node.http}/login`, ready: 'input[type=password]' },
    'first signed-in page': home,
  }
  try {
    for (const profile of Object.keys(profiles) as Profile[]) {
      for (const figure of figuresOf(await visitAll(targets, profile), profile)) show(figure)
    }
    for (const figure of [...(await benchClicks(home)), ...(await benchKept(home))]) show(figure)
  } finally {
    bare.close()
  }
}

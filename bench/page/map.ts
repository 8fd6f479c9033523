import type { Browser, CDPSession, Page } from 'playwright-core'
import { readFileSync } from 'node:fs'
import { makeModel, makePlace, makeSchool, makeUser } from '../../apps/server/seed/fixtures.ts'
import { openBrowser } from '../../e2e/setup/browser.ts'
import { median, percentile } from '../figures.ts'
import type { BenchFigure } from '../figures.ts'
import type { BenchServer } from '../bench-server.ts'
import { freshPage, type PageTarget } from './visit.ts'

const POINTS = 100_000
const ROUNDS = 5
/** Tests the script and says nothing about speed. */
const quick = { points: 1000, rounds: 1 }
/** No frame as long as this for a second: the map is drawn. */
const LONG_FRAME_MS = 100
const FRAME_MS = 17
const WHEEL_TURNS = 20
const DRAG_STEPS = 40
const DRAG_PIXELS = 8

/** Installed devices over one province, each with a position of its own. */
const makeDevices = async ({ db, pool }: BenchServer['access'], points: number): Promise<void> => {
  const school = await makeSchool(db)
  const place = await makePlace(db, { schoolId: school.id })
  const model = await makeModel(db)
  await pool.query(
    `with made as (
       insert into device (sn, model_id, dept_id, school_id, lifecycle)
       select 'MAP-' || n, $1, $2, $3, 'IN_SERVICE' from generate_series(1, $5::int) n returning id)
     insert into school_device (device_id, school_id, place_id, lng, lat, status)
     select id, $3, $4, 98 + random() * 8, 22 + random() * 7, 'ACCEPTED' from made`,
    [model.id, school.deptId, school.id, place.id, points],
  )
}

type Recorded = { frames: number[] }

/** Records the length of every frame from now on. */
const recordFrames = (page: Page) =>
  page.evaluate(() => {
    const frames: number[] = []
    let last = performance.now()
    const next = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    Object.assign(window, { frames })
  })

const takeFrames = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as Recorded).frames.splice(0))

/** Waits until a second passes without a long frame. */
const settle = (page: Page) =>
  page.waitForFunction(
    (long) => {
      const { frames } = window as unknown as Recorded
      let quiet = 0
      for (const frame of frames.toReversed()) {
        if (frame > long) break
        quiet += frame
      }
      return quiet > 1000
    },
    LONG_FRAME_MS,
    { timeout: 300_000 },
  )

const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 / 1024
}

type Used = { task: number; script: number; raster: number }

/**
 * Processor time of the main thread, and of the process that draws, in ms. The first is what a machine with a graphics
 * card has left of a frame.
 */
const usedBy = async (browser: Browser, session: CDPSession): Promise<Used> => {
  const { metrics } = await session.send('Performance.getMetrics')
  const msOf = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000
  const top = await browser.newBrowserCDPSession()
  const { processInfo } = await top.send('SystemInfo.getProcessInfo')
  await top.detach()
  const raster = Math.max(0, ...processInfo.filter(({ type }) => type === 'GPU').map(({ cpuTime }) => cpuTime))
  return { task: msOf('TaskDuration'), script: msOf('ScriptDuration'), raster: raster * 1000 }
}

type Motion = { frames: number[] } & Used

/** Frames of a movement, and the processor time that each of them took. */
const measureMotion = async (
  { browser, page, session }: { browser: Browser; page: Page; session: CDPSession },
  move: () => Promise<void>,
): Promise<Motion> => {
  await takeFrames(page)
  const before = await usedBy(browser, session)
  await move()
  const frames = await takeFrames(page)
  const after = await usedBy(browser, session)
  const each = (name: keyof Used) => (after[name] - before[name]) / frames.length
  return { frames, task: each('task'), script: each('script'), raster: each('raster') }
}

/** Percent of the frames within one frame of a display of 60 Hz, whose times come in whole hundredths. */
const shareInTime = (frames: readonly number[]): number =>
  (frames.filter((frame) => frame <= FRAME_MS).length / frames.length) * 100

/** Resident memory of the pages, workers included: they hold the clusters. */
const residentOf = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const kilobytes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return Math.max(...kilobytes) / 1024
}

const zoomByWheel = async (page: Page) => {
  for (let turn = 0; turn < WHEEL_TURNS; turn += 1) {
    await page.mouse.wheel(0, turn < WHEEL_TURNS / 2 ? -300 : 300)
    await page.waitForTimeout(100)
  }
}

/** Drags the map to one side and back. */
const panByMouse = async (page: Page, target: PageTarget) => {
  const box = await page.locator(target.ready).boundingBox()
  const x = (box?.x ?? 0) + (box?.width ?? 0) / 2
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= DRAG_STEPS; step += 1) {
    const away = (step <= DRAG_STEPS / 2 ? step : DRAG_STEPS - step) * DRAG_PIXELS
    await page.mouse.move(x + away, y + away / 2)
    await page.waitForTimeout(16)
  }
  await page.mouse.up()
}

type Visit = Record<'drawn' | 'paint' | 'heap' | 'resident', number> & Record<'zooming' | 'panning', Motion>

/** Opens the map, shows the devices, zooms in and out with the wheel, and drags the map. */
const visit = async (target: PageTarget): Promise<Visit> => {
  const browser = await openBrowser()
  const [page, context] = await freshPage(browser, target)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const started = performance.now()
  await page.goto(target.url)
  await page.locator(target.ready).waitFor()
  const paint = performance.now() - started
  await recordFrames(page)
  const clicked = performance.now()
  const answer = page.waitForResponse((response) => response.url().includes('/insight/map-device/list'))
  await page.getByRole('checkbox', { name: '设备' }).click()
  await answer
  await settle(page)
  // The quiet second is no part of it.
  const drawn = performance.now() - clicked - 1000
  await page.locator(target.ready).hover()
  const parts = { browser, page, session }
  const zooming = await measureMotion(parts, () => zoomByWheel(page))
  await settle(page)
  const panning = await measureMotion(parts, () => panByMouse(page, target))
  const heap = await heapOf(session)
  const resident = await residentOf(browser)
  await browser.close()
  return { drawn, paint, heap, resident, zooming, panning }
}

/** Shows the frames of one kind of movement, whole and without the drawing. */
const showMotion = (show: (figure: BenchFigure) => void, name: string, motions: readonly Motion[]): void => {
  const runs = (of: (motion: Motion) => number) => motions.map(of)
  show({ name: `map: frame while ${name}, median`, unit: 'ms', runs: runs(({ frames }) => median(frames)) })
  show({
    name: `map: frame while ${name}, 95th percentile`,
    unit: 'ms',
    runs: runs(({ frames }) => percentile(frames, 95)),
  })
  show({
    name: `map: frames within 16.7 ms while ${name}`,
    unit: '%',
    runs: runs(({ frames }) => shareInTime(frames)),
  })
  show({ name: `map: main thread for a frame while ${name}`, unit: 'ms', runs: runs(({ task }) => task) })
  show({ name: `map: of it script while ${name}`, unit: 'ms', runs: runs(({ script }) => script) })
  show({ name: `map: drawing by software for a frame while ${name}`, unit: 'ms', runs: runs(({ raster }) => raster) })
}

/** Measures the map with 100,000 devices in Chromium, drawn by software. */
export const benchMap = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const { points, rounds } = isQuick ? quick : { points: POINTS, rounds: ROUNDS }
  await makeDevices(stage.access, points)
  const { id } = await makeUser(stage.access.db, { roles: ['super_admin'] })
  const url = `${stage.node.http}/warn/map`
  const target = { url, ready: '.maplibregl-canvas', token: await stage.tokenOf(id) }
  const visits: Visit[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const measured = await visit(target)
    if (round > 0) visits.push(measured)
  }
  const runs = (name: 'drawn' | 'paint' | 'heap' | 'resident') => visits.map((measured) => measured[name])
  show({ name: 'map: canvas on the page', unit: 'ms', runs: runs('paint') })
  show({ name: `map: ${points} devices drawn after the click`, unit: 'ms', runs: runs('drawn') })
  showMotion(
    show,
    'zooming',
    visits.map(({ zooming }) => zooming),
  )
  showMotion(
    show,
    'panning',
    visits.map(({ panning }) => panning),
  )
  show({ name: 'map: script memory', unit: 'MB', runs: runs('heap') })
  show({ name: 'map: resident memory of the page and its workers', unit: 'MB', runs: runs('resident') })
}

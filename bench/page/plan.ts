import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { makePlace, makeSchool, makeUser } from '../../apps/server/seed/fixtures.ts'
import { makeRecord } from '../../apps/server/seed/record-fixtures.ts'
import { openBrowser } from '../../e2e/setup/browser.ts'
import type { BenchServer } from '../bench-server.ts'
import type { BenchFigure } from '../figures.ts'
import { callAs } from '../register/bench-calls.ts'
import { freshPage } from './visit.ts'

/** A scanned plan of A4 at 200 dots an inch. */
const PICTURE = { width: 2339, height: 1654 }
const ROOMS = 40
const ROOMS_PER_ROW = 8
const sizes = { full: { floors: 10, rounds: 3 }, quick: { floors: 2, rounds: 1 } }

/** Lines of many colours, so that the picture has the size of a real one. */
const drawPicture = (): Promise<Buffer> => {
  const lines = Array.from({ length: 400 }, (_, index) => {
    const x = (index * 97) % PICTURE.width
    const y = (index * 61) % PICTURE.height
    return `<path d="M${x} ${y}h${60 + (index % 90)}v${40 + (index % 70)}" stroke="hsl(${index} 40% 40%)" fill="none"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE.width}" height="${PICTURE.height}">
    <rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** The outline of a room in a grid, from 0 to 1. */
const outlineOf = (index: number): [number, number][] => {
  const left = (index % ROOMS_PER_ROW) / ROOMS_PER_ROW
  const top = Math.floor(index / ROOMS_PER_ROW) / (ROOMS / ROOMS_PER_ROW)
  return [
    [left, top],
    [left + 0.1, top],
    [left + 0.1, top + 0.15],
    [left, top + 0.15],
  ]
}

/** Floors with a published plan and forty drawn rooms each, and an alarm in the first room of every floor. */
const makeFloors = async (stage: BenchServer, token: string, floors: number): Promise<void> => {
  const { db, pool } = stage.access
  const call = callAs(stage, token)
  const school = await makeSchool(db)
  const picture = await drawPicture()
  for (let floorNo = 1; floorNo <= floors; floorNo += 1) {
    const floor = await makePlace(db, { schoolId: school.id, kind: 'FLOOR', name: `${floorNo}层`, floorNo })
    const rooms = []
    for (let n = 0; n < ROOMS; n += 1) {
      const room = await makePlace(db, { schoolId: school.id, parentId: floor.id, name: `${floorNo}-${n}室` })
      await pool.query('update place set polygon = $1 where id = $2', [JSON.stringify(outlineOf(n)), room.id])
      rooms.push(room)
    }
    const form = new FormData()
    form.append('file', new Blob([picture as BlobPart], { type: 'image/png' }), 'floor.png')
    const { id: fileId } = await call<{ id: number }>('POST', '/infra/file/upload', form)
    const id = await call<number>('POST', '/school/floor-plan/create', { placeId: floor.id, fileId })
    await call('POST', '/school/floor-plan/publish', { id, version: 1 })
    const at = { schoolId: school.id, deptId: school.deptId, schoolName: school.name, placeId: rooms[0]?.id ?? null }
    await makeRecord(db, { ...at, placePath: `${floorNo}层 / ${floorNo}-0室` })
  }
}

type Painted = { room: number; picture: number }

/** Chooses the alarm of a floor. @returns milliseconds until its room is lit, and until the picture is decoded too. */
const choose = (page: Page, floorNo: number): Promise<Painted> =>
  page.evaluate(async (floor) => {
    const frame = () => new Promise<number>((next) => requestAnimationFrame(next))
    const row = [...document.querySelectorAll<HTMLElement>('.desk-row')].find((item) =>
      item.textContent.includes(`${floor}-0室`),
    )
    const started = performance.now()
    row?.querySelector<HTMLElement>('.desk-row-open')?.click()
    const isLit = () => {
      const lit = document.querySelector('[data-lit="true"]')
      return lit?.querySelector('polygon')?.getClientRects().length && lit.textContent.startsWith(`${floor}-0室`)
    }
    while (!isLit()) await frame()
    // The frame after the next one follows the paint.
    await frame()
    const room = performance.now() - started
    // Chromium decodes pictures of SVG as well; the types know it of HTML only.
    const picture = document.querySelector<SVGElement & Pick<HTMLImageElement, 'decode'>>('.plan-drawing image')
    await picture?.decode()
    await frame()
    return { room, picture: performance.now() - started }
  }, floorNo)

const visit = async (browser: Browser, target: { url: string; ready: string; token: string }, floors: number) => {
  const [page, context] = await freshPage(browser, target)
  await page.goto(target.url)
  await page.locator('[data-lit="true"] polygon').waitFor()
  const painted: Painted[] = []
  // The alarm that the desk chose by itself is among them: its plan is in memory, so it is left out.
  const first = await page.locator('[data-lit="true"]').textContent()
  for (let floor = 1; floor <= floors; floor += 1)
    if (!first?.startsWith(`${floor}-`)) painted.push(await choose(page, floor))
  await context.close()
  return painted
}

/** Measures the floor plan at the alarm desk: from the click on an alarm to its lit room, each floor for the first time. */
export const benchPlan = async (
  stage: BenchServer,
  show: (figure: BenchFigure) => void,
  isQuick: boolean,
): Promise<void> => {
  const { floors, rounds } = isQuick ? sizes.quick : sizes.full
  const { id } = await makeUser(stage.access.db, { roles: ['super_admin'] })
  const token = await stage.tokenOf(id)
  await makeFloors(stage, token, floors)
  const browser = await openBrowser()
  const target = { url: `${stage.node.http}/warn/desk`, ready: '.desk-row', token }
  const painted: Painted[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const measured = await visit(browser, target, floors)
    if (round > 0) painted.push(...measured)
  }
  await browser.close()
  show({ name: 'plan: room lit after the click on its alarm', unit: 'ms', runs: painted.map(({ room }) => room) })
  show({ name: 'plan: picture drawn as well', unit: 'ms', runs: painted.map(({ picture }) => picture) })
}

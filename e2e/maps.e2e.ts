import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { makeDevice, makeInstallation, makeModel, makePlace } from '../apps/server/seed/fixtures.ts'
import { deriveKey } from '../apps/server/src/db/master-key.ts'
import { makePicture } from '../apps/server/test/file-server.ts'
import { type MapService, STAND_IN_KEY, startMapService } from '../tools/map-library/stand-in.ts'
import { changePreferences } from './appearance.ts'
import { alarmRow, clearDesks } from './desk.ts'
import { setSettings } from './settings.ts'
import { browserTest, eventually } from './setup/browser-test.ts'

let mapService: MapService | undefined
const { site, world, visit, devices, all } = browserTest({ language: 'zh-cn', theme: 'light' }, async () => {
  mapService = await startMapService()
  return { TOCSIN_TIANDITU_BROWSER_KEY: STAND_IN_KEY, TOCSIN_TIANDITU_URL: mapService.origin }
})
afterAll(() => mapService?.close())

/** A button in this room, with a position and what its simulator needs. */
const installButton = async (room: { id: number; schoolId: number }) => {
  const { db, masterKey } = site()
  const { id: modelId, productKey } = await makeModel(db, { alarmCodes: ['PANIC'] })
  const { deptId } = world().east
  const key = deriveKey(masterKey, 'device-http-key')
  const { device, secret } = await makeDevice(db, { modelId, key, sn: 'PLAN-901', deptId })
  const installation = await makeInstallation(db, device, room)
  await all().updateTable('schoolDevice').set({ lng: 102.7, lat: 25.1 }).where('id', '=', installation.id).execute()
  return { installation, credential: { productKey, sn: device.sn, secret: Buffer.from(secret, 'base64url') } }
}

/** Draws the grounds of the school in its form. */
const drawFence = async (schoolId: number) => {
  const page = await visit(world().admin, `/school/form?id=${schoolId}`)
  await page.getByRole('button', { name: '在地图上画' }).click()
  const canvas = page.locator('.map-drawing canvas')
  await canvas.waitFor()
  await page.getByRole('button', { name: '重新画范围' }).click()
  const box = await canvas.boundingBox()
  const [x, y] = [(box?.width ?? 0) / 2, (box?.height ?? 0) / 2]
  for (const [right, down] of [
    [-60, -60],
    [60, -60],
    [60, 60],
    [-60, -60],
  ] as const)
    await canvas.click({ position: { x: x + right, y: y + down } })
  await page.getByText(/^3 个顶点/).waitFor()
  await page.getByRole('button', { name: /^保\s*存$/ }).click()
  const stored = async () =>
    (await all().selectFrom('school').select('geofence').where('id', '=', schoolId).executeTakeFirst())?.geofence
  await eventually(async () => (await stored())?.coordinates[0]?.length).toBe(4)
}

test('draws a fence, uploads a plan, draws a room, pins a device by mouse and keys, and highlights the room at the desk and on the phone when it is pressed', async () => {
  const { east, admin, lead } = world()
  const { guard } = east.staff
  await drawFence(east.id)
  const { db } = site()
  await clearDesks(site())
  const floor = await makePlace(db, { schoolId: east.id, kind: 'FLOOR', name: '9层', floorNo: 9 })
  const above = await makePlace(db, { schoolId: east.id, kind: 'FLOOR', name: '10层', floorNo: 10 })
  await makePlace(db, { schoolId: east.id, name: '1001室', parentId: above.id })
  const room = await makePlace(db, { schoolId: east.id, name: '901室', parentId: floor.id })
  const { installation, credential } = await installButton(room)
  const page = await visit(admin, `/school/detail/${east.id}?tab=plans`)
  await page.getByRole('combobox', { name: '楼层', exact: true }).click()
  await page.getByTitle('9层').last().click()
  const buffer = await makePicture(800, 500)
  await page.locator('input[type=file]').first().setInputFiles({ name: 'floor.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: /^第 1 版$/ }).waitFor()

  const drawing = page.getByRole('img', { name: '9层平面图' })
  await page.getByRole('button', { name: '901室' }).click()
  await page.keyboard.press('r')
  await drawing.click({ position: { x: 50, y: 50 } })
  await drawing.click({ position: { x: 200, y: 150 } })
  await page.getByRole('button', { name: 'PLAN-901' }).click()
  await page.keyboard.press('d')
  await drawing.click({ position: { x: 100, y: 100 } })
  await page.getByText('2 处未保存').waitFor()
  await page.getByRole('button', { name: 'PLAN-901' }).press('Control+z')
  await page.getByText('1 处未保存').waitFor()
  await page.keyboard.press('Control+y')
  await page.getByText('2 处未保存').waitFor()
  await page.keyboard.press('v')
  const box = await drawing.boundingBox()
  const dragTo = async (x: number, y: number) => {
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + y, { steps: 3 })
    await page.mouse.up()
  }
  await drawing.locator(`[data-device="${installation.id}"] circle`).hover()
  await dragTo(150, 120)
  await page.getByRole('button', { name: /901室$/ }).click()
  const corners = () => drawing.locator(`[data-room="${room.id}"] polygon`).getAttribute('points')
  await page.getByText('2 处未保存').waitFor()
  const straight = await corners()
  await drawing.locator('[data-corner="2"]').hover()
  await dragTo(260, 130)
  await eventually(corners).not.toBe(straight)
  await page.keyboard.press('l')
  await drawing.click({ position: { x: 20, y: 300 } })
  await drawing.click({ position: { x: 60, y: 200 } })
  await page.getByRole('button', { name: '完成路线' }).click()
  await page.getByText('3 处未保存').waitFor()
  await page.getByRole('button', { name: /^保\s*存$/ }).click()
  await page.getByText('3 处未保存').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^发\s*布$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /发\s*布|确\s*定/ })
    .click()
  await page.getByText('已发布').waitFor()
  const pin = async () =>
    (await all().selectFrom('schoolDevice').select('planX').where('id', '=', installation.id).executeTakeFirst())?.planX
  await eventually(pin).toBeGreaterThan(0)
  const hung = await visit(admin, `/schoolDevice/detail/${installation.id}`)
  await hung.locator(`[data-device="${installation.id}"][data-chosen="true"]`).waitFor()
  await hung.getByRole('button', { name: '在地图上标位置' }).click()
  await hung.getByText('25.100000', { exact: false }).last().waitFor()
  await hung.locator('.map-drawing .maplibregl-marker').press('ArrowUp')
  const at = async () =>
    (await all().selectFrom('schoolDevice').select('lat').where('id', '=', installation.id).executeTakeFirst())?.lat
  const before = await at()
  await hung.getByRole('button', { name: /^保\s*存$/ }).click()
  await eventually(at).not.toBe(before)

  await page.getByRole('combobox', { name: '楼层', exact: true }).click()
  await page.getByTitle('10层').last().click()
  await page.getByRole('img', { name: '10层平面图' }).waitFor()
  await page.getByRole('combobox', { name: '从其他楼层复制' }).click()
  await page.getByTitle('9层').last().click()
  await page.getByText('画出 1 个房间、0 台设备').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*[定认]/ })
    .click()
  // The outline and the way to it.
  await page.getByText('2 处未保存').waitFor()

  const overview = await visit(lead, '/warn/map')
  await overview.locator('.maplibregl-canvas').waitFor()
  const desk = await visit(lead, '/warn/desk')
  const fleet = await devices({ devices: [credential] })
  fleet.press(credential.sn)
  await overview.locator('.map-pulse').waitFor({ state: 'attached' })
  await alarmRow(desk, '901室').locator('.desk-row-open').click()
  const lit = desk.locator(`[data-room="${room.id}"][data-lit="true"]`)
  await lit.waitFor()
  await lit.locator('polygon').waitFor()
  await desk.locator('.plan-route').waitFor({ state: 'attached' })

  const record = await all()
    .selectFrom('warnRecord')
    .select('id')
    .where('placeId', '=', room.id)
    .executeTakeFirstOrThrow()
  const sent = { recordId: record.id, schoolId: east.id, deptId: east.deptId, responderName: '马保安' }
  const task = await all()
    .insertInto('assignment')
    .values({ ...sent, responderUserId: guard.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const points = [30, 20, 10].map((seconds) => ({
    assignmentId: task.id,
    byUserId: guard.id,
    lng: 102.7 + seconds / 1e5,
    lat: 25.1,
    accuracyM: 8,
    at: new Date(Date.now() - seconds * 1000),
  }))
  await all().insertInto('assignmentPosition').values(points).execute()
  await desk.getByText('地图', { exact: true }).click()
  await desk.locator('.record-map .maplibregl-canvas').waitFor()
  await desk.locator('.record-map[data-people="1"]').waitFor()
  await desk.getByRole('button', { name: /播\s*放/ }).waitFor()

  const mobile = await visit(guard, '/m/tasks', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await mobile.getByText('901室').first().click()
  await mobile.locator(`[data-room="${room.id}"][data-lit="true"] polygon`).waitFor()
})

test('the map and its list have the same selection, and Enter opens the alarm on the desk', async () => {
  const page = await visit(world().lead, '/warn/map')
  await page.locator('.maplibregl-canvas').waitFor()
  const list = page.getByRole('listbox', { name: '图上的对象' })
  await page.getByPlaceholder('按名称、编码、地址或拼音首字母查找').fill('901室')
  await list.getByRole('option').filter({ hasText: '位置' }).waitFor()
  await list.focus()
  await page.keyboard.press('ArrowDown')
  await list.getByRole('option', { selected: true }).waitFor()
  await page.locator('.map-selection').waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/warn\/desk\?id=\d+/)
  await page.locator('.desk-row[data-selected="true"]').waitFor()
  expect(await page.title()).toContain('接警台')
})

/** What every provider of a map can do; the demo page shows it. */
const useEveryPart = async (page: Page) => {
  const map = page.locator('.map-canvas')
  const box = await map.boundingBox()
  const middle = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 }
  const from = { x: (box?.x ?? 0) + middle.x, y: (box?.y ?? 0) + middle.y }
  const open = (part: string) => page.getByRole('radiogroup', { name: '组件' }).getByText(part, { exact: true }).click()

  const before = await page
    .getByText(/^位置 /)
    .first()
    .textContent()
  await page.getByTitle('可拖动').last().hover()
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + 40, { steps: 4 })
  await page.mouse.up()
  await eventually(() =>
    page
      .getByText(/^位置 /)
      .first()
      .textContent(),
  ).not.toBe(before)

  await open('图形')
  for (const [kind, clicks] of [
    [
      '多边形',
      [
        [-90, -60],
        [90, -60],
        [0, 90],
      ],
    ],
    [
      '圆',
      [
        [-150, 0],
        [-150, 40],
      ],
    ],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(`^画\\s*${kind}`) }).click()
    for (const [x, y] of clicks) await map.click({ position: { x: middle.x + x, y: middle.y + y } })
    if (kind === '多边形') await map.dblclick({ position: { x: middle.x - 60, y: middle.y + 60 } })
    await page.getByRole('listitem').filter({ hasText: kind }).waitFor()
  }

  const texts = () => page.getByRole('listitem').filter({ hasText: '个顶点' }).textContent()
  const drawn = await texts()
  await page.getByText('编辑', { exact: true }).click()
  await page.locator('.map-service-handle, [data-overlay="Handle"]').first().hover()
  await page.mouse.down()
  await page.mouse.move(from.x - 120, from.y - 90, { steps: 4 })
  await page.mouse.up()
  await eventually(texts).not.toBe(drawn)

  // A map that is built anew would lose the shape that is being drawn.
  await page.getByRole('button', { name: /^画\s*矩形/ }).click()
  await map.click({ position: { x: middle.x + 60, y: middle.y + 20 } })
  await changePreferences(page, { theme: 'dark' })
  await page.locator('html.dark').waitFor()
  await map.click({ position: { x: middle.x + 120, y: middle.y + 60 } })
  await page.getByRole('listitem').filter({ hasText: '矩形' }).waitFor()
  await changePreferences(page, { theme: 'light' })

  await open('搜索')
  await page.getByLabel('输入关键字搜索').fill('东湖')
  await page.getByRole('list', { name: '建议' }).getByRole('button').first().click()
  await page.getByRole('list', { name: '搜索结果' }).getByRole('button').first().click()
  const info = page.getByRole('dialog', { name: /东湖/ })
  await info.waitFor()
  await page.keyboard.press('Escape')
  await info.waitFor({ state: 'detached' })

  await open('路线')
  await page.getByLabel('起点').fill('116.40,39.91')
  await page.getByLabel('终点').fill('116.42,39.93')
  await page.getByRole('button', { name: '查路线' }).click()
  await page.getByRole('list', { name: '方案' }).getByText(/公里/).waitFor()

  await open('轨迹')
  await page.getByRole('button', { name: /播\s*放/ }).click()
  await page.getByText(/已过第 [3-9] /).waitFor()
}

test('the demo page has every part on the library of the national service and on the local map', async () => {
  await all().updateTable('school').set({ lng: 116.4, lat: 39.9 }).where('id', '=', world().east.id).execute()
  await setSettings(site(), { 'site.demo': 'true' })
  const page = await visit(world().admin, '/demo/map')
  await page.getByText('国家地图服务已就绪').waitFor()
  await page.locator('[data-provider="national"]').waitFor()
  await useEveryPart(page)
  await page.getByText('底图', { exact: true }).click()
  await page.getByText('影像', { exact: true }).click()
  await eventually(() => mapService?.requests.some((url) => url.startsWith('/cia_w/wmts'))).toBe(true)

  await page.getByText('标注', { exact: true }).click()
  await page.getByRole('radiogroup', { name: '由谁绘制' }).getByText('本地底图').click()
  await page.locator('[data-provider="local"] .maplibregl-canvas').waitFor()
  await useEveryPart(page)
})

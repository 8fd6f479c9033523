import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { insertOrder } from '../apps/server/src/areas/device/maintenance/create-order.ts'
import { builtInResponses } from '../apps/server/src/areas/device/procedure/built-in-response.ts'
import { builtInWork } from '../apps/server/src/areas/device/procedure/built-in-work.ts'
import type { BuiltInProcedure } from '../packages/contract/src/device/procedure/procedure.ts'
import { signedText } from '../packages/contract/src/device/rollout/rollout.ts'
import { alarmRow, claim, clearDesks, detail, submitVerb, verb } from './desk.ts'
import { button, confirmDialog, row, SETTLED } from './page-actions.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

// Work on devices: an inspection, a response plan, a rollout and the readiness of a school.

const { site, world, visit, devices, all } = browserTest({ language: 'zh-cn', theme: 'light' })
beforeEach(() => clearDesks(site()))

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Puts a built-in procedure in force. */
const publish = async (procedure: BuiltInProcedure) => {
  const { db } = site()
  const { key: _, steps: list, ...given } = procedure
  const scope = { ...given, steps: sql<typeof list>`${JSON.stringify(list)}::jsonb` }
  const { id } = await db
    .insertInto('procedure')
    .values({ ...scope, status: 'PUBLISHED', versionNo: 1, changed: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('procedureVersion')
    .values({ ...scope, procedureId: id, no: 1 })
    .execute()
}
const builtIn = (list: readonly BuiltInProcedure[], key: string) => {
  const found = list.find((procedure) => procedure.key === key)
  if (!found) throw new Error(`no built-in procedure ${key}`)
  return found
}
const deviceBySn = (sn: string) => all().selectFrom('device').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow()
const isNarrow = (page: Page) =>
  eventually(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)

test('inspects a device on the phone from its order, with a photo, a reading in its limits, and after a reload', async () => {
  await publish(builtIn(builtInWork, 'work-inspect'))
  const device = await deviceBySn('EAST-0001')
  const draft = { device, cause: 'MANUAL', priority: 'NORMAL', description: '季度巡检' } as const
  const made = await site()
    .db.transaction()
    .execute((trx) => insertOrder(trx, null, draft))
  const page = await visit(world().maintainer, `/device/maintenance/${made?.order.id}`, phone)
  await button(page, '执行作业规程').tap()
  await page
    .locator(SETTLED)
    .getByRole('button', { name: /^设备巡检 · 5 步$/ })
    .tap()

  const next = button(page, '下一步')
  await page.getByRole('heading', { name: '外观完好' }).waitFor()
  await isNarrow(page)
  await next.tap()
  await page.getByRole('heading', { name: '扫描设备二维码' }).waitFor()
  await page.getByLabel('扫码').fill('WEST-0001')
  await next.tap()
  await page.locator('.ant-form-item-explain-error').waitFor()
  await page.getByLabel('扫码').fill('EAST-0001')
  await next.tap()
  await page.getByRole('heading', { name: '测量电池电压' }).waitFor()
  await page.getByLabel('读数 (V)').fill('2.9')
  await next.tap()
  await page.getByRole('alert').getByText('2.9 V 超出范围 3.3–4.3，请处理后重测').waitFor()

  await page.reload()
  await page.getByRole('heading', { name: '测量电池电压' }).waitFor()
  await page.getByText('2.9 V 超出范围 3.3–4.3').waitFor()
  await page.getByLabel('读数 (V)').fill('3.9')
  await next.tap()
  await page.getByRole('heading', { name: '清洁按钮和麦克风' }).waitFor()
  await button(page, '跳过').tap()
  await page.getByRole('heading', { name: '拍照' }).waitFor()
  const background = { r: 40, g: 90, b: 160 }
  const buffer = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer()
  await page.locator('input[type=file]').first().setInputFiles({ name: '现场.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('img', { name: '现场.jpg' }).or(page.getByText('现场.jpg')).first().waitFor()
  await next.tap()
  await page.getByRole('heading', { name: '必做步骤已全部完成' }).waitFor()
  await button(page, '完成').tap()
  await page.getByText('已完成', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: '回到工单' }).tap()
  await page.getByText('设备巡检').first().waitFor()

  const steps = await all()
    .selectFrom('procedureRunStep')
    .innerJoin('procedureRun', 'procedureRun.id', 'procedureRunStep.runId')
    .select(['no', 'procedureRunStep.state', 'reading', 'scan', 'userName'])
    .where('deviceId', '=', device.id)
    .orderBy('no')
    .execute()
  const done = { state: 'DONE', userName: world().maintainer.nickname }
  expect(steps).toMatchObject([
    { no: 1, ...done },
    { no: 2, scan: 'EAST-0001', ...done },
    { no: 3, reading: 3.9, ...done },
    { no: 5, ...done },
  ])
})

test('explains the readiness of a school, and raises it on the open page when the causes are repaired', async () => {
  const { id, devices: credentials, staff } = world().west
  const page = await visit(staff.head, `/insight/readiness/${id}`)
  const reasons = page.getByRole('region', { name: '扣分原因' })
  const reason = (text: string) => reasons.getByRole('listitem').filter({ hasText: text })
  const badge = (score: number) => page.getByText(`就绪 ${score}`, { exact: true })
  await badge(0).waitFor()
  await reason('从未按过或测试').getByText('−30').waitFor()
  await reason('学校未指定派出所').getByText('−25').waitFor()
  await reason('报警没有已发布的预案').getByText('−5').waitFor()
  await reason('不在线').getByText('4 台设备').waitFor()
  await reason('不在线').getByRole('checkbox').check()
  await page.getByText('勾选的做完后：35').waitFor()

  const fleet = await devices({ devices: credentials })
  await badge(35).waitFor()
  await reason('不在线').waitFor({ state: 'detached' })
  fleet.press('WEST-0001', { mode: 'TEST' })
  await row(page, 'WEST-0001').getByText('65', { exact: true }).waitFor()
  await reason('从未按过或测试').getByText('3 台设备').waitFor()
  await badge(42).waitFor()
  await page.getByText('权重第 3 版').waitFor()
})

test('shows the response plan of an alarm at the desk and on the phone, and holds its end until mandatory steps are done', async () => {
  await publish(builtIn(builtInResponses, 'response-panic'))
  const { safety, guard } = world().east.staff
  const [desk, mobile] = await Promise.all([visit(safety, '/warn/desk'), visit(guard, '/m/tasks', phone)])
  await mobile.getByRole('button', { name: /^上\s*岗$/ }).tap()
  await mobile.getByText('在岗', { exact: true }).waitFor()
  const fleet = await devices({ devices: world().east.devices })
  fleet.press('EAST-0002')
  await alarmRow(desk, '102室').waitFor()
  await claim(desk, '102室')
  await detail(desk).getByRole('heading', { name: '预案 0/7' }).waitFor()
  await submitVerb(desk, '派人', async (form) => {
    const person = form.getByRole('checkbox', { name: new RegExp(guard.nickname) })
    await eventually(() => person.isChecked()).toBe(true)
  })

  await mobile.getByRole('button', { name: '我去现场' }).tap()
  const plan = mobile.getByRole('region', { name: '预案', exact: true })
  await plan.getByRole('heading', { name: '预案 0/7' }).waitFor()
  await isNarrow(mobile)
  await plan.getByRole('checkbox', { name: /^4\. 到场后先隔开双方/ }).tap()
  await detail(desk).getByRole('heading', { name: '预案 1/7' }).waitFor()
  await detail(desk).getByText(guard.nickname).first().waitFor()
  await mobile.getByRole('button', { name: '我到了' }).tap()
  await detail(desk).getByText('已到场').first().waitFor()
  fleet.event('EAST-0002', 'MANUAL_RESET')

  const held = desk.getByRole('toolbar', { name: '可执行的操作' }).getByRole('button', { name: '处置完成 · 还差 1 步' })
  await eventually(() => held.getAttribute('aria-disabled')).toBe('true')
  await detail(desk)
    .getByRole('checkbox', { name: /^2\. 拨打保卫室电话/ })
    .click()
  await plan.getByRole('heading', { name: '预案 2/7' }).waitFor()
  await held.waitFor({ state: 'detached' })
  await eventually(() => verb(desk, '处置完成').getAttribute('aria-disabled')).not.toBe('true')
  await submitVerb(desk, '处置完成', async (form) => {
    await form.getByText('属实，已处置').click()
    await form.getByLabel('说明').fill('双方已分开')
  })
})

/** A signed package for the model of the devices, and no classes today. */
const preparePackage = async () => {
  const { db } = site()
  const { modelId } = await deviceBySn('EAST-0001')
  const keys = generateKeyPairSync('ed25519')
  const key = Buffer.from(String(keys.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64')
  await db.updateTable('config').set({ value: key }).where('key', '=', 'ota.public-key').execute()
  await sql`update device_model set capabilities = jsonb_set(capabilities, '{ota}', 'true') where id = ${modelId}`.execute(
    db,
  )
  await sql`insert into school_calendar_day (dept_id, day, kind, name)
    select dept_id, (now() at time zone 'Asia/Shanghai')::date + n, 'HOLIDAY', '假期' from school, generate_series(0, 1) n
    on conflict do nothing`.execute(db)
  const sha256 = createHash('sha256').update(randomBytes(64)).digest()
  const { id: ownerId, nickname: ownerName } = world().maintainer
  const file = {
    name: 'b1.zip',
    type: 'application/zip',
    size: 64,
    sha256,
    purpose: 'DRAFT',
    ownerId,
    ownerName,
  } as const
  const { id: fileId } = await all().insertInto('file').values(file).returning('id').executeTakeFirstOrThrow()
  const { productKey } = await db
    .selectFrom('deviceModel')
    .select('productKey')
    .where('id', '=', modelId)
    .executeTakeFirstOrThrow()
  const of = { kind: 'FIRMWARE', release: '2.5.0', sha256: sha256.toString('hex') } as const
  const signature = sign(null, Buffer.from(signedText({ ...of, productKey })), keys.privateKey).toString('base64')
  await db
    .insertInto('programPackage')
    .values({ ...of, signature, modelId, fileId, fileName: file.name, size: file.size, createdBy: ownerId })
    .execute()
}
/** The next step of the rollout, which otherwise comes once a minute. */
const advanceNow = () =>
  site()
    .db.updateTable('timer')
    .set({ dueAt: new Date(0) })
    .where('kind', '=', 'rollout')
    .where('doneAt', 'is', null)
    .execute()

test('halts a rollout by its health gate on the open page, and a person rolls it back', async () => {
  await preparePackage()
  const fleet = [...world().east.devices, ...world().west.devices]
  await devices({ devices: fleet, updateFailure: 'BAD_FLASH' })
  const maker = await visit(world().maintainer, '/device/rollout')
  await button(maker, '新增升级').first().click()
  const dialog = maker.locator(SETTLED)
  await dialog.getByLabel('名称').fill('秋季固件')
  await dialog.getByLabel('升级包').click()
  await maker
    .locator('.ant-select-dropdown:visible')
    .getByTitle(/2\.5\.0/)
    .click()
  await button(dialog, '新增').click()
  await maker.getByText('由另一人批准后才能开始。').waitFor()

  const address = new URL(maker.url()).pathname
  const approver = await visit(world().admin, address)
  await button(approver, '批准').click()
  await button(approver, '开始').click()
  await confirmDialog(approver)
  await maker.getByText('第 1 批 1%').first().waitFor()
  await maker.getByText('0 / 1 台').waitFor()
  const updating = row(maker, 'BAD_FLASH')
  await maker.getByRole('cell', { name: '下载中' }).waitFor()
  await updating.getByText('失败').waitFor()
  await maker.getByText('1 / 1 台').waitFor()
  await maker.getByText('100% / 2%').waitFor()
  await advanceNow()
  await maker.getByRole('alert').getByText('已中止：100% > 2%').waitFor()
  await eventually(() => maker.getByRole('cell', { name: '排队' }).count()).toBe(fleet.length - 1)

  await button(maker, '更多').click()
  await maker.locator('.ant-dropdown:visible').getByText('回退', { exact: true }).click()
  await maker.locator(SETTLED).getByLabel('原因').fill('固件写入失败')
  await button(maker.locator(SETTLED), '回退').click()
  await maker.getByRole('cell', { name: '已回退' }).waitFor()
  await maker.getByRole('alert').getByText('已中止：固件写入失败').waitFor()
})

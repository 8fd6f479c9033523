import type { BrowserContextOptions } from 'playwright-core'
import { test } from 'vitest'
import { button, closed, drawer, openRowAction, row, save, selectOption, SETTLED } from './page-actions.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import { EAST_SCHOOL } from './setup/e2e-fixture.ts'

const { world, visit, all, allow } = browserTest({ language: 'zh-cn', theme: 'light' })

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

const lifecycleOf = async (sn: string) =>
  (await all().selectFrom('device').select('lifecycle').where('sn', '=', sn).executeTakeFirst())?.lifecycle

test('a device is registered, mounted by phone, pressed, accepted by the school, and retired in the end', async () => {
  allow(/device\/school-device\/accept/)
  const store = await visit(world().admin, '/device/device')
  await button(store, '登记设备').click()
  await drawer(store).getByLabel('设备序列号').fill('E2E-0001')
  const [model] = await all().selectFrom('deviceModel').select(['vendor', 'name']).orderBy('id').limit(1).execute()
  await selectOption(store, drawer(store).getByLabel('型号'), `${model?.vendor} ${model?.name}`)
  await save(store)
  await closed(store)
  const secret = store.locator(SETTLED)
  await secret.getByText('E2E-0001 的密钥').waitFor()
  await eventually(() => button(secret, '完成').isDisabled()).toBe(true)
  await secret.getByRole('checkbox').check()
  await button(secret, '完成').click()
  await row(store, 'E2E-0001').getByText('在库').waitFor()

  const install = await visit(world().maintainer, '/m/install', phone)
  await install.getByLabel('或输入序列号').fill('E2E-0001')
  await button(install, '下一步').tap()
  await selectOption(install, install.getByLabel('学校', { exact: true }), EAST_SCHOOL)
  await install.getByLabel('位置', { exact: true }).click()
  await install.locator('.ant-select-tree').getByText('101室').click()
  await button(install, '已装好，下一步').tap()
  await install.getByText('请在设备上按下').waitFor()
  await eventually(() => lifecycleOf('E2E-0001')).toBe('COMMISSIONING')
  await eventually(() =>
    install.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)

  const { id, deptId, schoolId } = await all()
    .selectFrom('device')
    .select(['id', 'deptId', 'schoolId'])
    .where('sn', '=', 'E2E-0001')
    .executeTakeFirstOrThrow()
  const press = { kind: 'ALARM', code: 'PANIC', mode: 'TEST', via: 'MQTT', suppressed: 'INFORMATION' } as const
  await all()
    .insertInto('signal')
    .values({ ...press, deviceId: id, eventId: 'e2e-press-0000001', occurredAt: new Date(), deptId, schoolId })
    .execute()
  await install.getByText('已收到按键').waitFor()

  const school = await visit(world().east.staff.head, '/m/install?sn=E2E-0001', phone)
  await button(school, '验收').tap()
  await eventually(() => lifecycleOf('E2E-0001')).toBe('IN_SERVICE')
  await install.getByText('已安装在').waitFor()

  await store.goto(`/device/detail/${id}`)
  await store.locator('.device-title').getByText('在用').waitFor()
  await store
    .getByText(/维护.* 装好|装好/)
    .first()
    .waitFor()
  await store.goto('/device/schoolDevice')
  await openRowAction(store, 'E2E-0001', '拆除')
  await button(store.locator(SETTLED), '拆除').click()
  await eventually(() => lifecycleOf('E2E-0001')).toBe('IN_STOCK')
  await store.goto('/device/device')
  await openRowAction(store, 'E2E-0001', '报废')
  await store.locator(SETTLED).getByLabel('原因').fill('测试结束')
  await button(store.locator(SETTLED), '报废').click()
  await row(store, 'E2E-0001').getByText('已报废').waitFor()
})

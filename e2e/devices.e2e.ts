import type { BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'vitest'
import {
  button,
  closed,
  confirmDialog,
  drawer,
  runRowAction,
  row,
  save,
  selectOption,
  SETTLED,
} from './page-actions.ts'
import type { RoleCode } from '../apps/server/src/areas/access/seed/roles.ts'
import { deptByCode, makeUser } from '../apps/server/seed/fixtures.ts'
import { workbook } from '../apps/server/test/job-fixture.ts'
import { openInside } from './appearance.ts'
import { emptyBrowserTest, eventually } from './setup/browser-test.ts'
import type { Person } from './setup/e2e-fixture.ts'

const { site, world, visit, all, allow } = emptyBrowserTest({ language: 'zh-cn', theme: 'light' })

const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

const lifecycleOf = async (sn: string) =>
  (await all().selectFrom('device').select('lifecycle').where('sn', '=', sn).executeTakeFirst())?.lifecycle

const DISTRICT = '湖滨区教育局'
const STATION = '湖滨派出所'
const NEW_SCHOOL = '湖滨小学'

/** Creates a department below a root. @returns its number. */
const addDept = async (page: Page, root: string, name: string, kind: string): Promise<number> => {
  const above = page.getByRole('row').filter({ has: page.getByText(root, { exact: true }) })
  await button(above.first(), '新增下级').click()
  await drawer(page).getByLabel('部门名称').fill(name)
  await selectOption(page, drawer(page).getByLabel('类型'), kind)
  await save(page)
  await closed(page)
  await row(page, name).waitFor()
  const { id } = await all().selectFrom('dept').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  return id
}

const addUser = async (username: string, role: RoleCode, deptId: number) => {
  const nickname = `${username} 新`
  const { id } = await makeUser(site().db, { username, nickname, roles: [role], deptId })
  return { id, username, nickname }
}

/** The administrator creates what every district needs. @returns the officer of the district and the maintainer. */
const createDistrict = async () => {
  const page = await visit(world().admin, '/system/dept')
  const districtId = await addDept(page, '教育局', DISTRICT, '教育局')
  await addDept(page, '公安局', STATION, '派出所')
  await openInside(page, '/device/model')
  await page.getByText('还没有设备型号').first().waitFor()
  await page
    .getByRole('button', { name: /新\s*增/ })
    .first()
    .click()
  await drawer(page).getByLabel('厂商').fill('校安')
  await drawer(page).getByLabel('型号', { exact: true }).fill('B1 报警按钮')
  await drawer(page).getByLabel('产品标识').fill('e2ebutton1')
  await selectOption(page, drawer(page).getByLabel('类型'), '一键报警按钮')
  await drawer(page).getByLabel('报警代码').fill('PANIC')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await drawer(page).getByText('市电', { exact: true }).click()
  await save(page)
  await closed(page)
  await row(page, 'B1 报警按钮').waitFor()
  return {
    officer: await addUser('bureau.new', 'edu_bureau', districtId),
    maintainer: await addUser('maintainer.new', 'maintainer', await deptByCode(site().db, 'OPERATOR')),
  }
}

/** The district enters a school and imports its places. @returns the head of the school, who has an account. */
const enterSchool = async (officer: Person) => {
  const page = await visit(officer, '/school/list')
  await page
    .getByRole('button', { name: /新\s*增/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: '学校名称' }).fill(NEW_SCHOOL)
  await page.getByRole('textbox', { name: '学校代码' }).fill('4201030099')
  await selectOption(page, page.getByLabel('学段'), '小学')
  await selectOption(page, page.getByLabel('教育部门'), DISTRICT)
  await selectOption(page, page.getByLabel('辖区派出所'), STATION)
  await button(page, '保存').click()
  await page.getByRole('tab', { name: /^位置/ }).click()
  await button(page, '导入').click()
  const places = [
    ['教学楼/1层/101室', '房间'],
    ['教学楼/1层/102室', '房间'],
  ]
  const buffer = await workbook(places, ['位置路径', '类型'])
  await drawer(page).locator('input[type=file]').setInputFiles({ name: '位置.xlsx', mimeType: '', buffer })
  await button(drawer(page), '全部导入（2 行）').click()
  await confirmDialog(page)
  await button(drawer(page), '完成').click()
  await page.getByRole('tree').getByText('102室').waitFor()
  const { deptId } = await all()
    .selectFrom('school')
    .select('deptId')
    .where('name', '=', NEW_SCHOOL)
    .executeTakeFirstOrThrow()
  return addUser('head.new', 'school_admin', deptId)
}

test('puts an empty installation to use: creates a district, enters a school with its places, and mounts, presses, accepts and retires a device there', async () => {
  allow(/device\/school-device\/accept/, /ERR_INTERNET_DISCONNECTED/)
  const { officer, maintainer } = await createDistrict()
  const head = await enterSchool(officer)
  const store = await visit(world().admin, '/device/device')
  await button(store, '登记设备').first().click()
  await drawer(store).getByLabel('设备序列号').fill('E2E-0001')
  await selectOption(store, drawer(store).getByLabel('型号'), '校安 B1 报警按钮')
  await save(store)
  await closed(store)
  const secret = store.locator(SETTLED)
  await secret.getByText('E2E-0001 的密钥').waitFor()
  await eventually(() => button(secret, '完成').isDisabled()).toBe(true)
  await secret.getByRole('checkbox').check()
  await button(secret, '完成').click()
  await row(store, 'E2E-0001').getByText('在库').waitFor()

  const install = await visit(maintainer, '/m/install', phone)
  await install.getByLabel('或输入序列号').fill('E2E-0001')
  await button(install, '下一步').tap()
  await selectOption(install, install.getByLabel('学校', { exact: true }), NEW_SCHOOL)
  await install.getByLabel('位置', { exact: true }).click()
  await install.locator('.ant-select-tree').getByText('101室').click()
  await install.context().setOffline(true)
  await button(install, '已装好，下一步').tap()
  await install.getByText('已存在手机上，联网后自动继续').waitFor()
  await install.context().setOffline(false)
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

  const school = await visit(head, '/m/install?sn=E2E-0001', phone)
  await button(school, '验收').tap()
  await eventually(() => lifecycleOf('E2E-0001')).toBe('IN_SERVICE')
  await install.getByText('已安装在').waitFor()

  await openInside(store, `/device/detail/${id}`)
  await store.locator('.workflow-head').getByText('在用').waitFor()
  await store
    .getByText(/维护.* 装好|装好/)
    .first()
    .waitFor()
  await openInside(store, '/device/schoolDevice')
  await runRowAction(store, 'E2E-0001', '拆除')
  await button(store.locator(SETTLED), '拆除').click()
  await eventually(() => lifecycleOf('E2E-0001')).toBe('IN_STOCK')
  await openInside(store, '/device/device')
  await runRowAction(store, 'E2E-0001', '报废')
  await store.locator(SETTLED).getByLabel('原因').fill('测试结束')
  await button(store.locator(SETTLED), '报废').click()
  await row(store, 'E2E-0001').getByText('已报废').waitFor()
})

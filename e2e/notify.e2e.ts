import { beforeEach, test } from 'vitest'
import { alarmRow, claim, clearDesks, startShift } from './desk.ts'
import { button, drawer, row, save } from './page-actions.ts'
import { setSettings } from './settings.ts'
import { eventually, browserTest } from './setup/browser-test.ts'

const { site, world, visit, devices, all } = browserTest({ language: 'zh-cn', theme: 'light' })
beforeEach(() => clearDesks(site()))

test('notifies the guard of a press on every page until a claim, and lists each message', async () => {
  await setSettings(site(), { 'sms.provider': 'console' })
  const { guard, safety } = world().east.staff
  await all().updateTable('users').set({ mobile: '13811112222' }).where('id', '=', guard.id).execute()
  const fleet = await devices({ devices: world().east.devices })
  const phone = await visit(guard, '/myNotice')
  const desk = await visit(safety, '/warn/desk')
  await startShift(desk)

  fleet.press('EAST-0003')
  const message = phone.locator('.ant-notification-notice').filter({ hasText: '紧急报警' })
  await message.getByText('103室').waitFor()
  await alarmRow(desk, '103室').waitFor()
  await eventually(() => desk.locator('.ant-notification-notice').count()).toBe(0)
  await claim(desk, '103室')
  await message.waitFor({ state: 'hidden' })

  const lead = await visit(world().east.staff.head, '/warn/delivery')
  const sms = lead.getByRole('row').filter({ hasText: guard.nickname }).filter({ hasText: '短信' })
  await sms.getByText('已取消').waitFor()
  await sms.getByText('已在其他渠道收到').waitFor()
  await sms.getByText('138****2222').waitFor()
  const inApp = lead.getByRole('row').filter({ hasText: guard.nickname }).filter({ hasText: '站内' })
  await inApp.getByText('已送达').waitFor()
})

test('creates a policy, previews its recipients and times, and tests a channel', async () => {
  const page = await visit(world().admin, '/warn/policy')
  await row(page, '一级警情默认策略').waitFor()
  await button(page, '新增').click()
  const form = drawer(page)
  await form.getByLabel('策略名称').fill('火警策略')
  await form.getByLabel('对象').first().fill('学校保安')
  await page.getByText('学校保安', { exact: true }).last().click()
  await page.keyboard.press('Escape')
  await form.getByText('已通知：学校保安').waitFor()
  await form.getByLabel('级别').click()
  await page.getByText('四级', { exact: true }).last().click()
  await form.getByLabel('类别').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '火警' }).click()
  await form.getByLabel('对象').last().fill('辖区派出所')
  await page.getByText('辖区派出所', { exact: true }).last().click()
  await page.keyboard.press('Escape')
  await save(page)
  await row(page, '火警策略').getByText('火警', { exact: true }).waitFor()

  await button(page, '测试渠道').click()
  await button(drawer(page), '发送测试').first().click()
  await eventually(async () =>
    all().selectFrom('delivery').select('state').where('subjectType', '=', 'TEST').execute(),
  ).toMatchObject([{ state: 'DELIVERED' }])
})

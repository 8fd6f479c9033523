import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import { testPrefix } from '../apps/server/test/kill-leftovers.ts'
import { setSettings } from './settings.ts'
import { eventually, browserTest } from './setup/browser-test.ts'
import type { Person } from './setup/e2e-fixture.ts'

type Seen = { lang?: 'zh-cn' | 'en'; dark?: boolean; tags?: boolean } & BrowserContextOptions

/** A browser test with files to upload. @param on whether the demos are switched on from the beginning. */
export const demoBrowserTest = (on: boolean) => {
  const own = browserTest({ language: 'zh-cn', theme: 'light' })
  const { site, visit, all } = own
  let folder: string
  const at = (name: string) => join(folder, name)
  beforeAll(async () => {
    if (on) await setSettings(site(), { 'site.demo': 'true' })
    folder = mkdtempSync(join(tmpdir(), `${testPrefix}e2e-demos-`))
    const plain = { create: { width: 320, height: 200, channels: 3 as const, background: 'teal' } }
    await sharp(plain).png().toFile(at('现场.png'))
    writeFileSync(at('说明.txt'), '一\n')
    const heads = '名称,类别,标签,链接,价格,进度,排序,状态,备注'
    writeFileSync(at('坏.csv'), `${heads}\n,商品,,,,,,,\n`)
    const lines = Array.from({ length: 7 }, (_, n) => `导入${n + 1},服务,批量,,9.90,${n * 10},${n + 10},启用,`)
    writeFileSync(at('好.csv'), `${heads}\n${lines.join('\n')}\n`)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Opens the page with the preferences of this user. */
  const open = async (person: Person, path: string, { lang = 'zh-cn', dark = false, tags = false, ...more }: Seen) => {
    const stored = { language: lang, theme: dark ? 'dark' : 'light', tagsView: tags, layout: 'left' }
    await all()
      .insertInto('userPreference')
      .values({ userId: person.id, kept: stored })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet({ kept: stored }))
      .execute()
    const page = await visit(person, path, more)
    await eventually(() => page.evaluate(() => document.documentElement.className.includes('dark'))).toBe(dark)
    return page
  }
  return { ...own, at, open }
}

export const fits = async (page: Page) =>
  await eventually(() =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)
export const dialog = (page: Page) => page.locator('.ant-modal:visible')
export const drawer = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible')
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }

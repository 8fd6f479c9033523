import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

export const themes = ['light', 'dark', 'auto'] as const
export const sizes = ['default', 'large', 'small'] as const
export const layouts = ['left', 'top', 'mix'] as const
export const languages = ['zh-cn', 'en'] as const

/**
 * The appearance a user chose, the same on every computer (SPEC 3). Absent: never chosen. Settings of one browser, such
 * as widths and open menus, are not here.
 */
export const Preferences = z
  .strictObject({
    language: field(z.enum(languages), '语言', 'Language'),
    size: field(z.enum(sizes), '布局大小', 'Size'),
    layout: field(z.enum(layouts), '导航布局', 'Layout'),
    theme: field(z.enum(themes), '主题', 'Theme'),
    themeColor: field(z.string().regex(/^#[0-9a-f]{6}$/i), '主题颜色', 'Theme colour'),
    tagsView: field(z.boolean(), '页签栏', 'Tags bar'),
    sidebarLogo: field(z.boolean(), '侧边栏标志', 'Logo'),
    fixedHeader: field(z.boolean(), '固定页头', 'Fixed header'),
    watermarkEnabled: field(z.boolean(), '水印', 'Watermark'),
    watermarkContent: field(z.string().max(50), '水印文字', 'Watermark text'),
    showSettings: field(z.boolean(), '显示设置按钮', 'Settings button'),
    /** The screen after signing in; empty: chosen by role. */
    firstPage: field(z.string().max(100), '登录后首先打开', 'First page after signing in'),
    /** Names of the cards in order, hidden ones with a minus; empty: by role. */
    homeCards: field(z.string().max(300), '首页卡片', 'Cards of Home'),
    /** Named filters by list, as JSON. */
    savedViews: field(z.string().max(8000), '列表视图', 'Saved views'),
    /** Shown and hidden columns by list, as JSON. */
    tableColumns: field(z.string().max(8000), '列表的列', 'Columns of lists'),
  })
  .partial()
export type Preferences = z.output<typeof Preferences>

export const preferences = {
  update: endpoint({
    method: 'PUT',
    path: '/system/user/profile/update-preferences',
    kind: 'json',
    permission: 'token',
    scope: 'self',
    summary: '保存个人偏好',
    summaryEn: 'Keep how I like the console; what is not named stays',
    body: Preferences,
    data: z.literal(true),
  }),
}

import type { ComponentType } from 'react'
import { i18n } from '#texts/i18n.ts'

/** Their words come with the first of them. */
const withWords = async (loading: Promise<ComponentType>): Promise<ComponentType> => {
  const [page, { later }] = await Promise.all([loading, import('#texts/later.ts')])
  for (const [lang, texts] of Object.entries(later)) i18n.addResourceBundle(lang, 'translation', texts, true)
  return page
}

/** The demo pages by the component strings of their menus; each is loaded when somebody opens it. */
export const demoScreens: Readonly<Record<string, () => Promise<ComponentType>>> = {
  'demo/curd/index': () => withWords(import('./curd/CurdPage.tsx').then((all) => all.CurdPage)),
  'demo/dict/index': () => withWords(import('./pages/DictPage.tsx').then((all) => all.DictPage)),
  'demo/icon-selector/index': () =>
    withWords(import('./pages/IconSelectorPage.tsx').then((all) => all.IconSelectorPage)),
  'demo/icons/index': () => withWords(import('./pages/IconsPage.tsx').then((all) => all.IconsPage)),
  'demo/multi-level/one': () => withWords(import('./pages/LevelPages.tsx').then((all) => all.LevelOne)),
  'demo/multi-level/two': () => withWords(import('./pages/LevelPages.tsx').then((all) => all.LevelTwo)),
  'demo/multi-level/three': () => withWords(import('./pages/LevelPages.tsx').then((all) => all.LevelThree)),
  'demo/signature/index': () => withWords(import('./pages/SignaturePage.tsx').then((all) => all.SignaturePage)),
  'demo/table-select/index': () => withWords(import('./table/TableSelectPage.tsx').then((all) => all.TableSelectPage)),
  'demo/upload/index': () => withWords(import('./pages/UploadPage.tsx').then((all) => all.UploadPage)),
  'demo/rich/index': () => withWords(import('./pages/RichPage.tsx').then((all) => all.RichPage)),
  'demo/websocket/index': () => withWords(import('./talk/TalkPage.tsx').then((all) => all.TalkPage)),
  'demo/route-param/index': () => withWords(import('./pages/RouteParamPage.tsx').then((all) => all.RouteParamPage)),
  'demo/document/index': () => withWords(import('./docs/DocumentPage.tsx').then((all) => all.DocumentPage)),
  'demo/api-docs/index': () => withWords(import('./docs/ApiDocsPage.tsx').then((all) => all.ApiDocsPage)),
}

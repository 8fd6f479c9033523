import type { DemoPermission } from '@tocsin/contract/demo/screens'
import type { ComponentType } from 'react'
import { useHasPermission } from '#api/session.ts'
import { ForbiddenPage } from '#shell/pages.tsx'
import { i18n } from '#texts/i18n.ts'
import { pickLanguage } from '#texts/topic.ts'

type Load = () => Promise<ComponentType>

/** Their texts are loaded with the first of them. */
const withWords = (load: Load) => async (): Promise<ComponentType> => {
  const [page, { lazyTexts }] = await Promise.all([load(), import('#texts/lazy-texts.ts')])
  for (const lang of ['zh-cn', 'en'] as const) {
    i18n.addResourceBundle(lang, 'translation', pickLanguage(lazyTexts, lang), true)
  }
  return page
}

type Called = `demo:${'item' | 'signature' | 'text' | 'talk'}:query` | 'infra:api-docs:query'

/** Most of them call nothing that could be rejected: the page itself checks the permission. */
const allowed = (permission: DemoPermission | Called, load: Load): Load => {
  const loadWithWords = withWords(load)
  return async () => {
    const Page = await loadWithWords()
    const Allowed = () => (useHasPermission(permission) ? <Page /> : <ForbiddenPage mark="403" />)
    return Allowed
  }
}

const document: Load = async () => (await import('./docs/DocumentPage.tsx')).DocumentPage

/** The demo pages by the component strings of their menus; each is loaded when it is opened. */
export const demoScreens: Readonly<Record<string, Load>> = {
  'demo/curd/index': allowed('demo:item:query', async () => (await import('./crud/CrudPage.tsx')).CrudPage),
  'demo/dict/index': allowed('demo:dict:query', async () => (await import('./pages/DictPage.tsx')).DictPage),
  'demo/icon-selector/index': allowed(
    'demo:icon-selector:query',
    async () => (await import('./pages/IconSelectorPage.tsx')).IconSelectorPage,
  ),
  'demo/icons/index': allowed('demo:icons:query', async () => (await import('./pages/IconsPage.tsx')).IconsPage),
  'demo/multi-level/one': allowed(
    'demo:level-one:query',
    async () => (await import('./pages/LevelPages.tsx')).LevelOne,
  ),
  'demo/multi-level/two': allowed(
    'demo:level-two:query',
    async () => (await import('./pages/LevelPages.tsx')).LevelTwo,
  ),
  'demo/multi-level/three': allowed(
    'demo:level-three:query',
    async () => (await import('./pages/LevelPages.tsx')).LevelThree,
  ),
  'demo/signature/index': allowed(
    'demo:signature:query',
    async () => (await import('./pages/SignaturePage.tsx')).SignaturePage,
  ),
  'demo/table-select/index': allowed(
    'demo:table-select:query',
    async () => (await import('./table/TableSelectPage.tsx')).TableSelectPage,
  ),
  'demo/upload/index': allowed('demo:upload:query', async () => (await import('./pages/UploadPage.tsx')).UploadPage),
  'demo/map/index': allowed('demo:map:query', async () => (await import('./map/MapDemoPage.tsx')).MapDemoPage),
  'demo/rich/index': allowed('demo:text:query', async () => (await import('./pages/RichPage.tsx')).RichPage),
  'demo/websocket/index': allowed('demo:talk:query', async () => (await import('./chat/ChatPage.tsx')).ChatPage),
  'demo/route-param/index': allowed(
    'demo:route-param:query',
    async () => (await import('./pages/RouteParamPage.tsx')).RouteParamPage,
  ),
  'demo/api-docs/index': allowed(
    'infra:api-docs:query',
    async () => (await import('./docs/ApiDocsPage.tsx')).ApiDocsPage,
  ),
  'demo/document/index': allowed('demo:document:query', document),
  /** The guide, for all users: no menu entry has it. */
  'document/index': withWords(document),
}

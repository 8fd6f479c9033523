import type { ComponentType } from 'react'

/** The demo pages by the component strings of their menus; each is loaded when somebody opens it. */
export const demoScreens: Readonly<Record<string, () => Promise<ComponentType>>> = {
  'demo/curd/index': async () => (await import('./curd/CurdPage.tsx')).CurdPage,
  'demo/dict/index': async () => (await import('./pages/DictPage.tsx')).DictPage,
  'demo/icon-selector/index': async () => (await import('./pages/IconSelectorPage.tsx')).IconSelectorPage,
  'demo/icons/index': async () => (await import('./pages/IconsPage.tsx')).IconsPage,
  'demo/multi-level/one': async () => (await import('./pages/LevelPages.tsx')).LevelOne,
  'demo/multi-level/two': async () => (await import('./pages/LevelPages.tsx')).LevelTwo,
  'demo/multi-level/three': async () => (await import('./pages/LevelPages.tsx')).LevelThree,
  'demo/signature/index': async () => (await import('./pages/SignaturePage.tsx')).SignaturePage,
  'demo/table-select/index': async () => (await import('./table/TableSelectPage.tsx')).TableSelectPage,
  'demo/upload/index': async () => (await import('./pages/UploadPage.tsx')).UploadPage,
  'demo/rich/index': async () => (await import('./pages/RichPage.tsx')).RichPage,
  'demo/websocket/index': async () => (await import('./talk/TalkPage.tsx')).TalkPage,
  'demo/route-param/index': async () => (await import('./pages/RouteParamPage.tsx')).RouteParamPage,
  'demo/document/index': async () => (await import('./docs/DocumentPage.tsx')).DocumentPage,
  'demo/api-docs/index': async () => (await import('./docs/ApiDocsPage.tsx')).ApiDocsPage,
}

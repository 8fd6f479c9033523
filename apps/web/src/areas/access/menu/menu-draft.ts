import { MenuDraft, type MenuRow, type MenuType } from '@tocsin/contract/access/rights/menu'
import { toDraft } from '#ui/form.ts'
import { TOP } from '#ui/tree/ParentSelect.tsx'

const address = /^https?:\/\/\S/i

/** On the wire a link is a menu entry whose path is an address (wire 11.1). */
export const menuTypeOf = ({ type, path }: Pick<MenuRow, 'type' | 'path'>): MenuType =>
  type === 'MENU' && address.test(path ?? '') ? 'LINK' : type

/** Which fields an entry of a type has; the rest is cleared when it is saved. */
export const fieldsByType: Record<MenuType, ReadonlySet<keyof MenuDraft>> = {
  DIR: new Set(['path', 'redirect', 'icon', 'visible', 'alwaysShow']),
  MENU: new Set(['path', 'component', 'componentName', 'permission', 'icon', 'visible', 'keepAlive', 'alwaysShow']),
  LINK: new Set(['path', 'permission', 'icon', 'visible']),
  BUTTON: new Set(['permission']),
}

export type Param = { key: string; value: string }
type Screen = { screen: string; params: Param[] }

/** The screen in a component, and the parameters behind it, as the server reads them (wire 11.1). */
export const parseScreen = (component: string): Screen => {
  const [screen = '', query = ''] = component.split('?')
  return { screen, params: [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })) }
}

/** As people write it: only what would be read otherwise is escaped, and what a browser escapes may be long. */
const escaped = (text: string) => text.replaceAll(/[%&+=#?]/g, encodeURIComponent).replaceAll(' ', '+')

/** The two as one text. A row without a name says nothing yet, and parameters without a screen open nothing. */
export const formatScreen = ({ screen, params }: Screen): string => {
  const named = params.filter(({ key }) => key.trim())
  const query = named.map(({ key, value }) => `${escaped(key.trim())}=${escaped(value)}`).join('&')
  return screen && query ? `${screen}?${query}` : screen
}

type Place = { type: MenuType | undefined; parentId: number | null | undefined; path: string | null | undefined }

/** What is wrong with a path where it stands (wire 1.3); the server checks it too. */
export const pathProblem = ({ type, parentId, path }: Place) => {
  const given = path?.trim() ?? ''
  if (type === 'BUTTON') return undefined
  if (type === 'LINK') return address.test(given) ? undefined : 'menu.linkNeeded'
  if (!given) return 'menu.pathNeeded'
  const atTop = (parentId ?? TOP) === TOP
  if (given.startsWith('/') === atTop) return undefined
  return atTop ? 'menu.pathTop' : 'menu.pathBelow'
}

/** What is sent: the fields of the type, and the name in both languages. */
export const menuDraft = (values: Record<string, unknown>): MenuDraft => {
  const draft = toDraft(MenuDraft, values)
  return { ...draft, nameEn: draft.nameEn ?? draft.name }
}

import { MenuDraft, type MenuRow, type MenuType } from '@tocsin/contract/access/rights/menu'
import { toDraft } from '#ui/form.ts'
import { TOP } from '#ui/tree/ParentSelect.tsx'

const address = /^https?:\/\/\S/i

/** On the wire a link is a menu entry whose path is an address (wire 11.1). */
export const menuTypeOf = ({ type, path }: Pick<MenuRow, 'type' | 'path'>): MenuType =>
  type === 'MENU' && address.test(path ?? '') ? 'LINK' : type

/** The fields of each type of entry; the others are cleared when it is saved. */
export const fieldsByType: Record<MenuType, ReadonlySet<keyof MenuDraft>> = {
  DIR: new Set(['path', 'redirect', 'icon', 'visible', 'alwaysShow']),
  MENU: new Set(['path', 'component', 'componentName', 'permission', 'icon', 'visible', 'keepAlive', 'alwaysShow']),
  LINK: new Set(['path', 'permission', 'icon', 'visible']),
  BUTTON: new Set(['permission']),
}

export type Param = { key: string; value: string }
type Screen = { screen: string; params: Param[] }

/** Splits a component into the screen and its parameters, like the server (wire 11.1). */
export const parseScreen = (component: string): Screen => {
  const [screen = '', query = ''] = component.split('?')
  return { screen, params: [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })) }
}

/** Escapes only ambiguous characters: fully escaped text may become too long. */
const escaped = (text: string) => text.replaceAll(/[%&+=#?]/g, encodeURIComponent).replaceAll(' ', '+')

/** Joins both into one text. Ignores rows without a name, and parameters without a screen. */
export const formatScreen = ({ screen, params }: Screen): string => {
  const named = params.filter(({ key }) => key.trim())
  const query = named.map(({ key, value }) => `${escaped(key.trim())}=${escaped(value)}`).join('&')
  return screen && query ? `${screen}?${query}` : screen
}

type Place = { type: MenuType | undefined; parentId: number | null | undefined; path: string | null | undefined }

/** The error of a path at its position (wire 1.3); the server checks it too. */
export const pathProblem = ({ type, parentId, path }: Place) => {
  const given = path?.trim() ?? ''
  if (type === 'BUTTON') return undefined
  if (type === 'LINK') return address.test(given) ? undefined : 'menu.linkNeeded'
  if (!given) return 'menu.pathNeeded'
  const atTop = (parentId ?? TOP) === TOP
  if (given.startsWith('/') === atTop) return undefined
  return atTop ? 'menu.pathTop' : 'menu.pathBelow'
}

/** The draft to send: the fields of the type, and the name in both languages. */
export const menuDraft = (values: Record<string, unknown>): MenuDraft => {
  const draft = toDraft(MenuDraft, values)
  return { ...draft, nameEn: draft.nameEn ?? draft.name }
}

import type { DemoItemDraft, DemoItemQuery, DemoItemRow } from '@tocsin/contract/demo/item'

// The configuration of a list page as data: the page itself knows neither filters nor columns nor fields.

export type SearchInput = 'text' | 'dict' | 'dept' | 'status' | 'percent' | 'period' | 'tags'
export type SearchField = { name: keyof DemoItemQuery & string; input: SearchInput }

export type CellTemplate =
  | 'text'
  | 'image'
  | 'list'
  | 'tags'
  | 'url'
  | 'price'
  | 'percent'
  | 'icon'
  | 'switch'
  | 'input'
  | 'date'
export type Cell = {
  name: keyof DemoItemRow & string
  template: CellTemplate
  /** The heading of the card on a phone. */
  main?: boolean
  wideOnly?: boolean
  /** Hidden until the user shows it. */
  extra?: boolean
}

export type FormInput =
  | 'text'
  | 'area'
  | 'dict'
  | 'tags'
  | 'url'
  | 'price'
  | 'percent'
  | 'icon'
  | 'number'
  | 'switch'
  | 'time'
  | 'dept'
  | 'image'
export type FormField = { name: keyof DemoItemDraft & string; input: FormInput }

export type CrudConfig = {
  /** The prefix of the button permissions: `demo:item` gives `demo:item:create`. */
  permission: string
  search: readonly SearchField[]
  /** Filters shown before the user expands the form. */
  showNumber: number
  cells: readonly Cell[]
  add: readonly FormField[]
  edit: readonly FormField[]
  tools: { import: boolean; export: boolean; remove: boolean; columns: boolean; search: boolean }
}

const nameField: FormField = { name: 'name', input: 'text' }
const kindField: FormField = { name: 'kind', input: 'dict' }

/** The full configuration. */
const full: CrudConfig = {
  permission: 'demo:item',
  search: [
    { name: 'name', input: 'text' },
    { name: 'kind', input: 'dict' },
    { name: 'status', input: 'status' },
    { name: 'deptId', input: 'dept' },
    { name: 'tag', input: 'tags' },
    { name: 'least', input: 'percent' },
    { name: 'from', input: 'period' },
  ],
  showNumber: 3,
  cells: [
    { name: 'name', template: 'text', main: true },
    { name: 'imageUrl', template: 'image' },
    { name: 'kind', template: 'list' },
    { name: 'tags', template: 'tags' },
    { name: 'price', template: 'price' },
    { name: 'progress', template: 'percent' },
    { name: 'icon', template: 'icon' },
    { name: 'url', template: 'url', wideOnly: true },
    { name: 'sort', template: 'input' },
    { name: 'status', template: 'switch' },
    { name: 'startAt', template: 'date', wideOnly: true },
    { name: 'deptName', template: 'text', extra: true },
    { name: 'remark', template: 'text', extra: true },
    { name: 'updateTime', template: 'date', extra: true },
  ],
  add: [
    nameField,
    kindField,
    { name: 'tags', input: 'tags' },
    { name: 'price', input: 'price' },
    { name: 'imageId', input: 'image' },
  ],
  edit: [
    nameField,
    kindField,
    { name: 'tags', input: 'tags' },
    { name: 'imageId', input: 'image' },
    { name: 'url', input: 'url' },
    { name: 'price', input: 'price' },
    { name: 'progress', input: 'percent' },
    { name: 'icon', input: 'icon' },
    { name: 'startAt', input: 'time' },
    { name: 'deptId', input: 'dept' },
    { name: 'sort', input: 'number' },
    { name: 'status', input: 'switch' },
    { name: 'remark', input: 'area' },
  ],
  tools: { import: true, export: true, remove: true, columns: true, search: true },
}

/** The same rows for users who only follow their progress. */
const short: CrudConfig = {
  permission: 'demo:item',
  search: [
    { name: 'name', input: 'text' },
    { name: 'least', input: 'percent' },
  ],
  showNumber: 2,
  cells: [
    { name: 'name', template: 'text', main: true },
    { name: 'progress', template: 'percent' },
    { name: 'status', template: 'switch' },
    { name: 'startAt', template: 'date' },
  ],
  add: [nameField, kindField],
  edit: [nameField, { name: 'progress', input: 'percent' }, { name: 'startAt', input: 'time' }],
  tools: { import: false, export: false, remove: false, columns: false, search: false },
}

export const configs = { A: full, B: short } as const
export type ConfigName = keyof typeof configs

import type { SameKeys } from '../same-keys.ts'
import type { rich as zh } from '../zh-cn/rich.ts'

export const rich: SameKeys<typeof zh> = {
  toolbar: 'Format',
  heading1: 'Heading 1, H1',
  heading2: 'Heading 2, H2',
  heading3: 'Heading 3, H3',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strike: 'Strikethrough',
  bullets: 'Bulleted list',
  numbers: 'Numbered list',
  quote: 'Quote',
  code: 'Code block',
  line: 'Divider',
  link: 'Link',
  unlink: 'Remove the link',
  address: 'Address of the link',
  wrongAddress: 'Enter an address that begins with http://, https:// or mailto:',
  picture: 'Insert pictures',
  undo: 'Undo',
  redo: 'Redo',
}

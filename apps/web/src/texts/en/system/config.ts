import type { SameKeys } from '../../same-keys.ts'
import type { config as zh } from '../../zh-cn/system/config.ts'

export const config: SameKeys<typeof zh> = {
  none: 'There are no settings yet',
  new: 'New setting',
  editOf: 'Edit setting: {name}',
  builtIn: 'Built in',
  own: 'Own',
  builtInHelp: 'A built-in setting cannot be deleted',
  inEnglish: 'In English, until this is changed: {text}',
  fixed: 'Key and type of a built-in setting cannot be changed',
  keyHelp: 'Begins with a letter, then letters, digits, dots, dashes and underscores',
  categoryHelp: 'Any word, to find settings that belong together',
  bounds: 'A whole number between {min} and {max}',
  whole: 'Must be a whole number',
  urlHelp: 'An address beginning with http:// or https://, or nothing',
  visibleHelp: 'Anybody who is signed in can read a visible setting by its key; keep no passwords here',
  empty: '(empty)',
  refresh: 'Reload cache',
  refreshed: 'All nodes read their settings again',
}

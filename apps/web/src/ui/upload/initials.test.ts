import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['张警官', '张'],
  ['Li Si', 'LS'],
  ['maria da Silva', 'MS'],
  ['admin', 'A'],
  ['', ''],
  ['—', ''],
])('%s is %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
